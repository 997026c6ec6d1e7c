#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What is kept after its last use: test/jvm/Dragged.java makes objects of known uses. All objects of a kind are used alike, so that
# chance plays no part but in what is used for half of its life; that is checked by make soak alone. What is used all the time must
# not be called dragged.
. "$(dirname "$0")/lib.sh"

data=$TMP/ojx.data
report=$TMP/report.json

find_jdks
use_classes

seconds=5
soaking && seconds=20

# differences: what does not agree with the program, a line each
differences()
{
	"$OJX" report --format=json -i "$data" >"$report" 2>"$TMP/report.err"
	python3 - "$report" "$TMP/watches" <<'END'
import json, os, sys
report = json.load(open(sys.argv[1]))
# share of the time after the last use, from the first collection on: they live for 12 periods, and are found dead within another
DRAG = {"hot": (0, 1 / 12), "handed": (0, 1 / 12), "dragged": (1, 1), "half": (6 / 11, 7 / 12)}
UNUSED = {"hot": (0, 0), "handed": (0, 0), "dragged": (1, 1), "half": (0, 0)}
soak = os.environ.get("OJX_SOAK")
if not soak:
    DRAG.pop("half")
SLACK = 0 if soak else 0.5  # of the high end: on a busy machine a collector's work on a thread of the program may look like a use


def holds(interval, truth):
    return interval is None or interval[0] <= truth[1] and interval[1] >= truth[0] - SLACK


for method in DRAG:
    of = [l for l in report["lifetime"] if l["class"] == "Dragged$Item"
          and any(f.get("class") == "Dragged" and f["method"] == method for f in l["alloc_stack"])]
    l = max(of, key=lambda l: l["lives"], default=None)
    if not l:
        print(f"{method}: not there")
        continue
    if not holds(l["drag_ci"], DRAG[method]):
        print(f"{method}: drag {l['drag_ci']}, truth {DRAG[method]}")
    if not holds(l["unused_ci"], UNUSED[method]):
        print(f"{method}: unused {l['unused_ci']}, truth {UNUSED[method]}")
    if method in ("hot", "handed") and l["advice"] in ("dragged", "unused"):
        print(f"{method}: advice {l['advice']}")
print(report["lifetime_totals"][0]["watches"], file=open(sys.argv[2], "a"))
END
}

can_watch || { skip "there are no debug registers"; done_testing; }
for home in "${jdks[@]}"; do
	for gc in Serial Parallel G1; do
		has_gc "$home" $gc || continue
		name="jdk$(version_of "$home") $gc"
		run "$OJX" record -q -o "$data" -e lifetime --interval 4k --budget 100 -- "$home/bin/java" "-XX:+Use${gc}GC" \
			-Xms256m -Xmx256m -Xmn128m "-XX:ErrorFile=$TMP/hs_err" -cp "$classes" Dragged $seconds 2000
		is "$name: exit status, output" "$status $(cat "$TMP/out")" "0 done"
		is "$name: uses" "$(differences 2>&1)" ""
	done
done

is "objects were watched" "$(awk '{ all += $1 } END { print(all > 0) }' "$TMP/watches")" 1

# With other analyses the registers are theirs, and with a collector that moves objects all the time they are of no use.
home=${jdks[0]}
run "$OJX" record -q -o "$data" -e replica,lifetime --interval 4k -- "$home/bin/java" -Xmx256m -cp "$classes" Dragged 2 20000
is "with -e replica: exit status, output" "$status $(cat "$TMP/out")" "0 done"
"$OJX" report --format=json -i "$data" >"$report" 2>/dev/null
is "with -e replica: nothing is told of uses" "$(json "$report" "[l['drag_ci'] for l in r['lifetime'] if l['watches']]")" "[]"
run "$OJX" record -q -o "$data" -e lifetime --no-watch --interval 4k -- "$home/bin/java" -Xmx256m -cp "$classes" Dragged 2 20000
"$OJX" report --format=json -i "$data" >"$report" 2>/dev/null
is "without watches: nothing is told of uses" "$(json "$report" "r['lifetime_totals'][0]['watches']")" "0"
done_testing
