#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What `ojx heap` asks of a dump: known numbers of objects that hold little or are kept for nothing, of buffers outside of
# the heap, and what fields retain (test/jvm/Kept.java), on each JDK and with several collectors. --accept.
. "$(dirname "$0")/lib.sh"

find_jdks
classes=$TMP/classes
"${jdks[0]}/bin/javac" -nowarn --release 11 -g -d "$classes" "$TOP/test/jvm/Kept.java" 2>"$TMP/javac.err" ||
	{ cat "$TMP/javac.err"; exit 1; }

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
done_testing
