#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Uses of objects that were made long ago, by other threads, found by sampled accesses.
# test/jvm/Table.java makes a table and reads it a number of times; it knows which share of its
# objects is alike.
. "$(dirname "$0")/lib.sh"

classes=$TMP/classes
data=$TMP/ojx.data
report=$TMP/report.json
source=$TOP/test/jvm/Table.java

ms=1500 # of CPU time, of each of two readers
soaking && ms=6000

find_jdks
"${jdks[0]}/bin/javac" -nowarn --release 11 -g -d "$classes" "$source" || exit 1

# record SAME JAVA [OPTION...]: records Table and makes the report
record()
{
	local same=$1
	shift
	rm -f "$data" "$report"
	run "$OJX" record -q -e replica,locality -F 4000 --interval 16k --budget 100 --seed 1 -o "$data" -- "$@" \
		-Xmx128m -cp "$classes" Table "$same" $ms
	"$OJX" report --format=json -i "$data" >"$report" 2>"$TMP/report.err"
}

# wrong MADE READ SAME: prints what is wrong with the uses of the objects made at the line marked
# MADE, of which the share SAME is alike; nothing if all is right.
wrong()
{
	python3 - "$report" "$source" "$@" <<'END'
import json, sys
path, source, made, read, same = sys.argv[1:]
same = float(same)
marks = {l.split("// line: ")[1].strip(): i for i, l in enumerate(open(source), 1) if "// line: " in l}
r = json.load(open(path))
rows = [c for c in r["contexts"] if c["alloc_stack"] and c["alloc_stack"][0]["line"] == marks[made] and
        c["alloc_stack"][0]["class"] == "Table" and c["class"] == "Table$Cell"]
if len(rows) != 1:
    sys.exit(print(len(rows), "contexts"))
replica = rows[0]["replica"]
uses = sum(a["samples"] for a in rows[0]["accesses"])
where = {a["stack"][0]["line"] for a in rows[0]["accesses"] if a["stack"]}
if uses < 20:
    sys.exit(print(f"few uses, {uses}, pairs of {replica['source']}"))
if not any(abs(line - marks[read]) <= 3 for line in where):
    print("used at lines", where)
for name in "theta", "identical":
    value, (low, high) = replica[name], replica[name + "_ci"]
    # the interval may miss it once in twenty times: only a large distance is wrong
    slack = 0.2 if 0 < same < 1 else 0
    if not low - slack <= same * same <= high + slack:
        print(f"{name} {value} [{low}, {high}] of {replica['pairs']} pairs, in truth {same * same}")
END
}

# alike TITLE SAME JAVA [OPTION...]: the share SAME of the cells is alike, and the report says so
alike()
{
	local title=$1 same=$2
	shift 2
	record "$same" "$@"
	is "$title: exit status" "$status" 0
	is "$title" "$(wrong cell "read cell" "$same")" ""
}

can_watch || {
	skip "uses of objects made long ago" "no debug registers"
	done_testing
}

for home in "${jdks[@]}"; do
	for gc in $(collectors "$home"); do
		alike "jdk$(version_of "$home") $gc: half of the objects are alike" 0.5 "$home/bin/java" -XX:+Use${gc}GC
	done
done
java=${jdks[0]}/bin/java
alike "all objects are alike" 1 "$java" -XX:+UseG1GC
is "they are called replicas" "$(json "$report" "[c['replica']['verdict'] for c in r['contexts']
	if c['class'] == 'Table\$Cell']")" "['replica']"
alike "no two objects are alike" 0 "$java" -XX:+UseSerialGC
done_testing
