#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The agent without a tool: it writes the recording itself, from the program's start, or loaded into a program that runs.
# The program is test/jvm/Paced.java, which goes on until there is a file, and then ends with 3.
. "$(dirname "$0")/lib.sh"

ulimit -c 0
data=$TMP/app.ojx
agent=$TOP/libojx-agent.so
find_jdks
use_classes

# begin [OPTION...]: starts a JVM, with $prefix before it; sets jvm, its pid
prefix=()
begin()
{
	rm -f "$TMP/stop" "$TMP/output"
	${prefix[@]+"${prefix[@]}"} "$java" -Xmx64m -XX:ErrorFile="$TMP/hs_err.%p" "$@" -cp "$classes" Paced 600 3 "$TMP/stop" \
		>"$TMP/output" 2>"$TMP/said" </dev/null &
	jvm=$!
	wait_for 120 sh -c 'grep -q "^out" "$1" || ! kill -0 "$2"' sh "$TMP/output" $jvm
}

# end TITLE: the JVM ends, and is as it would be without us
end()
{
	touch "$TMP/stop"
	reap $jvm
	is "$1: the program goes on to its own end" "$status $(grep -c '^done' "$TMP/output")" "3 1"
	is "$1: no crash" "$(find "$TMP" -name 'hs_err*')" ""
}

# points FILE: whether the recording has snapshots of the program's objects
points()
{
	"$OJX" report --format=json --command-line=full -i "$1" >"$TMP/report.json" 2>/dev/null &&
		[ "$(json "$TMP/report.json" "sum(l['scanned'] for l in r['lines'] if l['class'] == 'Paced\$Point') > 0")" = True ]
}

# ask OPTIONS: has the JVM load the agent
ask()
{
	"${java%/*}/jcmd" "$jvm" JVMTI.agent_load "$agent" "$1" >"$TMP/jcmd" 2>&1
	grep -o 'return code: -\?[0-9]*' "$TMP/jcmd"
}

test_start()
{
	rm -f "$data"
	begin "-agentpath:$agent=file=$data,interval=16k"
	check "$name: what came so far can be read" wait_for 200 points "$data"
	is "$name: while it goes on" "$(json "$TMP/report.json" "r['recording']['ended'], r['recording']['jvms'][0]['pid']")" \
		"(False, $jvm)"
	end "$name"
	check "$name: the recording ends with the program" is_over "$data"
	check "$name: it has the program's objects" points "$data"
	is "$name: it knows the command, and lost nothing" "$(json "$TMP/report.json" \
		"r['recording']['command'][-4:], r['recording']['lost_events']")" "(['Paced', '600', '3', '$TMP/stop'], 0)"
	is "$name: nobody else can read it" "$(stat -c %a "$data")" 600
	is "$name: nothing was said" "$(grep -v '^err ' "$TMP/said")" ""

	begin -Xcheck:jni "-agentpath:$agent=duration=1s,interval=16k,file=$TMP/%p.ojx"
	check "$name, a second long: ends before the program" wait_for 200 is_over "$TMP/$jvm.ojx"
	end "$name, a second long"
	unlike "$name: -Xcheck:jni says nothing" "$TMP/output" '^(WARNING|FATAL)'

	begin "-agentpath:$agent=file=$data,size=1M,interval=1k,budget=100"
	check "$name, a full file: the recording ends" wait_for 400 is_over "$data"
	is "$name, a full file: it is no larger" "$(($(stat -c %s "$data") <= 1048576))" 1
	check "$name, a full file: the one before is kept" is_over "$data.old"
	end "$name, a full file"
}

# What a filter may kill for is not tried.
test_filter()
{
	local prefix=("$TOP/build/deny-perf" --kill) more
	for more in "" --readv; do
		prefix+=($more)
		rm -f "$data"
		begin "-agentpath:$agent=file=$data,interval=16k"
		check "$name, a filter that kills $more: contents are read" wait_for 200 points "$data"
		end "$name, a filter that kills $more"
	done
}

test_attach()
{
	begin
	rm -f "$data"
	is "$name: it is loaded" "$(ask "\"file=$data,interval=16k\"")" "return code: 0"
	check "$name: and records" wait_for 200 points "$data"
	is "$name: not twice" "$(ask "\"file=$TMP/second.ojx\"")" "return code: -1"
	check "$name: there is no second file" test ! -e "$TMP/second.ojx"
	run "$OJX" record -p "$jvm" --duration 1 -o "$TMP/data"
	like "$name: ojx record is told" "$TMP/err" "pid $jvm .*records itself already"
	is "$name: it is stopped" "$(ask stop)" "return code: 0"
	check "$name: the recording has an end" wait_for 200 is_over "$data"
	is "$name: it is stopped once" "$(ask stop)" "return code: -1"
	run "$OJX" record -q -p "$jvm" --duration 2 -o "$TMP/data" --interval 16k
	is "$name: ojx can record it now" "$status" 0
	is "$name: and after that the agent again" "$(ask "\"file=$data,interval=16k\"")" "return code: 0"
	check "$name: which records" wait_for 200 points "$data"
	kill_jvm $jvm
	check "$name, killed: what it wrote can be read" points "$data"
	check "$name, killed: so can the one before" is_over "$data.old"
}

# The program runs on in any case.
test_refused()
{
	local title options message
	echo something >"$TMP/something"
	touch "$TMP/stop"
	while IFS='|' read -r title options message; do
		run "$java" "-agentpath:$agent=$options" -cp "$classes" Paced 600 3 "$TMP/stop"
		is "$title: the program runs" "$status" 3
		like "$title: says why" "$TMP/err" "^ojx: this JVM is not recorded: $message"
	done <<END
a wrong option|file=$data,tempo=3|the agent's options: unknown option 'tempo'; there are file, duration, delay, size, interval, budget, event
a wrong value|file=$data,duration=soon|the agent's options: duration=soon: expected a time such as 60s, 5m or 1h
a wrong budget|file=$data,budget=101|the agent's options: budget=101: expected percent, from 0.01 to 100
no file|file=|the agent's options: file=: expected a path of 1000 bytes at most
file missing|duration=60s|the agent's options: file=PATH is missing
another event|file=$data,event=replica+locality|the agent's options: event=replica\+locality: expected replica, lifetime or replica\+lifetime; 'ojx record -p' has the others
a large interval|file=$data,interval=8G|the agent's options: interval=8G: expected a size such as 512k, 1G at most
no folder|file=$TMP/none/a.ojx|$TMP/none/a.ojx: No such file or directory
another file|file=$TMP/something|$TMP/something: there is a file that is no recording
END
	is "another file: it stays" "$(cat "$TMP/something")" something
	printf OJXDATA >"$TMP/mine"
	printf '\0' >>"$TMP/mine"
	echo something >"$TMP/mine.old"
	run "$java" "-agentpath:$agent=file=$TMP/mine" -cp "$classes" Paced 600 3 "$TMP/stop"
	is "another file at .old: it stays" "$status $(cat "$TMP/mine.old")" "3 something"
	rm -f "$TMP/stop" "$data"
	begin "-agentpath:$agent=file=$data,interval=16k"
	run "$java" "-agentpath:$agent=file=$data" -cp "$classes" Paced 0 3
	is "a second JVM: it runs" "$status" 3
	like "a second JVM: says why it is not recorded" "$TMP/err" "another JVM records into it: put %p into its name"
	end "a second JVM"
	check "a second JVM: the first one's recording is whole" is_over "$data"
}

java=${jdks[0]}/bin/java
test_refused
tests=(start attach filter)
on_each_jdk
done_testing
