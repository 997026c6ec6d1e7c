#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Advice that rests on values of the JDK's fields, on objects of the JDK itself (test/collected.py): that collections
# never hold anything, and that exceptions have stack traces. Nothing false may be told, whatever is seen. What is told depends on how
# many snapshots there are: a recording is made longer until there are enough of them.
. "$(dirname "$0")/lib.sh"

data=$TMP/ojx.data
find_jdks
soaking || jdks=("${jdks[0]}")
"$TOP/test/collected.py" java >"$TMP/Collected.java"
"${jdks[0]}/bin/javac" --release 11 -nowarn -d "$TMP" "$TMP/Collected.java" || exit 1

record()
{
	rm -f "$data"
	run "$OJX" record -q -o "$data" --budget 100 -- "$home/bin/java" -XX:+UseSerialGC -Xmx64m -cp "$TMP" Collected $rounds
}

# found HOW: prints what is wrong; what is false alone, or what is missing, too
found()
{
	"$TOP/test/collected.py" "$1" "$TMP/report" "$version" 2>&1
}

for home in "${jdks[@]}"; do
	version=$(version_of "$home")
	for rounds in 3000 12000 40000; do
		record
		"$OJX" report --format=json -i "$data" >"$TMP/report" 2>"$TMP/err"
		[ -z "$(found false)" ] && [ -n "$(found check)" ] || break
	done
	is "$version: the program runs" "$status $(cat "$TMP/out")" "0 $rounds"
	is "$version: nothing false is told, and what is empty is told" "$(found check)" ""
done
done_testing
