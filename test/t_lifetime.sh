#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# How long objects live, and what grows: test/jvm/Lifetimes.java makes objects that survive a known number of collections, on
# every collector. All objects of a kind live alike, so that chance plays no part but in what grows.
. "$(dirname "$0")/lib.sh"

data=$TMP/ojx.data
report=$TMP/report.json

find_jdks
use_classes

# differences GC ROUNDS: what does not agree with the program, a line each
differences()
{
	"$OJX" report --format=json -i "$data" >"$report" 2>"$TMP/report.err"
	python3 - "$report" "$1" "$2" <<'END'
import json, os, sys
report, gc, rounds = json.load(open(sys.argv[1])), sys.argv[2], int(sys.argv[3])
# In a pause the agent looks at objects for a limited time, and a busy machine takes a part of it.
WIDEST = 0.5 if os.environ.get("OJX_SOAK") else 0.9
# how many collections each kind survives; a round of Z has one or two, and perhaps some that nobody asked for
TRUTH = {"atOnce": 0, "weak": 0, "phantom": 0, "soft": 1, "twice": 2, "handed": 2, "bounded": 4, "sixTimes": 6,
         "forever": rounds, "leak": rounds}
CONCURRENT = gc == "Z"
COUNTS = gc != "Shenandoah"  # its collections


def line(method):
    of = [l for l in report["lifetime"] if l["class"] == "Lifetimes$Item"
          and any(f.get("class") == "Lifetimes" and f["method"] == method for f in l["alloc_stack"])]
    return max(of, key=lambda l: l["lives"], default=None)


def holds(interval, low, high):
    return (interval[0] is None or interval[0] <= high) and (interval[1] is None or interval[1] >= low)


for method, k in TRUTH.items():
    l = line(method)
    if not l:
        print(f"{method}: not there")
        continue
    if k < rounds and l["median_s_ci"][1] is None:
        print(f"{method}: nothing is told of its life in seconds")
    high = 2 * k + 3 if CONCURRENT else k
    if not COUNTS:
        if l["median_collections_ci"] or l["survive_1_ci"]:
            print(f"{method}: told by collections, which are not counted")
        continue
    if k < rounds and not holds(l["median_collections_ci"], k, high):
        print(f"{method}: half survive {l['median_collections_ci']} collections, truth {k}")
    for n in (1, 2, 5, 15):
        if CONCURRENT and k < rounds and n > k:
            continue  # there may have been more collections than rounds
        truth = n <= k
        low, high = l[f"survive_{n}_ci"]
        if not low <= truth <= high:
            print(f"{method}: {low, high} survive {n} collections, truth {truth}")
        if not CONCURRENT and high - low > WIDEST and k < rounds:
            print(f"{method}: {low, high} survive {n} collections, which says little")
# Whether it grows all the time, and others are made all the time, is told by the clock. This program may stand still for half of its time.
if not holds(line("leak")["growth_ci"], 1, float("inf")):
    print(f"leak: grows by {line('leak')['growth_ci']}")
for l in report["lifetime"]:
    if l["advice"] == "leak-suspect" and not any(f["method"] == "leak" for f in l["alloc_stack"]):
        print(f"{l['class']} at {l['alloc_stack'][:2]} is called a leak")
if COUNTS and not CONCURRENT and line("atOnce")["advice"] not in ("dies-at-once", None):
    print(f"atOnce: {line('atOnce')['advice']}")
END
}

# little WRONG: too few objects were looked at to tell
little()
{
	[[ $1 = *"says little"* || $1 = *"nothing is told"* || $1 = *"not there"* ]]
}

# young GC: a young generation in which no collection comes but those that the program asks for
young()
{
	case $1 in
	Serial | Parallel | G1) echo -Xmn128m ;;
	esac
}

rounds=24
for home in "${jdks[@]}"; do
	for gc in Serial Parallel G1 Z Shenandoah; do
		has_gc "$home" $gc || continue
		name="jdk$(version_of "$home") $gc"
		if [ "$(version_of "$home")" -lt 15 ] && [ $gc = Z -o $gc = Shenandoah ]; then
			continue
		fi
		for objects in 4000 16000; do
			run "$OJX" record -q -o "$data" -e lifetime --interval 4k --budget 100 -- "$home/bin/java" "-XX:+Use${gc}GC" \
				-Xms256m -Xmx256m $(young $gc) "-XX:ErrorFile=$TMP/hs_err" -cp "$classes" Lifetimes $rounds $objects
			wrong=$(differences $gc $rounds 2>&1)
			little "$wrong" || break
		done
		is "$name: exit status, output" "$status $(cat "$TMP/out")" "0 done"
		is "$name: lifetimes" "$wrong" ""
	done
done

# Where a collection does not tell which objects are dead, nothing is claimed.
home=${jdks[-1]}
if "$home/bin/java" -XX:+UseShenandoahGC -XX:ShenandoahGCMode=generational -version >/dev/null 2>&1; then
	run "$OJX" record -o "$data" -e lifetime --interval 4k -- "$home/bin/java" -XX:+UseShenandoahGC -XX:ShenandoahGCMode=generational \
		-Xmx256m -cp "$classes" Lifetimes 2 400
	is "generational Shenandoah: exit status" "$status" 0
	like "generational Shenandoah: it says that lives are not followed" "$TMP/err" 'the lives of objects cannot be followed with this collector'
fi

# Contents are looked at as well, in the same table of objects.
home=${jdks[0]}
run "$OJX" record -q -o "$data" -e replica,lifetime --interval 4k --budget 100 -- "$home/bin/java" -XX:+UseG1GC -Xms256m -Xmx256m \
	-Xmn128m -Xcheck:jni -cp "$classes" Lifetimes $rounds 4000
is "with -e replica and -Xcheck:jni: exit status, output" "$status $(grep -v '^WARNING\|^$' "$TMP/out")" "0 done"
is "with -e replica: lifetimes" "$(differences G1 $rounds 2>&1)" ""
is "with -e replica: there are snapshots, too" "$(json "$report" "any(c['replica']['scanned'] for c in r['contexts'])")" True

# The agent alone.
rm -f "$TMP/alone.ojx"
run "$home/bin/java" "-agentpath:$TOP/libojx-agent.so=file=$TMP/alone.ojx,event=lifetime,interval=4k,budget=100" -XX:+UseSerialGC \
	-Xms256m -Xmx256m -Xmn128m -cp "$classes" Lifetimes $rounds 4000
is "the agent alone: exit status, output" "$status $(cat "$TMP/out")" "0 done"
mv "$data" "$TMP/kept.data"
mv "$TMP/alone.ojx" "$data"
is "the agent alone: lifetimes" "$(differences Serial $rounds 2>&1)" ""
is "the agent alone: no contents are read" "$(json "$report" "any(c['replica']['scanned'] for c in r['contexts'])" 2>&1)" False
mv "$TMP/kept.data" "$data"

# A collection that no event tells of, as that of a class histogram with Serial and Parallel of some JDKs: the dead are told.
mkdir "$TMP/held"
cat >"$TMP/held/Held.java" <<'END'
class Held {
	static final class Item { long a, b, c; }

	public static void main(String[] args) throws Exception
	{
		Object[] items = new Object[200000];
		for (int i = 0; i < items.length; i++)
			items[i] = new Item();
		items = null;
		System.out.println("ready " + ProcessHandle.current().pid());
		while (!new java.io.File(args[0]).exists())
			Thread.sleep(20);
	}
}
END
"$home/bin/javac" -nowarn --release 11 -g -d "$TMP/held" "$TMP/held/Held.java" || exit 1
histogram()
{
	"$home/bin/jcmd" "$(sed -n 's/^ready //p' "$TMP/held.out")" GC.class_histogram >"$TMP/histogram" 2>&1
	grep -q "^ *1:" "$TMP/histogram"
}
for home in "${jdks[@]}"; do
	for gc in Serial Parallel G1; do
		[ -x "$home/bin/jcmd" ] && has_gc "$home" $gc || continue
		rm -f "$TMP/held.stop" "$TMP/held.out"
		"$OJX" record -q -o "$TMP/held.data" -e lifetime --interval 4k --budget 100 -- \
			"$home/bin/java" "-XX:+Use${gc}GC" -Xms256m -Xmx256m -Xmn128m -cp "$TMP/held" Held "$TMP/held.stop" \
			>"$TMP/held.out" 2>&1 &
		recorder=$!
		wait_for 60 grep -q ready "$TMP/held.out"
		wait_for 60 histogram
		touch "$TMP/held.stop"
		wait $recorder
		"$OJX" report --format=json -i "$TMP/held.data" >"$report" 2>/dev/null
		is "jdk$(version_of "$home") $gc: objects that a class histogram found dead" "$(json "$report" \
			"[l['median_s_ci'][1] is not None for l in r['lifetime'] if l['class'] == 'Held\$Item']")" "[True]"
	done
done
home=${jdks[0]}

# What the report shows.
"$OJX" report --stdio -i "$data" --color=never >"$TMP/text"
like "and says what is known of the old generation" "$TMP/text" "^# the old generation was last looked at .* after the start$"
"$OJX" report --stdio -i "$data" --color=never --sort lifetime.lifetime --limit 3 >"$TMP/text" 2>&1
like "it sorts by the lifetime" "$TMP/text" "^  1\. .* of bytes  "
"$OJX" report --format=csv --metric=alive -i "$data" >"$TMP/csv"
like "there are columns of CSV" "$TMP/csv" "median_s,median_s_ci_low,median_s_ci_high"
run "$OJX" report --stdio -i "$data" --fail-if 'lifetime>1%'
is "a condition on what survives" "$status" 3
run "$OJX" diff "$data" "$data"
is "a recording does not differ from itself" "$status" 0

# A JVM that is attached to, and one that is killed: what is known until then is told.
lives()
{
	"$OJX" report --format=json -i "$data" >"$report" 2>/dev/null &&
		[ "$(json "$report" "len(r['lifetime']) > 3 and r['lifetime_totals'][0]['ended'] > 100" 2>/dev/null)" = True ]
}

# suspects: the text names the leak
suspects()
{
	"$OJX" report --stdio -i "$data" --color=never 2>/dev/null | grep -q 'Problem:  What is alive of these objects grows all the time'
}

rm -f "$data"
"$home/bin/java" -XX:+UseG1GC -Xms256m -Xmx256m -Xmn128m -cp "$classes" Lifetimes 1 4000 "$TMP/stop" >"$TMP/jvm.out" 2>&1 &
jvm=$!
wait_for 100 accepts_attach $jvm
"$OJX" record -q -p $jvm -o "$data" -e lifetime --interval 4k --budget 100 >"$TMP/err" 2>&1 &
recorder=$!
wait_for 100 lives
check "what grows is told, in time" wait_for 100 suspects
kill_jvm $jvm
wait $recorder 2>/dev/null
check "attached and killed: the lives until the last census" lives
is "none of them is called a leak that is none" "$(json "$report" "[l['class'] for l in r['lifetime'] if l['advice'] == 'leak-suspect'
	and not any(f['method'] == 'leak' for f in l['alloc_stack'])]")" "[]"
done_testing
