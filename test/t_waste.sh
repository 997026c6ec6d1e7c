#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `ojx record -e dead-store,silent-store,silent-load`: loops that waste a known part of their
# accesses (test/jvm/Waste.java), and programs in which JXPerf's authors found waste
# (test/jvm/Papers.java): the kind, the lines, and roughly the amount. `make soak` uses narrow
# bounds, five standard errors and 0.01, on every JDK and collector. test/unit/test_waste.c tests
# what is computed from pairs.
. "$(dirname "$0")/lib.sh"

classes=$TMP/classes
data=$TMP/ojx.data
report=$TMP/report.json
source=$TOP/test/jvm/Waste.java
papers=$TOP/test/jvm/Papers.java
program=Waste
seconds=2 # of CPU time
soaking && seconds=5

find_jdks
"${jdks[0]}/bin/javac" -nowarn --release 11 -g -d "$classes" "$source" "$papers" || exit 1

# The line of the source that is marked so.
line_of()
{
	grep -n "// line: $1" "$source" | cut -d: -f1
}

# record EVENTS MODE JAVA [OPTION...]: records $program and makes the report
record()
{
	local events=$1 mode=$2
	shift 2
	rm -f "$data" "$report"
	run "$OJX" record -e "$events" -F 1000 --budget 40 -o "$data" -- "$@" -cp "$classes" "$program" "$mode" $seconds
	"$OJX" report --format=json -i "$data" >"$report" 2>"$TMP/report.err"
}

# Prints what is wrong with the fraction of KIND, whose true value is TRUTH, and with the lines of
# what is wasted most; nothing if all is right. Of 40 pairs a fraction is 0.4 off less than once in
# a million times, and never nearly 0 or 1 if it should be a quarter or a half.
wrong()
{
	python3 - "$report" "$(soaking && echo narrow)" "$@" <<'END'
import json, sys
path, narrow, kind, truth, method, line = sys.argv[1:]
waste = [w for w in json.load(open(path))["waste"] if w["kind"] == kind]
if not waste:
    sys.exit(print("no pair of accesses"))
w, truth = waste[0], float(truth)
n, f = w["observed_pairs"], w["fraction"]
room = 5 * (truth * (1 - truth) / n) ** .5 + 0.01 if narrow else 0.4
if n < 40:
    print(f"{n} pairs only")
elif abs(f - truth) > room or not 0.02 < f < 0.95:
    print(f"fraction {f:.3f} of {n} pairs, in truth {truth:.3f}")
else:
    for which in ("watched", "trapped"):
        top = w["pairs"][0][which][0]
        if (top["method"], top["line"]) != (method, int(line)):
            print(f"{which} at {top}")
END
}

# Prints what is wrong with KIND in a program of Papers.java; nothing if all is right. Its fraction
# must be from LOW to HIGH, and the part SHARE of the waste must be by pairs whose first access is
# at WHERE (marks in the source, or methods on the stack). Bounds are wide: time-based sampling
# weighs accesses by the time before them, and the compiler merges some.
unlike_paper()
{
	python3 - "$report" "$papers" "$@" <<'END' || echo "the report was not understood"
import json, re, sys
path, source, kind, low, high, share, where = sys.argv[1:]
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
there = sum(p["share"] for p in w["pairs"] if any(at(f, where) for f in p["watched"]))
if w["observed_pairs"] < 40:
    print(w["observed_pairs"], "pairs only")
elif not float(low) <= w["fraction"] <= float(high):
    print("fraction", w["fraction"], "of", w["observed_pairs"], "pairs")
elif there < float(share) * w["fraction"]:
    print(where, "wastes", there, "of", w["fraction"])
END
}

# Prints what is wrong with the labels of pairs in headers, whose class words are at OFFSET and
# loaded with BITS bits; nothing if all is right.
mislabelled()
{
	python3 - "$report" "$@" <<'END'
import json, re, sys
path, offset, bits = sys.argv[1:]
w = [w for w in json.load(open(path))["waste"] if w["kind"] == "silent-load"][0]
words = {"32": "dword", "64": "qword"}
at = re.compile(r"mov \w+, %s ptr \[(?!r15|rsp)[^]]* \+ %s\]$" % (words[bits], offset))
classes = [p for p in w["pairs"] if p["header"] == "class word"]
# an instruction stands for all pairs of its two places; in a few pairs it may be another one
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

# ---- what it is told wrongly

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

# ---- loops of a known truth

for home in "${jdks[@]}"; do
	java=$home/bin/java
	jdk=jdk$(version_of "$home")
	for gc in $(collectors "$home"); do
		record dead-store dead "$java" -XX:+Use${gc}GC
		is "$jdk $gc: exit status" "$status" 0
		is "$jdk $gc: dead stores" "$(wrong dead-store 0.230769 storeInts "$(line_of dead)")" ""
	done
	record silent-store,silent-load silent "$java" -XX:+UseG1GC
	is "$jdk G1: silent stores" "$(wrong silent-store 0.5 storeDoubles "$(line_of 'silent store')")" ""
	is "$jdk G1: silent loads" "$(wrong silent-load 0.5 sumDoubles "$(line_of 'silent load')")" ""
	like "$jdk: what was recorded, in a line" "$TMP/err" \
		"wrote .*: [0-9]+ accesses watched, silent-store [0-9.]+ % of [0-9]+ pairs, silent-load [0-9.]+ % of [0-9]+ pairs, 0 events lost"
done

java=${jdks[0]}/bin/java
record replica,dead-store dead "$java"
is "with replicas: exit status" "$status" 0
is "with replicas: dead stores" "$(wrong dead-store 0.230769 storeInts "$(line_of dead)")" ""
record silent-load tree "$java" -Xcheck:jni
is "look-ups in a TreeMap: nearly all loads are silent" "$(json "$report" \
	"[w['fraction'] > 0.8 for w in r['waste'] if w['kind'] == 'silent-load']")" "[True]"
run "$OJX" report --stdio --details -i "$data"
like "the report names the redundant pair" "$TMP/out" "and the same value again at"
like "and where it is" "$TMP/out" "TreeMap.getEntry"

# ---- programs of the paper, as compilers make them; and headers, as the interpreter does

program=Papers
soaking || jdks=("${jdks[0]}")
for home in "${jdks[@]}"; do
	java=$home/bin/java
	jdk=jdk$(version_of "$home")
	record silent-load,dead-store fft "$java"
	is "$jdk, as SciMark's FFT: loads are silent, as each part of data[i] is loaded twice" \
		"$(unlike_paper silent-load 0.1 0.9 0.5 'first real,first imaginary')" ""
	is "$jdk, as SciMark's FFT: no store is dead" "$(json "$report" \
		"[w['fraction'] < 0.05 for w in r['waste'] if w['kind'] == 'dead-store']")" "[True]"
	record silent-load items "$java"
	is "$jdk, sets of items in TreeMaps: nearly all loads are silent, most of them in TreeMap.put" \
		"$(unlike_paper silent-load 0.8 1 0.5 java.util.TreeMap.put)" ""
	check "$jdk, sets of items: loads of class words are told" test "$(json "$report" \
		"any(p['header'] == 'class word' for w in r['waste'] for p in w['pairs'])")" = True
	record dead-store damping "$java"
	is "$jdk, damping: the temporary is stored for nobody" \
		"$(unlike_paper dead-store 0.3 0.97 0.5 Papers.damp)" ""

	record silent-load damping "$java" -Xint
	run "$OJX" report --stdio --details -i "$data"
	like "$jdk, interpreted: text tells how many pairs are of headers" "$TMP/out" \
		"^# [0-9]* of these are of object headers, .*mark word: [0-9]"
	like "$jdk, interpreted: and that they are left out" "$TMP/out" "of object headers; --headers shows them"
	unlike "$jdk, interpreted: and leaves them out" "$TMP/out" "pairs?, mark word"
	run "$OJX" report --stdio --details --headers --limit 0 -i "$data"
	like "$jdk, interpreted: --headers shows them" "$TMP/out" "pairs?, mark word"
done

# ---- what rests on the code that a compiler makes

for home in $(soaking && echo "${jdks[@]}"); do
	java=$home/bin/java
	jdk=jdk$(version_of "$home")
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
	record silent-store random "$java"
	is "$jdk, random numbers: constants computed and stored at each call" \
		"$(unlike_paper silent-store 0.08 0.9 0.5 r23,r46,t23,t46)" ""
done

# ---- loops whose accesses differ: the interval (test/patterns.py says how often it may miss)

if soaking; then
	"$TOP/test/patterns.py" "${jdks[0]}" >"$TMP/patterns" 2>&1
	is "intervals hold the truth" "$?" 0 || sed 's/^/# /' "$TMP/patterns"
fi

done_testing
