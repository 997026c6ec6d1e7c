#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Objects of a line are compared with all of their class: test/jvm/Population.java knows which contents are elsewhere.
. "$(dirname "$0")/lib.sh"

classes=$TMP/classes
data=$TMP/ojx.data
report=$TMP/report.json
source=$TOP/test/jvm/Population.java

find_jdks
"${jdks[0]}/bin/javac" -nowarn --release 11 -g -d "$classes" "$source" || exit 1

# shown MARK EXPRESSION: of the record x of what is shown of the objects made at a line
shown()
{
	python3 - "$report" "$source" "$@" 2>&1 <<'END'
import json, sys
path, source, mark, expression = sys.argv[1:]
line = [i for i, l in enumerate(open(source), 1) if l.rstrip().endswith("// @" + mark)][0]
rows = [c for c in json.load(open(path))["contexts"]
        if [f["line"] for f in c["alloc_stack"] if f["class"] == "Population"][:1] == [line]
        and c["class"] in ("Population$Point", "byte[]")]
rows.sort(key=lambda c: -c["objects"])
if not rows:
    sys.exit(print("no such objects"))
x = rows[0]["replica"]["shown"]
ok = eval(expression)
print(True if ok else x)
END
}

figures()
{
	run "$OJX" record -v --interval 32k --budget 100 --no-watch -o "$data" -- \
		"$java" "-XX:+Use${collector}GC" -Xmx64m -cp "$classes" Population 4
	cp "$TMP/err" "$TMP/record.err"
	is "$title: the program runs" "$status" 0
	like "$title: sampled objects lie in windows where they should" "$TMP/record.err" \
		"windows of .* sampled objects were where they should be, 0 not"
	"$OJX" report --format=json --limit 0 -i "$data" >"$report" 2>"$TMP/report.err"
	for mark in unique bytes; do
		is "$title: $mark objects have no equal anywhere" \
			"$(shown $mark "x['compared_snapshots'] > 20 and x['found_elsewhere'] < 0.05")" True
		is "$title: few contents hold little of $mark objects" \
			"$(shown $mark "x['sixteen_high'] <= 0.25 and x['verdict'] == 'distinct'")" True
	done
	for mark in shared sharedtoo; do
		is "$title: $mark objects have equals" \
			"$(shown $mark "x['found_elsewhere'] > 0.95 and 0.6 < x['shared_low'] <= 1")" True
		is "$title: $mark objects are no replicas for that" "$(shown $mark "x['verdict'] != 'replica'")" True
	done
	is "$title: a part has equals" \
		"$(shown part "0.1 < x['shared_low'] <= 0.42 and 0.2 < x['found_elsewhere'] < 0.6")" True
}

for home in "${jdks[@]}"; do
	java=$home/bin/java
	for collector in Serial Parallel G1; do
		"$java" "-XX:+Use${collector}GC" -version >/dev/null 2>&1 || continue
		title="$(basename "$home"), $collector"
		figures
	done
	for collector in Z Shenandoah; do
		"$java" "-XX:+Use${collector}GC" -version >/dev/null 2>&1 || continue
		run "$OJX" record -v -o "$data" -- "$java" "-XX:+Use${collector}GC" -Xmx64m -cp "$classes" Population 1
		like "$(basename "$home"), $collector: it is said that there is no comparison" "$TMP/err" \
			"not compared with all others of their class: of this collector"
	done
done
done_testing
