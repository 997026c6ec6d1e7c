#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The formats of `ojx report` for builds, each read as its readers do and compared with the JSON report:
# recordings made by test/make_data.c, one of which has names with the signs of all these formats.
. "$(dirname "$0")/lib.sh"

unset COLUMNS PAGER OJX_PAGER
export LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1
compile_make_data
formats="sarif github junit markdown"
for kind in full findings signs hostile markup moved no-jvm; do
	"$make_data" $kind "$TMP/$kind" || exit 1
done

report()
{
	run "$OJX" report "$@"
}

# ---- contents ---------------------------------------------------------------------------------

# compare RECORDING [OPTION...]: every format against JSON; the files stay in $TMP/RECORDING.FORMAT
compare()
{
	local data=$1 as status=0 list=()
	shift
	"$OJX" report -i "$TMP/$data" --format=json --group-by=line --limit=0 "$@" >"$TMP/$data.json" 2>"$TMP/err" ||
		status=$?
	for as in $formats; do
		"$OJX" report -i "$TMP/$data" --format="$as" --limit=0 "$@" >"$TMP/$data.$as" 2>>"$TMP/err" || status=$?
		list+=("$as=$TMP/$data.$as")
	done
	is "$data: exit status 0" "$status" 0
	is "$data: nothing said" "$(cat "$TMP/err")" ""
	check "$data: all formats say what the report does" "$TOP/test/formats.py" "$TMP/$data.json" "${list[@]}"
}

for kind in full findings signs hostile markup; do
	compare $kind --command-line=full
done

like "github: a finding" "$TMP/full.github" \
	'^::warning file=com/acme/Shop.java,line=30,title=ojx%3A same-result%3A likely 2\.3 MB avoidable \(JVM 4711\)::Shop\.store:30 makes 2\.3 MB \(4.* %25 of all\); .*%0AProblem: .*%0AFix: .*%0AMade: Point '
like "github: a line of two JVMs is one finding" "$TMP/full.github" \
	'line=20,title=ojx%3A same-result%3A likely 2\.5 MB avoidable \(JVMs 4711%2C 4712\)::Shop\.load:20 makes 2\.5 MB '
like "github: the sum" "$TMP/full.github" '^::notice title=ojx%3A the sum::The first three fixes avoid 4\.8 MB \([0-9.]+ MB to [0-9.]+ MB, [0-9.]+ %25\)'
like "github: findings of other analyses" "$TMP/findings.github" \
	'^::notice file=com/acme/Shop.java,line=20,title=ojx%3A dead-store%3A 39\.1 %25%2C likely \(JVMs 4712%2C 4711\)::Shop\.load:20 stores 26\.1 %25 of all stored bytes in vain .*%0AFix: .*%0ASeen: 60 of 230 pairs, and stored again, unread, at Shop\.store:30'
like "markdown: the sum" "$TMP/full.markdown" '^\*\*At least 4\.6 MB of .* is duplicate; '
like "markdown: the best" "$TMP/full.markdown" '^1\. \*\*Shop\.load:20 makes 2\.3 MB \(41\.6 % of all\); likely 2\.3 MB avoidable '
like "markdown: its fix" "$TMP/full.markdown" '^   - Fix: '
like "markdown: findings of other analyses" "$TMP/findings.markdown" '^1\. \*\*Shop\.load:20 stores 26\.1 % of all stored bytes in vain '
is "sarif: where the other access is" "$(json "$TMP/findings.sarif" "[(x['locations'][0]['physicalLocation']['region']['startLine'],
	x['relatedLocations'][0]['physicalLocation']['region']['startLine'])
	for x in r['runs'][0]['results'] if x['ruleId'] == 'waste/dead-store'][0]")" "(20, 30)"

is "sarif: two JVMs that have the same are one result: sums, and both pids" "$(json "$TMP/full.sarif" "[(x['properties']['pids'],
	round(x['properties']['objects']), x['properties']['likely_ci'][0] < x['properties']['likely_bytes'])
	for x in r['runs'][0]['results'] if x['properties'].get('classes') == ['com.acme.Point'] and
	x['locations'][0]['physicalLocation']['region']['startLine'] == 20]")" "[([4711, 4712], 110000, True)]"
is "sarif: no result is there twice" "$(json "$TMP/findings.sarif" "(lambda a: len(a) - len(set(a)))(
	[(x['ruleId'], x['partialFingerprints']['lineHash/v1']) for x in r['runs'][0]['results']])")" 0

# ---- the same finding is the same -------------------------------------------------------------

# hashes RECORDING NAME: a line for each result
hashes()
{
	json "$TMP/$1.sarif" "'\n'.join(sorted(x['partialFingerprints']['$2/v1'] + ' ' + x['ruleId']
		for x in r['runs'][0]['results'] if x['ruleId'] == 'same-result'))"
}

"$OJX" report -i "$TMP/moved" --format=sarif -o "$TMP/moved.sarif" || exit 1
check "fingerprints: there are some" test -n "$(hashes full methodHash)"
is "fingerprints: those of another recording" "$(hashes findings lineHash)" "$(hashes full lineHash)"
is "fingerprints: of methods, where lines have moved" "$(hashes moved methodHash)" "$(hashes full methodHash)"
is "fingerprints: none of the lines then" "$(comm -12 <(hashes moved lineHash) <(hashes full lineHash))" ""
is "fingerprints: two methods are two" "$(hashes full methodHash | sort -u | wc -l)" 2

# ---- conditions -------------------------------------------------------------------------------

report -i "$TMP/full" --format=junit --fail-if='saved>1MB,total.bytes>1TB'
is "junit: exit status 3" "$status" 3
cp "$TMP/out" "$TMP/x.xml"
is "junit: what was tested" "$(python3 -c 'import sys, xml.etree.ElementTree as e
print(*("%s:%s" % (c.get("name"), [x.tag for x in c]) for c in e.parse(sys.argv[1]).iter("testcase")))' "$TMP/x.xml")" \
	"something was recorded:[] saved>1MB:['failure'] total.bytes>1TB:[]"
like "junit: the reason" "$TMP/x.xml" "message=\"'saved&gt;1MB' holds for 2 lines, the first of which is com.acme.Point at "
report -i "$TMP/full" --format=github --fail-if='saved>1MB,total.bytes>1TB'
is "github: exit status 3" "$status" 3
is "github: conditions that hold are errors" "$(grep -c '^::error ' "$TMP/out")" 1
like "github: at their line" "$TMP/out" "^::error file=com/acme/Shop.java,line=20,title=ojx%3A saved>1MB::'saved>1MB' holds "
report -i "$TMP/full" --format=markdown --fail-if='saved>1MB,total.bytes>1TB'
like "markdown: a condition that holds" "$TMP/out" "^- \*\*failed:\*\* 'saved&gt;1MB' holds for 2 lines"
like "markdown: one that does not" "$TMP/out" '^- passed: `total.bytes>1TB` does not hold$'

for as in $formats; do
	report -i "$TMP/no-jvm" --format=$as --fail-if='saved>1MB'
	is "no JVM, $as: exit status 1" "$status" 1
	check "no JVM, $as: a document all the same" test -s "$TMP/out"
	cp "$TMP/out" "$TMP/no-jvm.$as"
done
like "no JVM: an error of a test, so that no build passes" "$TMP/no-jvm.junit" '<error type="recording" message="no JVM was recorded'
like "no JVM: markdown says so" "$TMP/no-jvm.markdown" '^\*\*Nothing to show:\*\* no JVM was recorded'

# ---- where the sources are --------------------------------------------------------------------

mkdir -p "$TMP/repo/module a/src/main/java/com/acme" "$TMP/repo/other"
printf 'package com.acme;\nclass Shop {}\n' >"$TMP/repo/module a/src/main/java/com/acme/Shop.java"
printf 'class Shop {}\n' >"$TMP/repo/other/Shop.java"
# paths OPTION...: of all results, from inside of the repository
paths()
{
	(cd "$TMP/repo" && "$OJX" report -i "$TMP/full" --format=sarif "$@" -o "$TMP/paths.sarif" &&
		json "$TMP/paths.sarif" "' '.join(sorted({x['locations'][0]['physicalLocation']['artifactLocation']['uri']
			for x in r['runs'][0]['results']}))")
}
is "without sources: package and file" "$(paths)" "com/acme/Shop.java"
is "--source-path=.: where the file is" "$(paths --source-path=.)" "module%20a/src/main/java/com/acme/Shop.java"
is "--source-path=DIR/: the same" "$(paths --source-path="./module a/src/main/java/")" \
	"module%20a/src/main/java/com/acme/Shop.java"
is "a full path is a URI of a file" "$(paths --source-path="$TMP/repo/module a")" \
	"file://$TMP/repo/module%20a/src/main/java/com/acme/Shop.java"
is "sources without it: package and file" "$(paths --source-path=other)" "com/acme/Shop.java"
(cd "$TMP/repo" && "$OJX" report -i "$TMP/full" --format=github --source-path=. >"$TMP/out")
like "github: the same path" "$TMP/out" '^::warning file=module a/src/main/java/com/acme/Shop.java,line=20,'

# ---- comparisons ------------------------------------------------------------------------------

cd "$TMP" || exit 1
for as in markdown github junit; do
	run "$OJX" diff --format=$as --fail-if='saved>1MB,total.bytes>+10%,total.saved<-10%' full signs
	is "diff, $as: exit status 3" "$status" 3
	cp out diff.$as
done
like "diff, markdown: a condition" diff.markdown "^- \*\*failed:\*\* 'total\.bytes&gt;\+10%' holds: \+2\.3 MB \(\+41\.6 %\)$"
like "diff, markdown: one that does not hold" diff.markdown '^- passed: `total.saved<-10%` does not hold$'
is "diff, markdown: all lines of the table have as many cells" \
	"$(grep '^|' diff.markdown | sed 's/\\|//g; s/[^|]//g' | sort -u | wc -l)" 1
is "diff, markdown: what changed" "$(grep -c '^| [0-9]' diff.markdown)" 1
is "diff, github: what it says" "$(sed -E 's/^::([a-z]+) .*/\1/' diff.github | tr '\n' ' ')" "error error notice warning "
like "diff, github: a new line" diff.github '^::warning file=com/acme/.*\.java,line=50,title=ojx.*::saved \+2\.2 MB, bytes \+2\.3 MB, objects \+100 k, of com\.acme\.'
is "diff, junit: what was tested" "$(python3 -c 'import sys, xml.etree.ElementTree as e
print(*("%s:%d" % (c.get("name"), len(c)) for c in e.parse(sys.argv[1]).iter("testcase")))' diff.junit)" \
	"two recordings were compared:0 saved>1MB:1 total.bytes>+10%:1 total.saved<-10%:0"
(cd repo && "$OJX" diff --format=github --source-path=. --fail-if='saved>1MB' "$TMP/full" "$TMP/signs") >out 2>err
like "diff, github: where the file is" out '^::error file=module a/src/main/java/com/acme/Shop.java,line=20,'
run "$OJX" diff --format=github signs full
is "diff, github: less is no warning" "$(grep -c '^::warning' out)" 0

# ---- the command ------------------------------------------------------------------------------

for name in sarif:x.sarif sarif:x.sarif.json junit:x.xml markdown:x.md; do
	report -i "$TMP/full" -o "$TMP/${name#*:}"
	is "-o ${name#*:}: exit status 0" "$status" 0
	report -i "$TMP/full" --format="${name%%:*}"
	check "-o ${name#*:}: as on standard output" cmp "$TMP/out" "$TMP/${name#*:}"
done
report -i "$TMP/findings" --format=github --limit=1
is "--limit: of rows" "$(grep -c '^::warning' "$TMP/out")" 1
if [ -c /dev/full ]; then
	for as in $formats; do
		report -i "$TMP/full" --format=$as -o /dev/full
		is "a full disk, $as: exit status 1" "$status" 1
	done
fi
done_testing
