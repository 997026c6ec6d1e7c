#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What is alive, and what merging would free of it, on every collector: test/jvm/Alive.java keeps
# four tables of known content, and makes objects that it does not keep. Intervals are widened to
# five standard deviations.
. "$(dirname "$0")/lib.sh"

data=$TMP/ojx.data
report=$TMP/report.json
kept=50000

find_jdks
use_classes

# viewed: the recording so far has a view of all that is kept
viewed()
{
	"$OJX" report --format=json -i "$data" >"$report" 2>/dev/null && [ "$(json "$report" "{f['method'] for c in r['contexts']
		if c['replica']['live_objects'] for f in c['alloc_stack']} >= {'same', 'distinct', 'ten'}")" = True ]
}

# agreed: the recording so far has a view that agrees with the program. The first one may be from
# when the tables were being filled.
agreed()
{
	viewed && [ -z "$(differences 2>&1)" ]
}

# record HOME HOW OPTIONS...: records Alive with `kept` objects of each kind until `until` holds
until=agreed
record()
{
	local home=$1 how=$2
	shift 2
	rm -f "$data" "$TMP/end"
	"$OJX" record -q -o "$data" "$@" -- "$home/bin/java" -Xmx256m "-XX:+Use${gc}GC" -XX:ErrorFile="$TMP/hs_err" \
		-cp "$classes" Alive "$kept" "$how" "$TMP/end" >"$TMP/out" 2>"$TMP/err" &
	wait_for 120 "$until"
	touch "$TMP/end"
	reap $!
	"$OJX" report --format=json -i "$data" >"$report" 2>"$TMP/report.err"
}

# differences: prints what does not agree with the program, a line each
differences()
{
	python3 - "$report" "$kept" <<'END'
import json, sys
report, kept = json.load(open(sys.argv[1])), int(sys.argv[2])
SPREAD = 2.55  # 95 % intervals to five standard deviations


def context(method):
    of = [c for c in report["contexts"] if c["class"] in ("Alive$Item", "java.lang.String")
          and any(f.get("class") == "Alive" and f["method"] == method for f in c["alloc_stack"])]
    return max(of, key=lambda c: c["objects"], default=None)


def check(method, contents, deep=""):
    c = context(method)
    if not c:
        print(f"{method}: not there")
        return
    x = c["replica"]
    if x["live_objects"] is None:
        print(f"{method}: no view")
        return
    size = c["bytes"] / c["objects"]
    low, high = x["live_objects_ci"]
    if not low - (SPREAD - 1) * (x["live_objects"] - low) <= kept <= high + (SPREAD - 1) * (high - x["live_objects"]):
        print(f"{method}: {x['live_objects']} {low, high} are alive")
    saved, (low, high) = x["saved_live_bytes" + deep], x["saved_live_bytes" + deep + "_ci"]
    truth = (kept - contents) * size
    if saved != low or not low <= 1.6 * truth or not high * 1.6 >= truth:
        print(f"{method}: {saved} {low, high} can be freed, truth {truth}")
    if contents < kept and low < 0.1 * truth:
        print(f"{method}: no more than {low} of {truth} is told")
    if contents == kept and low > 0:
        print(f"{method}: {low} can be freed")


check("same", 1)
check("distinct", kept)
check("ten", 10)
dropped = context("dropped")
x = dropped["replica"]
if x["live_objects"] is None or x["live_objects"] > 0.1 * dropped["objects"] or x["saved_live_bytes"] > 0.05 * dropped["bytes"]:
    print(f"dropped: {x['live_objects']} of {dropped['objects']} alive, {x['saved_live_bytes_ci']}")
check("text", 5, "_deep")
x = context("text")["replica"]
if not x["dedup_live_bytes"] or x["dedup_live_bytes"] > 1.6 * x["dedup_live_bytes_ci"][1]:
    print(f"text: arrays {x['dedup_live_bytes']}")
END
}

# weights: how many objects a sample stands for, of any Item, which is 24 bytes
weights()
{
	json "$report" "{round(c['objects'] / c['sampled'], 1) for c in r['contexts'] if c['class'] == 'Alive\$Item'}"
}

for home in "${jdks[@]}"; do
	for gc in $(collectors "$home" each); do
		[ "$(version_of "$home")" -ge 15 ] || [ "$gc" != Z -a "$gc" != Shenandoah ] || continue
		name="jdk$(version_of "$home") $gc"
		record "$home" orderly --interval 4k --budget 100
		is "$name: exit status, output" "$status $(cat "$TMP/out")" "0 $((4 * kept))"
		is "$name: what is alive" "$(differences 2>&1)" ""
		is "$name: all samples of a size weigh the same, the first one too" "$(weights)" "{171.2}"
	done
done

# Holding objects keeps next to nothing alive: Lists has 60 MB in the old generation if dead arrays
# are held that the collector takes for live ones, and some megabytes otherwise.
for home in "${jdks[@]}"; do
	for gc in $(collectors "$home" each) "Shenandoah -XX:ShenandoahGCMode=generational"; do
		options="-XX:+UnlockExperimentalVMOptions -XX:+Use${gc/ /GC }"
		[ "$gc" = "${gc% *}" ] && options+=GC
		# shellcheck disable=SC2086
		"$home/bin/java" $options -version >/dev/null 2>&1 || continue
		# shellcheck disable=SC2086
		run "$OJX" record -q -o "$data" -e replica,locality --interval 16k --budget 100 -- "$home/bin/java" \
			$options -Xmx256m -cp "$classes" Lists 300
		old=$(awk '{ print $1 }' "$TMP/out")
		check "jdk$(version_of "$home") $gc: nothing is kept alive: $old MB at most in the old generation" \
			[ "$status" = 0 -a "$old" -le 25 ]
	done
done

# Nor of arrays larger than half a region of G1, and it tells which of these are alive. Large keeps 20
# of them, 15 MB in regions of 1 MB each; G1 never takes back the others if they are held by weak references.
large()
{
	json "$report" "{f['method']: c['replica']['live_objects'] for c in r['contexts'] if c['class'] == 'byte[]' for f in c['alloc_stack'][:1]
		if f['method'] in ('kept', 'dropped')}"
}
for home in "${jdks[@]}"; do
	for how in replica locality; do
		run "$OJX" record -q -o "$data" -e "$([ $how = replica ] || echo replica,)$how" --interval 128k --budget 100 -- \
			"$home/bin/java" -XX:+UseG1GC -Xmx256m -cp "$classes" Large 300
		old=$(awk '{ print $1 }' "$TMP/out")
		check "jdk$(version_of "$home") G1, $how: no large array is kept alive: $old MB at most in the old generation" \
			[ "$status" = 0 -a "$old" -le 70 ]
		"$OJX" report --format=json -i "$data" >"$report"
		check "jdk$(version_of "$home") G1, $how: which large arrays are alive: $(large)" \
			[ "$(python3 -c "x = $(large); print(18 <= x['kept'] <= 22 and x['dropped'] <= 2)")" = True ]
	done
done

home=${jdks[0]}
gc=G1
record "$home" halt --interval 4k --budget 100
is "a JVM that halts has a view from before" "$(differences 2>&1)" ""

"$OJX" report --stdio --sort live -i "$data" --color=never >"$TMP/text" 2>&1
like "sorted by it, there is a column" "$TMP/text" "^# +# .*saved +likely +avoidable +live +bytes|^ *# .*saved +likely +avoidable +live +bytes"
"$OJX" report --stdio --details -i "$data" --class 'Alive$Item' --color=never >"$TMP/text" 2>&1
like "the block of a context tells it" "$TMP/text" "live .* objects at the last view; merging frees at least .*, at most "
"$OJX" report --format=csv -i "$data" >"$TMP/csv"
like "there are columns of CSV" "$TMP/csv" "^class,.*,saved_live_bytes,saved_live_bytes_ci_low,saved_live_bytes_ci_high,"

# Every object is in the view: nothing is estimated.
kept=300
until=viewed
record "$home" orderly --exact --class 'Alive$Item'
exact()
{
	json "$report" "[(round(c['replica']['live_objects']), round(c['replica']['saved_live_bytes'] * c['objects'] / c['bytes']))
		for c in r['contexts'] for f in c['alloc_stack'] if f['method'] == '$1'][0]"
}
is "exactly: all the same" "$(exact same)" "(300, 299)"
is "exactly: ten contents" "$(exact ten)" "(300, 290)"
is "exactly: all distinct" "$(exact distinct)" "(300, 0)"
is "exactly: nothing is kept" "$(exact dropped)" "(0, 0)"
done_testing
