#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `ojx annotate`: source lines, and what a recording made by test/make_data.c knows of them: methods
# of com.acme.Shop on the lines 20 (load), 30 (store) and 40 (main), and ArrayList.grow on line 10,
# which the first two call. Last, wasteful operations of a real program.
. "$(dirname "$0")/lib.sh"

unset COLUMNS NO_COLOR PAGER OJX_PAGER LESS
export LC_ALL=C.UTF-8 TERM=xterm
compile_make_data
data=$TMP/ojx.data
"$make_data" full "$data" || exit 1

# A source of Shop.java: line N says "line N"; 20 has a tab, and 21 control characters.
mkdir -p "$TMP/src/com/acme"
{
	echo "package com.acme;"
	for i in $(seq 2 60); do
		case $i in
		20) printf '\tload(); // line 20\n' ;;
		21) printf '\033[2J line 21\r\n' ;;
		*) echo "line $i" ;;
		esac
	done
} >"$TMP/src/com/acme/Shop.java"

annotate()
{
	run "$OJX" annotate -i "$data" "$@"
}

# ---- the list -------------------------------------------------------------------------------

annotate
is "list: exit status 0" "$status" 0
like "list: says that there is no source" "$TMP/out" "^# no source: --source-path"
like "list: the line that makes most" "$TMP/out" "^1 .* Shop.java:20 .* load$"
like "list: and what" "$TMP/out" "Shop.java:20 .*Point"
unlike "list: lines of the JDK count for others" "$TMP/out" "ArrayList.java:10"
annotate --jdk
like "list: --jdk" "$TMP/out" "^1 .* ArrayList.java:10"
annotate --sort=uses
like "list: --sort=uses" "$TMP/out" "^1 .* Shop.java:40 .* main$"
annotate --limit=1
like "list: --limit" "$TMP/out" "^# 2 more lines; --limit 0 shows all"
annotate --source-path "$TMP/src"
like "list: with source" "$TMP/out" "Shop.java:20 .* load\(\); // line 20$"
annotate --class 'byte[]'
like "list: filtered" "$TMP/out" "^1 .* Shop.java:30"
unlike "list: filtered: no other" "$TMP/out" "Shop.java:20"

# ---- a file ---------------------------------------------------------------------------------

annotate --source-path "$TMP/src" Shop
is "file: exit status 0" "$status" 0
like "file: its path" "$TMP/out" "^# com/acme/Shop.java: "
like "file: where the source is" "$TMP/out" "^# source .*/src: com/acme/Shop.java"
like "file: objects beside the line, and the tab" "$TMP/out" "MB .* 20 │         load\(\); // line 20$"
like "file: who calls a line" "$TMP/out" "│ +· called by the start of a thread \(100\.0 %\)"
like "file: uses beside the line" "$TMP/out" " +2.4 k +40 │ line 40$"
like "file: what the JDK made for it" "$TMP/out" "│ +· com.acme.Point, in a call, JVM 4711: .* objects.*, θ 100.0 %, replica"
like "file: lines around" "$TMP/out" "^ +16 │ line 16$"
unlike "file: no further lines" "$TMP/out" "^ +15 │"
like "file: a gap of one line is none" "$TMP/out" "^ +25 │ line 25$"
unlike "file: nothing steers the terminal" "$TMP/out" $'[\x1b\r]'
annotate --source-path "$TMP/src" -C 0 Shop.java
is "-C 0: the known lines alone" "$(grep -cE '[0-9]+ │ ' "$TMP/out")" 3
annotate --source-path "$TMP/src" -W Shop.java
is "-W: all lines" "$(grep -cE '[0-9]+ │' "$TMP/out")" 60
annotate --source-path "$TMP/src" -C 0 com.acme.Shop:30
is "FILE:LINE: that line" "$(grep -oE '[0-9]+ │ .*' "$TMP/out" | head -n 1)" "30 │ line 30"
is "FILE:LINE: no other" "$(grep -cE '[0-9]+ │ ' "$TMP/out")" 1
annotate Shop
like "no source: said" "$TMP/out" "^# no source: "
like "no source: the line's number and method" "$TMP/out" " 30 │ Shop.store$"
annotate --source-path "$TMP/src" ArrayList
like "no source of that file: said" "$TMP/out" "^# no source of that name"
head -n 25 "$TMP/src/com/acme/Shop.java" >"$TMP/short" && mkdir -p "$TMP/old/com/acme" &&
	mv "$TMP/short" "$TMP/old/com/acme/Shop.java"
annotate --source-path "$TMP/old" Shop
like "source of another version: said" "$TMP/out" "^# 2 lines of the recording lie beyond its end"
annotate --color=always --source-path "$TMP/src" Shop
like "colours: a hot line is red" "$TMP/out" $'\x1b\\[1;31m.*load'
LC_ALL=C annotate --source-path "$TMP/src" Shop
unlike "without UTF-8: ASCII alone" "$TMP/out" $'[\x80-\xff]'

# ---- links ----------------------------------------------------------------------------------

# link ADDRESS TEXT: a regular expression of a link
link()
{
	printf '\033]8;;%s\033\\\\%s\033]8;;\033\\\\' "$1" "$2"
}

folder=$(realpath "$TMP/src/com/acme")
annotate --hyperlink=always --source-path "$TMP/src"
like "a link in the list" "$TMP/out" "  $(link "file://[^/]*$folder/Shop.java" Shop.java:[0-9]+)  "
annotate --hyperlink=always --editor=vscode --source-path "$TMP/src" Shop
like "links beside the source" "$TMP/out" "  $(link "vscode://file$folder/Shop.java:16" 16) │ line 16$"
annotate --hyperlink=always
unlike "no source: no link" "$TMP/out" $'\x1b'
annotate --hyperlink=never --source-path "$TMP/src"
unlike "--hyperlink=never: no link" "$TMP/out" $'\x1b'
on_terminal "$OJX" annotate -i "$data" --no-pager --color=never --source-path "$TMP/src" </dev/null
like "on a terminal: links" "$TMP/out" "$(link "file://[^/]*$folder/Shop.java" Shop.java:[0-9]+)"

# ---- errors ---------------------------------------------------------------------------------

annotate Nowhere
is "an unknown file: exit status 1" "$status" 1
like "an unknown file: says so" "$TMP/err" "^ojx: nothing is known of 'Nowhere'"
is "an unknown file: prints nothing" "$(cat "$TMP/out")" ""
annotate Shop --source-path "$TMP/src"
cp "$TMP/out" "$TMP/behind"
annotate --source-path "$TMP/src" Shop
is "an option behind: exit status 0" "$status" 0
check "an option behind: the same" cmp "$TMP/behind" "$TMP/out"
annotate --source-path "$TMP/nowhere"
is "no such source path: exit status 1" "$status" 1
like "no such source path: says so" "$TMP/err" "^ojx: --source-path: cannot read '.*/nowhere'"
run "$OJX" annotate -i "$TMP/nowhere"
is "no recording: exit status 1" "$status" 1
annotate --sort=colour
is "unknown key: exit status 2" "$status" 2

# ---- JSON -----------------------------------------------------------------------------------

annotate --format=json --source-path "$TMP/src"
is "JSON: files" "$(json "$TMP/out" "sorted(f['path'] for f in r['files'])")" \
	"['com/acme/Shop.java', 'java/util/ArrayList.java']"
is "JSON: lines, their source and uses" "$(json "$TMP/out" "[(l['line'], l['source'], l['uses'])
	for f in r['files'] if f['path'].endswith('Shop.java') for l in f['lines']]")" \
	"[(20, '\tload(); // line 20', 0), (30, 'line 30', 0), (40, 'line 40', 2403)]"
is "JSON: a class" "$(json "$TMP/out" "[(c['class'], c['in_call'], c['verdict']) for f in r['files']
	if f['path'].endswith('Shop.java') for c in f['lines'][0]['makes'] if c['pid'] == 4711]")" \
	"[('com.acme.Point', True, 'replica'), ('com.acme.Order', True, 'distinct')]"
on_terminal "$OJX" annotate --format=json -i "$data" </dev/null
unlike "JSON: not paged" "$TMP/out" $'\x1b'
OJX_PAGER="sed s/^/PAGED:/" on_terminal "$OJX" annotate -i "$data" </dev/null
like "a terminal: paged" "$TMP/out" "^PAGED:# "
"$make_data" hostile "$TMP/hostile"
run "$OJX" annotate -i "$TMP/hostile"
unlike "hostile names: no escape sequence" "$TMP/out" $'[\x1b\x07]'
run "$OJX" annotate -i "$TMP/hostile" --format=json
check "hostile names: a document" json "$TMP/out" r
done_testing
