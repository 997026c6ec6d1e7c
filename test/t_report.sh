#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `ojx report` as a command: options, files that are no recordings, output, pager. No JVM is needed:
# test/make_data.c makes the recordings. test/unit tests what a report says.
. "$(dirname "$0")/lib.sh"

unset COLUMNS NO_COLOR PAGER OJX_PAGER LESS
export LC_ALL=C.UTF-8 TERM=xterm
compile_make_data
data=$TMP/ojx.data
"$make_data" full "$data" || exit 1

report()
{
	run "$OJX" report "$@"
}

# refused TITLE STATUS REGEX: the last report failed with one line on standard error, and said
# nothing else.
refused()
{
	is "$1: exit status $2" "$status" "$2"
	is "$1: one line" "$(wc -l <"$TMP/err")" 1
	like "$1: says so" "$TMP/err" "^ojx: $3"
	is "$1: prints nothing" "$(cat "$TMP/out")" ""
}

# patched OFFSET BYTES: makes a copy of the recording with other bytes at an offset
patched()
{
	cp "$data" "$TMP/patched"
	printf "$2" | dd of="$TMP/patched" bs=1 seek="$1" conv=notrunc status=none
}

# ---- files that cannot be reported ---------------------------------------------------------

test_files()
{
	cd "$TMP/empty" || exit 1
	report
	refused "no recording" 1 "cannot open 'ojx.data': No such file or directory .*ojx record"
	cd "$TMP" || exit 1
	report -i "$TMP/nowhere"
	refused "missing file" 1 "cannot read '.*/nowhere': No such file"
	report -i "$TMP/empty"
	refused "a directory without recordings" 2 "'.*/empty' is a directory without recordings \\(\\*\\.data\\)"
	: >"$TMP/file"
	report -i "$TMP/file"
	refused "empty file" 1 "'.*/file' is empty"
	cp "$TOP/test/lib.sh" "$TMP/file"
	report -i "$TMP/file"
	refused "another file" 1 "'.*/file' is not a recording"
	patched 8 '\377'
	report -i "$TMP/patched"
	refused "another version" 1 "'.*' was recorded by another version of ojx"
	patched 3000 'damage'
	report -i "$TMP/patched"
	refused "damaged" 1 "'.*' is damaged"
	head -c 10 "$data" >"$TMP/file"
	report -i "$TMP/file"
	is "ten bytes: exit status 1" "$status" 1
}

test_nothing()
{
	"$make_data" no-jvm "$TMP/no-jvm"
	report -i "$TMP/no-jvm"
	refused "no JVM" 1 "'.*/no-jvm': no JVM was recorded"
	report --format=json -i "$TMP/no-jvm"
	is "no JVM, as JSON: exit status 1" "$status" 1
	is "no JVM, as JSON: a document" "$(json "$TMP/out" "r['contexts'] + r['recording']['jvms']")" "[]"

	"$make_data" no-object "$TMP/no-object"
	report -i "$TMP/no-object"
	is "no object: exit status 1" "$status" 1
	like "no object: says so" "$TMP/err" "^ojx: '.*': nothing was sampled"
	like "no object: the JVM's note" "$TMP/err" "^ojx: JVM 4711: it began too late"
	is "no object: no table" "$(cat "$TMP/out")" ""
}

# What came before the cut is shown, wherever the recording was cut.
test_cut_short()
{
	local size at whole=0
	size=$(stat -c %s "$data")
	head -c 400 "$data" >"$TMP/cut"
	report -i "$TMP/cut"
	is "cut before the first JVM: exit status 1" "$status" 1
	like "cut before the first JVM: says so" "$TMP/err" "it ends before any JVM was recorded"
	for at in 33 $((size / 2)) $((size - 1)); do
		head -c $at "$data" >"$TMP/cut"
		report --format=json -i "$TMP/cut"
		like "cut at $at of $size: says so" "$TMP/err" "still being written or cut short"
		check "cut at $at of $size: a document" json "$TMP/out" r
		[ "$(json "$TMP/out" "len(r['contexts']) > 0 and not r['recording']['ended']")" = True ] &&
			[ $status = 0 ] && whole=$((whole + 1))
	done
	check "a recording that was cut short is reported" test $whole -gt 0
	report -i "$TMP/cut"
	is "cut short: exit status 0" "$status" 0
	like "cut short: the header tells" "$TMP/out" "^# recorded .*has not ended"
}

# ---- options ----------------------------------------------------------------------------------

test_usage()
{
	report --sort=size -i "$data"
	refused "unknown key" 2 "--sort: 'size' is not one of: saved, .*theta.*, pairs"
	report --group-by=method -i "$data"
	refused "unknown grouping" 2 "--group-by: 'method' is not one of: context, site, class"
	report --format=xml -i "$data"
	refused "unknown format" 2 "--format: 'xml' is not one of: text, json"
	report -o "$TMP/x.foo" -i "$data"
	refused "an unknown end of a file" 2 "-o '.*/x.foo': no format is known by '.foo': .*--format .text, json"
	is "an unknown end of a file: it is not written" "$(ls "$TMP/x.foo" 2>/dev/null)" ""
	report -o "$TMP/x.foo" --format=text -i "$data"
	is "but with --format" "$status" 0
	report --color=blue -i "$data"
	refused "unknown colour" 2 "--color: 'blue' is not one of: auto, always, never"
	report --limit=-1 -i "$data"
	refused "negative limit" 2 "--limit: '-1' is out of range"
	report --min-pairs=many -i "$data"
	refused "no number" 2 "--min-pairs: 'many' is not"
	report --sorted -i "$data"
	is "unknown option: exit status 2" "$status" 2
	report "$data"
	cp "$TMP/out" "$TMP/named"
	report -i "$data"
	check "a recording may be named without -i" cmp "$TMP/out" "$TMP/named"
	report "$data" --limit=1
	is "options may stand behind it" "$status" 0
	report -i "$data" "$data"
	is "twice is an error of usage" "$status" 2
	report "$data" "$data"
	is "of two names of one recording" "$status" 0
	like "one counts, and a line says so" "$TMP/err" "is among the others already: it counts once"
	report --help
	is "--help: exit status 0" "$status" 0
	like "--help: the keys come from the table" "$TMP/out" "^ +- theta: "
	is "--help: no two figures of an analysis have one key" \
		"$(grep -oE '^ +- [a-z]+\.[a-z0-9_]+: ' "$TMP/out" | sort | uniq -d)" ""
	check "--help: there are such keys" grep -qE '^ +- lifetime\.dragged: ' "$TMP/out"
	like "--help: and so do the formats" "$TMP/out" "^ +- json: "
}

# theta, omega, gamma...: the first measured one is the largest, and nulls are last
sorted_by()
{
	report --format=json --sort="$1" -i "$data"
	is "--sort=$1" "$(json "$TMP/out" "(lambda v: len(v) > 3 and
		v == sorted(v, key=lambda x: (x is None, -(x or 0))))([$2 for c in r['contexts']])")" True
}

test_sort()
{
	local key
	for key in alpha omega gamma pairs; do
		sorted_by $key "c['replica']['$key'] if c['replica']['pairs'] >= 30 else None"
	done
	for key in theta identical; do
		sorted_by $key "(c['replica']['${key}_ci'] or [None])[0]"
	done
	sorted_by group "(c['replica']['largest_group_ci'] or [None])[0]"
	sorted_by saved "c['replica']['saved_bytes']"
	sorted_by objects "c['objects']"
	sorted_by bytes "c['bytes']"
}

test_selection()
{
	report --format=json -i "$data"
	is "contexts" "$(json "$TMP/out" "len(r['contexts'])")" 5
	report --format=json --class='com.acme.P*' -i "$data"
	is "--class" "$(json "$TMP/out" "[c['class'] for c in r['contexts']]")" \
		"$(python3 -c "print(['com.acme.Point'] * 3)")"
	report --format=json --class='byte[]' -i "$data"
	is "--class of an array" "$(json "$TMP/out" "len(r['contexts'])")" 1
	report --format=json --method='*.Shop.store' -i "$data"
	is "--method" "$(json "$TMP/out" "{c['alloc_stack'][1]['method'] for c in r['contexts']}")" \
		"{'store'}"
	report --class='com.none.*' -i "$data"
	is "nothing selected: exit status 0" "$status" 0
	like "nothing selected: says so" "$TMP/out" "^# no allocation context was selected"
	report --format=json --details --limit=2 -i "$data"
	is "--limit" "$(json "$TMP/out" "[len(r[name]) for name in ('contexts', 'lines')]")" "[2, 2]"
	report --format=json --details --limit=1 -i "$data"
	is "--limit: of findings" "$(json "$TMP/out" "[f['rank'] for f in r['findings'] if f['rule']]")" "[1]"
	report --format=json -i "$data"
	cp "$TMP/out" "$TMP/whole"
	report --format=json --limit=2 -i "$data"
	is "--limit: short, with the findings as they are" "$(json "$TMP/out" "[r['short'],
		(same := lambda a, b: abs(a - b) <= max(0.5, 5e-6 * abs(b)) if isinstance(a, (int, float)) and abs(b) >= 1e5
			else abs(a - b) <= max(1e-6, 5e-6 * abs(b)) if isinstance(a, (int, float))
			else a.keys() == b.keys() and all(same(a[k], b[k]) for k in a) if isinstance(a, dict)
			else len(a) == len(b) and all(map(same, a, b)) if isinstance(a, list) else a == b)(r['findings'],
		[f for f in json.load(open('$TMP/whole'))['findings'] if f['rank'] <= 2 or not f['rule']])]")" "[True, True]"
	is "short: a context of each finding, which avoids most" "$(json "$TMP/out" "[(c['finding'], c['class'] in
		[x['class'] for x in r['findings'][i]['classes']], 0 < c['avoidable_bytes'] <= r['findings'][i]['avoidable_bytes'] + 1)
		for i, c in enumerate(r['contexts'])]")" "[(1, True, True), (2, True, True)]"
	is "short: neither fields nor uses" "$(json "$TMP/out" "{'replica', 'fields', 'accesses'} & r['contexts'][0].keys(),
		{'callers', 'advice'} & r['lines'][0].keys()")" "(set(), set())"
	report --format=json --limit=0 -i "$data"
	is "--limit 0: whole" "$(json "$TMP/out" "r['short'], 'replica' in r['contexts'][0]")" "(False, True)"
	report --all --limit=2 -i "$data"
	like "--limit: the rest" "$TMP/out" "^# 3 more lines; --limit 0 shows all"
	report --limit=2 -i "$data"
	like "--limit: of those with something to save" "$TMP/out" \
		"^# [12] more lines? with something to save or to fix; --limit 0 shows all"
	report --all -i "$data"
	unlike "no block for a line" "$TMP/out" "^[0-9]+\. [^ ]"
	like "but how to see it" "$TMP/out" "^# all that is known of a line: the same command with Shop.java:[0-9]+; of each of these: with --details"
	report --all --details -i "$data"
	is "--all --details: a block for each line" "$(grep -cE "^[0-9]+\. [^ ]" "$TMP/out")" \
		"$(($(grep -cE '^ *[0-9]+ .* Shop.java:[0-9]+ ' "$TMP/out")))"
	report --limit=0 -i "$data"
	unlike "--limit 0: no rest" "$TMP/out" "more lines"
	report --min-pairs=1000000 --details -i "$data"
	like "--min-pairs" "$TMP/out" "too few pairs \([0-9]+ < 1000000\)"
}

# A name that ends in a number is a line, unless there is such a file.
test_line()
{
	report "$data" Shop.java:20
	is "a line: exit status 0" "$status" 0
	is "a line: its rows alone" "$(grep -oE '^ *[0-9]+ .* Shop.java:[0-9]+ ' "$TMP/out" | grep -oE 'java:[0-9]+' | sort -u)" java:20
	like "a line: with all that is known" "$TMP/out" "^    allocated  "
	like "a line: shares are of what is selected" "$TMP/out" "^1\.  Shop.load:20 makes .* % of what is selected\);"
	cp "$TMP/out" "$TMP/named"
	report Shop.java:20 -i "$data"
	check "a line: before or behind the recording" cmp "$TMP/named" "$TMP/out"
	report Shop.load:20 -i "$data"
	check "a line: by its method" cmp "$TMP/named" "$TMP/out"
	report com.acme.Shop.load:20 -i "$data"
	check "a line: by the whole name" cmp "$TMP/named" "$TMP/out"
	report -i "$data" Shop.load
	like "a method, as a line whose number is not known: what it makes" "$TMP/out" "^1\.  Shop.load:[0-9]+ makes"
	unlike "a method: that alone" "$TMP/out" "Shop\.main:[0-9]+ makes"
	report -i "$data" "$data"
	refused "a recording behind -i" 2 "'.*' is more than 'ojx report' takes: -i names the recording already"
	report -i "$data" ArrayList.java:10
	like "a line of the platform is the line of no object" "$TMP/out" "^# no allocation context was selected"
	report -i "$data" Shop.java:20 Shop.java:30
	refused "two lines" 2 "'Shop.java:30' is more than 'ojx report' takes: it shows one line, here 'Shop.java:20'"
	cp "$data" "$TMP/data:7"
	report "$TMP/data:7"
	report "$data"
	cp "$TMP/out" "$TMP/named"
	report "$TMP/data:7"
	check "a file is a recording, whatever its name" cmp "$TMP/named" "$TMP/out"
	"$make_data" findings "$TMP/findings"
	report "$TMP/findings" Shop.main:40
	like "a line: of what other analyses found" "$TMP/out" "^# silent loads"
	like "a line: where it is accessed" "$TMP/out" "… 4 pairs of places not selected"
	report "$TMP/findings" Shop.store:30
	is "a line: nothing is ignored" "$(cat "$TMP/err")" ""
	unlike "a line: pairs of other lines are left out" "$TMP/out" "Shop.main \(Shop.java:40\) +com.acme.Shop.main"
}

test_grouping()
{
	report --format=json --group-by=context -i "$data"
	cp "$TMP/out" "$TMP/contexts"
	report --format=json --group-by=site -i "$data"
	is "by site: contexts of one frame" \
		"$(json "$TMP/out" "{len(c['alloc_stack']) for c in r['contexts']}")" "{1}"
	is "by site: Points of two methods are one" "$(json "$TMP/out" \
		"[c['sampled'] for c in r['contexts'] if c['class'] == 'com.acme.Point']")" "[2000, 100]"
	report --format=json --group-by=class -i "$data"
	is "by class: one each and JVM" \
		"$(json "$TMP/out" "sorted((c['pid'], c['class']) for c in r['contexts'])")" \
		"[(4711, 'byte[]'), (4711, 'com.acme.Order'), (4711, 'com.acme.Point'), (4712, 'com.acme.Point')]"
	for key in sampled objects bytes; do
		is "by class: the sum of $key stays" "$(json "$TMP/out" "sum(c['$key'] for c in r['contexts'])")" \
			"$(json "$TMP/contexts" "sum(c['$key'] for c in r['contexts'])")"
	done
}

# ---- output -----------------------------------------------------------------------------------

test_output()
{
	cp "$data" "$TMP/copy"
	report -i "$TMP/copy" -o "$TMP/copy"
	refused "-o on the recording" 1 "'.*/copy' is the recording itself"
	ln "$TMP/copy" "$TMP/link"
	report -i "$TMP/copy" -o "$TMP/link"
	refused "-o on a link to it" 1 "'.*/link' is the recording itself"
	status=0
	"$OJX" report -i - -o "$TMP/copy" <"$TMP/copy" 2>"$TMP/err" >"$TMP/out" || status=$?
	refused "-o on standard input" 1 "'.*/copy' is the recording itself"
	check "the recording is unharmed" cmp "$data" "$TMP/copy"

	echo old >"$TMP/text"
	report -i "$data" -o "$TMP/text"
	is "-o: exit status 0" "$status" 0
	is "-o: nothing on standard output" "$(cat "$TMP/out" "$TMP/err")" ""
	report -i "$data"
	check "-o: the same text as on standard output" cmp "$TMP/out" "$TMP/text"
	status=0
	"$OJX" report -i - <"$data" >"$TMP/stdin" || status=$?
	check "-i -: the same text from standard input" cmp "$TMP/stdin" "$TMP/out"
	report -i "$data" --stdio
	check "--stdio: the same text" cmp "$TMP/stdin" "$TMP/out"
	report -i "$data" -o "$TMP/x.json"
	check "-o x.json: JSON" json "$TMP/x.json" "r['contexts']"
	report -i "$data" --format=text -o "$TMP/x.json"
	check "--format counts more than the name" cmp "$TMP/x.json" "$TMP/stdin"
	report -i "$data" -o "$TMP/no/where"
	refused "-o into no folder" 1 "cannot create '.*/no/where': No such file"

	if [ -c /dev/full ]; then
		report -i "$data" -o /dev/full
		refused "-o on a full disk" 1 "cannot write '/dev/full': No space left"
		status=0
		"$OJX" report -i "$data" >/dev/full 2>"$TMP/err" || status=$?
		is "a full disk: exit status 1" "$status" 1
	fi
	"$OJX" report -i "$data" --limit=0 2>"$TMP/err" | head -n 1 >"$TMP/out"
	is "a reader that leaves: nothing said" "$(cat "$TMP/err")" ""
}

test_text()
{
	report -i "$data"
	like "two JVMs: one line each" "$TMP/out" "^# +4712: OpenJDK 64-Bit Server VM 17.0.15\+6, G1"
	like "two JVMs: a column of pids" "$TMP/out" "^# +pid +saved"
	like "two JVMs: notes say whose" "$TMP/out" "^# note +4712: all is well"
	like "the sum" "$TMP/out" "^At least [0-9.]+ .B of [0-9.]+ .B .* is duplicate; likely "
	head -n 1 "$TMP/out" >"$TMP/first"
	like "above it the program, and its pauses" "$TMP/first" "^[0-9.]+ .B allocated in [0-9.]+ s by 2 JVMs \(JDK 17, G1\)"
	like "then the findings" "$TMP/out" "^1\.  Shop.[a-z]+:[0-9]+ makes .* \([0-9.]+ % of all\); likely .* avoidable \("
	like "each with its fix" "$TMP/out" "^    Fix:      "
	like "the line that the reader knows" "$TMP/out" " Shop.java:20  com.acme.Point$"
	unlike "statistics are asked for" "$TMP/out" "θ % \[95 %\]"
	report --group-by=context -i "$data"
	like "the site and the reader's own frame" "$TMP/out" "ArrayList.grow:10 ← Shop.load:20$"
	report --stats -i "$data"
	like "--stats" "$TMP/out" "θ % \[95 %\] +α %"
	report -i "$data"
	unlike "no escape sequence in a file" "$TMP/out" $'\x1b'
	report -i "$data" --color=always
	like "--color=always" "$TMP/out" $'\x1b'
	COLUMNS=80 report -i "$data"
	is "COLUMNS=80: no line of the table is wider" \
		"$(python3 -c 'import sys
lines = open(sys.argv[1]).read().split("\n")
at = next(i for i, l in enumerate(lines) if "saved" in l and "verdict" in l)
print(max(len(l) for l in lines[at:lines.index("", at)]) <= 80)' "$TMP/out")" True
	LC_ALL=C report --stats -i "$data"
	like "without UTF-8: Greek letters are spelled out" "$TMP/out" "theta %"
	unlike "without UTF-8: ASCII alone" "$TMP/out" $'[\x80-\xff]'

	"$make_data" hostile "$TMP/hostile"
	report -i "$TMP/hostile"
	is "hostile names: exit status 0" "$status" 0
	unlike "hostile names: no escape sequence" "$TMP/out" $'[\x1b\x07]'
	report --format=json -i "$TMP/hostile"
	check "hostile names: a document" json "$TMP/out" r
}

test_pager()
{
	export OJX_PAGER="sed s/^/PAGED:/" PAGER=false
	on_terminal "$OJX" report --stdio -i "$data" </dev/null
	is "pager: exit status 0" $? 0
	like "pager: OJX_PAGER gets the text" "$TMP/out" "^PAGED:# .*command"
	like "pager: in colour" "$TMP/out" $'\x1b'
	NO_COLOR=1 on_terminal "$OJX" report --stdio -i "$data" </dev/null
	unlike "NO_COLOR" "$TMP/out" $'\x1b'
	TERM=dumb on_terminal "$OJX" report -i "$data" </dev/null
	unlike "a dumb terminal: no colour" "$TMP/out" $'\x1b'
	on_terminal "$OJX" report --no-pager -i "$data" </dev/null
	unlike "--no-pager" "$TMP/out" "PAGED"
	on_terminal "$OJX" report --format=json -i "$data" </dev/null
	unlike "JSON is not paged" "$TMP/out" "PAGED"
	report -i "$data"
	unlike "no pager without a terminal" "$TMP/out" "PAGED"
	unset OJX_PAGER
	PAGER="sed s/^/PAGER:/" on_terminal "$OJX" report --stdio -i "$data" </dev/null
	like "pager: PAGER" "$TMP/out" "^PAGER:# .*command"
	PAGER=cat on_terminal "$OJX" report --stdio -i "$data" </dev/null
	like "pager: cat is none" "$TMP/out" "^# .*command"
	PAGER="head -n 1" on_terminal "$OJX" report --stdio --limit=0 -i "$data" </dev/null
	is "a pager that leaves early: exit status 0" $? 0
	unlike "a pager that leaves early: nothing said" "$TMP/out" "ojx:"
	unset PAGER
}

# link ADDRESS TEXT: a regular expression of a link
link()
{
	printf '\033]8;;%s\033\\\\%s\033]8;;\033\\\\' "$1" "$2"
}

test_links()
{
	local src="$TMP/a src" to folder
	mkdir -p "$src/com/acme"
	{ echo "package com.acme;"; seq 60; } >"$src/com/acme/Shop.java"
	folder=$(realpath "$TMP")/a%20src/com/acme
	to="file://$(uname -n)$folder/Shop.java"
	report --source-path "$src" -i "$data"
	unlike "a pipe: no link" "$TMP/out" $'\x1b'
	report --source-path "$src" -i "$data" --hyperlink=always --details
	like "links: of a finding" "$TMP/out" "^1\.  $(link "$to" Shop.[a-z]+:[0-9]+) makes "
	like "links: of the table" "$TMP/out" "  $(link "$to" Shop.java:20)  com.acme.Point$"
	like "links: of a stack" "$TMP/out" "com.acme.Shop.main \($(link "$to" Shop.java:40)\)"
	like "a frame without a source has none" "$TMP/out" "ArrayList.grow \(ArrayList.java:10\)"
	sed 's/\x1b]8;;[^\x1b]*\x1b\\//g' "$TMP/out" >"$TMP/plain"
	report --source-path "$src" -i "$data" --details
	check "links change nothing else" cmp "$TMP/plain" "$TMP/out"
	COLUMNS=60 report --source-path "$src" -i "$data"
	cp "$TMP/out" "$TMP/narrow"
	COLUMNS=60 report --source-path "$src" -i "$data" --hyperlink=always
	sed 's/\x1b]8;;[^\x1b]*\x1b\\//g' "$TMP/out" >"$TMP/plain"
	check "nor where lines are cut and wrapped" cmp "$TMP/plain" "$TMP/narrow"
	report --source-path "$src" -i "$data" --hyperlink=always --editor=idea
	like "--editor=idea" "$TMP/out" "$(link "idea://open\\?file=$folder/Shop.java&line=20" Shop.java:20)"
	report --source-path "$src" -i "$data" --hyperlink=always --editor='myed://{file}:{line}'
	like "--editor with an address" "$TMP/out" "$(link "myed://$folder/Shop.java:20" Shop.java:20)"
	report -i "$data" --editor=emcas
	refused "unknown editor" 2 "--editor: 'emcas' is not one of: file, idea, .*vscode"
	report -i "$data" --editor='myed://{path}'
	refused "an address without {file}" 2 "--editor: 'myed://{path}' is not an address with {file}"
	report -i "$data" --editor=$'x://{file}\x1b[2J'
	is "an address with control characters: exit status 2" "$status" 2
	report -i "$data" --hyperlink=often
	refused "unknown --hyperlink" 2 "--hyperlink: 'often' is not one of: auto, always, never"
	(cd "$src" && zip -q -r "$TMP/s.zip" com 2>/dev/null || python3 -m zipfile -c "$TMP/s.zip" com)
	report --source-path "$TMP/s.zip" -i "$data" --hyperlink=always
	unlike "a file in an archive cannot be opened" "$TMP/out" $'\x1b'
	on_terminal "$OJX" report --stdio --no-pager --color=never --source-path "$src" -i "$data" </dev/null
	like "a terminal: links" "$TMP/out" "$(link "$to" Shop.java:20)"
	OJX_PAGER="tail -n +1" on_terminal "$OJX" report --stdio --color=never --source-path "$src" -i "$data" </dev/null
	unlike "a pager that is not less: no link" "$TMP/out" $'\x1b]8'
	TERM=linux on_terminal "$OJX" report --stdio --no-pager --color=never --source-path "$src" -i "$data" </dev/null
	unlike "a console: no link" "$TMP/out" $'\x1b'
}

# Ten million snapshots and uses of a hundred thousand contexts.
test_large()
{
	"$make_data" pairs "$TMP/large" || exit 1
	check "a large recording" "$OJX" report -i "$TMP/large"
	mv "$TMP/check.out" "$TMP/file.out"
	check "is below 64 MiB" test "$(stat -c %s "$TMP/large")" -le $((64 << 20))
	like "with rows" "$TMP/file.out" "^# ([0-9]+ of|the likeliest of) [0-9]+ lines"
	"$OJX" report <"$TMP/large" -i - >"$TMP/pipe.out"
	check "reads the same from a pipe" cmp "$TMP/file.out" "$TMP/pipe.out"
	/usr/bin/env python3 - "$OJX" "$TMP/large" <<'PYTHON'
import os, subprocess, sys
process = subprocess.Popen([sys.argv[1], "report", "-i", sys.argv[2]], stdout=subprocess.DEVNULL)
memory = os.wait4(process.pid, 0)[2].ru_maxrss / 1024
sys.exit(f"{memory:.0f} MiB" if memory > 600 else 0)
PYTHON
	is "in less than 600 MiB" $? 0
	rm -f "$TMP/large"
}

# Instructions are read as those of the processor that the recording names, whichever reads them; all else is the same.
test_machines()
{
	local machine
	kept_recording waste/dead "$TMP/here"
	"$OJX" dump "$TMP/here" | sed -E 's/insn_len=[0-9,]+/insn_len=4,4/
		s/insn=[0-9,]+/insn=131,4,64,249,0,0,0,0,0,0,0,0,0,0,0,0,131,4,64,249/' >"$TMP/text"
	for machine in x86_64 aarch64 riscv64; do
		{ echo "header machine=$machine"; cat "$TMP/text"; } | "$make_data" text "$TMP/there"
		report --details --limit=0 "$TMP/there"
		sed -nE 's/^ +by  //p' "$TMP/out" | sort -u >"$TMP/$machine.code"
		grep -v '^ *by  ' "$TMP/out" >"$TMP/$machine.rest"
		like "$machine: the file names it" <("$OJX" dump --chunks "$TMP/there") "^header .* machine=$machine\$"
	done
	is "aarch64: its instructions" "$(cat "$TMP/aarch64.code")" "ldr x3, [x4, #8]  and  ldr x3, [x4, #8]"
	is "a processor that is not known: bytes" "$(cat "$TMP/riscv64.code")" "83 04 40 f9  and  83 04 40 f9"
	unlike "x86_64: others" "$TMP/x86_64.code" "ldr"
	check "aarch64: all else is the same" cmp "$TMP/x86_64.rest" "$TMP/aarch64.rest"
}

mkdir "$TMP/empty"
test_files
test_machines
test_nothing
test_cut_short
test_usage
test_sort
test_selection
test_line
test_grouping
test_output
test_text
test_pager
test_links
test_large
done_testing
