#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A program with more deep stacks than the table of definitions has room for. New stacks are cut
# then, and the line that allocates stays known.
. "$(dirname "$0")/lib.sh"

data=$TMP/ojx.data
report=$TMP/report.json
source=$TOP/test/jvm/Paths.java
paths=4500 # of some 6 KB each; the table has 16 MiB

find_jdks
use_classes
line=$(grep -n '// line: made' "$source" | cut -d: -f1)

run "$OJX" record -e replica --interval 1k --budget 100 --max-stack 512 -o "$data" -- "${jdks[0]}/bin/java" -cp "$classes" Paths $paths
is "the program runs to its own end" "$status $(tail -n 1 "$TMP/out")" "0 500"
like "the recording says that stacks are cut" "$TMP/err" 'very many stacks: new ones are recorded from their line'
"$OJX" report --format=json --all --group-by=line -i "$data" >"$report" 2>"$TMP/report.err"

is "nothing is lost" "$(json "$report" "r['recording']['lost_events']")" 0
rows="[c for c in r['contexts'] if c['class'] == 'long[]' and c['alloc_stack'] and c['alloc_stack'][0]['line'] == $line]"
# on a busy machine the program has made some before the first sample
is "one line has the objects of all stacks" "$(json "$report" "len($rows), $rows[0]['sampled'] > 0.7 * $paths,
	$rows[0]['sampled'] == sum(c['sampled'] for c in r['contexts'] if c['class'] == 'long[]' and c['bytes'] > 1e6)")" "(1, True, True)"
# the VM makes a few objects of its own, such as the name of the thread DestroyJavaVM, where no Java method runs
is "no sample is without a stack" "$(json "$report" "sum(c['sampled'] for c in r['contexts']
	if not c['alloc_stack'] and c['class'] == 'long[]')")" 0

"$OJX" report --format=json --all --group-by=context -i "$data" >"$report" 2>"$TMP/report.err"
ours="[c for c in r['contexts'] if c['class'] == 'long[]' and c['alloc_stack'] and c['alloc_stack'][0]['line'] == $line]"
is "some stacks are whole, others are cut" \
	"$(json "$report" "{c['alloc_stack_cut'] for c in $ours} == {False, True}")" True

done_testing
