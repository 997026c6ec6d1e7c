#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `ojx report --format=html`: the file, the sources packed into it, and, if there is a Chromium, the
# page as a reader uses it (test/t_html.py).
. "$(dirname "$0")/lib.sh"

compile_make_data
"$make_data" markup "$TMP/data" || exit 1

# Sources of the classes of make_data.c. The lines of Shop.java contain markup; those of the JDK are
# in an archive, below the name of a module.
python3 - "$TMP" <<'PYTHON' || exit 1
import os, sys, zipfile
top = sys.argv[1]
os.makedirs(top + "/tree/module/src/main/java/com/acme")
os.makedirs(top + "/tree/other/com/acme")
lines = [f"// line {n} </script><script>hacked=1</script><!--" for n in range(1, 201)]
with open(top + "/tree/module/src/main/java/com/acme/Shop.java", "w") as out:
    out.write("\n".join(["package com.acme;"] + lines[1:]) + "\n")
with open(top + "/tree/other/com/acme/Shop.java", "w") as out:
    out.write("package com.other;\n// the wrong one\n")
with zipfile.ZipFile(top + "/src.zip", "w", zipfile.ZIP_DEFLATED) as out:
    out.writestr("java.base/java/util/ArrayList.java",
                 "package java.util;\n" + "\n".join(f"// grow {n}" for n in range(2, 60)))
PYTHON

page()
{
	run "$OJX" report -i "$TMP/data" "$@"
}

# figures FILE EXPRESSION: evaluates a Python expression over the page's data, the document `d`.
figures()
{
	python3 -c 'import json, re, sys
page = open(sys.argv[1]).read()
d = json.loads(re.search(r"id=\"data\">(.*?)</script>", page, re.S).group(1))
print(eval("(" + sys.argv[2] + ")"))' "$1" "$2"
}

page --format=html -o "$TMP/page.html" --source-path="$TMP/tree:$TMP/src.zip"
is "a page: exit status 0" "$status" 0
is "a page: nothing is said" "$(cat "$TMP/out" "$TMP/err")" ""
page -o "$TMP/named.html" --source-path="$TMP/tree" --source-path="$TMP/src.zip"
check "the suffix tells the format; --source-path twice" cmp "$TMP/page.html" "$TMP/named.html"
is "each line once" "$(figures "$TMP/page.html" "(d['rows'], d['shown'], len(d['contexts']['bytes']))")" \
	"(6, 6, 6)"
is "sources: found below folders and modules, by package" \
	"$(figures "$TMP/page.html" "sorted(s['name'] for s in d['sources'])")" \
	"['java.base/java/util/ArrayList.java', 'module/src/main/java/com/acme/Shop.java']"
is "sources: the lines around frames, together where they touch" "$(figures "$TMP/page.html" \
	"[[(p[0], p[0] + len(p[1]) - 1) for p in s['parts']] for s in d['sources'] if 'Shop' in s['name']]")" \
	"[[(10, 60)]]"
is "no text ends a script" "$(grep -c '</script><script>hacked' "$TMP/page.html")" 0
unlike "nothing is asked of anybody" "$TMP/page.html" '(src|href)="?(https?:)?//|url\(|@import|fetch\(|XMLHttp'

run "$OJX" report -i "$TMP/data" --stdio --details --limit 20
tr -s ' \n' ' ' <"$TMP/out" >"$TMP/page.txt"
is "the evidence is that of the text, line by line" "$(python3 - "$TMP/page.html" "$TMP/page.txt" <<'PYTHON'
import json, re, sys
text = open(sys.argv[2]).read()
rows = [row for chunk in re.findall(r'class="chunk">\n(.*?)\n</script>', open(sys.argv[1]).read(), re.S) for row in json.loads(chunk)]
told = [dict(zip(evidence[::2], evidence[1::2])) for *_, evidence, _ in rows]
print(len(told), all(told[i]["verdict"] and told[i]["allocated"] and "pairs" in told[i] for i in range(len(told))),
      [line for of in told[:1] for line in (" ".join(pair).strip() for pair in of.items()) if " ".join(line.split()) not in text])
PYTHON
)" "6 True []"
is "the sum and the findings are those of the text" "$(figures "$TMP/page.html" \
	"(d['sum'].splitlines()[0] in open('$TMP/page.txt').read(), [b['amounts'].split()[0] for b in d['fixes']], d['gains'])")" \
	"(True, ['Shop.load:20', 'Shop.store:30', 'Shop.load:20', 'Shop.load:20'], 3)"
page --format=html --class=com.acme.Point -o "$TMP/point.html"
is "of a selection nothing is left out" "$(figures "$TMP/point.html" "(d['gains'], d['others'])")" "(None, None)"
page --format=html --group-by=context -o "$TMP/context.html"
is "--group-by=context: a finding leads to its largest context" "$(figures "$TMP/context.html" \
	"(d['grouping'], {b['row'] >= 0 for b in d['fixes']})")" "('context', {True})"

page --format=html -o "$TMP/bare.html"
is "without sources" "$(figures "$TMP/bare.html" "(d['source_path'], any(d['sources']))")" "([], False)"
page --format=html --limit=2 -o "$TMP/two.html"
is "--limit" "$(figures "$TMP/two.html" "(d['rows'], d['shown'])")" "(6, 2)"
is "what the page leaves out" "$(figures "$TMP/two.html" "d['left_bytes'] + sum(d['contexts']['bytes']) == d['total']['bytes']")" "True"
page --format=html --group-by=class -o "$TMP/class.html"
is "--group-by=class: the stacks of all contexts" "$(figures "$TMP/class.html" \
	"round(sum(d['contexts']['parts'][3::5]) / max(d['contexts']['bytes']), 2) if d['contexts']['parts'] else None")" 1.0
for bad in "$TMP/nowhere" "$TMP/tree:$TMP/nowhere"; do
	page --format=html -o "$TMP/x.html" --source-path="$bad"
	is "a source path that is not there: exit status 1" "$status" 1
	like "a source path that is not there: which" "$TMP/err" \
		"^ojx: --source-path: cannot read '$TMP/nowhere': No such file"
done
page --format=html -o "$TMP/x.html" --source-path="$TMP/page.html"
like "no archive" "$TMP/err" "^ojx: --source-path: cannot read '.*page.html': neither a folder nor a zip"
check "no page then" test ! -e "$TMP/x.html"
mkdir -p "$TMP/jdk/lib" && cp "$TMP/src.zip" "$TMP/jdk/lib/"
jdk_sources='[s["name"] for s in d["sources"] if s and "ArrayList" in s["name"]]'
echo 'JAVA_VERSION="17.0.15"' >"$TMP/jdk/release"
page --format=html -o "$TMP/jdk.html" --source-path="$TMP/jdk/lib/src.zip"
is "the JDK of the recorded version: nothing is said" "$(cat "$TMP/err")" ""
is "its sources are there" "$(figures "$TMP/jdk.html" "$jdk_sources")" "['java.base/java/util/ArrayList.java']"
echo 'JAVA_VERSION="25.0.3"' >"$TMP/jdk/release"
page --format=html -o "$TMP/jdk.html" --source-path="$TMP/jdk/lib/src.zip"
like "a JDK of another version: it is said" "$TMP/err" "is of Java 25\.0\.3, the recorded JVM is 17\.0\.15\+6: it is left out"
is "its sources are not there" "$(figures "$TMP/jdk.html" "$jdk_sources")" "[]"
"$make_data" findings "$TMP/findings"
run "$OJX" report -i "$TMP/findings" --format=html -o "$TMP/findings.html" --source-path="$TMP/tree:$TMP/src.zip"
is "wasted accesses and locality, by kind and way" "$(figures "$TMP/findings.html" \
	"*[[(f['kind'], f['count'], len(f['tables'][0]['rows'])) for f in a['findings']] for a in d['analyses']],")" \
	"([('dead-store', 230, 4), ('silent-store', 40, 2), ('silent-load', 147, 2)], [('time', 200, 2), ('page-fault', 30, 2)])"
"$make_data" lives "$TMP/lives"
run "$OJX" report -i "$TMP/lives" --format=html -o "$TMP/lives.html"
is "lifetimes: the curves have points" "$(figures "$TMP/lives.html" \
	"*[[len(c) for c in r['curves']] for a in d['analyses'] for r in a['findings'][0]['tables'][0]['rows']],")" "([32, 32],)"
run "$OJX" report -i "$TMP/findings" --format=html --class=no.such.Class -o "$TMP/findings-only.html"
is "of a recording without them there are none" "$(figures "$TMP/page.html" "d['analyses']")" "[]"
"$make_data" full "$TMP/full" && "$make_data" hostile "$TMP/hostile"
run "$OJX" diff -o "$TMP/diff.html" "$TMP/full" "$TMP/hostile"
is "a comparison as a page: exit status 0" "$status" 0
"$OJX" diff "$TMP/full" "$TMP/hostile" >"$TMP/diff.txt"
is "its rows are those of JSON" "$(figures "$TMP/diff.html" "(d['states']['new'], d['states']['gone'], d['commands'])")" \
	"$(python3 -c 'import json, sys; d = json.load(sys.stdin); print((d["states"]["new"], d["states"]["gone"], d["commands"]))' \
		< <("$OJX" diff --format=json "$TMP/full" "$TMP/hostile"))"
run "$OJX" diff --format=html "$TMP/full" "$TMP/full" -o "$TMP/same.html"
is "--format=html" "$status" 0
run "$OJX" diff -o "$TMP/x.csv" "$TMP/full" "$TMP/hostile"
is "a format that diff does not have: exit status 2" "$status" 2
check "no file then" test ! -e "$TMP/x.csv"
run "$OJX" diff -o "$TMP/full" "$TMP/full" "$TMP/hostile" --format=html
like "a recording is not overwritten" "$TMP/err" "is one of the recordings"
"$make_data" no-object "$TMP/nothing"
run "$OJX" report -i "$TMP/nothing" --format=html -o "$TMP/nothing.html"
is "nothing recorded: a page all the same" "$(figures "$TMP/nothing.html" "d['rows']")" 0

if [ -z "$(python3 -c "import sys; sys.path.insert(0, '$TOP/test'); import browser; print(browser.program() or '')")" ]; then
	skip "the page in a browser" "no Chromium here (package chromium)"
else
	"$make_data" many "$TMP/many" || exit 1
	check "a page of 100 000 contexts" "$OJX" report -i "$TMP/many" --format=html --limit=0 -o "$TMP/many.html"
	"$OJX" report -i "$TMP/many" -o "$TMP/first.html"
	is "by default it has the first 5000 lines" "$(figures "$TMP/first.html" "(d['shown'], d['left_bytes'] > 0)")" "(5000, True)"
	"${CC:-cc}" -std=gnu11 -I"$TOP/lib" -o "$TMP/units" "$TOP/test/units_text.c" "$TOP/build/libojx.a" -lm || exit 1
	"$TMP/units" >"$TMP/units.json"
	python3 "$TOP/test/t_html.py" "$checks" "$TMP" >"$TMP/browser.out" 2>&1
	browser=$?
	cat "$TMP/browser.out"
	checks=$((checks + $(grep -cE '^(not )?ok ' "$TMP/browser.out")))
	failures=$((failures + $(grep -c '^not ok ' "$TMP/browser.out")))
	is "the browser's checks were all made" "$browser" 0
fi
done_testing
