#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Advice that rests on values of the JDK's fields, on objects of the JDK itself (test/collected.py): that collections
# never hold anything, and that exceptions have stack traces.
. "$(dirname "$0")/lib.sh"

data=$TMP/ojx.data
find_jdks
soaking || jdks=("${jdks[0]}")
"$TOP/test/collected.py" java >"$TMP/Collected.java"
"${jdks[0]}/bin/javac" --release 11 -nowarn -d "$TMP" "$TMP/Collected.java" || exit 1

for home in "${jdks[@]}"; do
	version=$(version_of "$home")
	rm -f "$data"
	run "$OJX" record -q -o "$data" --interval 1k --budget 100 -- "$home/bin/java" -XX:+UseSerialGC -Xmx64m -cp "$TMP" Collected 3000
	is "$version: the program runs" "$status $(cat "$TMP/out")" "0 3000"
	"$OJX" report --format=json -i "$data" >"$TMP/report" 2>"$TMP/err"
	"$TOP/test/collected.py" check "$TMP/report" "$version" >"$TMP/found" 2>&1
	is "$version: nothing false is told, and what is empty is told" "$(cat "$TMP/found")" ""
done
done_testing
