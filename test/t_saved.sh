#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What merging saves of objects that are alike at the end of their life: nothing if they were
# different before, or if that is not known. test/planted/EndAlike.java knows which is which.
. "$(dirname "$0")/lib.sh"

classes=$TMP/classes
data=$TMP/ojx.data
report=$TMP/report.json
source=$TOP/test/planted/EndAlike.java

find_jdks
"${jdks[0]}/bin/javac" -nowarn --release 11 -g -d "$classes" "$source" || exit 1

# record OPTION...: records; the report is in $report
record()
{
	rm -f "$data"
	run "$OJX" record -q --interval 32k --budget 100 -o "$data" "$@" -- \
		"$java" "-XX:+Use${collector}GC" -Xmx64m -cp "$classes" EndAlike 6000000
	"$OJX" report --format=json -i "$data" >"$report" 2>"$TMP/report.err"
}

# share MARK EXPRESSION: evaluated over x, the objects made at the marked line, and b, their bytes
share()
{
	python3 - "$report" "$source" "$@" 2>&1 <<'END'
import json, sys
path, source, mark, expression = sys.argv[1:]
line = [i for i, l in enumerate(open(source), 1) if l.rstrip().endswith("// @" + mark)][0]
rows = [c for c in json.load(open(path))["contexts"]
        if [f["line"] for f in c["alloc_stack"] if f["class"] == "EndAlike"][:1] == [line]]
rows.sort(key=lambda c: -c["bytes"])
if not rows:
    sys.exit(print("no such objects"))
x, b = rows[0]["replica"], rows[0]["bytes"]
print(eval(expression))
END
}

most="max(x['saved_bytes'] or 0, x['saved_bytes_deep'] or 0) / b"

with_watches()
{
	record
	is "$title: the program runs" "$status" 0
	for mark in builder iterator; do
		is "$title: of the ${mark}s nothing is saved" "$(share $mark "$most < 0.1")" True
	done
	is "$title: changed since they were used, most of the builders" \
		"$(share builder "x['used_same'] < 0.5 * x['used_alike'] and x['used_alike'] >= 60")" True
	is "$title: what could change and does not" "$(share changeable "$most > 0.7")" True
	is "$title: what cannot change" "$(share final "$most > 0.9")" True
}

# No use is seen: objects that can change save nothing for sure, and the report says what their end
# alone would save.
without_watches()
{
	record --no-watch
	for mark in builder iterator changeable; do
		is "$title, no watches: of the ${mark}s nothing is promised" \
			"$(share $mark "$most == 0 and x['used_alike'] == 0")" True
		is "$title, no watches: of the ${mark}s the end is told" \
			"$(share $mark "x['shown']['verdict'] == 'alike-at-end' and x['saved_bytes_at_end'] > 0.8 * b")" True
	done
	is "$title, no watches: at most" "$(share changeable "x['saved_bytes_ci'][1] > 0.99 * b")" True
	is "$title, no watches: what cannot change" "$(share final "$most > 0.9")" True
	"$OJX" report --all --details -i "$data" >"$TMP/report" 2>/dev/null
	like "$title, no watches: it is said" "$TMP/report" "nothing for sure: alike at the end of life.*none was seen in use before"
}

for home in "${jdks[@]}"; do
	java=$home/bin/java
	for collector in $(collectors "$home"); do
		title="jdk$(version_of "$home") $collector"
		if can_watch; then
			with_watches
		else
			skip "$title: uses" "no debug registers"
		fi
	done
done
java=${jdks[0]}/bin/java collector=G1 title=G1
without_watches
done_testing
