#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Programs that do what an agent may not expect. Each has crashed the JVM, or was disturbed, at some
# time: methods without an id, unannounced collections, more threads than there is room for. Or it
# could: stack overflows, child processes, exits in the middle of work.
. "$(dirname "$0")/lib.sh"

ulimit -c 0
data=$TMP/ojx.data
report=$TMP/report.json

find_jdks
use_classes
"${CC:-cc}" -std=gnu11 -Wall -Wextra -Werror -I"${jdks[0]}/include" -I"${jdks[0]}/include/linux" \
	-o "$TMP/embed" "$TOP/test/jvm/embed.c" -pthread || exit 1
printf '%s\n' 'Premain-Class: Redefined' 'Can-Redefine-Classes: true' >"$TMP/manifest"
"${jdks[0]}/bin/jar" cfm "$TMP/redefined.jar" "$TMP/manifest" -C "$classes" Redefined.class || exit 1

# record OPTIONS -- ARGUMENT...: of java
record()
{
	local before behind
	split "$@"
	rm -f "$data" "$report"
	run "$OJX" record -o "$data" "${before[@]}" -- "$java" -XX:ErrorFile="$TMP/hs_err" \
		-cp "$classes" "${behind[@]}"
	"$OJX" report --format=json -i "$data" >"$report" 2>/dev/null
}

# ask EXPRESSION: of the report
ask()
{
	json "$report" "$1" 2>&1
}

# Whether uses can be watched here; says so once if they cannot.
watches()
{
	[ "$(ask "'watch' in r['recording']['engines']")" = True ] && return
	skip "$name: $1" "no watch on uses here"
	return 1
}

# The running version of a redefined method has no id. Whether its uses are seen is luck: there are
# one or two in five seconds.
test_redefined()
{
	local ms=3000
	soaking && ms=24000
	record --budget 100 --interval 256 -- "-javaagent:$TMP/redefined.jar" Redefined $ms
	is "$name: a class is redefined while its old version runs" "$status $(tail -n 1 "$TMP/out")" \
		"0 redefined"
	if soaking && watches "uses by the old version"; then
		is "$name: uses by the old version were seen" "$(ask "any(a['stack'][0]['method'] == '[unknown]'
			for c in r['contexts'] for a in c['accesses'])")" True
	fi
}

# Heap inspection collects, unannounced, and the heap shrinks below objects that were sampled.
test_inspected()
{
	record --interval 16k -- -Xms8m -Xmx1g -XX:+UseSerialGC -XX:-ShrinkHeapInSteps \
		-XX:MaxHeapFreeRatio=30 -XX:MinHeapFreeRatio=10 Inspected 2
	is "$name: a histogram of the live heap" "$status $(tail -n 1 "$TMP/out")" "0 inspected"
	is "$name: and objects are still scanned" "$(ask "sum(c['replica']['scanned']
		for c in r['contexts'] if c['class'] == 'byte[]') > 0")" True
}

everything=replica,locality,lifetime,equality,dead-store,silent-store,silent-load

# rough MODE N: the program does the same with and without ojx
rough()
{
	local want
	want=$("$java" -cp "$classes" Rough "$@")
	want="$? $want"
	rm -f "$data"
	run "$OJX" record -q -o "$data" -e $everything --freq 5000 --budget 100 --interval 4k -- "$java" \
		-XX:ErrorFile="$TMP/hs_err" -cp "$classes" Rough "$@"
	is "$name: $1, as everything is recorded" "$status $(cat "$TMP/out")" "$want"
}

test_rough()
{
	rough overflow 30
	rough exec 20
	rough exits 5
}

test_crowd()
{
	record --interval 4k -- -Xmx64m Crowd 1200
	is "$name: 1200 threads at a time" "$status $(cat "$TMP/out")" "0 crowd 580164000"
	is "$name: leave evidence" "$(ask "sum(c['replica']['scanned'] for c in r['contexts']
		if c['class'] == 'Crowd\$Box') > 0")" True
	is "$name: what those without room lost is counted" "$(ask "r['recording']['lost_events'] > 0")" \
		True
}

# References of an object are followed through its class, which is about to be unloaded.
test_unloaded()
{
	for gc in $(collectors "$home" each); do
		record --budget 100 --interval 2k -- -XX:+Use${gc}GC -Xmx64m -XX:MaxMetaspaceSize=64m \
			-Xcheck:jni Unloaded 2
		is "$name $gc: classes are unloaded" "$status $(cat "$TMP/out")" "0 unloaded true"
		is "$name $gc: and their objects are scanned" "$(ask "sum(c['replica']['scanned']
			for c in r['contexts'] if c['class'] == 'Unloaded\$Payload') > 0")" True
	done
}

# Class pointers of eight bytes with references of four, which begin at a multiple of eight in
# arrays up to JDK 22. They were once taken for references of eight, so that twice the length of an
# array was read.
test_wide()
{
	local options="-XX:+IgnoreUnrecognizedVMOptions -XX:-UseCompressedClassPointers -Xmx64m"
	record --interval 4k -- $options Rough work 300000
	is "$name: class pointers are not compressed" "$status $(tail -n 1 "$TMP/out")" "0 work 1199880"
	unlike "$name: and references are followed all the same" "$TMP/err" 'references are not followed'
}

# Threads with a small signal stack, on which there is no room to walk another stack. They are not
# watched.
test_embedded()
{
	local vm want
	vm=$(find "$home/" -name libjvm.so | head -n 1)
	want=$("$TMP/embed" "$vm" "$classes" 4096 200000)
	want="$? $want"
	rm -f "$data"
	run "$OJX" record -q -o "$data" -e $everything --freq 5000 --budget 100 --interval 4k -- \
		"$TMP/embed" "$vm" "$classes" 4096 200000
	is "$name: a program with a JVM in it, and small stacks for signals, as everything is recorded" \
		"$status $(cat "$TMP/out")" "$want"
}

perf_events()
{
	find "/proc/$1/fd" -lname '*perf_event*' 2>/dev/null | wc -l
}

# How much of the memory shared with ojx the JVM can access: 105 KB of headers, and what is in use.
open_kb()
{
	local range kb=0
	while read -r range; do
		kb=$((kb + (0x${range#*-} - 0x${range%-*}) / 1024))
	done < <(sed -n 's/ rw-s .*memfd:ojx.*//p' "/proc/$1/maps")
	echo $kb
}

has_memory()
{
	[ "$(open_kb "$1")" -gt 282 ]
}

has_events()
{
	[ "$(perf_events "$1")" -gt 0 ]
}

given_back()
{
	[ "$(open_kb "$1")" -lt 252 ] && ! has_events "$1"
}

# After ojx is killed the JVM gives back what it held, and runs on.
test_left()
{
	local jvm events=1
	rm -f "$data" "$TMP/out" "$TMP/stop"
	"$OJX" record -q -o "$data" -e replica,locality --freq 1000 --budget 100 --interval 1k -- \
		"$java" -Xmx64m -XX:+UseSerialGC -XX:ErrorFile="$TMP/hs_err" -cp "$classes" Left "$TMP/stop" \
		>"$TMP/out" 2>"$TMP/err" &
	ojx=$!
	wait_for 100 pgrep -P $ojx -x java >"$TMP/pid"
	jvm=$(tail -n 1 "$TMP/pid")
	check "$name: a JVM that is recorded holds memory" wait_for 100 has_memory "$jvm"
	wait_for $(can_watch && echo 100 || echo 1) has_events "$jvm" || events=0
	kill -KILL $ojx
	wait $ojx 2>/dev/null
	check "$name: when ojx is killed it gives all back" wait_for 100 given_back "$jvm"
	touch "$TMP/stop"
	check "$name: and goes on to its end" wait_for 100 grep -qx left "$TMP/out"
	if can_watch; then # a recording that was killed need not say so
		is "$name: perf events were among it" "$events" 1
	else
		skip "$name: perf events were among it" "no watch on uses here"
	fi
}

# test/t_hazards.sh [NAME...]: only these
tests=(redefined inspected rough crowd unloaded wide embedded left)
on_each_jdk "$@"
done_testing
