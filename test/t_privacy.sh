#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What leaves with a report (docs/privacy.md): a recording made by test/make_data.c with "hunter" in all
# parts of the command line and 4711081512 in names of threads, in every format that `ojx report` and
# `ojx diff` know. In each the shown parts are looked for, too, so that a check can fail.
. "$(dirname "$0")/lib.sh"

unset COLUMNS PAGER OJX_PAGER
compile_make_data
"$make_data" secrets "$TMP/data" || exit 1

# formats COMMAND: what the message about a wrong format lists
formats()
{
	"$OJX" "$1" --format=none 2>&1 | sed -n 's/.*is not one of: *//p' | tr -d ' ' | tr , '\n'
}

# plain FILE: its bytes, unpacked
plain()
{
	if gzip -t "$1" 2>"$TMP/null"; then
		gzip -dc "$1"
	else
		cat "$1"
	fi
}

# in FILE WORD
in_file()
{
	plain "$1" | grep -qaF -e "$2"
}

# look COMMAND FORMAT ARGUMENT...: `shown` counts the formats that have a command line
look()
{
	local command=$1 as=$2 name="$1, $2" secret
	shift 2
	"$OJX" "$command" --format="$as" -o "$TMP/short" "$@" 2>"$TMP/err"
	"$OJX" "$command" --format="$as" -o "$TMP/full" --command-line=full "$@" 2>"$TMP/err"
	check "$name: there is something" test -s "$TMP/short"
	for secret in hunter 4711081512; do
		check "$name: no '$secret'" eval '! in_file "$TMP/short" $secret'
	done
	is "$name: only the owner can read the full one" "$(stat -c %a "$TMP/full")" 600
	if in_file "$TMP/full" -Ddb.password=hunter; then
		shown="$shown $as"
		check "$name: what runs is shown" in_file "$TMP/short" com.acme.Shop
		[ "$as" = pprof ] || check "$name: what is left out is counted" \
			eval 'in_file "$TMP/short" "13 arguments left out" || in_file "$TMP/short" "\"command_left_out\":13" ||
				in_file "$TMP/short" "\"command_left_out\": 13"'
	else
		check "$name: without a command line nothing is left out" cmp "$TMP/short" "$TMP/full"
	fi
	rm -f "$TMP/short" "$TMP/full"
}

shown=
for as in $(formats report); do
	look report "$as" -i "$TMP/data"
done
is "report: formats with a command line" "$shown" " text json html speedscope pprof jfr dhat sarif junit markdown"

shown=
for as in $(formats diff); do
	look diff "$as" "$TMP/data" "$TMP/data"
done
is "diff: formats with a command line" "$shown" " text json html markdown github junit"

run "$OJX" report -i "$TMP/data" --format=json
cp "$TMP/out" "$TMP/short.json"
is "json: the command" "$(json "$TMP/short.json" "r['recording']['command']")" \
	"['env', 'java', '-Xmx512m', '-XX:+UseG1GC', 'com.acme.Shop']"
is "json: names of threads, each once" "$(json "$TMP/short.json" "r['recording']['jvms'][0]['threads']")" \
	"['http-nio-8080-exec-1', 'session #']"
"$OJX" report -i "$TMP/data" --format=json --command-line=full >"$TMP/full.json"
is "json: the whole command" "$(json "$TMP/full.json" "(len(r['recording']['command']), r['recording']['command_left_out'],
	r['recording']['jvms'][0]['threads'][1])")" "(18, 0, 'session 4711081512')"
run "$OJX" report -i "$TMP/data" --thread='session #'
is "--thread: a name as it is shown" "$status" 1
like "--thread: it matches" "$TMP/err" "nothing was recorded of those threads"
run "$OJX" report -i "$TMP/data" --thread=none
like "--thread: names in a message are shown in the same way" "$TMP/err" "'session #'"
run "$OJX" report -i "$TMP/data" --command-line=long
is "--command-line: exit status 2" "$status" 2
like "--command-line: the words" "$TMP/err" "short.*full"

done_testing
