#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The line of a stack is one decision: heading, mark in the stack, table, page, JSON, CSV, SARIF and
# comparison tell the same frame, whatever makes a class the platform's.
. "$(dirname "$0")/lib.sh"

compile_make_data

# Objects of three classes, all alike. Between each maker and the program's frame is code that is
# the platform's by its loader, by its name (Scala), or because a compiler made it (a bridge).
python3 - >"$TMP/text" <<'PYTHON'
PROGRAM, PLATFORM, BRIDGE = 1, 3, 1 | 1 << 3 | 1 << 4
methods = [("java/util/ArrayList", "<init>", "ArrayList.java", 156, PLATFORM), ("app2/B", "mk", "B.java", 7, PROGRAM),
           ("app/U", "go", "U.java", 3, PROGRAM), ("scala/collection/immutable/List", "map", "List.scala", 246, PROGRAM),
           ("com/acme/S", "run", "S.scala", 9, PROGRAM), ("com/acme/C", "compare", "C.java", 1, BRIDGE),
           ("com/acme/C", "sort", "C.java", 8, PROGRAM)]
print('jvm jvm=1 pid=7 engines=3 vm_name="OpenJDK 64-Bit Server VM" vm_version="17" gc="G1"')
for i, (owner, name, file, line, flags) in enumerate(methods, 1):
    print(f'method jvm=1 method={i} flags={flags} class="L{owner};" name="{name}" descriptor="()V" file="{file}" line={{ bci=0 line={line} }}')
for i, frames in enumerate([(1, 2, 3), (4, 5, 3), (6, 7, 3)], 1):
    print(f"stack jvm=1 id={i} " + " ".join(f"frame={{ method={m} bci=0 }}" for m in frames))
    print(f'class jvm=1 id={i} signature="Lcom/acme/{"PQR"[i - 1]};" field={{ offset=12 size=4 type=73 flags=1 name="x" declarer="Lcom/acme/P;" signature="" }}')
    print(f"context jvm=1 id={i} class_id={i} stack_id={i}")
    print(f"count jvm=1 context={i} size=24 count=1000 weight={100000 * (4 - i)}")
    for k in range(60):
        print(f"snapshot jvm=1 context={i} content=7 weight=100 ticket={1000 * i + k} slot=7")
        print(f"use jvm=1 context={i} size=4 access=3 value=7 content=7 weight=100 ticket={1000000 + 1000 * i + k}")
print("end jvm=0 duration_ns=1000000000")
PYTHON
"$make_data" text "$TMP/data" <"$TMP/text" || exit 1

# lines_of NAME [OPTION...]: the numbers of the lines of P, Q and R, as each output tells them. Each
# frame has another number.
lines_of()
{
	local name=$1 as
	shift
	for as in json html sarif collapsed; do
		"$OJX" report -i "$TMP/data" "$@" --group-by=line --format=$as -o "$TMP/$name.$as" || return
	done
	"$OJX" report -i "$TMP/data" "$@" --stdio --details >"$TMP/$name.text" || return
	"$OJX" diff "$@" -o "$TMP/$name.diff.html" "$TMP/data" "$TMP/data" || return
	python3 - "$TMP/$name" <<'PYTHON'
import json, re, sys
def page(path):
    d = json.loads(re.search(r'id="data">(.*?)</script>', open(path).read(), re.S).group(1))
    s, f, n, c = d["strings"], d["frames"], d["nodes"], d["contexts"]
    def line(row):
        node = c["node"][row]
        for _ in range(n["line"][node]):
            node = n["parent"][node]
        frame = n["frame"][node]
        assert not f["platform"][frame]
        assert s[c["line"][row]] == f'{s[f["file"][frame]]}:{f["line"][frame]}'
        return f["line"][frame]
    return {s[c["class"][i]][-1]: line(i) for i in range(len(c["node"]))}
name = sys.argv[1]
text = open(name + ".text").read()
blocks = re.findall(r"^\d+\. com\.acme\.(.) at (.*?)\n.*?    allocated at\n(.*?)\n\n", text, re.S | re.M)
told = {"heading": {c: re.search(r"← \S+:(\d+)$", head).group(1) for c, head, _ in blocks},
        "mark": {c: re.search(r":(\d+)\) ←$", body, re.M).group(1) for c, _, body in blocks},
        "page": page(name + ".html"), "comparison": page(name + ".diff.html"),
        "json": {r["class"][-1]: r["frame"][0]["line"] for r in json.load(open(name + ".json"))["lines"]},
        "collapsed": {c: n for n, c in re.findall(r":(\d+);com\.acme\.(.)", open(name + ".collapsed").read())},
        "sarif": {c[-1]: r["locations"][0]["physicalLocation"]["region"]["startLine"]
                  for r in json.load(open(name + ".sarif"))["runs"][0]["results"] for c in r["properties"]["classes"]}}
for what, of in told.items():
    print(what, *(of.get(c) for c in "PQR"))
PYTHON
}

# all_tell NUMBERS: what lines_of prints if all agree
all_tell()
{
	printf "%s $1\n" heading mark page comparison json collapsed sarif
}

is "the platform by loader, Scala's runtime, a bridge" "$(lines_of plain)" "$(all_tell "7 9 8")"
is "--transparent: the caller" "$(lines_of caller --transparent 'app2.*')" "$(all_tell "3 9 8")"
is "--transparent: of several classes" "$(lines_of several --transparent 'app2.B' --transparent 'com.acme.*')" \
	"$(all_tell "3 3 3")"

is "--own: the innermost of these" "$(lines_of own --own 'app.*')" "$(all_tell "3 3 3")"
is "--own: other stacks as before" "$(lines_of own2 --own 'app.*' --transparent 'app2.*' --own com.acme.S)" "$(all_tell "3 9 3")"
is "--own: whatever is transparent" "$(lines_of both --own 'app2.*' --transparent 'app2.*')" "$(all_tell "7 9 8")"

# what `record --own` got is used, until a report gets something else
{
	cat "$TMP/text"
	echo 'own jvm=0 argc=1 arguments="app.*\x00"'
} >"$TMP/own.text"
"$make_data" text "$TMP/data" <"$TMP/own.text" || exit 1
is "record --own: the innermost of these" "$(lines_of recorded)" "$(all_tell "3 3 3")"
is "record --own: a report's own counts instead" "$(lines_of instead --own com.acme.S)" "$(all_tell "7 9 8")"
is "record --own: none" "$(lines_of none --own '')" "$(all_tell "7 9 8")"
is "record --own: JSON tells the globs" "$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["recording"]["own"])' "$TMP/recorded.json")" "['app.*']"
done_testing
