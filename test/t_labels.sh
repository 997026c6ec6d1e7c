#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Labels: of recordings that test/make_data.c makes of text, in the formats that have them; and what
# `ojx record` gives and finds, with a JVM of the first JDK.
. "$(dirname "$0")/lib.sh"

compile_make_data
"$make_data" full "$TMP/plain" || exit 1

# Two JVMs, 4711 and 4712; a value that every format must escape.
{
	cat <<'TEXT'
label jvm=0 flags=1 name="team" value="a \"b\", c"
label jvm=0 flags=0 name="host" value="web-1"
label jvm=1 flags=0 name="version" value="1.2"
label jvm=2 flags=0 name="version" value="1.3"
label jvm=2 flags=0 name="pod" value="shop-7f"
TEXT
	"$OJX" dump "$TMP/plain"
} >"$TMP/text"
"$make_data" text "$TMP/data" <"$TMP/text" || exit 1
"$OJX" dump "$TMP/data" >"$TMP/again"
check "dump: labels are written as they are read" cmp "$TMP/text" "$TMP/again"

# of FORMAT OPTION...: the report goes to $TMP/out
of()
{
	local as=$1
	shift
	"$OJX" report -i "$TMP/data" --format="$as" "$@" >"$TMP/out" 2>"$TMP/err"
}

of json
is "JSON: labels of the recording" "$(json "$TMP/out" "r['recording']['labels']")" "{'team': 'a \"b\", c'}"
is "JSON: labels of the JVMs" "$(json "$TMP/out" "[sorted(j['labels'].items()) for j in r['recording']['jvms']]")" \
	"[[('team', 'a \"b\", c'), ('version', '1.2')], [('team', 'a \"b\", c'), ('version', '1.3')]]"
is "JSON: those that are left out are counted" \
	"$(json "$TMP/out" "[r['recording']['labels_left_out']] + [j['labels_left_out'] for j in r['recording']['jvms']]")" "[1, 1, 2]"
of json --command-line=full
is "JSON: with --command-line=full they are shown" \
	"$(json "$TMP/out" "[(j['labels'].get('host'), j['labels'].get('pod')) for j in r['recording']['jvms']]")" \
	"[('web-1', None), ('web-1', 'shop-7f')]"
for as in $("$OJX" report --format=none 2>&1 | sed -n 's/.*is not one of: *//p' | tr -d ' ' | tr , '\n'); do
	"$OJX" report -i "$TMP/data" --format="$as" -o "$TMP/short" 2>"$TMP/err"
	{ gzip -dc "$TMP/short" 2>"$TMP/null" || cat "$TMP/short"; } | tr '\0' ' ' >"$TMP/bytes"
	check "$as: there is something" test -s "$TMP/bytes"
	is "$as: no name of the machine or the pod" "$(grep -acE 'web-1|shop-7f' "$TMP/bytes")" 0
done
of text --details --limit=1
like "text: the labels of each JVM" "$TMP/out" '^# labels +4711: team=a "b", c, version=1\.2$'

for metric in bytes avoidable; do
	of csv --metric=$metric --group-by=line
	is "CSV, $metric: labels are columns" "$(python3 - "$TMP/out" <<'PYTHON'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
print(sorted({(r["pid"], r["label_version"], r["label_team"]) for r in rows}), list(rows[0])[-2:])
PYTHON
	)" "[('4711', '1.2', 'a \"b\", c'), ('4712', '1.3', 'a \"b\", c')] ['label_team', 'label_version']"
done

# A process id that comes again is of another JVM, with labels of its own.
for data in full findings; do
	"$make_data" $data "$TMP/plain" || exit 1
	{
		sed 5q "$TMP/text"
		"$OJX" dump "$TMP/plain"
	} | sed -E '/^(label|jvm)/!b; s/pid=4712/pid=4711/' | "$make_data" text "$TMP/again.data" || exit 1
	for metric in bytes avoidable dead-store; do
		[ "$metric:$data" != dead-store:full ] || continue
		rows=$TMP/again.csv
		"$OJX" report -i "$TMP/again.data" --format=csv --metric=$metric --group-by=line >"$rows" 2>"$TMP/err"
		for version in 1.2 1.3; do
			check "$data, a process id again, $metric: rows of $version" grep -q ",\"$version\"" "$rows"
			"$OJX" report -i "$TMP/again.data" --format=csv --metric=$metric --group-by=line \
				--label version=$version >"$TMP/one.csv" 2>"$TMP/err"
			is "--label: $metric, only these" "$(grep -c ',"1\.[23]"' "$TMP/one.csv")" "$(grep -c ",\"$version\"" "$rows")"
		done
	done
done

# ---- selecting --------------------------------------------------------------------------------

pids="sorted({c['pid'] for part in ('contexts', 'lines', 'findings') for c in r[part]})"
of json --label 'version=1.2'
is "--label selects a JVM" "$(json "$TMP/out" "$pids")" "[4711]"
of json --label 'version=1.?' --label pod=shop-7f
is "--label: all must match, also by what is not shown" "$(json "$TMP/out" "$pids")" "[4712]"
of json --label version=
is "--label: of no JVM" "$(json "$TMP/out" "$pids")" "[]"
of json --label version
is "--label: without '=' it is wrong" "$?" 2
like "--label: and what is wrong is said" "$TMP/err" "--label: 'version' is not NAME=VALUE"

# ---- recording --------------------------------------------------------------------------------

for bad in version =1 1a=x "$(printf 'n%.0s' {1..64})=x" "v=$(printf 'v%.0s' {1..256})"; do
	"$OJX" record --label "$bad" -o "$TMP/none" -- true 2>"$TMP/err"
	is "record: '${bad:0:12}' is no label" "$?$(ls "$TMP/none" 2>"$TMP/null")" 125
done

find_jdks
java=${jdks[0]}/bin/java
begin=$(date -u -d '2 seconds ago' +%FT%TZ)
OTEL_SERVICE_NAME=shop OTEL_RESOURCE_ATTRIBUTES='a=b,service.version=1%2E2' POD_NAME=shop-7f \
	"$OJX" record -q --label team=none --label team=blue --label namespace= -o "$TMP/real" -- \
	"$java" -version 2>"$TMP/err"
end=$(date -u -d '2 seconds' +%FT%TZ)
"$OJX" dump "$TMP/real" | sed -n 's/^label //p' >"$TMP/out"
is "record: of a label that is given twice the last counts" "$(grep -E 'team|namespace' "$TMP/out")" \
	'jvm=0 flags=1 name="team" value="blue"
jvm=0 flags=1 name="namespace" value=""'
like "record: the name of the machine" "$TMP/out" "^jvm=0 flags=0 name=\"host\" value=\"$(hostname)\"$"
for label in 'service" value="shop' 'version" value="1.2' 'pod" value="shop-7f'; do
	like "record: of the environment, $label" "$TMP/out" "^jvm=1 flags=0 name=\"$label\"$"
done
start=$(sed -nE 's/.*name="start" value="(.*)"/\1/p' "$TMP/out")
check "record: the start of the JVM, $start" eval '[[ -n $start && ! $start < $begin && ! $start > $end ]]'
"$OJX" record -q --label host= --label service=mine -o "$TMP/real" -- "$java" -version 2>"$TMP/err"
"$OJX" dump "$TMP/real" >"$TMP/out"
is "record: what is given is not looked for" \
	"$(grep -cE '^label.*name="(host|service)"' "$TMP/out") $(grep -cE '^label.*flags=0 name="(host|service)"' "$TMP/out")" "2 0"
done_testing
