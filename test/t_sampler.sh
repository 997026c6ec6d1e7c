#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `ojx record --sampler`, -F, -c and events by name: what is sampled, how often, and the message if
# it cannot be. How many interrupts come, and how many of them can be located, depends on the machine: on a busy one several may
# be one. So a rate is right here if it is none of the others that are asked for. `make soak` uses narrow bounds.
. "$(dirname "$0")/lib.sh"

data=$TMP/ojx.data
report=$TMP/report.json
find_jdks
use_classes
# the program works for so many seconds of CPU time, which the clock samples
waste=("${jdks[0]}/bin/java" -cp "$classes" Waste silent)

run "$OJX" list --format=json
cp "$TMP/out" "$TMP/list"

# has NAME: whether this machine has a sampler
has()
{
	[ "$(json "$TMP/list" "[l['available'] for l in r['list'] if (l['kind'], l['name']) == ('sampler', '$1')]")" = "[True]" ]
}

# record OPTION... -- COMMAND...: records and makes the report
record()
{
	rm -f "$data" "$report"
	run "$OJX" record --budget 40 -o "$data" "$@"
	"$OJX" report --format=json -i "$data" >"$report" 2>"$TMP/report.err"
}

# samples METRIC: the number of its samples in the report
samples()
{
	json "$report" "sum(t['samples'] for t in r['locality_totals'] if t['metric'] == '$1')"
}

# within TITLE NUMBER LEAST MOST
within()
{
	check "$1: $2 in $3..$4" test "$2" -ge "$3" -a "$2" -le "$4"
}

# ---- what is refused

# refused TITLE REGEX OPTION...
refused()
{
	local title=$1 regex=$2
	shift 2
	run "$OJX" record -o "$data" "$@" -- true
	is "$title: exit status" "$status" 125
	like "$title: is said" "$TMP/err" "$regex"
}

refused "an unknown event" "'MEM_NO_SUCH.THING'.*ojx list" -e silent-load,MEM_NO_SUCH.THING
refused "an event without addresses" "'context-switches'.*no address" -e silent-load,context-switches
refused "a generic event" "'cycles:pp'.*no address" -e silent-load,cycles:pp
if has page-faults; then
	refused "an event alone" "'page-faults'.*name one" -e page-faults
	refused "too many events" "'minor-faults'.*too many" \
		-e silent-load,page-faults,faults,task-clock,cpu-clock,minor-faults
	refused "an event and a sampler" "'clock'.*exclude" -e silent-load,page-faults --sampler=clock
else
	refused "an event of the kernel's" "'page-faults'.*ojx list" -e silent-load,page-faults
fi
refused "no sampler for an analysis that needs one" "needs samples" -e silent-load --sampler=none
refused "an unknown sampler" "'pbes'.*pebs" -e silent-load --sampler=pbes
refused "a rate and a period" "exclude" -e silent-load -F 100 -c 1000000
refused "too short a period of the clock" "100000" -e silent-load --sampler=clock -c 99999
if has page-faults && ! has pebs && ! has ibs; then
	refused "an event of a PMU that is not there" "r20d1.*PMU.*ojx list" -e silent-load,r20d1
fi

# ---- samplers that are not there are replaced

for name in pebs ibs spe; do
	record -e locality --sampler=$name -- "${waste[@]}" 1
	is "--sampler=$name: the program's exit status" "$status" 0
	if has $name; then
		unlike "--sampler=$name: is used" "$TMP/err" "the clock samples instead"
	else
		is "--sampler=$name: one line says what is missing" \
			"$(grep -c "^ojx: --sampler=$name: .*; the clock samples instead\$" "$TMP/err")" 1
		check "--sampler=$name: the clock samples" test "$(samples time)" -gt 10
	fi
done
record -q -e locality --sampler=spe -- "${waste[@]}" 0
is "-q: nothing is said of it" "$(cat "$TMP/err")" ""
run "$OJX" record -q --sampler=none -o "$data" -- "${waste[@]}" 0
is "--sampler=none, and nobody needs one" "$status" 0
if has page-faults; then
	run "$OJX" record -q -e replica,page-faults -o "$data" -- "${waste[@]}" 0
	is "an event that leads to uses of objects alone" "$status" 0
fi

# ---- how often

# about TITLE WANTED: the report has so many samples by time, if every interrupt gives one. They are fewer where the machine
# gives its processors to others or its clock is coarse.
about()
{
	if soaking; then
		within "$1" "$(samples time)" $(($2 * 7 / 10)) $(($2 * 11 / 10))
	else
		within "$1" "$(samples time)" $(($2 / 20)) $(($2 * 3))
	fi
}

if has clock && has page-faults; then
	record -q -e locality --sampler=clock -F 50 -- "${waste[@]}" 2
	about "50 a second" 100
	record -q -e locality --sampler=clock -F 1000 -- "${waste[@]}" 1
	about "20 times as often" 1000
	record -q -e locality --sampler=clock -c 20000000 -- "${waste[@]}" 2
	about "a period of 20 ms is a rate of 50" 100
	record -q -e locality,task-clock:period=1000000 -- "${waste[@]}" 1
	about "an event by name, with its period" 1000

	# The default is what the budget permits; an explicit rate is kept.
	record -e locality --sampler=clock --budget 0.1 -- "${waste[@]}" 2
	few=$(samples time)
	record -e locality --sampler=clock --budget 0.1 -F 1000 -- "${waste[@]}" 2
	about "a small budget: -F is kept to" 2000
	within "a small budget: without -F there are fewer" "$few" 0 $(($(samples time) - 1))
	like "a small budget: and that is said" "$TMP/err" \
		"cost .*budget 0.1 %, but -F or -c sets the rate of access samples"
else
	skip "the clock's rate" "perf's clock cannot be had here"
fi

# ---- the clock's addresses: a register on each must first see the predicted instruction

# predicted TITLE JAVA OPTION...
predicted()
{
	local title=$1 of all seconds
	shift
	for seconds in 2 10 60; do
		record -v -e dead-store,silent-store,silent-load --sampler=clock -F 1000 -- "$@" -cp "$classes" Waste silent $seconds
		read -r of all < <(sed -nE 's/.*; ([0-9]+) of ([0-9]+) addresses were first.*/\1 \2/p' "$TMP/err")
		[ "${all:-0}" -lt 100 ] || break
	done
	is "$title: exit status" "$status" 0
	check "$title: addresses that were touched: ${all:-0}" test "${all:-0}" -ge 100
	check "$title: by the predicted instruction: ${of:-0}" \
		test "${of:-0}" -ge $((${all:-1} * $(soaking && echo 98 || echo 50) / 100))
}

if has clock && can_watch; then
	for home in "${jdks[@]}"; do
		jdk=jdk$(version_of "$home")
		predicted "$jdk, all compilers" "$home/bin/java"
		! soaking || predicted "$jdk, C1 alone" "$home/bin/java" -XX:TieredStopAtLevel=1
	done
else
	skip "the clock's addresses" "they cannot be watched here"
fi

# ---- code that is met once: a compiler's, whose profile is flat. In hot code alone 4 of 100 interrupts are located.

cold()
{
	local title=$1 java=$2 all of sources
	# a tenth of 200 are located: at least two of them, but for once in a hundred million times
	for sources in jvm/Waste.java "planted/*.java"; do
		# shellcheck disable=SC2086 # a pattern
		record -v -e locality --sampler=clock -F 1000 -- "$java" -m jdk.compiler/com.sun.tools.javac.Main \
			-proc:none -nowarn -d "$TMP/compiled" "$TOP"/test/$sources
		read -r all of < <(sed -nE 's/.*accesses: ([0-9]+) samples in Java code, ([0-9]+) of the heap.*/\1 \2/p' "$TMP/err")
		[ "${all:-0}" -lt 200 ] || break
	done
	is "$title: exit status" "$status" 0
	check "$title: interrupts: ${all:-0}" test "${all:-0}" -ge 20
	check "$title: of them located: ${of:-0}" \
		test "${of:-0}" -ge $((${all:-100} * $(soaking && echo 10 || echo 1) / 100))
	check "$title: their stacks are known" test "$(json "$report" "sum(a['samples'] for l in r['locality_totals']
		for o in l['others'] for a in o['accesses'] if a['stack'])")" -ge $((${of:-100} / $(soaking && echo 2 || echo 4)))
}

if has clock; then
	for home in "${jdks[@]}"; do
		soaking || [ "$home" = "${jdks[0]}" ] || continue
		cold "jdk$(version_of "$home"), code met once" "$home/bin/java"
	done
else
	skip "code met once" "it cannot be had here"
fi

# ---- page faults, whose number and place are known

count=100000
array=1024 # bytes
page=4096
line=$(grep -n '// line: fault' "$TOP/test/jvm/Faults.java" | cut -d: -f1)

# The share of the samples whose innermost frame is at the line that touches new memory, in percent.
at_line()
{
	json "$report" "int(100 * sum(a['samples'] for l in r['locality_totals'] for o in l['others']
		for a in o['accesses'] if a['stack'] and (a['stack'][0]['method'], a['stack'][0]['line']) == ('fill', $line))
		/ max(1, sum(l['samples'] for l in r['locality_totals'])))"
}

faults()
{
	local title=$1 java=$2 gc=$3 period=16
	# -Xbatch: while code waits for its compiler, the VM itself touches the memory
	record -q -e locality --min-size 1m --sampler=page-faults -c $period -- "$java" -Xbatch -XX:+Use${gc}GC \
		-Xms300m -Xmx300m -Xmn200m -cp "$classes" Faults $count
	is "$title: exit status" "$status" 0
	local all=$((count * array / page / period))
	if soaking; then
		within "$title: as many samples as pages" "$(samples page-fault)" $((all * 80 / 100)) $((all * 110 / 100))
		within "$title: percent of them at the line that touches them" "$(at_line)" 95 100
	else
		within "$title: as many samples as pages" "$(samples page-fault)" $((all / 4)) $((all * 2))
		within "$title: percent of them at the line that touches them" "$(at_line)" 20 100
	fi
}

if ! has page-faults; then
	skip "page faults" "they cannot be had here"
elif grep -q '\[always\]' /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null; then
	skip "page faults" "pages are large here"
else
	for home in "${jdks[@]}"; do
		jdk=jdk$(version_of "$home")
		faults "$jdk Serial: page faults" "$home/bin/java" Serial
		! soaking || faults "$jdk G1: page faults" "$home/bin/java" G1
	done
	record -q -e locality,page-faults,task-clock -F 500 -- "${jdks[0]}/bin/java" -Xmn200m -cp "$classes" \
		Faults $((count * 40))
	check "two events in one recording: page faults" test "$(samples page-fault)" -gt 0
	check "two events in one recording: the clock" test "$(samples time)" -gt 0
fi

done_testing
