#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Advice that rests on values of the JDK's fields, on objects of the JDK itself (test/jvm/Collected.java): that collections
# never hold anything, and that exceptions have stack traces.
. "$(dirname "$0")/lib.sh"

data=$TMP/ojx.data
find_jdks
"${jdks[0]}/bin/javac" --release 11 -nowarn -d "$TMP" "$TOP/test/jvm/Collected.java" || exit 1

# Prints what is false in the report: of the line of each method, whether the rule is told of the objects of its class.
false_advice()
{
	python3 - "$1" <<'END'
import json, re, sys
told = {}
for row in json.load(open(sys.argv[1]))["contexts"]:
    frames = [f for f in row["alloc_stack"] if f["class"] == "Collected"]
    if not frames:
        continue
    method, name = frames[0]["method"], row["class"].split(".")[-1]
    if method == "readBack" or method.lower().endswith(name.lower()) or name in (
            "Arrays$ArrayList", "Collected$Stop", "Collected$Quiet", "Collected$TracedException", "Collected$Elsewhere"):
        told.setdefault(method, []).append((row["advice"] or {}).get("rule", ""))
for method in sorted(told):
    empty = "empty-collection" in told[method]
    if empty != method.startswith("empty"):
        print(method, told[method])
for method, rule in (("overriddenTrace", False), ("unwritableTrace", False), ("fullTrace", True)):
    if ("exception" in told.get(method, [])) != rule or "exception-some" in told.get(method, []):
        print(method, told.get(method))
want = 13, 15, 5, 9
got = tuple(sum(m.startswith(state) for m in told)
            for state in ("empty", ("copied", "cloned"), "filled", "cleared"))
if got != want:
    print("seen:", got, "not", want, sorted(told))
if "readBack" not in told:
    print("what was deserialised is not seen")
END
}

for home in "${jdks[@]}"; do
	rm -f "$data"
	run "$OJX" record -q -o "$data" --interval 4k --budget 100 -- "$home/bin/java" -XX:+UseSerialGC -Xmx64m -cp "$TMP" Collected 40000
	is "$(version_of "$home"): the program runs" "$status $(cat "$TMP/out")" "0 40000"
	"$OJX" report --format=json -i "$data" >"$TMP/report" 2>"$TMP/err"
	is "$(version_of "$home"): nothing false is told" "$(false_advice "$TMP/report" 2>&1)" ""
done
done_testing
