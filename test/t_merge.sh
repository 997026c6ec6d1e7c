#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Several recordings as one (docs/merging.md), made of text by test/make_data.c: what adds up, what counts once, which files are
# read, and that a merged file shows what its recordings show together.
. "$(dirname "$0")/lib.sh"

compile_make_data
cd "$TMP" || exit 1
mkdir rec

# recording FILE NUMBER VERSION
recording()
{
	"$make_data" findings made || exit 1
	rm -f made.old
	{
		echo "header start_unix_ns=170000000000000000$2"
		printf 'label jvm=0 flags=1 name="%s" value="%s"\n' service shop version "$3"
		"$OJX" dump --chunks made | sed 1d
	} | "$make_data" text "$1" || exit 1
}
recording rec/a.data 1 1.0
recording rec/b.data 2 1.1
recording rec/c.data 3 1.1

"$OJX" report --format=json rec/a.data >one.json
run "$OJX" report --format=json rec/a.data rec/b.data rec/c.data
is "several recordings are read" "$status" 0
cp "$TMP/out" several.json
is "bytes add up" "$(json several.json 'r["total"]["bytes"]')" "$(json one.json '3 * r["total"]["bytes"]')"
is "bytes add up to something" "$(json one.json 'r["total"]["bytes"] > 5e6')" True
is "JSON says of how many" "$(json several.json 'r["recording"]["recordings"], r["recording"]["processes"], r["recording"]["duration_s"]')" "(3, 6, 6)"
is "labels that all have" "$(json several.json 'r["recording"]["jvms"][0]["labels"]')" "{'service': 'shop'}"
"$OJX" report --stdio rec >out
like "text says of how many" out 'in 3 recordings of 6 processes'
like "a line is one row" out '^1 .* 330 k .*Shop\.java:20 '
"$OJX" report --stdio 'rec/[ab].data' >out
like "a pattern" out 'in 2 recordings of 4 processes'

# the order does not matter, and a merged file shows the same
"$OJX" merge -o day.data rec 2>err
is "merge" "$?" 0
like "merge says of how many" err 'merged 3 recordings of 6 processes'
"$OJX" merge -o part.data rec/c.data rec/a.data 2>err
"$OJX" merge -o again.data part.data rec/b.data 2>err
check "a merge of merges has the same bytes" cmp day.data again.data
for format in json csv ndjson collapsed; do
	"$OJX" report --format=$format rec/c.data rec/a.data rec/b.data >1
	"$OJX" report --format=$format day.data >2
	check "the same report as $format" cmp 1 2
done
"$OJX" annotate -i rec/a.data -i rec/b.data -i rec/c.data >1
"$OJX" annotate -i day.data >2
check "the same annotate" cmp 1 2
check "which is not empty" test -s 1
"$OJX" report -o day.html day.data && check "a page" grep -q Shop day.html

is "what is a replica in each process is one in all" "$(json several.json "r['lines'][0]['shown']['verdict']")" replica
is "with the finding that a recording has" "$(json several.json "r['findings'][0]['key'] == '$(json one.json "r['findings'][0]['key']")'")" True
head -c $(($(stat -c %s day.data) * 9 / 10)) day.data >cut.data
run "$OJX" report cut.data rec/c.data
is "a merged recording that is cut short: exit status" "$status" 1
like "why" "$TMP/err" "'cut.data' is a merged recording that is cut short: merge again"

# what counts once
"$OJX" report --stdio rec/a.data rec/a.data >out 2>err
like "a recording that is named twice" err "'rec/a.data' is among the others already: it counts once"
like "counts once" out 'in 1 recording of 2 processes'
"$OJX" report --stdio day.data rec/b.data >out 2>err
like "one that is in a merged one" err "'rec/b.data' is among the others already"
run "$OJX" report --stdio rec/b.data day.data
is "a merged one behind one of its own is an error" "$status" 1
like "that says what to do" "$TMP/err" "name it before these"

# which files
printf 'no recording' >rec/bad.data
"$OJX" report --stdio rec >out 2>err
is "a bad file of a directory is no error" "$?" 0
like "it is named" err "'rec/bad.data' is not a recording of ojx"
like "and left out" err "'rec/bad.data' is left out"
like "the others are there" out 'in 3 recordings'
run "$OJX" report --stdio rec/a.data rec/bad.data
is "a bad file that is named is an error" "$status" 1
run "$OJX" report --stdio rec/a.data rec/none.data
is "so is one that is not there" "$status" 1
mkdir empty
run "$OJX" report --stdio empty
is "a directory without recordings" "$status" 2
like "is named" "$TMP/err" "'empty' is a directory without recordings"
run "$OJX" report --stdio 'none*.data'
is "a pattern without a match" "$status" 2
run "$OJX" report --stdio --time 1s, rec/a.data rec/b.data
is "a part of several" "$status" 1
like "is not shown" "$TMP/err" '^ojx: --time shows a part of one recording, not of several'
run "$OJX" merge rec/a.data
is "merge needs -o" "$status" 2
run "$OJX" merge -o rec/a.data rec/a.data
is "merge does not write over a recording that it reads" "$status" 1

# several processors read several files at once: messages and bytes are those of one
if command -v taskset >/dev/null; then
	mkdir many
	cp rec/bad.data many/02.data
	cp rec/a.data many/05.data
	for i in 01 03 04 06 07 08 09; do recording many/$i.data "$((10#$i + 10))" 1.0; done
	head -c $(($(stat -c %s many/07.data) * 9 / 10)) many/07.data >many/08.data
	recording many/10.data 15 1.0
	cp many/09.data many/11.data
	first=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')
	for i in 1 2 3; do
		"$OJX" merge -o all.data many rec/a.data 2>all
		taskset -c "$first" "$OJX" merge -o one.data many rec/a.data 2>one
		check "many files, $i: the same bytes with one processor" cmp all.data one.data
		sed -i 's/one\.data/all.data/' one
		check "many files, $i: the same messages in the same order" cmp all one
	done
	is "many files: the messages" "$(grep -c 'is left out\|is no recording\|counts once\|taking what is there\|not a recording' all)" 6
	run "$OJX" merge -o all.data many/01.data many/02.data many/03.data many/none.data many/04.data
	is "many files, one is bad: exit status" "$status" 1
	is "many files, one is bad: nothing is said of those behind it" "$(grep -c "^ojx: 'many/" "$TMP/err")" 1
else
	skip "many files: no taskset"
fi
rm rec/bad.data

# labels, and a comparison
"$OJX" report --stdio --label version=1.1 rec >out 2>err
like "JVMs by their labels" out 'in 2 recordings of 4 processes'
like "recordings without such JVMs are named" err "'rec/a.data' has no JVM with such labels"
"$OJX" diff --format=json --all rec/a.data -- rec/b.data rec/c.data >out
is "diff OLD -- NEW NEW" "$?" 0
is "has both" "$(json out 'r["old"]["duration_s"], r["new"]["duration_s"]')" "(2, 4)"
run "$OJX" diff rec/a.data rec/b.data rec/c.data
is "diff of three needs --" "$status" 2
# by label: what the reports of the recordings of each value say
mkdir by
recording by/a.data 1 1.10
recording by/b.data 2 1.9
recording by/c.data 3 1.9
ln by/c.data by/link.data
"$OJX" report --by version --format=json by/a.data by/b.data by/c.data by/link.data >by.json 2>err
like "by label: a file of two names counts once" err "'by/link.data' is among the others already"
is "by label: values, as versions are sorted" "$(json by.json '[(v["value"], v["recordings"]) for v in r["values"]]')" "[('1.9', 2), ('1.10', 1)]"
for value in 1.9 1.10; do "$OJX" report --format=json --label version=$value by/a.data by/b.data by/c.data >by-$value.json 2>err; done
is "by label: the figures are those of the reports" "$(python3 - <<'PYTHON'
import collections, json
got = json.load(open("by.json"))
sums = collections.defaultdict(lambda: [None, None])
bytes_of = [0, 0]
for column, name in enumerate(("1.9", "1.10")):
    r = json.load(open(f"by-{name}.json"))
    bytes_of[column] = r["total"]["bytes"]
    for f in r["findings"]:
        if f["expected_bytes"] and f["key"]:
            sums[f["key"]][column] = (sums[f["key"]][column] or 0) + f["expected_bytes"]
print(len(sums) > 0, sorted(sums.items()) == sorted((f["key"], f["expected_bytes"]) for f in got["findings"]),
      bytes_of == [v["bytes"] for v in got["values"]])
PYTHON
)" "True True True"
run "$OJX" report --by version by/a.data by/b.data
like "by label: the columns" "$TMP/out" '^ +1\.9 +1\.10  in   finding$'
like "by label: a finding of all" "$TMP/out" ' %  all  same-result com\.acme\.Shop\.load$'
"$OJX" dump --chunks by/a.data | sed 's/start_unix_ns=1700000000000000001/start_unix_ns=1700000000000000004/; s/name="store"/name="keep"/; s/value="1\.10"/value="2"/' | "$make_data" text by/d.data || exit 1
run "$OJX" report --by version by/a.data by/d.data
sed 's/machine=x86_64/machine=aarch64/; s/start_unix_ns=1700000000000000001/start_unix_ns=1700000000000000005/' <("$OJX" dump --chunks by/a.data) | "$make_data" text by/e.data || exit 1
is "by label: recordings of two processors" "$("$OJX" report --by version --format=json by/a.data by/e.data 2>&1 | python3 -c '
import json, sys; r = json.load(sys.stdin); print([v["recordings"] for v in r["values"]], len(r["findings"]) > 0)')" "[2] True"
run "$OJX" report --by version by/a.data by/d.data
like "by label: a finding of one" "$TMP/out" '^ +- .* %  2 only     +same-result com\.acme\.Shop\.keep$'
"$OJX" merge -q -o merged-by.data by/b.data by/c.data 2>/dev/null
"$OJX" report --by version --format=json by/a.data merged-by.data by/b.data >by.json 2>err
is "by label: what is in a merged recording counts once" "$(json by.json '[(v["value"], v["bytes"]) for v in r["values"]]')" \
	"$("$OJX" report --by version --format=json by/a.data merged-by.data | python3 -c 'import json, sys; print([(v["value"], v["bytes"]) for v in json.load(sys.stdin)["values"]])')"
like "by label: it is named" err "'by/b.data' is among the others already: it counts once"
run "$OJX" report --by version by/b.data merged-by.data
is "by label: a merged one behind one of its own: exit status" "$status" 1
like "by label: a merged one behind one of its own" "$TMP/err" 'name it before these'
run "$OJX" report --by version --class 'none*' by/a.data by/b.data
is "by label: nothing is found: exit status" "$status" 0
run "$OJX" report --by team by/a.data
like "by label: none" "$TMP/out" '^ +\(none\)  in   finding$'
for bad in "--by 1x" "--by version --format=csv" "--by version --fail-if theta>0.9" "--by version --time 1s,2s"; do
	read -r -a options <<<"$bad"
	run "$OJX" report "${options[@]}" by/a.data
	is "$bad: exit status" "$status" 2
	like "$bad: why" "$TMP/err" '^ojx: --by'
done
run "$OJX" report --by version - <by/a.data
is "by label: standard input" "$status $(cat "$TMP/err")" "1 ojx: --by reads recordings twice: standard input cannot be one"
run "$OJX" report --by version by/missing.data
is "by label: a file that is missing" "$status" 1
done_testing
