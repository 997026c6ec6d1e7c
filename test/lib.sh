# SPDX-License-Identifier: Apache-2.0
# For the end-to-end tests test/t_*.sh: source it first, call done_testing last. Each check prints one
# line `ok N title` or `not ok N title`, and after a failure what was seen, each line behind '# '.
# A check that cannot be made here says `ok N title # SKIP reason`.
#
# Sets: TOP, the tree; OJX, the tool under test; TMP, a folder of the test's own, removed at its end.

set -u
# The caller may ignore signals, as nohup and background jobs do. A shell cannot undo that, and its
# children inherit it.
ignored=$(sed -n 's/^SigIgn:[[:space:]]*0*//p' /proc/self/status)
if [ -n "$ignored" ] && [ -z "${OJX_TEST_AGAIN:-}" ]; then
	OJX_TEST_AGAIN=1 exec env --default-signal "$BASH" "$0" "$@"
fi
unset OJX_TEST_AGAIN
# A test does not depend on the environment of the caller.
exec </dev/null
export LC_ALL=C.UTF-8
unset COLUMNS LINES LESS NO_COLOR PAGER OJX_PAGER TMUX JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS \
	XDG_RUNTIME_DIR
TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
OJX=${OJX:-$TOP/ojx}
umask 022
# the path of a socket below it has at most 107 characters
TMP=${TMPDIR:-/tmp}
[ ${#TMP} -le 40 ] || unset TMPDIR
TMP=$(mktemp -d "${TMPDIR:-/tmp}/ojx-test.XXXXXX")
trap 'rm -rf "$TMP"' EXIT
export XDG_CACHE_HOME=$TMP/cache # those of root are in /var/cache
checks=0
failures=0

pass()
{
	checks=$((checks + 1))
	echo "ok $checks $1"
}

# fail TITLE [FILE...]: the files' last lines are shown.
fail()
{
	local title=$1
	shift
	checks=$((checks + 1))
	failures=$((failures + 1))
	echo "not ok $checks $title"
	for f in "$@"; do
		echo "# $(basename "$f"):"
		tail -n 20 "$f" | sed 's/^/#   /'
	done
}

skip()
{
	checks=$((checks + 1))
	echo "ok $checks $1 # SKIP $2"
}

# is TITLE GOT WANT
is()
{
	if [ "$2" = "$3" ]; then
		pass "$1"
	else
		fail "$1"
		printf '%s\n' "got:  $2" "want: $3" | sed 's/^/#   /'
		[ ! -s "$TMP/err" ] || echo "# the last messages: $(tail -n 3 "$TMP/err")" | sed '2,$s/^/#   /'
	fi
}

# check TITLE COMMAND...: the command succeeds.
check()
{
	local title=$1
	shift
	if "$@" >"$TMP/check.out" 2>&1; then
		pass "$title"
	else
		fail "$title" "$TMP/check.out"
	fi
}

# like TITLE FILE REGEX, unlike TITLE FILE REGEX: a line of the file matches (extended), or none does; there must be a file.
like()
{
	if grep -qE -e "$3" "$2"; then
		pass "$1"
	else
		fail "$1: no line like '$3'" "$2"
	fi
}

unlike()
{
	if ! [ -r "$2" ]; then
		fail "$1: there is no '$2'"
	elif grep -qE -e "$3" "$2"; then
		fail "$1: a line like '$3'" "$2"
	else
		pass "$1"
	fi
}

# run COMMAND...: its output goes to $TMP/out and $TMP/err, its exit status to $status.
run()
{
	status=0
	"$@" >"$TMP/out" 2>"$TMP/err" </dev/null || status=$?
}

# reap PID: waits for the end of a command in the background; sets status
reap()
{
	status=0
	wait "$1" || status=$?
}

# kill_jvm PID: without its socket, which a JVM leaves when it is killed, and which bars a later one with that number
kill_jvm()
{
	kill -KILL "$1"
	wait "$1" 2>/dev/null
	rm -f "/tmp/.java_pid$1"
}

# split WORD... -- WORD...: sets before and behind, the words before the first -- and those behind it
split()
{
	before=()
	while [ "$1" != -- ]; do
		before+=("$1")
		shift
	done
	behind=("${@:2}")
}

# soaking: `make soak` runs the test. Then it checks figures with narrow bounds, on every JDK and
# collector. Such a check may fail once in a while: make soak counts how often. Otherwise a test
# checks what always holds.
soaking()
{
	[ -n "${OJX_SOAK:-}" ]
}

# version_of HOME: the version of a JDK, such as 17
version_of()
{
	sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
}

# find_jdks: sets `jdks`: the preferred one and the one that differs most from it in age; when soaking all, and the runtimes in
# $JDKS (separated by colons), which need no compiler
find_jdks()
{
	local home apart most=0 other= more
	mapfile -t jdks < <("$TOP/agent/jdks.sh")
	[ ${#jdks[@]} -gt 0 ] || { echo "not ok no JDK was found"; exit 1; }
	if soaking; then
		IFS=: read -r -a more <<<"${JDKS:-}"
		jdks+=(${more[@]+"${more[@]}"})
	fi
	! soaking && [ ${#jdks[@]} -gt 2 ] || return 0
	for home in "${jdks[@]:1}"; do
		apart=$(($(version_of "$home") - $(version_of "${jdks[0]}")))
		[ "${apart#-}" -lt $most ] || { most=${apart#-}; other=$home; }
	done
	jdks=("${jdks[0]}" "$other")
}

# on_each_jdk [NAME...]: calls test_NAME for the names in `tests` on each JDK, and for those in `once` on the first; or for the given
# names alone. `home`, `java`, `version` and `name`, such as jdk17, are the JDK's.
on_each_jdk()
{
	local t
	[ $# = 0 ] || tests=("$@") once=()
	for home in "${jdks[@]}"; do
		java=$home/bin/java
		version=$(version_of "$home")
		name=jdk$version
		for t in "${tests[@]}" ${once[@]+"${once[@]}"}; do
			"test_$t"
		done
		once=()
	done
}

# use_classes: sets `classes`, a folder with the programs of test/jvm; make has compiled them. Nothing else goes there.
use_classes()
{
	classes=$TOP/build/classes
	[ -e "$classes/made" ] && [ -z "$(find "$TOP/test/jvm" -name "*.java" -newer "$classes/made")" ] ||
		make -s -C "$TOP" build/classes/made || exit 1
}

# has_gc HOME GC: whether the JVM has this collector
has_gc()
{
	"$1/bin/java" "-XX:+Use${2}GC" -version >/dev/null 2>&1
}

# collectors HOME [each]: names of the collectors to test a JDK with: all when soaking; otherwise
# one for each JDK or, with `each`, each collector on one of the JDKs.
collectors()
{
	local gc gcs="Serial Parallel G1 Z Shenandoah"
	if ! soaking && [ ${#jdks[@]} -gt 1 ]; then
		case "$([ "$1" = "${jdks[0]}" ] && echo first || echo second) ${2:-one}" in
		"first one") gcs=G1 ;;
		"second one") gcs=Z ;;
		"first each") gcs="Serial G1" ;;
		"second each") gcs="Parallel Z Shenandoah" ;;
		esac
	fi
	for gc in $gcs; do
		! has_gc "$1" $gc || echo $gc
	done
}

# json FILE EXPRESSION: evaluates a Python expression over the report `r`; prints the result.
json()
{
	python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
print(eval("(" + sys.argv[2] + ")"))' "$1" "$2"
}

# can_watch: whether uses of objects, and second accesses, can be seen on this machine
can_watch()
{
	"$OJX" doctor 2>/dev/null | grep -q '^ok  *debug registers'
}

# What else than zlib the tool's readers of files are linked with (Makefile).
deflate=$(pkg-config --libs --silence-errors libdeflate)

# compile_make_data: sets `make_data`, a program that writes recordings of programs that never ran
compile_make_data()
{
	make_data=$TOP/build/make-data
	[ "$make_data" -nt "$TOP/build/libojx.a" ] && [ -z "$(find "$TOP"/test/make_data* "$TOP/test/unit/builder.c" -newer "$make_data")" ] ||
		make -s -C "$TOP" build/make-data || exit 1
}

# Recordings of real programs that are kept as text, for figures that are a matter of chance in a live one: test/recordings/NAME.xz.
# compile_make_data comes first.
# keep_recording RECORDING NAME, kept_recording NAME RECORDING
keep_recording()
{
	mkdir -p "$(dirname "$TOP/test/recordings/$2")"
	"$OJX" dump -i "$1" | python3 -c 'import lzma, sys
sys.stdout.buffer.write(lzma.compress(sys.stdin.buffer.read(), preset=9 | lzma.PRESET_EXTREME))' >"$TOP/test/recordings/$2.xz" || exit 1
}

kept_recording()
{
	python3 -c 'import lzma, sys; sys.stdout.buffer.write(lzma.open(sys.argv[1]).read())' "$TOP/test/recordings/$1.xz" |
		"$make_data" text "$2" || exit 1
}

# keeping: the test was called with the word `keep`: it writes its kept recordings anew
keep=${1:-}
keeping()
{
	[ "$keep" = keep ]
}

# recorded NAME COMMAND...: makes the recording $data: of what is kept; by the command when soaking or keeping
recorded()
{
	local name=$1
	shift
	if soaking || keeping; then
		"$@"
		! keeping || keep_recording "$data" "$name"
	else
		kept_recording "$name" "$data"
	fi
}

# on_terminal COMMAND: runs it on a terminal, whose output goes to $TMP/out
on_terminal()
{
	python3 - "$TMP/out" "$@" <<'PYTHON'
import os, pty, sys
with open(sys.argv[1], 'wb') as out:
    def read(fd):
        data = os.read(fd, 65536)
        out.write(data)
        return data
    sys.stdout.flush()
    null = os.open('/dev/null', os.O_WRONLY)
    os.dup2(null, 1)
    sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[2:], read)))
PYTHON
}

# wait_for SECONDS COMMAND...: waits until the command succeeds; fails when five times the time is up, which it may take where
# others have the processors.
# If it looks into a file that a background command writes, remove that file first: the wait may
# begin before `>` has emptied it.
wait_for()
{
	local end=$((SECONDS + 5 * $1))
	shift
	until "$@" 2>/dev/null; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.1
	done
}

# catches PID NUMBER: the process has a handler for the signal
catches()
{
	local caught
	caught=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$1/status")
	[ $((0x$caught >> ($2 - 1) & 1)) = 1 ]
}

# accepts_attach PID: the process is a JVM that can be attached to: it has HotSpot's thread for SIGQUIT, and the handler
accepts_attach()
{
	grep -qsx 'Signal Dispatch' "/proc/$1"/task/*/comm && catches "$1" 3
}

# reports FILE REGEX: the recording can be reported, and the report has such a line
reports()
{
	"$OJX" report --stdio --limit=0 -i "$1" 2>/dev/null | grep -qE -e "$2"
}

# is_over FILE: the recording has ended, even if the program has not
is_over()
{
	"$OJX" report --format=json -i "$1" >"$TMP/over.json" 2>/dev/null
	[ "$(json "$TMP/over.json" "r['recording']['ended']" 2>/dev/null)" = True ]
}

# record_part ENOUGH FILE STOP OPTION... -- COMMAND...: records the beginning of a command into
# FILE; --duration ends the recording first. The command goes on until the file STOP exists. The
# duration includes the start of the JVM, so it is repeated with a longer one until ENOUGH, a
# command, finds in FILE what it needs.
record_part()
{
	local enough=$1 file=$2 stop=$3 seconds
	shift 3
	for seconds in 2 10 100; do
		rm -f "$file" "$stop"
		"$OJX" record --duration $seconds -o "$file" "$@" >"$TMP/out" 2>"$TMP/err" &
		wait_for 200 is_over "$file"
		$enough && seconds=
		touch "$stop"
		reap $!
		[ -n "$seconds" ] || break
	done
}

done_testing()
{
	echo "1..$checks"
	[ "$failures" -eq 0 ] && [ "$checks" -gt 0 ]
	exit
}

# make_group BYTES: a cgroup with that limit of memory; sets group, and limit and killed, names of its files
make_group()
{
	group=/sys/fs/cgroup/memory/ojx-test.$$
	limit=memory.limit_in_bytes killed=memory.oom_control
	[ -d /sys/fs/cgroup/memory ] || group=/sys/fs/cgroup/ojx-test.$$ limit=memory.max killed=memory.events
	mkdir "$group" 2>/dev/null || return
	echo "$1" 2>/dev/null >"$group/$limit" && return
	rmdir "$group"
	return 1
}
