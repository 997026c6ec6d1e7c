#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What the rest of a program can do to signals, threads, descriptors, system calls and the VM's
# sampler, which it shares with the agent: the program runs to its own end, and a loss is noticed.
#   test/t_signals.sh [NAME...]    only these
. "$(dirname "$0")/lib.sh"

ulimit -c 0
data=$TMP/ojx.data
report=$TMP/report.json

find_jdks
use_classes
# shared SOURCE LIBRARY
shared()
{
	"${CC:-cc}" -std=gnu11 -Wall -Wextra -Werror -shared -fPIC -I"${jdks[0]}/include" \
		-I"${jdks[0]}/include/linux" -o "$TMP/$2" "$TOP/test/jvm/$1" -pthread || exit 1
}
shared jvmti.c jvmti.so
shared signals.c signals.so

# record OPTIONS -- ARGUMENT...: of java
record()
{
	local before behind
	split "$@"
	rm -f "$data"
	run "$OJX" record -o "$data" "${before[@]}" -- "$java" -Xmx128m -XX:ErrorFile="$TMP/hs_err" \
		-cp "$classes" "${behind[@]}"
}

# ask EXPRESSION: evaluated over the report of $data
ask()
{
	"$OJX" report --format=json -i "$data" >"$report" 2>/dev/null
	json "$report" "$1" 2>&1
}

# A thread that is suspended while it meets a new class stops none of the others.
test_suspended()
{
	record -q --budget 100 --interval 32 -- Suspended "$TMP/jvmti.so"
	is "$name: threads are suspended, and the others go on" "$status $(cat "$TMP/out")" \
		"0 suspended true"
}

boxes="[c for c in r['contexts'] if c['class'] == 'Signals\$Box']"

# Whether uses can be watched here; says so if they cannot.
watches()
{
	can_watch && return
	skip "$name: $1" "no watch on uses here"
	return 1
}

# Blocked traps would never end: nothing is watched in such a thread.
test_blocked()
{
	record -q --budget 100 --interval 4k -- Signals open "$TMP/signals.so"
	is "$name: SIGURG is left alone" "$status $(cat "$TMP/out")" "0 open 180000000"
	watches "a thread that blocks SIGURG" || return
	is "$name: its boxes are watched" "$(ask "any(c['replica']['unused'] is not None for c in $boxes)")" \
		True
	record -q --budget 100 --interval 4k -- Signals blocked "$TMP/signals.so"
	is "$name: a thread blocks SIGURG" "$status $(cat "$TMP/out")" "0 blocked 180000000"
	is "$name: its boxes are not watched" "$(ask "all(c['replica']['unused'] is None and
		not c['accesses'] for c in $boxes)")" True
	is "$name: but scanned" "$(ask "sum(c['replica']['scanned'] for c in $boxes) > 0")" True
}

# SIGTRAP is left to the program; if it takes SIGURG, it gets that, too.
test_taken()
{
	record --budget 100 --interval 4k -- Signals trap "$TMP/signals.so"
	is "$name: a program takes SIGTRAP and gets what it sends" "$status $(cat "$TMP/out")" \
		"0 trap 180000000 1"
	unlike "$name: that is nothing to us" "$TMP/err" 'another part'
	record --budget 100 --interval 4k -- Signals urgent "$TMP/signals.so"
	is "$name: a program takes SIGURG and gets what it sends" "$status $(cat "$TMP/out")" \
		"0 urgent 180000000 1"
	watches "what becomes of the watches" || return
	like "$name: it is said that watching ends" "$TMP/err" \
		'^ojx: another part of the program has taken SIGURG'
}

# A hypervisor can lose the cause of a trap: the kernel then sends SIGTRAP, of which a JVM would die. Other SIGTRAPs end it.
test_stray()
{
	record -q --budget 100 --interval 4k -- Signals trapped "$TMP/signals.so"
	is "$name: SIGTRAP ends a program that does not handle it" "$status" 133
	watches "a trap without a cause" || return
	record -v --budget 100 --interval 4k -- Signals stray "$TMP/signals.so"
	is "$name: a trap without a cause is dropped" "$status $(cat "$TMP/out")" "0 stray 180000000 0"
	like "$name: it is counted" "$TMP/err" '1 trap of watches had no cause that the kernel knew'
}

# A handler for SIGURG that was there before gets all signals that are not ojx's.
test_passed_on()
{
	OJX_TEST_URGENT=1 LD_PRELOAD=$TMP/signals.so record -q --budget 100 --interval 4k -- \
		Signals before "$TMP/signals.so"
	is "$name: a handler that was there before gets what is sent" "$status $(cat "$TMP/out")" \
		"0 before 180000000 1"
}

# A program that resets all signals lives on, since SIGURG does nothing by default; with every
# analysis and every timer.
test_reset()
{
	for events in replica replica,locality dead-store,silent-store,silent-load; do
		record --budget 100 --interval 4k -e "$events" --freq 5000 -- Signals reset "$TMP/signals.so"
		is "$name: a program resets all signals, as $events are recorded" \
			"$status $(cat "$TMP/out")" "0 reset 180000000"
		watches "what becomes of the watches" || continue
		like "$name: it is said that nothing more comes" "$TMP/err" \
			'^ojx: another part of the program has taken SIGURG'
	done
	rm -f "$data"
	run "$TOP/build/deny-perf" "$OJX" record -q -o "$data" -e locality --freq 1000 -- "$java" \
		-XX:ErrorFile="$TMP/hs_err" -cp "$classes" Signals reset "$TMP/signals.so"
	is "$name: a program resets all signals, without perf_event_open" "$status $(cat "$TMP/out")" \
		"0 reset 180000000"
}

# A user may be allowed no queued signals. Those of perf come all the same, and POSIX timers are not
# available.
test_queue()
{
	local before
	before=$(ulimit -S -i)
	ulimit -S -i 0
	record --budget 100 --interval 4k -e locality,dead-store --freq 5000 -- Signals open "$TMP/signals.so"
	is "$name: no signal can be queued" "$status $(cat "$TMP/out")" "0 open 180000000"
	if watches "accesses are sampled without a queue"; then
		is "$name: accesses are sampled all the same" \
			"$(ask "sum(t['samples'] for t in r['locality_totals']) > 0")" True
	fi
	rm -f "$data"
	run "$TOP/build/deny-perf" "$OJX" record -o "$data" -e locality -- "$java" -cp "$classes" \
		Signals trap "$TMP/signals.so"
	is "$name: nor a timer be had" "$status $(cat "$TMP/out")" "0 trap 180000000 1"
	like "$name: it is said" "$TMP/err" '^ojx: .*timer_create: Resource temporarily unavailable'
	ulimit -S -i "$before"
}

# A program closes descriptors that it does not know, and has files of its own under their numbers.
test_descriptors()
{
	record -q --budget 100 --interval 4k -e replica,locality --freq 1000 -- Signals descriptors \
		"$TMP/signals.so"
	is "$name: files under the numbers of perf events are left alone" "$status $(cat "$TMP/out")" \
		"0 descriptors 180000000 true"
	watches "there were perf events" || return
	like "$name: there were perf events" "$TMP/err" '^events [1-9]'
}

unknown_filter='^ojx: (pid [0-9]+: )?a seccomp filter that ojx does not have may kill'

# A program installs a filter that kills, in one thread or in all, while it is recorded.
test_filtered()
{
	for which in one all; do
		for events in replica replica,locality,dead-store; do
			record --budget 100 --interval 4k -e "$events" --freq 2000 -- \
				"-XX:+Use$1GC" Signals "filter-$which" "$TMP/signals.so"
			title="$name $1: a program filters system calls of $which, as $events are recorded"
			is "$title" "$status $(cat "$TMP/out")" "0 filter true 600000000"
			like "$title: it is said" "$TMP/err" "$unknown_filter"
			is "$title: in one line" "$(grep -c '^ojx: .*seccomp' "$TMP/err")" 1
			is "$title: objects are scanned" \
				"$(ask "sum(c['replica']['scanned'] for c in $boxes) > 0")" True
		done
	done
}

test_filters()
{
	test_filtered G1
}

# A command installs a filter before it starts the JVM. The tool is not under it.
test_filter_between()
{
	for options in "--kill" "--kill --readv" ""; do
		rm -f "$data"
		run "$OJX" record -o "$data" -e replica,locality --interval 16k -- "$TOP/build/deny-perf" \
			$options "$java" -Xmx64m -cp "$classes" Signals collect "$TMP/signals.so"
		title="$name: deny-perf $options between the tool and the program"
		is "$title: the program runs to its own end" "$status $(cat "$TMP/out")" \
			"0 collect 180000000"
		like "$title: it is said" "$TMP/err" "$unknown_filter"
		is "$title: objects are scanned" \
			"$(ask "sum(c['replica']['scanned'] for c in $boxes) > 0")" True
	done
}

# HotSpot gives its sampler of allocations to one agent only. So nobody else changes the interval on
# which the weights rest.
test_sampler()
{
	record -q -- "-agentpath:$TMP/jvmti.so" -cp "$classes" Rough work 1000000
	is "$name: another agent cannot have the sampler of allocations" "$status $(cat "$TMP/out")" \
		"0 another agent may not sample
work 3999880"
	JAVA_TOOL_OPTIONS=-agentpath:$TMP/jvmti.so record -- Rough work 1000000
	is "$name: if another agent has it, the program runs" "$status $(cat "$TMP/out")" \
		"0 another agent samples
work 3999880"
	like "$name: and it is said why it is not recorded" "$TMP/err" \
		"^ojx: .* offers no allocation sampling, which only one agent can use: another one has it, .*'ojx heap -p PID' and"
}

# The caller may have blocked the signal for all threads of the program.
test_inherited()
{
	if ! env --block-signal=URG true 2>/dev/null; then
		skip "$name: SIGURG is blocked from the start" "env has no --block-signal"
		return
	fi
	rm -f "$data"
	run env --block-signal=URG "$OJX" record -o "$data" -e replica,locality --budget 100 -- \
		"$java" -cp "$classes" Rough work 1000000
	is "$name: SIGURG is blocked from the start" "$status $(cat "$TMP/out")" "0 work 3999880"
	like "$name: that is said, if uses could be watched" "$TMP/err" \
		'no watch on uses .*perf_event_open|no watch on uses: SIGURG was blocked'
}

# A crashing JVM must be left alone: each signal then could cost its report a section.
test_crashed()
{
	rm -f "$TMP/hs_err"
	record -q -e replica,locality,dead-store --freq 5000 --budget 100 -- Signals crash \
		"$TMP/signals.so"
	is "$name: a JVM that crashes dies by SIGABRT" "$status" 134
	like "$name: and leaves a report" "$TMP/hs_err" '^# A fatal error has been detected'
	unlike "$name: in which nothing is missing" "$TMP/hs_err" 'error occurred during error reporting'
	rm -f "$TMP/hs_err"
}

tests=(suspended blocked taken stray descriptors sampler crashed)
once=(passed_on reset queue filters filter_between inherited) # the same on every JDK
on_each_jdk "$@"
done_testing
