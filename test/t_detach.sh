#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# One recording after another in the same JVM: what each gives back at its end, who is told that
# another one is active, and what happens when ojx is killed. The program is test/jvm/Left.java,
# which works until a file exists.
#
#      test/t_detach.sh [NAME...]: only these parts
. "$(dirname "$0")/lib.sh"

ulimit -c 0
data=$TMP/ojx.data
find_jdks
use_classes

# begin OPTION...: starts a JVM; sets jvm, its pid
begin()
{
	rm -f "$TMP/stop" "$TMP/output"
	"$java" -Xms64m -Xmx64m -XX:+AlwaysPreTouch "$@" -XX:ErrorFile="$TMP/hs_err.%p" -cp "$classes" Left "$TMP/stop" \
		>"$TMP/output" 2>&1 </dev/null &
	jvm=$!
	wait_for 100 accepts_attach $jvm
	sleep 1.5
}

# end TITLE
end()
{
	touch "$TMP/stop"
	reap $jvm
	is "$1: the program goes on to its own end" "$status $(tail -n 1 "$TMP/output")" "0 left"
	is "$1: no crash" "$(find "$TMP" -name 'hs_err*')" ""
}

# attach SECONDS OPTION...: records the JVM
attach()
{
	local seconds=$1
	shift
	rm -f "$data"
	run "${ojx:-$OJX}" record -q -o "$data" --duration "$seconds" "$@" -p "$jvm"
}

# evidence OPTION...: records the JVM, longer on a slow machine, until there are objects
evidence()
{
	local seconds
	for seconds in 1 4 20 60; do
		attach $seconds "$@"
		[ "$(objects)" != True ] || break
	done
}

objects()
{
	"$OJX" report --format=json -i "$data" >"$TMP/report.json" 2>"$TMP/report.err" &&
		json "$TMP/report.json" "r['recording']['objects_sampled'] > 0"
}

rss_kb()
{
	sed -n 's/^VmRSS:[[:space:]]*\([0-9]*\).*/\1/p' "/proc/$jvm/status"
}

# Compilers and collectors start and end threads as they need them.
threads()
{
	cat "/proc/$jvm"/task/*/comm 2>/dev/null | grep -vcE '^(C[12] Compiler|GC Thread|G1 )'
}

descriptors()
{
	find "/proc/$jvm/fd" -maxdepth 1 -mindepth 1 | wc -l
}

handles()
{
	catches "$jvm" 23 # SIGURG
}

handles_not()
{
	! handles
}

# held: what the JVM still has of ojx, except for memory
held()
{
	echo "$(descriptors) descriptors"
}

# left: the agent's thread has ended. It does so last, a moment after ojx has.
left()
{
	! grep -qx ojx "/proc/$jvm"/task/*/comm
}

rests()
{
	[ "$(held)" = "$1" ] && [ "$(threads)" -le "$2" ]
}

sets=("-e replica" "-e replica,locality --freq 1000" "-e dead-store,silent-store,silent-load --freq 2000"
	"-e locality --budget 20 --interval 4k" "-e replica --budget 100 --interval 1k --no-watch"
	"-e replica,locality,dead-store,silent-store,silent-load --freq 5000 --budget 100 --interval 4k")

# Each time with other options. The JVM's own memory grows at first, and its threads come and go.
test_sets()
{
	local i before=0 held threads bad=0 n=10 options
	soaking && n=114
	begin
	for ((i = 0; i < n; i++)); do
		if [ $i = 5 ]; then
			wait_for 50 left
			before=$(rss_kb) held=$(held) threads=$(threads)
		fi
		read -r -a options <<<"${sets[$((i % ${#sets[@]}))]}"
		attach 0.4 "${options[@]}"
		[ $status = 0 ] || bad=$((bad + 1))
	done
	is "$name: $n recordings of one JVM, each complete" "$bad" 0
	evidence -e replica --interval 16k
	is "$name: and one more, with evidence" "$(objects)" True
	check "$name: threads and descriptors are those from before" wait_for 50 rests "$held" $((threads + 2))
	local grown=$(($(rss_kb) - before))
	check "$name: memory grew by $most_kb kB at most: $grown kB" [ $grown -le $most_kb ]
	check "$name: SIGURG has no handler any more" wait_for 20 handles_not
	end "$name"
}
# The JVM's own memory varies; what a recording needs is several megabytes.
most_kb=8192
! soaking || most_kb=1024

test_checked()
{
	begin -Xcheck:jni
	attach 0.5 -e replica,locality --budget 100 --interval 4k
	attach 0.5 -e replica,locality,dead-store,silent-store,silent-load --budget 100 --interval 4k
	end "$name, with -Xcheck:jni"
	is "$name: -Xcheck:jni says nothing" "$(grep -v '^WARNING: A JVM TI agent\|^WARNING: If a serviceability\|^WARNING: Dynamic loading' "$TMP/output")" left
}

# The next recording begins, whenever the previous one was killed.
test_killed()
{
	local i n=8 bad=0 ojx
	soaking && n=200
	begin
	for ((i = 0; i < n; i++)); do
		"$OJX" record -q -o "$data" -e replica,locality --freq 1000 --budget 100 --interval 4k -p "$jvm" >"$TMP/out" 2>&1 &
		ojx=$!
		sleep "0.$((RANDOM % 9))$((RANDOM % 10))"
		kill -KILL $ojx
		wait $ojx 2>/dev/null
		kill -0 $jvm 2>/dev/null || bad=$((bad + 1))
	done
	ojx=
	is "$name: ojx is killed at $n moments, and the JVM runs on" "$bad" 0
	evidence -e replica --interval 16k
	is "$name: the next recording has evidence" "$status $(objects)" "0 True"
	end "$name"
}

# The second recording is told who has the JVM, by the same library and by one of another version.
test_two()
{
	local first other=$TMP/other
	mkdir -p "$other"
	cp "$OJX" "$(dirname "$OJX")/libojx-agent.so" "$other"
	echo another >>"$other/libojx-agent.so"
	begin
	"$OJX" record -q -o "$TMP/first.data" -e replica,locality --freq 1000 -p "$jvm" >"$TMP/first" 2>&1 &
	first=$!
	if can_watch; then
		check "$name: SIGURG has a handler while it is needed" wait_for 100 handles
	else
		sleep 3
	fi
	for second in "$OJX" "$other/ojx"; do
		run "$second" record -o "$data" --duration 1 -p "$jvm"
		like "$name: a second ojx is told who has the JVM" "$TMP/err" "recorded already, by the ojx with pid $first\b"
	done
	kill -INT $first
	wait $first
	for second in "$other/ojx" "$OJX" "$other/ojx"; do
		ojx=$second evidence -e replica,locality --freq 1000 --interval 16k
		is "$name: then libraries of two versions take turns" "$status $(objects)" "0 True"
	done
	end "$name"
}

# Collections come all the time while layouts are measured.
test_busy()
{
	local gc i n=2
	soaking && n=40
	for gc in $(collectors "$home" each); do
		begin "-XX:+Use${gc}GC" -Xmn2m
		for ((i = 0; i < n; i++)); do
			attach 0.3 -v -e replica,locality --freq 500 --budget 20
			cat "$TMP/err" >>"$TMP/said"
		done
		end "$name $gc, with collections all the time"
		! soaking || # a slow machine may collect in between each time
			unlike "$name $gc: what is measured is found" "$TMP/said" 'unknown|not followed|differ|not known'
		rm -f "$TMP/said"
	done
}

tests=(sets checked two)
once=(killed busy) # the rest of the JDKs belongs to the soak
! soaking || tests+=("${once[@]}") once=()
on_each_jdk "$@"
done_testing
