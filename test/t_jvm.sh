#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Real JVMs, and everything that can go wrong with one: exits, signals, kills, forbidden system
# calls, full rings, threads, class loaders. What is recorded is test/jvm/Target.java. No check
# compares a duration.
. "$(dirname "$0")/lib.sh"

ulimit -c 0
classes=$TMP/classes
data=$TMP/ojx.data
report=$TMP/report.json

find_jdks
"${jdks[0]}/bin/javac" -nowarn --release 11 -g -d "$classes" "$TOP/test/jvm/Target.java" || exit 1
"${jdks[0]}/bin/javac" -nowarn --release 11 -g -d "$classes" "$TOP"/test/planted/*.java || exit 1

target()
{
	echo "$java" -Xmx64m -XX:+UseSerialGC -XX:ErrorFile="$TMP/hs_err" -cp "$classes" "$@" Target
}

# record OPTIONS -- COMMAND: quietly, into $data, densely enough for programs that are over at once.
record()
{
	rm -f "$data"
	run "$OJX" record -q -o "$data" --interval 16k "$@"
}

# Makes the report of $data as JSON; $1 is the title of the check that there is one.
read_report()
{
	check "$1" sh -c '"$1" report --format=json -i "$2" >"$3"' sh "$OJX" "$data" "$report"
}

# ask EXPRESSION: evaluated over the report
ask()
{
	json "$report" "$1" 2>&1
}

# boxes [N]: whether there is a context of Target$Box with at least N objects scanned
boxes()
{
	[ "$(ask "max([c['replica']['scanned'] for c in r['contexts']
		if c['class'] == 'Target\$Box'], default=0) >= ${1:-1}")" = True ]
}

# has_boxes TITLE [N]
has_boxes()
{
	check "$1" boxes "${2:-1}"
}

# has_come N: whether the recording has so many of them so far
has_come()
{
	"$OJX" report --format=json -i "$data" >"$report" 2>/dev/null && boxes "$1"
}

child_of()
{
	pgrep -P "$1" -x java
}

# ---- how a program ends ----------------------------------------------------------------------

test_exit()
{
	local mode=$1 number=$2 want=$3
	record -- $(target) "$mode" "$number"
	is "$name: $mode gives exit status $want" "$status" "$want"
	read_report "$name: $mode leaves a profile"
	has_boxes "$name: $mode leaves evidence"
}

test_exits()
{
	test_exit boxes 3000000 0
	is "$name: standard output is the program's own" "$(cat "$TMP/out")" "boxes 4500000"
	is "$name: a recording is silent with -q" "$(cat "$TMP/err")" ""
	is "$name: the JVM is named" "$(ask "r['recording']['jvms'][0]['gc']")" Serial
	is "$name: nothing was lost" "$(ask "r['recording']['lost_events']")" 0
	test_exit exit 3 3
	test_exit halt 4 4
	test_exit throw 0 1
	like "$name: the exception is printed" "$TMP/err" '^Exception in thread "main".*on purpose'
}

test_short()
{
	"$java" -version >"$TMP/want" 2>&1
	record -- "$java" -version
	is "$name: -version gives exit status 0" "$status" 0
	is "$name: -version prints what it prints" "$(cat "$TMP/out" "$TMP/err")" "$(cat "$TMP/want")"
	run "$OJX" report -i "$data"
	is "$name: a JVM that exits at once leaves a profile, be it empty" \
		"$status $(grep -c 'nothing was sampled' "$TMP/err")" "$([ "$status" = 0 ] && echo '0 0' || echo '1 1')"
	record --delay 600000 -- "$java" -version
	run "$OJX" report -i "$data"
	like "$name: a JVM that exits before the profiling begins leaves a profile that says it is empty" \
		"$TMP/err" 'nothing was sampled'
	record -- "$java" -cp "$classes" NoSuchClass
	is "$name: a missing main class gives exit status 1" "$status" 1
	record -- "$java" -XX:NoSuchOption
	is "$name: a JVM that does not start gives exit status 1" "$status" 1
}

test_memory()
{
	record -- "$java" -Xmx16m -XX:+ExitOnOutOfMemoryError -cp "$classes" Target memory
	is "$name: out of memory, ExitOnOutOfMemoryError: exit status 3" "$status" 3
	read_report "$name: out of memory leaves a profile"
	is "$name: the leak is seen" "$(ask "any(c['class'] == 'long[]' for c in r['contexts'])")" True
	record -- "$java" -Xmx16m -cp "$classes" Target memory
	is "$name: out of memory, uncaught: exit status 1" "$status" 1
}

# start OPTIONS -- COMMAND: records in the background, as $ojx, and waits until the program says
# that it is ready. The program runs until $stop exists.
stop=$TMP/stop
start()
{
	rm -f "$data" "$TMP/out" "$stop"
	"$OJX" record -q -o "$data" "$@" >"$TMP/out" 2>"$TMP/err" &
	ojx=$!
	wait_for 120 grep -q ready "$TMP/out" || fail "$name: the program did not start" "$TMP/err"
}

# signal_target SIGNAL WHOM: sends a signal to the JVM or to ojx once something is recorded; sets
# the status of ojx.
signal_target()
{
	local signal=$1 whom=$2
	start --interval 16k -- $(target) run "$stop"
	wait_for 120 has_come 50
	local jvm
	jvm=$(child_of $ojx)
	case $whom in
	jvm) kill "-$signal" "$jvm" ;;
	ojx) kill "-$signal" $ojx ;;
	esac
	reap $ojx 2>/dev/null
}

test_signals()
{
	signal_target KILL jvm
	is "$name: kill -9 of the JVM gives status 137" "$status" 137
	read_report "$name: kill -9 of the JVM leaves a profile"
	has_boxes "$name: and the profile is full" 50
	signal_target ABRT jvm
	is "$name: an abort of the JVM gives status 134" "$status" 134
	read_report "$name: an abort leaves a profile"
	has_boxes "$name: and that profile is full" 50
	signal_target SEGV jvm
	is "$name: a fatal error of the JVM gives status 134" "$status" 134
	like "$name: and its own error report" "$TMP/out" 'A fatal error has been detected'
	signal_target TERM ojx
	is "$name: SIGTERM reaches the JVM, which ends by it" "$status" 143
	like "$name: its shutdown hooks run" "$TMP/out" '^hook$'
	read_report "$name: SIGTERM leaves a profile"
}

test_parent_killed()
{
	rm -f "$TMP/code"
	# The shell records how the JVM ended when ojx cannot say so any more.
	start --interval 16k -- sh -c '"$@"; echo $? >'"$TMP/code" sh $(target) run "$stop"
	wait_for 120 has_come 1
	kill -KILL $ojx
	wait $ojx 2>/dev/null
	touch "$stop"
	wait_for 120 test -s "$TMP/code"
	is "$name: the JVM of a killed ojx runs on to its own end" "$(cat "$TMP/code")" 0
	like "$name: and does all its work" "$TMP/out" '^done$'
	read_report "$name: a killed ojx leaves a profile"
	has_boxes "$name: with what came before" 1
}

# ---- when something is missing -------------------------------------------------------------------

# has_worked PID TICKS: the process has had so much CPU time in user mode
has_worked()
{
	[ "$(sed 's/.*) //' "/proc/$1/stat" | cut -d' ' -f12)" -ge "$2" ]
}

test_full_ring()
{
	local jvm
	start --interval 64 -- $(target) run "$stop"
	kill -STOP $ojx
	jvm=$(child_of $ojx)
	wait_for 120 has_worked "$jvm" $(($(sed 's/.*) //' "/proc/$jvm/stat" | cut -d' ' -f12) + 100))
	touch "$stop"
	wait_for 120 grep -q '^hook' "$TMP/out"
	is "$name: a program never waits for a stopped ojx" "$(tail -n 1 "$TMP/out")" hook
	kill -CONT $ojx
	reap $ojx
	is "$name: and ends as it should" "$status" 0
	read_report "$name: a full ring leaves a profile"
	is "$name: what a full ring lost is counted" "$(ask "r['recording']['lost_events'] > 0")" True
}

test_denied()
{
	rm -f "$data"
	run "$TOP/build/deny-perf" "$OJX" record -o "$data" --interval 16k -- $(target) boxes 3000000
	is "$name: forbidden perf_event_open: exit status 0" "$status" 0
	is "$name: one line says so" "$(grep -c 'perf_event_open\|perf_event_paranoid' "$TMP/err")" 1
	read_report "$name: forbidden perf_event_open leaves a profile"
	is "$name: the scan takes over" "$(ask "'watch' not in r['recording']['engines']
		and [c['replica']['source'] for c in r['contexts'] if c['class'] == 'Target\$Box'][0]")" scan
}

# ---- options of the recording ------------------------------------------------------------------

# has_begun: objects were recorded
has_begun()
{
	"$OJX" report --format=json -i "$data" 2>/dev/null | grep -q '"class"'
}

# Records what a program does after a delay, and nothing from before. The program was ready before
# the delay was over.
record_late()
{
	local seconds begun early
	for seconds in 2 20 200; do
		begun=${EPOCHREALTIME/[.,]/}
		start --interval 16k -D $((seconds * 1000)) -- $(target) delayed "$stop"
		early=$((${EPOCHREALTIME/[.,]/} - begun < seconds * 1000000))
		wait_for 300 has_begun
		touch "$stop"
		reap $ojx
		[ $early = 0 ] || return 0
	done
}

test_options()
{
	record_part "has_come 1" "$data" "$stop" -q --interval 16k -- $(target) run "$stop"
	is "$name: the program runs on after --duration" "$(tail -n 2 "$TMP/out" | tr '\n' ' ')" "done hook "
	read_report "$name: --duration leaves a profile"
	has_boxes "$name: with what was recorded until then"
	record_late
	read_report "$name: -D leaves a profile"
	is "$name: what came before the delay is not in it" \
		"$(ask "[c['class'] for c in r['contexts'] if c['class'] == 'Target\$Early']")" "[]"
	is "$name: what came after is" \
		"$(ask "[c['class'] for c in r['contexts'] if c['class'] == 'Target\$Late']")" "['Target\$Late']"
	record --class 'Target$L*' -- $(target) delayed "$stop" # which is there
	read_report "$name: --class leaves a profile"
	is "$name: and nothing but the class" "$(ask "sorted({c['class'] for c in r['contexts']})")" \
		"['Target\$Late']"
}

# ---- ways to start a JVM ---------------------------------------------------------------------

test_starts()
{
	printf '%s\n' "-Xmx64m" "-cp" "\"$classes\"" "Target boxes 3000000" >"$TMP/argfile"
	record -- "$java" "@$TMP/argfile"
	is "$name: java @argfile" "$(cat "$TMP/out")" "boxes 4500000"
	read_report "$name: java @argfile leaves a profile"
	has_boxes "$name: java @argfile is recorded"

	record -- sh -c "$(target) boxes 3000000; exit 7"
	is "$name: a script keeps its exit status" "$status" 7
	is "$name: and its output" "$(cat "$TMP/out")" "boxes 4500000"
	read_report "$name: a script leaves a profile"
	has_boxes "$name: the JVM of a script is recorded"

	JAVA_TOOL_OPTIONS=-Dx=tool record -- $(target) property
	is "$name: JAVA_TOOL_OPTIONS that are set remain" "$(cat "$TMP/out")" "property tool"
	JAVA_TOOL_OPTIONS=-Dx=tool record -- sh -c "$(target) property"
	is "$name: below a script, too" "$(cat "$TMP/out")" "property tool"
	read_report "$name: JAVA_TOOL_OPTIONS in use leave a profile"
	has_boxes "$name: and such a JVM is recorded"

	record -- $(target) child
	is "$name: a child JVM is none of the recording's" "$(tail -n 1 "$TMP/out")" "child ended with 0"
	read_report "$name: a parent JVM leaves a profile"
	is "$name: one JVM is recorded" "$(ask "len(r['recording']['jvms'])")" 1
	record --children -- $(target) child
	is "$name: --children changes nothing for the program" "$(tail -n 1 "$TMP/out")" \
		"child ended with 0"
	read_report "$name: --children leaves a profile"
	is "$name: --children records both JVMs" "$(ask "len({j['pid'] for j in r['recording']['jvms']})")" 2
	is "$name: and tells their contexts apart by pid" "$(ask "len({c['pid'] for c in r['contexts']
		if c['class'] == 'Target\$Box'})")" 2

	rm -f "$data"
	is "$name: standard input is the program's" \
		"$(echo hello | "$OJX" record -q -o "$data" -- $(target) cat)" "read hello"
}

# ---- what programs do ------------------------------------------------------------------------

# alike: whether a note says that short threads are sampled alike
alike()
{
	ask "any('short threads' in n for j in r['recording']['jvms'] for n in j['notes'])"
}

test_programs()
{
	record -- $(target) threads 5000
	is "$name: 5000 short threads" "$status $(cat "$TMP/out")" "0 threads 9957340000"
	read_report "$name: short threads leave a profile"
	has_boxes "$name: and evidence"
	is "$name: and a note that they are sampled alike" "$(alike)" True
	# Only accesses are sampled, if any.
	record -e silent-load -- $(target) threads 1000
	"$OJX" report --format=json -i "$data" >"$report" 2>"$TMP/err"
	is "$name: no such note where no amount rests on samples of objects" "$(alike)" False

	record -- $(target -XX:MaxMetaspaceSize=48m) unload 500
	is "$name: 500 class loaders, unloaded" "$status $(cat "$TMP/out")" "0 $unloaded"
	read_report "$name: unloaded classes leave a profile"
	# Names are looked up a little later; if a loader is gone by then, the names of its methods
	# are, too.
	is "$name: few threads are not sampled alike" "$(alike)" False
	is "$name: most of them with their methods' names" "$(ask "sum(c['sampled'] *
		(1 if c['alloc_stack'][0]['method'] == 'boxes' else -1)
		for c in r['contexts'] if c['class'] == 'Target\$Box') > 0")" True

	"$java" -Xcheck:jni -cp "$classes" HandedOver 1000000 1 >"$TMP/want" 2>&1
	record -- "$java" -Xcheck:jni -cp "$classes" HandedOver 1000000 1
	is "$name: -Xcheck:jni has nothing to say" "$(cat "$TMP/out" "$TMP/err")" "$(cat "$TMP/want")"

	if [ "$version" -ge 21 ]; then
		record -- $(target) virtual 2000
		is "$name: virtual threads" "$status $(cat "$TMP/out")" "0 virtual 2457060000"
		read_report "$name: virtual threads leave a profile"
		has_boxes "$name: and evidence of them"
		is "$name: which are not sampled alike" "$(alike)" False
	else
		skip "$name: virtual threads" "JDK $version has none"
	fi
}

# ---- an installation, used by somebody else ------------------------------------------------------

test_installed()
{
	make -C "$TOP" -s install DESTDIR="$TMP/root" PREFIX=/usr >"$TMP/err" 2>&1
	is "make install" "$?" 0
	local user=()
	chmod -R go+rX "$TMP"
	if [ "$(id -u)" = 0 ]; then
		if ! command -v setpriv >/dev/null; then
			skip "an ordinary user records" "setpriv is not installed"
			return
		fi
		user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
		mkdir "$TMP/nobody"
		chown 65534:65534 "$TMP/nobody"
	else
		mkdir "$TMP/nobody"
	fi
	data=$TMP/nobody/ojx.data
	run env -u XDG_RUNTIME_DIR "${user[@]}" "$TMP/root/usr/bin/ojx" record -q -o "$data" \
		--interval 16k -- $(target) boxes 3000000
	is "an ordinary user records with an installed ojx" "$status $(cat "$TMP/out")" "0 boxes 4500000"
	read_report "and gets a profile"
	has_boxes "with evidence"
	data=$TMP/ojx.data
}

# test/t_jvm.sh [NAME...]: only these
tests=(exits short memory signals programs)
once=(starts parent_killed full_ring denied options) # the same on every JDK
unloaded=$("${jdks[0]}/bin/java" -cp "$classes" Target unload 500)
on_each_jdk "$@"
if [ $# = 0 ]; then
	java=${jdks[0]}/bin/java
	test_installed
fi
done_testing
