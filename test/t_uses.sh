#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Uses of objects that were made long ago, by other threads, found by sampled accesses.
# test/jvm/Table.java makes a table and reads it a number of times; it knows which share of its
# objects is alike. How many uses are seen depends on the machine: a live recording is made longer until there are 50, and shares
# between none and all are asked of one that is kept (`test/t_uses.sh keep` writes it anew), and by `make soak` of new ones.
. "$(dirname "$0")/lib.sh"

data=$TMP/ojx.data
report=$TMP/report.json
source=$TOP/test/jvm/Table.java

ms=1500 # of CPU time, of each of two readers
soaking && ms=6000

find_jdks
use_classes

# record SAME JAVA [OPTION...]: records Table
record()
{
	local same=$1
	shift
	rm -f "$data"
	run "$OJX" record -q -e replica,locality -F 4000 --interval 32k --budget 100 --seed 1 -o "$data" -- "$@" \
		-Xmx128m -cp "$classes" Table "$same" $ms
}

make_report()
{
	"$OJX" report --format=json -i "$data" >"$report" 2>"$TMP/report.err"
}

# wrong ROOM MADE READ SAME: prints what is wrong with the uses of the objects made at the line marked
# MADE, of which the share SAME is alike; nothing if all is right. Intervals may miss the truth by ROOM; if all objects or none are
# alike, so are all pairs or none, whatever is seen.
wrong()
{
	python3 - "$report" "$source" "$@" <<'END'
import json, sys
path, source, room, made, read, same = sys.argv[1:]
room, same = float(room), float(same)
marks = {l.split("// line: ")[1].strip(): i for i, l in enumerate(open(source), 1) if "// line: " in l}
r = json.load(open(path))
rows = [c for c in r["contexts"] if c["alloc_stack"] and c["alloc_stack"][0]["line"] == marks[made] and
        c["alloc_stack"][0]["class"] == "Table" and c["class"] == "Table$Cell"]
if len(rows) != 1:
    sys.exit(print(len(rows), "contexts"))
replica = rows[0]["replica"]
uses = sum(a["samples"] for a in rows[0]["accesses"])
where = {a["stack"][0]["line"] for a in rows[0]["accesses"] if a["stack"]}
if uses < 50:
    sys.exit(print(f"few uses, {uses}, pairs of {replica['source']}"))
if not any(abs(line - marks[read]) <= 3 for line in where):
    print("used at lines", where)
for name in "theta", "identical":
    value, (low, high) = replica[name], replica[name + "_ci"]
    slack = room if 0 < same < 1 else 0
    if not low - slack <= same * same <= high + slack or 0 < same < 1 and not 0.001 < value < 0.95:
        print(f"{name} {value} [{low}, {high}] of {replica['pairs']} pairs, in truth {same * same}")
END
}

# many: 50 uses of cells are seen
many()
{
	[ "$(json "$report" "max([sum(a['samples'] for a in c['accesses']) for c in r['contexts']
		if c['class'] == 'Table\$Cell'], default=0) >= 50" 2>&1)" = True ]
}

# alike TITLE SAME JAVA [OPTION...]: the share SAME of the cells is alike, and the report says so
alike()
{
	local title=$1 same=$2 least=$ms ms
	shift 2
	for ms in $least $((4 * least)) $((20 * least)); do
		record "$same" "$@"
		make_report
		! many || break
	done
	is "$title: exit status" "$status" 0
	is "$title" "$(wrong "$(soaking && echo 0.05 || echo 0.7)" cell "read cell" "$same")" ""
}

# figures NAME TITLE SAME JAVA [OPTION...]: the same of the recording that is kept by this name
figures()
{
	local name=$1 title=$2 same=$3 ms=6000
	shift 3
	recorded "uses/$name" record "$same" "$@"
	make_report
	is "$title" "$(wrong 0.05 cell "read cell" "$same")" ""
}

compile_make_data
if ! soaking && ! keeping || can_watch; then
	java=${jdks[0]}/bin/java
	figures half "half of the objects are alike" 0.5 "$java" -XX:+UseG1GC
	figures all "all objects are alike" 1 "$java" -XX:+UseG1GC
	is "they are called replicas" "$(json "$report" "[c['replica']['verdict'] for c in r['contexts']
		if c['class'] == 'Table\$Cell']")" "['replica']"
fi
! keeping || done_testing

can_watch || {
	skip "uses of objects made long ago" "no debug registers"
	done_testing
}

for home in "${jdks[@]}"; do
	for gc in $(collectors "$home"); do
		alike "jdk$(version_of "$home") $gc, live: half of the objects are alike" 0.5 "$home/bin/java" -XX:+Use${gc}GC
	done
done
java=${jdks[0]}/bin/java
alike "live: all objects are alike" 1 "$java" -XX:+UseG1GC
alike "live: no two objects are alike" 0 "$java" -XX:+UseSerialGC
done_testing
