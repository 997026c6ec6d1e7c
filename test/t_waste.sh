#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `ojx record -e dead-store,silent-store,silent-load`: loops that waste a known part of their
# accesses (test/jvm/Waste.java), and programs in which JXPerf's authors found waste
# (test/jvm/Papers.java): the kind, the lines, and the amount. Which accesses are looked at is a matter of chance, of the
# processor and of the compiler, so figures and lines are asked of recordings that are kept (`test/t_waste.sh keep` writes them
# anew), and by `make soak` of new ones, on every JDK and collector. A live one is asked whether pairs of the loop are seen, and
# whether a part of them is wasted. test/unit/test_waste.c tests what is computed from pairs.
. "$(dirname "$0")/lib.sh"

data=$TMP/ojx.data
report=$TMP/report.json
source=$TOP/test/jvm/Waste.java
papers=$TOP/test/jvm/Papers.java
program=Waste
seconds=2 # of CPU time
soaking && seconds=5

find_jdks
use_classes

# The line of the source that is marked so.
line_of()
{
	grep -n "// line: $1" "$source" | cut -d: -f1
}

# record EVENTS MODE JAVA [OPTION...]: records $program
record()
{
	local events=$1 mode=$2
	shift 2
	rm -f "$data"
	run "$OJX" record -e "$events" -F 1000 --budget 40 -o "$data" -- "$@" -cp "$classes" "$program" "$mode" $seconds
}

make_report()
{
	"$OJX" report --format=json -i "$data" >"$report" 2>"$TMP/report.err"
}

# figures_of NAME ARGUMENT...: the report is of the recording that is kept by this name, or of a new one: arguments of record
figures_of()
{
	local name=$1
	shift
	recorded "waste/$name" record "$@"
	make_report
}

# looked ARGUMENT...: a live recording in which each of the events has a hundred pairs: a longer one where the first had too few
looked()
{
	local seconds
	for seconds in 2 10 60; do
		record "$@"
		make_report
		[ "$(json "$report" "min([w['observed_pairs'] for w in r['waste']], default=0) >= 100" 2>&1)" != True ] || break
	done
}

# Prints what is wrong with KIND in a live recording of a loop in METHOD, a part of whose accesses is wasted; nothing if all is
# right. Of a hundred pairs, of which a quarter or a half should be wasted, never nearly none or nearly all are.
unlike_loop()
{
	python3 - "$report" "$@" <<'END'
import json, sys
path, kind, method = sys.argv[1:]
waste = [w for w in json.load(open(path))["waste"] if w["kind"] == kind]
if not waste:
    sys.exit(print("no pair of accesses"))
w = waste[0]
if w["observed_pairs"] < 100 or not 0.02 < w["fraction"] < 0.95:
    print(f"fraction {w['fraction']:.3f} of {w['observed_pairs']} pairs")
for which in ("watched", "trapped"):
    if not any(f["method"] == method for p in w["pairs"] for f in p[which]):
        print(f"none of the {which} accesses is in {method}")
END
}

# Prints what is wrong with the fraction of KIND, whose true value is TRUTH, and with the lines of
# what is wasted most; nothing if all is right. The bounds are five standard errors and 0.01.
wrong()
{
	python3 - "$report" "$@" <<'END'
import json, sys
path, kind, truth, method, line = sys.argv[1:]
waste = [w for w in json.load(open(path))["waste"] if w["kind"] == kind]
if not waste:
    sys.exit(print("no pair of accesses"))
w, truth = waste[0], float(truth)
n, f = w["observed_pairs"], w["fraction"]
if n < 40:
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

# ---- figures

figures()
{
	local gc
	program=Waste
	for gc in $(soaking && collectors "$home" || echo G1); do
		figures_of dead dead-store dead "$java" -XX:+Use${gc}GC
		is "$jdk $gc: dead stores" "$(wrong dead-store 0.230769 storeInts "$(line_of dead)")" ""
	done
	figures_of both replica,dead-store dead "$java"
	is "$jdk, with replicas: dead stores" "$(wrong dead-store 0.230769 storeInts "$(line_of dead)")" ""
	figures_of silent silent-store,silent-load silent "$java" -XX:+UseG1GC
	is "$jdk: silent stores" "$(wrong silent-store 0.5 storeDoubles "$(line_of 'silent store')")" ""
	is "$jdk: silent loads" "$(wrong silent-load 0.5 sumDoubles "$(line_of 'silent load')")" ""
	figures_of tree silent-load tree "$java"
	is "$jdk, look-ups in a TreeMap: nearly all loads are silent" "$(json "$report" \
		"[w['fraction'] > 0.8 for w in r['waste'] if w['kind'] == 'silent-load']")" "[True]"
	run "$OJX" report --stdio --details -i "$data"
	like "$jdk: the report names the redundant pair" "$TMP/out" "and the same value again at"
	like "$jdk: and where it is" "$TMP/out" "TreeMap.getEntry"
}

# Programs of the paper, as compilers make them; and headers, as the interpreter does.
papers()
{
	program=Papers
	figures_of fft silent-load,dead-store fft "$java"
	is "$jdk, as SciMark's FFT: loads are silent, as each part of data[i] is loaded twice" \
		"$(unlike_paper silent-load 0.1 0.9 0.5 'first real,first imaginary')" ""
	is "$jdk, as SciMark's FFT: no store is dead" "$(json "$report" \
		"[w['fraction'] < 0.05 for w in r['waste'] if w['kind'] == 'dead-store']")" "[True]"
	figures_of items silent-load items "$java"
	is "$jdk, sets of items in TreeMaps: nearly all loads are silent, most of them in TreeMap.put" \
		"$(unlike_paper silent-load 0.8 1 0.5 java.util.TreeMap.put)" ""
	check "$jdk, sets of items: loads of class words are told" test "$(json "$report" \
		"any(p['header'] == 'class word' for w in r['waste'] for p in w['pairs'])")" = True
	figures_of damping dead-store damping "$java"
	is "$jdk, damping: the temporary is stored for nobody" \
		"$(unlike_paper dead-store 0.3 0.97 0.5 Papers.damp)" ""

	figures_of interpreted silent-load damping "$java" -Xint
	run "$OJX" report --stdio --details -i "$data"
	like "$jdk, interpreted: text tells how many pairs are of headers" "$TMP/out" \
		"^# [0-9]* of these are of object headers, .*mark word: [0-9]"
	like "$jdk, interpreted: and that they are left out" "$TMP/out" "of object headers; --headers shows them"
	unlike "$jdk, interpreted: and leaves them out" "$TMP/out" "pairs?, mark word"
	run "$OJX" report --stdio --details --headers --limit 0 -i "$data"
	like "$jdk, interpreted: --headers shows them" "$TMP/out" "pairs?, mark word"
}

compile_make_data
if ! soaking && ! keeping || can_watch; then
	for home in $(soaking && echo "${jdks[@]}" || echo "${jdks[0]}"); do
		java=$home/bin/java
		jdk=jdk$(version_of "$home")
		figures
		papers
	done
fi
! keeping || done_testing

# ---- live

can_watch || {
	skip "wasted accesses" "no debug registers"
	done_testing
}
program=Waste
for home in "${jdks[@]}"; do
	java=$home/bin/java
	jdk=jdk$(version_of "$home")
	for gc in $(collectors "$home"); do
		looked dead-store dead "$java" -XX:+Use${gc}GC
		is "$jdk $gc: exit status" "$status" 0
		is "$jdk $gc: dead stores are seen" "$(unlike_loop dead-store storeInts)" ""
	done
	looked silent-store,silent-load silent "$java" -XX:+UseG1GC
	is "$jdk G1: silent stores are seen" "$(unlike_loop silent-store storeDoubles)" ""
	is "$jdk G1: silent loads are seen" "$(unlike_loop silent-load sumDoubles)" ""
	like "$jdk: what was recorded, in a line" "$TMP/err" \
		"wrote .*: [0-9]+ accesses watched, silent-store [0-9.]+ % of [0-9]+ pairs, silent-load [0-9.]+ % of [0-9]+ pairs, 0 events lost"
done
java=${jdks[0]}/bin/java
looked replica,dead-store dead "$java" -Xcheck:jni
is "with replicas: exit status" "$status" 0
is "with replicas: dead stores are seen" "$(unlike_loop dead-store storeInts)" ""
unlike "with replicas: the JVM has nothing to say" "$TMP/out" WARNING

# ---- what rests on the code that a compiler makes

program=Papers
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
		make_report
		# shellcheck disable=SC2086 # two words
		is "$of: loads of class words are told" "$(mislabelled $where)" ""
	done
	record silent-store random "$java"
	make_report
	is "$jdk, random numbers: constants computed and stored at each call" \
		"$(unlike_paper silent-store 0.08 0.9 0.5 r23,r46,t23,t46)" ""
done

# ---- loops whose accesses differ: the interval (test/patterns.py says how often it may miss)

if soaking; then
	"$TOP/test/patterns.py" "${jdks[0]}" >"$TMP/patterns" 2>&1
	is "intervals hold the truth" "$?" 0 || sed 's/^/# /' "$TMP/patterns"
fi

done_testing
