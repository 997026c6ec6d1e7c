#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `ojx record -e dead-store,silent-store,silent-load`: loops of which a known part of the accesses is wasted
# (test/jvm/Waste.java), on every JDK and collector. Fractions may be off by four standard errors and 0.01.
. "$(dirname "$0")/lib.sh"

classes=$TMP/classes
data=$TMP/ojx.data
report=$TMP/report.json
source=$TOP/test/jvm/Waste.java
seconds=5

mapfile -t jdks < <("$TOP/agent/jdks.sh")
"${jdks[0]}/bin/javac" -nowarn --release 11 -g -d "$classes" "$source" || exit 1

# The line of the source that is marked so.
line_of()
{
	grep -n "// line: $1" "$source" | cut -d: -f1
}

# record EVENTS MODE JAVA [OPTION...]: records Waste and makes the report
record()
{
	local events=$1 mode=$2
	shift 2
	rm -f "$data" "$report"
	run "$OJX" record -q -e "$events" -F 1000 --budget 40 -o "$data" -- "$@" -cp "$classes" \
		Waste "$mode" $seconds
	"$OJX" report --format=json -i "$data" >"$report" 2>"$TMP/report.err"
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
elif abs(f - truth) > 4 * (truth * (1 - truth) / n) ** .5 + 0.01:
    print(f"fraction {f:.3f} of {n} pairs, in truth {truth:.3f}")
else:
    for which in ("watched", "trapped"):
        top = w["pairs"][0][which][0]
        if (top["method"], top["line"]) != (method, int(line)):
            print(f"{which} at {top}")
END
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
done

record silent-load tree "${jdks[0]}/bin/java" -Xcheck:jni
is "look-ups in a TreeMap: nearly all loads are silent" "$(json "$report" \
	"[w['fraction'] > 0.8 for w in r['waste'] if w['kind'] == 'silent-load']")" "[True]"
run "$OJX" report --stdio -i "$data"
like "the report names the redundant pair" "$TMP/out" "and the same value again at"
like "and where it is" "$TMP/out" "TreeMap.getEntry"

# Together with replicas.
record replica,dead-store dead "${jdks[0]}/bin/java"
is "with replicas: exit status" "$status" 0
is "with replicas: dead stores" "$(wrong dead-store 0.230769 20 storeInts "$(line_of dead)")" ""

# What it is told wrongly.
run "$OJX" record -e dead-stores -o "$data" -- true
is "an unknown event: exit status" "$status" 125
like "an unknown event is named" "$TMP/err" "'dead-stores'"
run "$OJX" record -e dead-store --no-watch -o "$data" -- true
is "an event that needs watches, without them: exit status" "$status" 125
run "$OJX" record -e silent-load --exact -o "$data" -- true
is "--exact without objects: exit status" "$status" 125

done_testing
