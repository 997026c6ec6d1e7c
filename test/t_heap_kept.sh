#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What `ojx heap` asks of a dump: known numbers of objects that hold little or are kept for nothing, of buffers outside of
# the heap, and what fields retain (test/jvm/Kept.java), on each JDK and with several collectors. --accept.
. "$(dirname "$0")/lib.sh"

find_jdks
use_classes

# planted TITLE HOME OPTION...
planted()
{
	local title=$1 home=$2
	shift 2
	rm -f "$TMP/kept.hprof"
	"$home/bin/java" -Xmx64m "$@" -cp "$classes" Kept "$TMP/kept.hprof" >"$TMP/java.out" 2>"$TMP/java.err"
	run "$OJX" heap --format=json --retained --path "$TMP/kept.hprof"
	mv "$TMP/out" "$TMP/kept.json"
	is "$title: what is planted" "$(cat "$TMP/err")$("$TOP/test/heap_kept.py" "$TMP/kept.json" 2>&1)" ""
}

for home in "${jdks[@]}"; do
	planted "JDK $(version_of "$home"), Serial" "$home" -XX:+UseSerialGC
done
planted "G1" "${jdks[0]}" -XX:+UseG1GC

# ---- findings that a file accepts

cd "$TMP" || exit 1
run "$OJX" heap --write-accepted all.txt kept.hprof
is "--write-accepted: status" "$status" 0
like "a key a line, with the amount and the place" all.txt '^inner-object Kept\$Shop\$Listener\.this\$0  # possible 97\.7 kB'
is "they are the keys of JSON" "$(python3 -c 'import json
print(*sorted({f["key"] for s in json.load(open("kept.json"))["other_findings"] for f in s["findings"]} ^
	{line.split("  #")[0].rstrip() for line in open("all.txt") if line[0] != "#"}), sep="\n")')" ""
run "$OJX" heap kept.hprof
like "bytes that can be the same have no sum" out '^[0-9]* findings, some of which can have the same bytes; the largest is 97\.7 kB\.$'
is "nor in JSON" "$(python3 -c 'import json
for s in json.load(open("kept.json"))["other_findings"]:
	if s["found"] == "kept": print(s["possible"] == max(f["amount"] for f in s["findings"]))')" True
is "the largest findings come first" "$(python3 -c 'import json
for s in json.load(open("kept.json"))["other_findings"]:
	amounts = [f["amount"] for f in s["findings"]]
	if amounts != sorted(amounts, reverse=True): print(s["found"])')" ""
run "$OJX" heap --accept all.txt kept.hprof
is "all are accepted, and nothing is stale" "$status $(cat err)" "0 "
unlike "none is told" out '^1\.  '
printf '%s\n' 'inner-object Kept$Shop$Listener.this$0 on purpose' 'room Kept.gone' >some.txt
run "$OJX" heap --limit 0 --accept some.txt kept.hprof
unlike "an accepted one is not told" out '^[0-9]*\.  Kept\$Shop\$Listener\.this\$0 keeps '
like "the others are" out '^[0-9]*\.  Kept\.weak keeps .* of values whose keys are gone'
like "a key that nothing has" err "^ojx: 'some\\.txt' line 2: 'room Kept\\.gone' is not found any more$"
run "$OJX" heap --accept some.txt kept.hprof kept.hprof
is "of two dumps" "$status" 2
run "$OJX" heap --retained --fail-if 'kept>5%,retained>1%' kept.hprof
is "conditions on the largest row" "$status" 3
done_testing
