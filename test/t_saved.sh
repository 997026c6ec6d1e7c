#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What merging saves of objects that are alike at the end of their life: nothing if they were
# different before, or if that is not known. test/planted/EndAlike.java knows which is which. How much is seen depends on the
# machine: a live recording may promise too little, but nothing false. Figures are asked of recordings that are kept
# (`test/t_saved.sh keep` writes them anew), and by `make soak` of new ones.
. "$(dirname "$0")/lib.sh"

classes=$TMP/classes
data=$TMP/ojx.data
report=$TMP/report.json
source=$TOP/test/planted/EndAlike.java

find_jdks
"${jdks[0]}/bin/javac" -nowarn --release 11 -g -d "$classes" "$source" || exit 1

# record OPTION...: records
record()
{
	rm -f "$data"
	run "$OJX" record -q --interval 32k --budget 100 -o "$data" "$@" -- \
		"$java" "-XX:+Use${collector}GC" -Xmx64m -cp "$classes" EndAlike $objects
	is "$title: the program runs" "$status" 0
}

make_report()
{
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

# What holds however few uses are seen.
nothing_false()
{
	for mark in builder iterator; do
		is "$title: of the ${mark}s nothing is saved" "$(share $mark "$most < 0.1")" True
	done
}

with_watches()
{
	is "$title: changed since they were used, most of the builders" \
		"$(share builder "x['used_same'] < 0.5 * x['used_alike'] and x['used_alike'] >= 60")" True
	is "$title: what could change and does not" "$(share changeable "$most > 0.7")" True
	is "$title: what cannot change" "$(share final "$most > 0.9")" True
}

# No use is seen: objects that can change save nothing for sure, and the report says what their end
# alone would save.
nothing_promised()
{
	for mark in builder iterator changeable; do
		is "$title: of the ${mark}s nothing is promised" \
			"$(share $mark "$most == 0 and x['used_alike'] == 0")" True
	done
}

without_watches()
{
	for mark in builder iterator changeable; do
		is "$title: of the ${mark}s the end is told" \
			"$(share $mark "x['shown']['verdict'] == 'alike-at-end' and x['saved_bytes_at_end'] > 0.8 * b")" True
	done
	is "$title: at most" "$(share changeable "x['saved_bytes_ci'][1] > 0.99 * b")" True
	is "$title: what cannot change" "$(share final "$most > 0.9")" True
	"$OJX" report --all --details -i "$data" >"$TMP/report" 2>/dev/null
	like "$title: it is said" "$TMP/report" "nothing for sure: alike at the end of life.*none was seen in use before"
}

compile_make_data
java=${jdks[0]}/bin/java collector=G1
if ! soaking; then
	objects=3000000
	if ! keeping || can_watch; then
		title="kept"
		recorded saved/watched record
		make_report
		nothing_false
		with_watches
	fi
	title="kept, no watches"
	recorded saved/unwatched record --no-watch
	make_report
	nothing_promised
	without_watches
fi
! keeping || done_testing

objects=2000000
soaking && objects=6000000
for home in "${jdks[@]}"; do
	java=$home/bin/java
	for collector in $(collectors "$home"); do
		title="jdk$(version_of "$home") $collector"
		if can_watch; then
			record
			make_report
			nothing_false
			! soaking || with_watches
		else
			skip "$title: uses" "no debug registers"
		fi
	done
done
java=${jdks[0]}/bin/java collector=G1 title="G1, no watches"
record --no-watch
make_report
nothing_promised
! soaking || without_watches
done_testing
