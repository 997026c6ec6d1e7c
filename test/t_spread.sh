#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A line that makes nearly all objects gets few snapshots, so that others get some; its figures are
# those of all its objects nevertheless. test/jvm/Hot.java knows the truth. How many snapshots there are, and how many samples of a
# loop that only allocates find room, depends on the machine: contents and verdicts are asked of recordings that are kept
# (`test/t_spread.sh keep` writes them anew), and by `make soak` of new ones. Of a live one shares of the objects are right.
. "$(dirname "$0")/lib.sh"

data=$TMP/ojx.data
report=$TMP/report.json
source=$TOP/test/jvm/Hot.java

find_jdks
java=${jdks[0]}/bin/java
use_classes

# record OPTION... -- ARGUMENT...: records
record()
{
	local before behind
	split "$@"
	rm -f "$data"
	run "$OJX" record -q -o "$data" "${before[@]}" -- "$java" -Xmx256m -Xcheck:jni -cp "$classes" Hot "${behind[@]}"
	is "$title: the program runs" "$status" 0
	unlike "$title: and is not complained of" "$TMP/err" WARNING
}

make_report()
{
	"$OJX" report --format=json --group-by line -i "$data" >"$report" 2>"$TMP/report.err"
}

# wrong COUNTED: prints what is wrong with the report, a line each. COUNTED: the least share of samples that are only counted; in a
# live recording, where shares of the objects alone are looked at, nothing
wrong()
{
	python3 - "$report" "$source" "${1:-}" 2>&1 <<'END'
import json, math, sys
path, source, counted = sys.argv[1:]
report = json.load(open(path))
recording = report["recording"]
first = [i for i, l in enumerate(open(source), 1) if l.rstrip().endswith("// @hot")][0]
rows = {c["alloc_stack"][0]["line"]: c for c in report["contexts"] if c["class"] == "Hot$Point"}
shown = {l["frame"][0]["line"]: l["shown"] for l in report["lines"] if l["class"] == "Hot$Point"}
objects = sum(c["objects"] for c in rows.values())
sampled = recording["objects_sampled"] - recording["lost_events"]
if counted and recording["objects_counted"] < float(counted) * recording["objects_sampled"]:
    print("only counted:", recording["objects_counted"], "of", recording["objects_sampled"])
right = 0
for k in range(-1, 20):
    line = first + 1 + k if k >= 0 else first
    if line not in rows:
        if sampled * (0.98 if k < 0 else 0.001) > 40:
            print("no such line:", line)
        continue
    c, x, truth = rows[line], rows[line]["replica"], 0.98 if k < 0 else 0.001
    share, off = c["objects"] / objects, 6 * math.sqrt(truth * (1 - truth) / sampled) + 20 / sampled + 0.02 * truth
    if abs(share - truth) > off:
        print(f"line {line} made {share:.5f} of the objects, not {truth} within {off:.5f}")
    if not counted:
        continue
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
if counted and right < 15:
    print(f"only {right} of 20 cold lines have a verdict:", [round(s["snapshots"] or 0) for s in shown.values()])
END
}

figures()
{
	title="few stacks"
	recorded spread/few record --budget 100 -- 400000
	make_report
	is "$title: shares and contents are what they are" "$(wrong 0.9)" ""
	title="a new stack each time"
	recorded spread/new record --budget 100 -- 200000 40
	make_report
	is "$title: shares and contents are what they are" "$(wrong 0.5)" ""
}

compile_make_data
figures
! keeping || done_testing

title="few stacks, live"
record --budget 100 -- 100000
make_report
is "$title: shares are what they are" "$(wrong)" ""

# An interval that the user chose is kept.
title="an interval of the user's"
record --budget 100 --interval 256k -- 40000
make_report
is "$title: no sample is only counted" "$(json "$report" "r['recording']['objects_counted']")" 0

# Without a collection, all objects are still waiting at the end, when there is no time to look at them all.
title="more objects than there is time for"
run "$OJX" record -q -o "$data" --budget 1 --interval 8k -- "$java" -XX:+UseSerialGC -Xmx1g -Xmn800m -Xcheck:jni -cp "$classes" Hot 6000
"$OJX" report --format=json -i "$data" >"$report"
is "$title: each sampled object has a snapshot or is told to have none" "$(json "$report" "r['recording']['objects_sampled']
	- r['recording']['objects_scanned'] - r['recording']['objects_skipped']")" 0

title="all allocations"
record --exact -- 300
make_report
is "$title: none is only counted" "$(json "$report" "r['recording']['objects_counted']")" 0

done_testing
