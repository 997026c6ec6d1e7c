#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `ojx record` as a launcher: exit status, signals and streams, and what happens when the disk, the
# program or the JVMs misbehave. No JVM is needed: test/fakeagent.c plays it.
. "$(dirname "$0")/lib.sh"

ulimit -c 0
fake=$TMP/fakeagent
"${CC:-cc}" -std=gnu11 -Wall -Wextra -Werror -I"$TOP/lib" -I"$TOP/test/unit" -o "$fake" \
	"$TOP"/test/fakeagent.c "$TOP"/test/unit/{fake,builder}.c "$TOP/build/libojx.a" -lm -lz || exit 1

# All recordings below make their control sockets here: at the end nothing may be left.
mkdir "$TMP/run" "$TMP/cwd"
export TMPDIR=$TMP/run
unset XDG_RUNTIME_DIR
cd "$TMP/cwd" || exit 1

# Prints how a command ended: its exit status, or minus the signal that killed it.
ended()
{
	python3 -c 'import subprocess, sys
print(subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))' "$@"
}

# Evaluates a Python expression over the report `r` of the recording $1.
ask()
{
	"$OJX" report --format=json --command-line=full -i "$1" >"$TMP/report.json" 2>"$TMP/report.err"
	json "$TMP/report.json" "$2" 2>&1 || cat "$TMP/report.err"
}
points='sum(c["sampled"] for c in r["contexts"] if c["class"] == "com.acme.Point")'

# ---- the tool itself -------------------------------------------------------------------------

run "$OJX"
is "no command is a usage error" "$status" 2
run "$OJX" recrod
is "an unknown command is a usage error" "$status" 2
like "it says which was probably meant" "$TMP/err" "^ojx: unknown command 'recrod', did you mean 'record'\?$"
run "$OJX" --version
is "--version" "$status" 0
like "--version prints the version alone" "$TMP/out" '^ojx [0-9]+\.[0-9]+\.[0-9]+$'
for args in help --help -h "help record" "--help record" "record --help" "record -h"; do
	# shellcheck disable=SC2086
	run "$OJX" $args
	is "ojx $args" "$status" 0
	like "ojx $args prints usage" "$TMP/out" '^Usage: ojx '
done
status=0
"$OJX" help >/dev/full 2>"$TMP/err" || status=$?
is "a full disk behind standard output is an error" "$status" 1
like "and is said" "$TMP/err" 'cannot write to standard output: No space left'
status=0
"$OJX" help >&- 2>"$TMP/err" || status=$?
is "so is a closed standard output" "$status" 1

# ---- exit status -----------------------------------------------------------------------------

for n in 0 1 7 255; do
	is "exit status $n is passed on" "$(ended "$OJX" record "$fake" join exit $n)" $n
done
for signal in 1 6 9 11 13 15; do
	is "death by signal $signal is passed on" \
		"$(ended "$OJX" record "$fake" join kill $signal)" -$signal
done

# refused TITLE STATUS REGEX ARGUMENT...: record ends with STATUS and says why
refused()
{
	local title=$1 want=$2 regex=$3
	shift 3
	run "$OJX" record "$@"
	is "$title: exit status $want" "$status" "$want"
	like "$title: is said" "$TMP/err" "$regex"
	is "$title: in one line" "$(wc -l <"$TMP/err")" 1
}

echo "echo no" >script
mkdir directory
refused "unknown option" 125 "unknown option '--nonsense'" --nonsense "$fake"
refused "no command" 125 "no command to record"
refused "nothing after --" 125 "no command to record" --
refused "bad value" 125 "--budget: '0' is out of range" --budget 0 "$fake"
refused "too small a bound" 125 "--max-size: '1000' is out of range" --max-size 1000 "$fake"
refused "too long a pattern" 125 "--class: .* is longer than 255" --class "$(printf '%0300d' 0)" "$fake"
refused "unwritable output" 125 "cannot write '/nonexistent/x': No such file" -o /nonexistent/x "$fake"
refused "full output" 125 "cannot write '/dev/full': No space left" -o /dev/full "$fake"
refused "output is a directory" 125 "cannot write 'directory': Is a directory" -o directory "$fake"
refused "unwritable log" 125 "cannot open '/nonexistent/x'" --log-file /nonexistent/x "$fake"
# otherwise a folder on the PATH that may not be searched would be the error
PATH=/usr/bin:/bin refused "not found" 127 "cannot run 'no-such-command': No such file" no-such-command
refused "not found by path" 127 "cannot run './no/such': No such file" ./no/such
refused "not executable" 126 "cannot run './script': Permission denied" ./script
refused "directory" 126 "cannot run './directory': Permission denied" ./directory
printf '#!/no/such/interpreter\n' >bad
chmod +x bad
refused "no interpreter" 127 "cannot run './bad': No such file" ./bad
cp "$OJX" alone
status=0
./alone record "$fake" 2>"$TMP/err" || status=$?
is "no agent: exit status 125" "$status" 125
like "no agent: both places are named" "$TMP/err" \
	"neither '$PWD/libojx-agent.so' nor '$PWD/../lib/ojx/libojx-agent.so'"
chmod +x script
run "$OJX" record ./script
is "a script without #! runs, as everywhere" "$(cat "$TMP/out")" no

# ---- streams and surroundings ----------------------------------------------------------------

# same TITLE COMMAND...: a program sees the same with and without ojx, both started by "${by[@]}"
by=(env)
same()
{
	local title=$1
	shift
	"${by[@]}" "$@" >"$TMP/want" 2>&1 </dev/null
	"${by[@]}" "$OJX" record -q --log-file "$TMP/log" "$@" >"$TMP/got" 2>&1 </dev/null
	if cmp -s "$TMP/want" "$TMP/got"; then
		pass "$title"
	else
		fail "$title" "$TMP/want" "$TMP/got"
	fi
}

is "standard input and output" "$(echo hello | "$OJX" record cat 2>/dev/null)" hello
run "$OJX" record sh -c 'echo out; echo err >&2'
is "standard output is the program's alone" "$(cat "$TMP/out")" out
like "standard error is shared" "$TMP/err" '^err$'
same "signal mask and dispositions" grep -E '^Sig(Blk|Ign|Cgt)' /proc/self/status
by=(python3 -c 'import os, signal, sys
for name in "SIGHUP SIGPIPE SIGCHLD SIGXFSZ SIGUSR1 SIGINT".split():
    signal.signal(getattr(signal, name), signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2, signal.SIGTERM])
os.execvp(sys.argv[1], sys.argv[1:])')
same "ignored and blocked signals stay so" grep -E '^Sig(Blk|Ign|Cgt)' /proc/self/status
status=0
"${by[@]}" "$OJX" record -q --log-file "$TMP/log" sh -c 'exit 5' || status=$?
is "SIGCHLD ignored: the exit status still arrives" "$status" 5
by=(env)
same "open descriptors" sh -c 'ls /proc/self/fd'
same "limits" sh -c 'ulimit -a'
same "environment but for JAVA_TOOL_OPTIONS" env -u JAVA_TOOL_OPTIONS -u _
same "process group and session" python3 -c 'import os; print(os.getpgrp(), os.getsid(0))'
run "$OJX" record -o - sh -c 'echo words'
like "-o -: the program's output goes to standard error" "$TMP/err" '^words$'
is "-o -: the recording to standard output" "$(head -c 7 "$TMP/out")" OJXDATA
"$OJX" record -o closed.data "$fake" join objects 3 <&- >&- 2>&-
is "closed streams do not end up in the recording" "$(ask closed.data "$points")" 3

# ---- the recording ---------------------------------------------------------------------------

rm -f ojx.data*
"$OJX" record -q "$fake" join objects 11
is "the recording is ojx.data" "$(ask ojx.data "$points")" 11
is "others cannot read it" "$(stat -c %a ojx.data)" 600
"$OJX" record -q "$fake" join objects 22
is "a new one" "$(ask ojx.data "$points")" 22
is "the old one becomes ojx.data.old" "$(ask ojx.data.old "$points")" 11
"$OJX" record -q no-such-command 2>/dev/null
is "a command that is not found leaves both alone" "$(ask ojx.data "$points")" 22
is "the command is recorded" "$(ask ojx.data 'r["recording"]["command"][1:]')" "['join', 'objects', '22']"

run "$OJX" record "$fake" join objects 100 cpu 1000 10
is "at the end, at most three lines" "$(wc -l <"$TMP/err")" 3
like "what was written" "$TMP/err" \
	"^\[ ojx record: wrote [0-9.]+ k?B to 'ojx.data': 100 objects sampled, 0 scanned, 0 uses watched, 1 contexts, 0 events lost \]$"
like "what it cost, and of how much" "$TMP/err" '^\[ ojx record: cost [1-9][0-9.]* % of [0-9.]+ (ms|s) of CPU time measured, about [1-9][0-9.]* % with what it does to caches \(budget 2 %\) \]$'
like "what comes next" "$TMP/err" '^\[ ojx record: to see it: ojx report \]$'
run "$OJX" record -q -o "a b" "$fake" join note hello
is "-q: nothing" "$(cat "$TMP/err")" ""
run "$OJX" record "$fake" join
like "nothing was sampled: says so" "$TMP/err" '^\[ ojx record: there is nothing to see: .*ended too early \]$'
unlike "nothing was sampled: and does not call for a report" "$TMP/err" 'to see it'
run "$OJX" record -o "a b" "$fake" join objects 1
like "a name of one's own" "$TMP/err" "ojx report -i 'a b'"
run "$OJX" record --log-file log -v "$fake" join note "watch off: because"
is "--log-file: nothing on standard error" "$(cat "$TMP/err")" ""
like "--log-file: but there" log '^ojx: watch off: because$'
like "--log-file: and the end" log '^\[ ojx record: wrote '
run "$OJX" record sh -c '"$1" join note same; "$1" join note same; "$1" join note other' sh "$fake"
is "equal words of several JVMs are said once" "$(grep -c '^ojx: same$' "$TMP/err")" 1
like "others, too" "$TMP/err" '^ojx: other$'
run "$OJX" record "$fake" join objects 1 refused 0 1458 refused 7 3
like "a bound that was reached is said at the end, with what to do" "$TMP/err" \
	'^\[ ojx record: 1\.5 k events lost: more threads sent than have a ring, 256 at a time; what the others do is told all the same \]$'
like "and any other one" "$TMP/err" '^\[ ojx record: 3 methods without a name: there are more than 65536: '
unlike "but no bound that was not" "$TMP/err" 'ulimit'
is "what such bounds refused is lost" "$(ask ojx.data "r['recording']['lost_events']")" 1461
is "they are in the report, each with its count" "$(ask ojx.data \
	"[(l['name'], l['refused']) for l in r['recording']['limits']]")" "[('rings', 1458), ('methods', 3)]"
"$OJX" report >"$TMP/text"
like "and in its text" "$TMP/text" '^# limit     3 methods without a name'
run "$OJX" record "$fake" join objects 1 refused 12 9 pid jvm serve &
wait_for 60 grep -q "^ojx: so far 9 watches and samplers not opened: .*; raise ulimit -n$" "$TMP/err"
is "a bound that is reached is said at once" $? 0
kill "$(cat jvm)"
wait

# ---- JVMs ------------------------------------------------------------------------------------

run "$OJX" record true
is "no JVM: the status is the command's" "$status" 0
like "no JVM: is said" "$TMP/err" '^ojx: no JVM was started by this command'
is "no JVM: and nothing else" "$(wc -l <"$TMP/err")" 1
is "no JVM: the recording is empty, but whole" "$(ask ojx.data 'r["recording"]["jvms"]')" "[]"
run "$OJX" record sh -c '"$1" join objects 10; "$1" join objects 20; exit 4' sh "$fake"
is "two JVMs: the status is the command's" "$status" 4
is "two JVMs: both are there" "$(ask ojx.data 'len(r["recording"]["jvms"])')" 2
is "two JVMs: with their objects" "$(ask ojx.data "sorted(c['sampled'] for c in r['contexts'])")" "[10, 20]"
for why in "1 is not HotSpot" "2 is too old" "3 offers no allocation sampling" \
	"77 cannot be profiled"; do
	run "$OJX" record "$fake" refuse "${why%% *}" exit 6
	is "a JVM that is refused runs on" "$status" 6
	like "and that is said: ${why#* }" "$TMP/err" \
		"^ojx: pid [0-9]+ \(Fake VM 1.2.3\) ${why#* }.*: not profiled$"
	is "in one line" "$(wc -l <"$TMP/err")" 1
done

is "a JVM that is killed: by that signal" "$(ended "$OJX" record "$fake" join objects 100 kill 9)" -9
is "a JVM that is killed: its events are there" "$(ask ojx.data "$points")" 100
lost=$("$OJX" record -q "$fake" join flood 300000)
is "what does not fit is dropped and counted" \
	"$(ask ojx.data "$points + r['recording']['lost_events']") $((lost > 0))" "300000 $((lost > 0))"
run "$OJX" record "$fake" join objects 10 noise exit 3
is "nonsense from a JVM: the program goes on" "$status" 3
like "nonsense from a JVM: is said" "$TMP/err" 'sent damaged records: .* \(the first: .+\)$'
is "nonsense from a JVM: the recording can be read" "$(ask ojx.data 'len(r["recording"]["jvms"])')" 1
run "$OJX" record sh -c '"$1" garbage; "$1" silent; "$1" join objects 5' sh "$fake"
is "others on the socket do no harm" "$(ask ojx.data "$points")" 5
run "$OJX" record "$fake" join objects 7 daemon pid jvm serve touch stopped exit 9
is "a JVM that goes on in the background does not hold up the end" "$status" 0
is "and is recorded up to then" "$(ask ojx.data "$points")" 7
check "and is told to stop" wait_for 60 test -e stopped

# the start of the program is part of the duration
for seconds in 0.2 2 20; do
	run "$OJX" record --duration $seconds sh -c '"$1" join objects 8 serve; echo after; exit 3' sh "$fake"
	[ "$(ask ojx.data "$points")" = 8 ] && break
done
is "--duration: the program goes on" "$status $(cat "$TMP/out")" "3 after"
is "--duration: what came before is there" "$(ask ojx.data "$points")" 8

# A full disk; here it is a pipe whose reader goes away.
mkfifo pipe
(
	head -c 1 pipe >/dev/null
	touch unread
) &
run "$OJX" record -o pipe sh -c 'until [ -e unread ]; do sleep 0.02; done; "$1" join objects 100; exit 7' sh "$fake"
is "output lost on the way: the status is the program's" "$status" 7
is "output lost on the way: is said once" "$(grep -c "^ojx: cannot write 'pipe': Broken pipe" "$TMP/err")" 1
is "output lost on the way: and nothing else" "$(wc -l <"$TMP/err")" 1
status=0
(
	ulimit -f 1000
	exec "$OJX" record "$fake" join exit 7
) 2>"$TMP/err" || status=$?
is "no shared memory to be had: the program goes on" "$status" 90
like "no shared memory to be had: is said" "$TMP/err" 'cannot make its shared memory.*File too large.*: not profiled'

# ---- how the agent gets in -------------------------------------------------------------------

mkdir -p jdk/bin jdk/lib/server
cp "$fake" jdk/bin/java
touch jdk/lib/server/libjvm.so
ln -s jdk/bin/java alternative
original=$(dirname "$(readlink -f "$OJX")")/libojx-agent.so
# An installation of the system is used in place, any other one as a copy (test/t_launch.sh).
"$OJX" record -q "$fake" args >"$TMP/out"
agent=$(sed -n 's/^env -agentpath:\(.*\)=.*/\1/p' "$TMP/out")
check "the agent is the tool's, or a copy of it" cmp "$agent" "$original"
for java in jdk/bin/java ./alternative; do
	run "$OJX" record "$java" args join objects 5
	is "$java: the agent is the first argument" "$(sed -n '1s/=.*//p' "$TMP/out")" "-agentpath:$agent"
	is "$java: the environment is left alone" "$(tail -n 1 "$TMP/out")" "env (unset)"
	is "$java: is recorded" "$(ask ojx.data "$points")" 5
done
run env PATH="$PWD/jdk/bin:$PATH" "$OJX" record java args
is "java from the PATH" "$(sed -n '1s/=.*//p' "$TMP/out")" "-agentpath:$agent"
run "$OJX" record --children jdk/bin/java args join objects 5
is "--children: no argument" "$(head -n 1 "$TMP/out")" args
like "--children: but JAVA_TOOL_OPTIONS" "$TMP/out" "^env -agentpath:$agent="
is "--children: is recorded" "$(ask ojx.data "$points")" 5
run env JAVA_TOOL_OPTIONS=-Da=b "$OJX" record "$fake" args
like "JAVA_TOOL_OPTIONS keeps what it had" "$TMP/out" "^env -Da=b -agentpath:$agent="
run "$OJX" record -v "$fake" join
like "-v tells how the agent gets in" "$TMP/err" 'JVMs get the agent by JAVA_TOOL_OPTIONS'

odd="$TMP/cwd/a b,c=d"
mkdir "$odd" "$TMP/run/a b,c"
cp "$OJX" "$original" "$odd"
TMPDIR="$TMP/run/a b,c" run "$odd/ojx" record "$fake" join objects 5
is "odd characters in paths" "$(ask ojx.data "$points")" 5
is "odd characters in paths: nothing is left" "$(ls "$TMP/run/a b,c")" ""
TMPDIR=$odd run "$odd/ojx" record "$fake" join objects 5
is "odd characters in all paths" "$status $(ask ojx.data "$points")" "0 5"
is "odd characters in all paths: nothing is left" "$(ls "$odd")" "$(printf 'libojx-agent.so\nojx')"
TMPDIR="$TMP/run/a b,c" run "$OJX" record jdk/bin/java join objects 6
is "a java command with odd characters" "$(ask ojx.data "$points")" 6
rmdir "$TMP/run/a b,c"

# ---- signals ---------------------------------------------------------------------------------

# A program that counts signals, and a terminal for it.
cat >counter.py <<'END'
import os, signal, sys, time
count = {}
def say(*words):
    # on its own: a signal right after a `print` makes the next `print` fail
    os.write(1, (" ".join(map(str, words)) + "\n").encode())
def on(number, frame):
    name = signal.Signals(number).name
    count[name] = count.get(name, 0) + 1
    say("got", name, count[name])
    if name == "SIGTERM":
        say("total", sorted(count.items()))
        sys.exit(3)
for name in "SIGINT SIGQUIT SIGTERM SIGHUP SIGUSR1 SIGUSR2".split():
    signal.signal(getattr(signal, name), on)
say("ready")
while True:
    time.sleep(1)
END
cat >terminal.py <<'END'
import os, pty, re, signal, sys, time
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
seen = b""
def wait_for(text):
    global seen
    while text not in seen:
        try:
            seen += os.read(fd, 1000)
        except OSError:
            sys.exit(f"ended before {text}: {seen.decode()}")
def wait_until_read():
    # the kernel drops a signal while one of its kind is pending
    with open(f"/proc/{pid}/status") as status:
        while re.search("^S..Pnd:.*[1-9a-f]", status.read(), re.M):
            time.sleep(0.01)
            status.seek(0)
signal.alarm(200)
wait_for(b"ready")
os.write(fd, b"\x03")
wait_for(b"got SIGINT 1")
os.write(fd, b"\x1c")
wait_for(b"got SIGQUIT 1")
for name in "SIGINT", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGTERM":
    wait_until_read()
    os.kill(pid, getattr(signal, name))
    wait_for(("got " + name).encode() + (b" 2" if name == "SIGINT" else b" 1"))
wait_for(b"total")
try:
    while True:
        seen += os.read(fd, 1000)
except OSError:
    pass
print(seen.decode())
print("status", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END
python3 terminal.py "$OJX" record -q python3 counter.py >"$TMP/out" 2>&1
like "Ctrl-C, Ctrl-\\ reach the program once, signals sent to ojx are passed on" "$TMP/out" \
	"total \[\('SIGHUP', 1\), \('SIGINT', 2\), \('SIGQUIT', 1\), \('SIGTERM', 1\), \('SIGUSR1', 1\), \('SIGUSR2', 1\)\]"
like "and the program's answer is its own" "$TMP/out" '^status 3'
cat >to_terminal.py <<'END'
import os, pty, sys
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))
END
run python3 to_terminal.py "$OJX" record -o - true
is "-o - to a terminal is refused" "$status" 125

"$OJX" record -q sh -c 'echo $$ >pid; kill -STOP $$; exit 5' &
ojx=$!
check "a program that stops" wait_for 60 sh -c 'grep -q "^State:.*T" /proc/$(cat pid)/status'
check "is not taken for one that ended" kill -0 $ojx
kill -CONT "$(cat pid)"
reap $ojx
is "and ends when it ends" "$status" 5

# all_are_there RECORDING: records that arrive while it is written may be in part there
all_are_there()
{
	[ "$(ask "$1" "$points")" = 9 ]
}

# gone PID: the process has ended, whether or not its status was collected
gone()
{
	! [ -e "/proc/$1/exe" ]
}

# ojx is killed, the program goes on
rm jvm
"$OJX" record -q -o killed.data sh -c \
	'"$1" join objects 9 pid jvm serve & until [ -e go ]; do sleep 0.05; done; echo alive >answer' sh "$fake" &
ojx=$!
check "a recording can be read while it is being made" \
	wait_for 60 all_are_there killed.data
wait_for 60 test -s jvm
kill -9 $ojx
wait $ojx 2>/dev/null
touch go
check "kill -9 of ojx: the program goes on" wait_for 60 test -e answer
is "kill -9 of ojx: what was written can be read" "$(ask killed.data "$points")" 9
check "kill -9 of ojx: what plays the JVM ends by itself" wait_for 60 gone "$(cat jvm)"
check "kill -9 of ojx: its directory is left" test -S "$(echo "$TMP"/run/ojx-run-*/control)"

# when ojx is terminated, it passes the signal on and removes what it made
"$OJX" record -q sh -c 'echo >started; exec sleep 100' &
ojx=$!
wait_for 60 test -e started
is "kill -9 of ojx: the next one removes what is left" "$(ls "$TMP/run" | wc -l)" 1
kill -TERM $ojx
reap $ojx
is "SIGTERM ends the program, and ojx as it ended" "$status" 143
is "of all these recordings nothing is left behind" "$(ls "$TMP/run")" ""

done_testing
