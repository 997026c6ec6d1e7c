#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The query of docs/fleet.md over recordings that test/make_data.c makes of text, with the DuckDB of the
# first python3 that has it. What it must give is summed up here from the same lines.
. "$(dirname "$0")/lib.sh"

sed -n '/^```sql/,/^```$/{/^```$/q;/^`/!p}' "$TOP/docs/fleet.md" >"$TMP/query" # the first
check "the page has a query" test -s "$TMP/query"
python3 -c 'import duckdb' 2>"$TMP/err" || {
	skip "the query of docs/fleet.md" "python3 has no duckdb (PyPI)"
	done_testing
}
compile_make_data
mkdir "$TMP/fleet"

# recording KIND DAYS SERVICE VERSION: one that began so many days ago
recording()
{
	local file="$TMP/fleet/$3-$2.ndjson"
	"$make_data" "$1" "$TMP/made" || exit 1
	{
		echo "header start_unix_ns=$(date -d "$2 days ago" +%s%N)"
		printf 'label jvm=0 flags=1 name="%s" value="%s"\n' service "$3" version "$4"
		"$OJX" dump --chunks "$TMP/made" | sed 1d
	} | "$make_data" text "$TMP/data" || exit 1
	"$OJX" report -i "$TMP/data" -o "$file" 2>"$TMP/err" || exit 1
}
recording full 30 shop 1.0
recording full 3 shop 1.1
recording full 2 shop 1.1
recording findings 1 store 7
recording findings 20 store 6

cd "$TMP" || exit 1
python3 - "$TMP/query" >"$TMP/out" 2>&1 <<'PYTHON'
import collections, datetime, glob, json, sys
import duckdb
got = duckdb.sql(open(sys.argv[1]).read()).fetchall()
for row in got:
    print(*row, sep="|")
week = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=7)
sums, first = collections.Counter(), {}
for path in glob.glob("fleet/*.ndjson"):
    for line in map(json.loads, open(path)):
        time = datetime.datetime.fromisoformat(line["time"].replace("Z", "+00:00"))
        if line["type"] != "finding" or not line["key"]:
            continue
        name = (line["labels"]["service"], line["key"])
        if time > week:
            sums[name] += line["expected_bytes"]
        this = (time, line["labels"]["version"])
        first[name] = min(first.get(name, this), this)
want = sorted(((*name, value, first[name][1]) for name, value in sums.items() if value > 0), key=lambda row: -row[2])[:10]
assert len(want) >= 3 and {row[3] for row in want} == {"1.0", "6"}, want
assert [row[:2] for row in want] == [row[:2] for row in got], (got, want)
assert sorted((r[0], r[1], round(r[2] / 1048576, 2), r[3]) for r in want) == \
    sorted((r[0], r[1], r[2], r[4]) for r in got), (got, want)
PYTHON
is "the query's answer is right" "$?" 0
sed 's/^/# /' "$TMP/out"
done_testing
