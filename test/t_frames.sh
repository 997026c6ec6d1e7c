#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A place of allocation is one context, whether it is interpreted or compiled. For some methods of
# the JDK compilers insert code of their own, which has no frame (test/jvm/Copies.java).
# The line of what a compiler-made method makes is its caller.
. "$(dirname "$0")/lib.sh"

data=$TMP/ojx.data
report=$TMP/report.json
rounds=60000

find_jdks
use_classes

# record JAVA [OPTION...]: records every allocation, also those of the first, interpreted rounds
record()
{
	rm -f "$data" "$report"
	run "$OJX" record -q --exact -e replica -o "$data" -- "$@" -Xmx128m -cp "$classes" Copies $rounds
	"$OJX" report --format=json -i "$data" >"$report" 2>"$TMP/report.err"
}

# The contexts of Copies: class, objects if all of them are there, methods from the innermost frame on.
contexts()
{
	python3 - "$report" "$rounds" <<'END'
import json, sys
rounds = int(sys.argv[2])
for c in sorted(json.load(open(sys.argv[1]))["contexts"], key=lambda c: c["class"]):
    names = [f["class"].split(".")[-1] + "." + f["method"] for f in c["alloc_stack"]]
    # not counted: what the loading and linking of classes allocates in the first round
    if names[-2:-1] == ["Copies.round"] and c["class"] in ("Copies", "Copies[]", "int[]", "java.lang.String[]") and c["objects"] > 1:
        few = c["objects"] < 0.99 * rounds or c["objects"] > rounds
        print(c["class"], int(c["objects"]) if few else "all", *names[:-2])
END
}

# The line where a marked place of Copies makes objects.
line_of()
{
	grep -n "// line: $1\$" "$TOP/test/jvm/Copies.java" | cut -d: -f1
}

want="Copies all Copies.copy
Copies[] all Array.newInstance Copies.make
int[] all Copies.copyArray
java.lang.String[] all Arrays.copyOf Copies.copyRange"

for home in "${jdks[@]}"; do
	jdk=jdk$(version_of "$home")
	for mode in "" -XX:TieredStopAtLevel=1 -Xint; do
		record "$home/bin/java" $mode
		is "$jdk $mode: exit status" "$status" 0
		is "$jdk $mode: one context for each place" "$(contexts)" "$want"
	done
	"$OJX" report --all -i "$data" >"$TMP/text"
	like "$jdk: values() of an enum: its caller is the line" "$TMP/text" "Copies\.java:$(line_of constants) +Copies.Color\[]"
	like "$jdk: a lambda: its own line" "$TMP/text" "Copies\.java:$(line_of lambda) +short\[]"
done

done_testing
