#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What is alive, and what merging would free of it, on every JDK and collector: test/jvm/Alive.java keeps four tables of
# which that is known, and makes as many objects that it does not keep. Intervals are taken to five
# standard deviations.
. "$(dirname "$0")/lib.sh"

classes=$TMP/classes
data=$TMP/ojx.data
report=$TMP/report.json
kept=50000

mapfile -t jdks < <("$TOP/agent/jdks.sh")
"${jdks[0]}/bin/javac" -nowarn --release 11 -g -d "$classes" "$TOP/test/jvm/Alive.java" || exit 1

# record JAVA HOW OPTIONS...: Alive, `kept` objects of each kind
record()
{
	local java=$1 how=$2
	shift 2
	rm -f "$data"
	run "$OJX" record -q -o "$data" "$@" -- "$java/bin/java" -Xmx256m "-XX:+Use${gc}GC" \
		-XX:ErrorFile="$TMP/hs_err" -cp "$classes" Alive "$kept" "$how"
	"$OJX" report --format=json -i "$data" >"$report" 2>"$TMP/report.err"
}

# differences: what does not agree with the program, a line each
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

version_of()
{
	"$1/bin/java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p'
}

for home in "${jdks[@]}"; do
	jdk=$(version_of "$home")
	for gc in Serial Parallel G1 Shenandoah Z; do
		name="$(basename "$home") $gc"
		"$home/bin/java" "-XX:+Use${gc}GC" -version >"$TMP/version" 2>&1 || {
			skip "$name" "this JVM does not have it"
			continue
		}
		[ "$jdk" -ge 15 ] || [ "$gc" != Z -a "$gc" != Shenandoah ] || continue
		# a view may take 20 ms, in which a busy machine may let it see next to nothing
		for _ in 1 2 3; do
			record "$home" orderly --interval 16k --budget 50
			wrong=$(differences 2>&1)
			[ -n "$wrong" ] || break
		done
		is "$name: exit status, output" "$status $(cat "$TMP/out")" "0 $((4 * kept))"
		is "$name: what is alive" "$wrong" ""
	done
done

# What is held keeps nothing alive, or as good as nothing: Lists has 60 MB in the old generation if dead arrays are held that the
# collector takes for live ones, and some megabytes otherwise.
"${jdks[0]}/bin/javac" -nowarn --release 11 -g -d "$classes" "$TOP/test/jvm/Lists.java" || exit 1
for home in "${jdks[@]}"; do
	for options in -XX:+UseSerialGC -XX:+UseParallelGC -XX:+UseG1GC -XX:+UseShenandoahGC -XX:+UseZGC \
		"-XX:+UseShenandoahGC -XX:ShenandoahGCMode=generational" "-XX:+UseZGC -XX:+ZGenerational"; do
		name="$(basename "$home") $options"
		# shellcheck disable=SC2086
		"$home/bin/java" -XX:+UnlockExperimentalVMOptions $options -version >"$TMP/version" 2>&1 || continue
		grep -q "Ignoring option" "$TMP/version" && continue
		# shellcheck disable=SC2086
		run "$OJX" record -q -o "$data" -e replica,locality --interval 16k --budget 50 -- "$home/bin/java" \
			-XX:+UnlockExperimentalVMOptions $options -Xmx256m -cp "$classes" Lists 3000
		old=$(awk '{ print $1 }' "$TMP/out")
		check "$name: nothing is kept alive: $old MB at most in the old generation" [ "$status" = 0 -a "$old" -le 25 ]
	done
done

home=${jdks[0]}
gc=G1
for _ in 1 2 3; do
	record "$home" halt --interval 16k --budget 50
	wrong=$(differences 2>&1)
	[ -n "$wrong" ] || break
done
is "a JVM that halts has a view from before" "$wrong" ""

"$OJX" report --stdio --sort live -i "$data" --color=never >"$TMP/text" 2>&1
like "sorted by it, there is a column" "$TMP/text" "^# +# .*saved +live +bytes|^ *# .*saved +live +bytes"
"$OJX" report --stdio -i "$data" --class 'Alive$Item' --color=never >"$TMP/text" 2>&1
like "the block of a context tells it" "$TMP/text" "live .* objects at the last view; merging frees at least .*, at most "
"$OJX" report --format=csv -i "$data" >"$TMP/csv"
like "there are columns of CSV" "$TMP/csv" "^class,.*,saved_live_bytes,saved_live_bytes_ci_low,saved_live_bytes_ci_high,"

# Every object is in the view: nothing is estimated.
kept=300
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
