#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ojx diff, and --fail-if of ojx report: the command line, the output, and a program that is
# recorded three times: unchanged, with its lines moved, and changed in one place. test/unit tests
# what is noise.
. "$(dirname "$0")/lib.sh"

compile_make_data
"$make_data" overflow "$TMP/over.data" && "$make_data" full "$TMP/a.data" && "$make_data" full "$TMP/b.data" &&
	"$make_data" hostile "$TMP/hostile.data" || exit 1
cd "$TMP" || exit 1

test_names()
{
	run "$OJX" diff
	is "without recordings: status" "$status" 1
	like "it names the default" "$TMP/err" "^ojx: cannot read 'ojx.data.old': "
	cp a.data ojx.data.old && cp b.data ojx.data
	run "$OJX" diff
	is "the default: status" "$status" 0
	run "$OJX" diff a.data
	is "one recording is an error of usage" "$status" 2
	like "it says what is wanted" "$TMP/err" 'two recordings, OLD and NEW'
	run "$OJX" diff --all a.data b.data
	cp "$TMP/out" before
	run "$OJX" diff a.data b.data --all
	is "options may stand behind the recordings" "$status" 0
	check "and mean the same there" cmp before "$TMP/out"
	run "$OJX" diff - -
	is "standard input twice is an error of usage" "$status" 2
	status=0
	"$OJX" diff - b.data <a.data >"$TMP/out" 2>"$TMP/err" || status=$?
	is "standard input once is none" "$status" 0
	run "$OJX" diff a.data "$TOP/test/t_diff.sh"
	is "a file that is no recording is an error" "$status" 1
	like "it is named" "$TMP/err" "t_diff.sh' is not a recording"
}

test_output()
{
	run "$OJX" diff a.data b.data
	like "no change: said in the result" "$TMP/out" '^no change$'
	like "the recordings are named" "$TMP/out" '^# new +b\.data: 2\.0 s, '
	run "$OJX" diff --all a.data b.data
	like "--all shows what did not change" "$TMP/out" '^1 +same +.* com\.acme\.Point +ArrayList.grow:10'
	unlike "and no change of it" "$TMP/out" '^[0-9]+ +(worse|better|new|gone)'
	run "$OJX" diff --all --limit 1 a.data b.data
	like "--limit leaves out the rest, and says so" "$TMP/out" '^# [0-9]+ more; --limit 0 shows all$'
	run "$OJX" diff a.data hostile.data
	like "another class is new" "$TMP/out" '^[0-9]+ +new '
	like "the one before is gone" "$TMP/out" '^[0-9]+ +gone .* com\.acme\.Order'
	like "it begins with findings" "$TMP/out" '^Avoidable by the findings so far: .* [0-9]+ findings?: '
	is "before the rows" "$(grep -n -m 1 -o '^Avoidable' "$TMP/out" | cut -d: -f 1)" 5
	run "$OJX" diff --sums --per-second a.data b.data
	is "sums and rates exclude each other" "$status" 2
	run "$OJX" diff a.data hostile.data
	like "another program is said to be" "$TMP/out" '^# the (programs|command lines) are different'
	is "nothing steers the terminal" "$(grep -c $'\e' "$TMP/out")" 0
	run "$OJX" diff --format=json a.data hostile.data
	is "as JSON: states" "$(json "$TMP/out" "r['states']['new'], r['states']['gone'] > 0")" \
		"(1, True)"
	is "as JSON: a share that nobody measured is null" \
		"$(json "$TMP/out" "[c['theta']['old'] for c in r['contexts'] if c['state'] == 'new']")" \
		"[None]"
	run "$OJX" diff --format=json --group-by=class --class 'com.acme.*' a.data b.data
	is "rows are chosen and grouped" \
		"$(json "$TMP/out" "sorted({(c['class'], len(c['alloc_stack'])) for c in r['contexts']})")" \
		"[('com.acme.Order', 0), ('com.acme.Point', 0)]"
}

# What had no room in tables is shown as that, and nothing is said of how it changed.
test_other()
{
	"$OJX" report --all -i "$TMP/over.data" >"$TMP/text"
	like "no room for contexts: the report says so" "$TMP/text" '^# limit     100 samples without a context: there are about 87040: .* \(--class\)$'
	like "and has what it is in a row of its own" "$TMP/text" '24\.0 GB .* unknown +\(unknown\) +\(other\)'
	unlike "with no word on how much more would decide it" "$TMP/text" '(other).*more|see .limit.*more'
	"$OJX" report -i "$TMP/over.data" >"$TMP/text"
	like "the short report has it apart from what needs more evidence" "$TMP/text" "(^|[ ;])24\.0 GB are of no line"
	unlike "and names no time for it" "$TMP/text" '\(24\.0 GB|24\.0 GB, .* more'
	unlike "but no finding about it" "$TMP/text" '^[0-9]+\. .*\(other\).*(alive|lives|grow)'
	run "$OJX" diff "$TMP/a.data" "$TMP/over.data"
	unlike "and it is not compared" "$TMP/out" '\(other\)'
	run "$OJX" diff "$TMP/over.data" "$TMP/a.data"
	unlike "in either direction" "$TMP/out" '\(other\)'
}

test_conditions()
{
	run "$OJX" diff --fail-if 'saved>+10%,objects>+1' --fail-on new-replica a.data b.data
	is "no condition holds" "$status" 0
	is "and nothing is said" "$(cat "$TMP/err")" ""
	run "$OJX" diff --fail-if 'objects>+1k' a.data hostile.data
	is "one that holds: status" "$status" 3
	like "it says which, for what" "$TMP/err" "^ojx: 'objects>\+1k' holds for .*: \+30\.0 k$"
	run "$OJX" diff --fail-if 'saved>+10%' --fail-on 'objects<-1k' a.data hostile.data
	is "each of several counts" "$status" 3
	run "$OJX" diff --fail-if 'total.objects>200k' a.data b.data
	is "a total" "$status" 3
	for by in line context site class; do
		run "$OJX" diff --group-by=$by --fail-if 'objects>150k,total.objects>1M' a.data b.data
		echo "$status $(grep '^# objects' "$TMP/out")" >>"$TMP/by-diff"
		run "$OJX" report --group-by=$by --fail-if 'saved>3MB' -i a.data
		echo "$status $(cut -d' ' -f 2-99 <"$TMP/err")" >>"$TMP/by-report"
	done
	is "whatever the rows, conditions and totals of a comparison are by line" "$(sort -u "$TMP/by-diff" | wc -l)" 1
	is "and so are those of a report" "$(sort -u "$TMP/by-report" | wc -l)" 1
	run "$OJX" diff --fail-if 'bogus>1' a.data b.data
	is "nonsense is an error of usage" "$status" 2
	like "columns are listed" "$TMP/err" "--fail-if: 'bogus>1': .* saved, likely, live, bytes, objects, theta"
	is "and nothing is shown" "$(cat "$TMP/out")" ""

	run "$OJX" report -i a.data --fail-if 'saved>1MB'
	is "report --fail-if: status" "$status" 3
	like "it says which" "$TMP/err" "^ojx: 'saved>1MB' holds for .*com\.acme\.Point at ArrayList\.grow:10"
	like "the report is there all the same" "$TMP/out" 'com\.acme\.Point'
	run "$OJX" report -i a.data --limit 1 --fail-if 'theta<10%'
	is "also of lines that are not shown" "$status" 3
	run "$OJX" report -i a.data --fail-if 'saved>1GB' --fail-if 'theta>1.1'
	is "none holds" "$status" 0
	run "$OJX" report -i a.data --fail-if 'avoidable>2MB'
	is "findings that avoid so much: status" "$status" 3
	like "which" "$TMP/err" "^ojx: 'avoidable>2MB' holds for 2 findings, the first of which is same-result at Shop\.load:20: 2\.2 MB$"
	run "$OJX" report -i a.data --fail-if 'total.avoidable>80%'
	like "all findings together, of all bytes" "$TMP/err" "^ojx: 'total.avoidable>80%' holds: 8[0-9]\.[0-9] %$"
	run "$OJX" report -i a.data --fail-if 'avoidable>3MB,total.avoidable>90%,certain>0'
	is "none is so large" "$status" 0
	run "$OJX" report -i a.data --fail-if 'dead-store>0,silent-load<1'
	is "what was not measured holds nothing" "$status" 0
	run "$OJX" diff --fail-if 'dead-store>+0,silent-load<1' a.data b.data
	is "nor does its change" "$status" 0
	run "$OJX" report -i a.data --fail-if 'dead-store>1MB'
	is "wasteful operations are shares" "$status" 2
	run "$OJX" report -i a.data --fail-if 'saved>+1MB'
	is "report knows no changes" "$status" 2
}

# ---- a real program ----

# together COMMAND...: runs two at a time if there are enough processors
jobs=()
together()
{
	if [ ${#jobs[@]} -ge "$(nproc)" ] || [ ${#jobs[@]} -ge 2 ]; then
		wait "${jobs[0]}" || exit 1
		jobs=("${jobs[@]:1}")
	fi
	"$@" &
	jobs+=($!)
}

all_done()
{
	local job

	for job in "${jobs[@]}"; do
		wait "$job" || exit 1
	done
	jobs=()
}

# program NAME [SED]...: an edited copy, compiled
program()
{
	local name=$1
	shift
	mkdir -p "$name"
	sed "$@" "$TOP/test/jvm/Work.java" >"$name/Work.java"
	"${jdks[0]}/bin/javac" -nowarn --release 11 -g -d "$name" "$name/Work.java" || exit 1
}

# record_as FILE PROGRAM: with a seed of its own; and with an interval, so that a busy machine gives
# as much evidence
record_as()
{
	"$OJX" record -q --budget 50 --interval 64k -o "$1" -- "$java" -Xmx64m -cp "$2" Work "$objects" >/dev/null || exit 1
}

# said EXPRESSION: evaluated over the comparison in $TMP/out
said()
{
	json "$TMP/out" "$1" 2>&1
}
changed="sorted((c['class'], c['state']) for c in r['contexts'] if c['state'] not in ('same', 'few'))"

recorded="as-is1 as-is2 as-is3 moved changed more other-texts same-texts"

# record_all OBJECTS: compiles the edited copies and records them
record_all()
{
	# three lines inserted at the top, and two within a method
	local name objects=$1 move=(-e '1a // moved\n// moved\n// moved' -e '/static void bytes/a sum++;\n\n')

	find_jdks
	java=${jdks[0]}/bin/java
	together program as-is -e ''
	together program moved "${move[@]}"
	together program changed "${move[@]}" -e 's/new Different(i)/new Different(i % 3)/'
	together program more "${move[@]}" \
		-e 's/^            same();/            for (int k = 0; k < 3; k++) same();/'
	together program other-texts -e 's/^            same();/            sink = String.valueOf(1000 + i);/'
	together program same-texts -e 's/^            same();/            sink = String.valueOf(1000 + n);/'
	all_done
	for name in $recorded; do
		together record_as "$name.data" "${name%[0-9]}"
	done
	all_done
}

# Soaking records anew: that a change is seen and noise is none is a matter of chance, and of how much
# a busy machine looks at. Otherwise the recordings are those of the repository, as text;
# `test/t_diff.sh keep` writes them anew.
keep_recordings()
{
	local name

	record_all 1500000
	for name in $recorded; do
		keep_recording "$name.data" "diff/$name"
	done
}

kept_recordings()
{
	local name

	for name in $recorded; do
		kept_recording "diff/$name" "$name.data"
	done
}

test_real()
{
	if soaking; then
		record_all 6000000
	else
		kept_recordings
	fi

	local alarms=0
	for pair in "1 2" "1 3" "2 3"; do
		run "$OJX" diff --format=json --class 'Work*' "as-is${pair% *}.data" "as-is${pair#* }.data"
		[ "$(said "$changed")" = "[]" ] || alarms=$((alarms + 1))
	done
	# An alarm is false once in twenty times: hardly ever two of three, never all three.
	check "the same program, three pairs: false alarms: $alarms" [ $alarms -le $(soaking && echo 1 || echo 2) ]

	run "$OJX" diff --format=json --class 'Work*' as-is1.data moved.data
	is "lines moved: every context is found again" "$(said \
		"sorted((c['class'], c['match']) for c in r['contexts'])")" \
		"[('Work\$Different', 'lines'), ('Work\$Same', 'lines')]"
	run "$OJX" diff --format=json --class 'byte*' --method 'Work.bytes' as-is1.data moved.data
	is "also in the method that was edited" "$(said "[c['match'] for c in r['contexts']]")" "['lines']"

	run "$OJX" diff --format=json --class 'Work*' as-is1.data changed.data
	is "three contents where all were distinct: worse" "$(said "('Work\$Different', 'worse') in $changed")" \
		True
	is "by what is saved" "$(said "[c['saved']['changed'] for c in r['contexts']
		if c['class'] == 'Work\$Different']")" "['up']"
	run "$OJX" diff --fail-if 'identical>+10%' as-is1.data changed.data
	is "and a build stops by it" "$status" 3
	run "$OJX" diff --format=json --class java.lang.String --method Work.main other-texts.data same-texts.data
	# loading a class makes a few strings below main, too
	is "strings that have become the same: worse, by what they refer to" "$(said \
		"[(c['state'], c['saved']['changed'], c['saved_deep'], c['new_replica']) for c in r['contexts']
		if c['state'] != 'few']")" \
		"[('worse', 'up', True, True)]"
	run "$OJX" diff --class java.lang.String --method Work.main --fail-if 'saved>+10%' other-texts.data same-texts.data
	is "and a build stops by it, too" "$status" 3
	like "the table says which kind" "$TMP/out" '^1 +worse +deep [0-9.]+ MB '
	run "$OJX" diff --class java.lang.String --fail-if 'total.saved>+10%,new-replica' same-texts.data other-texts.data
	is "not the other way round" "$status" 0
	run "$OJX" diff --format=json --class 'Work*' changed.data as-is1.data
	is "the other way round: better" "$(said "('Work\$Different', 'better') in $changed")" True
	is "findings say so, too: what is no longer alike is gone" \
		"$(said "[(f['state'], f['avoidable']['changed'], f['new']) for f in r['findings'] if 'Different' in str(f['old'])]")" "[('gone', 'down', None)]"
	run "$OJX" diff --format=json --class 'Work*' as-is1.data moved.data
	is "and none of them has changed between two runs" \
		"$(said "{f['state'] for f in r['findings']} <= {'same', 'few'} and len(r['findings']) > 0")" True
	run "$OJX" diff --format=json --class 'Work*' as-is1.data more.data
	is "three times the objects: worse" "$(said "('Work\$Same', 'worse') in $changed")" True
	is "by their number" "$(said "[c['objects']['changed'] for c in r['contexts']
		if c['class'] == 'Work\$Same']")" "['up']"
}

if [ "${1:-}" = keep ]; then
	keep_recordings
	exit
fi
test_names
test_other
test_output
test_conditions
test_real
done_testing
