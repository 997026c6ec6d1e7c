#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A line that makes nearly all objects gets few snapshots, so that others get some; its figures are
# those of all its objects nevertheless. test/jvm/Hot.java knows the truth.
#
# Runs alone: a loop that only allocates sends all of its samples, of which few may be lost.
. "$(dirname "$0")/lib.sh"

classes=$TMP/classes
data=$TMP/ojx.data
report=$TMP/report.json
source=$TOP/test/jvm/Hot.java

find_jdks
java=${jdks[0]}/bin/java
"${jdks[0]}/bin/javac" -nowarn --release 11 -g -d "$classes" "$source" || exit 1

# record OPTION... -- ARGUMENT...: records; the report is in $report
record()
{
	local before behind
	split "$@"
	rm -f "$data"
	run "$OJX" record -q -o "$data" "${before[@]}" -- "$java" -Xmx256m -Xcheck:jni -cp "$classes" Hot "${behind[@]}"
	is "$title: the program runs" "$status" 0
	unlike "$title: and is not complained of" "$TMP/err" WARNING
	"$OJX" report --format=json --group-by line -i "$data" >"$report" 2>"$TMP/report.err"
}

# Prints what is wrong with the report, a line each. `counted`: the least share of samples that are
# only counted
wrong()
{
	python3 - "$report" "$source" "$1" 2>&1 <<'END'
import json, math, sys
path, source, counted = sys.argv[1:]
report = json.load(open(path))
recording = report["recording"]
first = [i for i, l in enumerate(open(source), 1) if l.rstrip().endswith("// @hot")][0]
rows = {c["alloc_stack"][0]["line"]: c for c in report["contexts"] if c["class"] == "Hot$Point"}
shown = {l["frame"][0]["line"]: l["shown"] for l in report["lines"] if l["class"] == "Hot$Point"}
objects = sum(c["objects"] for c in rows.values())
if recording["objects_counted"] < float(counted) * recording["objects_sampled"]:
    print("only counted:", recording["objects_counted"], "of", recording["objects_sampled"])
# every sample is sent, from a loop that only allocates; a busy machine loses some
if recording["lost_events"] > 0.25 * recording["objects_sampled"]:
    print("lost:", recording["lost_events"], "of", recording["objects_sampled"])
right = 0
for k in range(-1, 20):
    line = first + 1 + k if k >= 0 else first
    if line not in rows:
        print("no such line:", line)
        continue
    c, x, truth = rows[line], rows[line]["replica"], 0.98 if k < 0 else 0.001
    share, off = c["objects"] / objects, 6 * math.sqrt(truth * (1 - truth) / recording["objects_sampled"]) + 0.02 * truth
    if abs(share - truth) > off:
        print(f"line {line} made {share:.5f} of the objects, not {truth} within {off:.5f}")
    # the commonest content: half of the hot objects have it, though nearly all early snapshots do
    group, (low, high) = x["largest_group"], x["largest_group_ci"]
    truth = 0.5 if k < 0 else 1 if k % 2 == 0 else 0
    low, high = group - 2.5 * (group - low), group + 2.5 * (high - group)
    if not low - 0.02 <= truth <= high + 0.02:
        print(f"line {line}: the largest group is {group}, not {truth}")
    wanted = "replica" if k % 2 == 0 else "distinct"
    verdict = shown[line]["verdict"]
    if k >= 0 and verdict not in (wanted, "unknown"):
        print(f"line {line}: {verdict}")
    right += k >= 0 and verdict == wanted
if right < 15:
    print(f"only {right} of 20 cold lines have a verdict:", [round(s["snapshots"] or 0) for s in shown.values()])
END
}

title="few stacks"
record --budget 100 -- 400000
is "$title: shares and contents are what they are" "$(wrong 0.9)" ""

title="a new stack each time"
record --budget 100 -- 200000 40
is "$title: shares and contents are what they are" "$(wrong 0.5)" ""

# An interval that the user chose is kept.
title="an interval of the user's"
record --budget 100 --interval 256k -- 40000
is "$title: no sample is only counted" "$(json "$report" "r['recording']['objects_counted']")" 0

# Without a collection, all objects are still waiting at the end, when there is no time to look at them all.
title="more objects than there is time for"
run "$OJX" record -q -o "$data" --budget 1 --interval 8k -- "$java" -XX:+UseSerialGC -Xmx1g -Xmn800m -Xcheck:jni -cp "$classes" Hot 6000
"$OJX" report --format=json -i "$data" >"$report"
is "$title: each sampled object has a snapshot or is told to have none" "$(json "$report" "r['recording']['objects_sampled']
	- r['recording']['objects_scanned'] - r['recording']['objects_skipped']")" 0

title="all allocations"
record --exact -- 300
is "$title: none is only counted" "$(json "$report" "r['recording']['objects_counted']")" 0

done_testing
