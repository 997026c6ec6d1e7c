#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `ojx record -e dead-store,silent-store,silent-load`: loops of which a known part of the accesses is wasted
# (test/jvm/Waste.java), on every JDK and collector. Fractions may be off by five standard errors and 0.01. And programs in which
# JXPerf's authors found waste (test/jvm/Papers.java): the kind, the lines, and roughly how much.
. "$(dirname "$0")/lib.sh"

classes=$TMP/classes
data=$TMP/ojx.data
report=$TMP/report.json
source=$TOP/test/jvm/Waste.java
papers=$TOP/test/jvm/Papers.java
program=Waste
seconds=5

mapfile -t jdks < <("$TOP/agent/jdks.sh")
"${jdks[0]}/bin/javac" -nowarn --release 11 -g -d "$classes" "$source" "$papers" || exit 1

# The line of the source that is marked so.
line_of()
{
	grep -n "// line: $1" "$source" | cut -d: -f1
}

# enough LEAST: whether so many pairs of each kind were seen
enough()
{
	python3 - "$report" "$1" <<'END'
import json, sys
pairs = [w["observed_pairs"] for w in json.load(open(sys.argv[1]))["waste"]]
sys.exit(not pairs or min(pairs) < int(sys.argv[2]))
END
}

# record EVENTS MODE JAVA [OPTION...]: records $program and makes the report; where the machine is so busy that there are
# few pairs, many of them of code that is not compiled yet, once more and longer
record()
{
	local events=$1 mode=$2 s
	shift 2
	for s in $seconds $((seconds * 6)); do
		rm -f "$data" "$report"
		run "$OJX" record -q -e "$events" -F 1000 --budget 40 -o "$data" -- "$@" -cp "$classes" \
			"$program" "$mode" $s
		"$OJX" report --format=json -i "$data" >"$report" 2>"$TMP/report.err"
		[ "$status" = 0 ] || return
		enough 150 2>/dev/null && return
		echo "# $program $mode: few pairs in $s seconds"
	done
}

# What is wrong with the fraction of KIND, which is TRUTH in truth, and with its first pair's line; nothing
# where all is well. At least LEAST pairs must have been seen.
wrong()
{
	python3 - "$report" "$@" <<'END'
import json, sys
path, kind, truth, least, method, line = sys.argv[1:]
waste = [w for w in json.load(open(path))["waste"] if w["kind"] == kind]
if not waste:
    sys.exit(print("no pair of accesses"))
w, truth = waste[0], float(truth)
n, f = w["observed_pairs"], w["fraction"]
if n < int(least):
    print(f"{n} pairs only")
elif abs(f - truth) > 5 * (truth * (1 - truth) / n) ** .5 + 0.01:
    print(f"fraction {f:.3f} of {n} pairs, in truth {truth:.3f}")
else:
    for which in ("watched", "trapped"):
        top = w["pairs"][0][which][0]
        if (top["method"], top["line"]) != (method, int(line)):
            print(f"{which} at {top}")
END
}

# What is wrong with KIND in a program of Papers.java; nothing where all is well. Its fraction must be from LOW to HIGH; pairs from
# a line FIRST to a line SECOND (lists of marks in the source, or methods) must waste SHARE of all bytes, and pairs
# whose first access is at WHERE (marks, or methods on the stack) nearly all that is wasted at all. Time-based
# sampling weighs accesses by the time before them, and the compiler merges some: bounds are wide.
unlike_paper()
{
	python3 - "$report" "$papers" "$@" <<'END'
import json, re, sys
path, source, kind, low, high, first, second, share, where = sys.argv[1:]
marks = {}
for number, text in enumerate(open(source), 1):
    if mark := re.search(r"// line: (.*)", text):
        marks[mark.group(1)] = number

def at(frame, places):
    return any(frame["line"] == marks[p] and frame["file"] == "Papers.java" if p in marks else
               frame["class"] + "." + frame["method"] == p for p in places.split(","))

waste = [w for w in json.load(open(path))["waste"] if w["kind"] == kind]
if not waste:
    sys.exit(print("no pair of accesses"))
w = waste[0]
between = sum(p["share"] for p in w["pairs"] if at(p["watched"][0], first) and at(p["trapped"][0], second))
there = sum(p["share"] for p in w["pairs"] if any(at(f, where) for f in p["watched"]))
if w["observed_pairs"] < 40:
    print(w["observed_pairs"], "pairs only")
elif not float(low) <= w["fraction"] <= float(high):
    print("fraction", w["fraction"], "of", w["observed_pairs"], "pairs")
elif between < float(share):
    print(first, "to", second, "wastes", between, "of", w["fraction"])
elif there < 0.75 * w["fraction"]:
    print(where, "wastes", there, "of", w["fraction"])
END
}

# What is wrong with the labels of pairs in headers, of which class words are at OFFSET and named by a load of so many BITS; nothing
# where all is well.
mislabelled()
{
	python3 - "$report" "$@" <<'END'
import json, re, sys
path, offset, bits = sys.argv[1:]
w = [w for w in json.load(open(path))["waste"] if w["kind"] == "silent-load"][0]
words = {"32": "dword", "64": "qword"}
at = re.compile(r"mov \w+, %s ptr \[(?!r15|rsp)[^]]* \+ %s\]$" % (words[bits], offset))
classes = [p for p in w["pairs"] if p["header"] == "class word"]
# an instruction stands for all pairs of its two places: in a few the other one may be another
loads = [p for p in w["pairs"] if at.match(p["instruction"]) and at.match(p["watched_instruction"])]
missed = sum(p["count"] for p in loads if p["header"] != "class word")
others = [p["instruction"] for p in classes if not at.match(p["instruction"]) and p["instruction"] != "?" and
          not re.search(r"\[\w+( \+ 8)?\]|cmp", p["instruction"])]
if not classes:
    print("no class word among", len(w["pairs"]), "pairs of places")
elif missed > 0.1 * sum(p["count"] for p in loads):
    print(missed, "loads at the class word's offset are not labelled")
elif others:
    print("class words loaded by", others)
elif not w["content_pairs"] < w["observed_pairs"]:
    print("all pairs are of contents")
END
}

# What it is told wrongly.
run "$OJX" record -e dead-stores -o "$data" -- true
is "an unknown event: exit status" "$status" 125
like "an unknown event is named" "$TMP/err" "'dead-stores'"
run "$OJX" record -e dead-store --no-watch -o "$data" -- true
is "an event that needs watches, without them: exit status" "$status" 125
run "$OJX" record -e silent-load --exact -o "$data" -- true
is "--exact without objects: exit status" "$status" 125

can_watch || {
	skip "wasted accesses" "no debug registers"
	done_testing
}

for home in "${jdks[@]}"; do
	java=$home/bin/java
	jdk=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/jdk\1/p' "$home/release")
	for gc in Serial Parallel G1 Z Shenandoah; do
		if ! "$java" -XX:+Use${gc}GC -version >/dev/null 2>&1; then
			skip "$jdk $gc: dead stores" "this JDK has no such collector"
			continue
		fi
		record dead-store dead "$java" -XX:+Use${gc}GC
		is "$jdk $gc: exit status" "$status" 0
		is "$jdk $gc: dead stores" \
			"$(wrong dead-store 0.230769 40 storeInts "$(line_of dead)")" ""
	done
	record silent-store,silent-load silent "$java" -XX:+UseG1GC
	is "$jdk G1: silent stores" \
		"$(wrong silent-store 0.5 40 storeDoubles "$(line_of 'silent store')")" ""
	is "$jdk G1: silent loads" \
		"$(wrong silent-load 0.5 40 sumDoubles "$(line_of 'silent load')")" ""

	program=Papers
	record silent-load,dead-store fft "$java"
	is "$jdk, as SciMark's FFT: a third of the loads is silent, each part of data[i] is loaded twice" \
		"$(unlike_paper silent-load 0.15 0.6 'first real' 'second real' 0.01 'first real,first imaginary')" ""
	is "$jdk, as SciMark's FFT: no store is dead" "$(json "$report" \
		"[w['fraction'] < 0.05 for w in r['waste'] if w['kind'] == 'dead-store']")" "[True]"
	for options in "" -XX:+UseZGC -XX:+UseCompactObjectHeaders -XX:-UseCompressedClassPointers; do
		of="$jdk${options:+ $options}"
		if ! "$java" $options -version >/dev/null 2>&1; then
			skip "$of: loads of class words" "this JDK has no such option"
			continue
		fi
		where="8 32"
		[ "$options" = -XX:+UseCompactObjectHeaders ] && where="4 32"
		[ "$options" = -XX:-UseCompressedClassPointers ] && where="8 64"
		record silent-load items "$java" $options
		# shellcheck disable=SC2086 # two words
		is "$of: loads of class words are told" "$(mislabelled $where)" ""
	done
	run "$OJX" report --stdio -i "$data"
	like "$jdk: text tells how many pairs are of headers" "$TMP/out" "^# [0-9]* of these are of object headers, .*class word: [0-9]"
	like "$jdk: and that they are left out" "$TMP/out" "of object headers; --headers shows them"
	unlike "$jdk: and leaves them out" "$TMP/out" "pairs, class word"
	run "$OJX" report --stdio --headers -i "$data"
	like "$jdk: --headers shows them" "$TMP/out" "pairs, class word [(]type check[)]"

	record silent-load items "$java"
	is "$jdk, sets of items in TreeMaps: nearly all loads are silent, most of them in TreeMap.put" \
		"$(unlike_paper silent-load 0.9 1 java.util.TreeMap.put java.util.TreeMap.put 0.05 java.util.TreeMap.put)" ""
	record dead-store damping "$java"
	is "$jdk, damping: the temporary is stored for nobody" \
		"$(unlike_paper dead-store 0.4 0.95 'first damping' 'second damping' 0.1 Papers.damp)" ""
	record silent-store random "$java"
	is "$jdk, random numbers: constants computed and stored at each call" \
		"$(unlike_paper silent-store 0.08 0.9 r23,r46,t23,t46 r23,r46,t23,t46 0.05 r23,r46,t23,t46)" ""
	program=Waste
done

record silent-load tree "${jdks[0]}/bin/java" -Xcheck:jni
is "look-ups in a TreeMap: nearly all loads are silent" "$(json "$report" \
	"[w['fraction'] > 0.8 for w in r['waste'] if w['kind'] == 'silent-load']")" "[True]"
run "$OJX" report --stdio -i "$data"
like "the report names the redundant pair" "$TMP/out" "and the same value again at"
like "and where it is" "$TMP/out" "TreeMap.getEntry"

# What was recorded, in a line.
run "$OJX" record -e dead-store,silent-load -F 1000 --budget 40 -o "$data" -- "${jdks[0]}/bin/java" -cp "$classes" Waste dead 1
like "alone: tells what was recorded" "$TMP/err" \
	"wrote .*: [0-9]+ accesses watched, dead-store ([0-9.]+ % of )?[0-9]+ pairs, silent-load ([0-9.]+ % of )?[0-9]+ pairs, 0 events lost"
run "$OJX" record -e locality -F 1000 --budget 40 -o "$data" -- "${jdks[0]}/bin/java" -cp "$classes" Waste dead 1
like "locality alone: likewise" "$TMP/err" \
	"wrote .*: [0-9]+ objects and [0-9]+ accesses sampled, [0-9]+ of them to followed objects of [0-9]+ contexts, [0-9]+ events lost"

# Together with replicas.
record replica,dead-store dead "${jdks[0]}/bin/java"
is "with replicas: exit status" "$status" 0
is "with replicas: dead stores" "$(wrong dead-store 0.230769 20 storeInts "$(line_of dead)")" ""

done_testing
