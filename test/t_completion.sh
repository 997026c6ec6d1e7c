#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The bash completion offers everything that ojx accepts: commands, options of --help, words of
# options.
. "$(dirname "$0")/lib.sh"

. "$TOP/docs/completion/ojx.bash"
mkdir "$TMP/dir"
cd "$TMP/dir" || exit 1
touch some.data some.other

# complete WORD...: the offers for the last word after `ojx`, one a line, sorted
offer()
{
	COMP_WORDS=("$OJX" "$@")
	COMP_CWORD=$#
	COMPREPLY=()
	_ojx 2>"$TMP/err"
	printf '%s\n' "${COMPREPLY[@]}" | sort -u
}

# offers TITLE WANT WORD...
offers()
{
	local title=$1 want=$2
	shift 2
	is "$title" "$(offer "$@" | tr '\n' ' ')" "$want "
	is "$title: and says nothing" "$(cat "$TMP/err")" ""
}

"$OJX" help | sed -nE 's/^  ([a-z]+)  +[a-z].*/\1/p' | sort >"$TMP/commands"
offer "" >"$TMP/offered"
check "all commands are offered" diff "$TMP/commands" "$TMP/offered"
check "there are commands" grep -qx diff "$TMP/commands"
offers "a command by its beginning" "diff" di
offers "the commands of help" "doctor" help doc

while read -r command; do
	case $command in help | version) continue ;; esac
	"$OJX" "$command" --help=all | sed -nE 's/^  (-[a-zA-Z], |    )(--[a-z-]+).*/\2/p' | sort >"$TMP/want"
	offer "$command" -- >"$TMP/offered"
	check "$command: all options are offered" diff "$TMP/want" "$TMP/offered"
	check "$command: there are options" grep -qx -- --help "$TMP/want"
done <"$TMP/commands"

offers "an option by its beginning" "--group-by" report --gr
offers "the words of --sort" "saved" report --sort sa
offers "the words of -s" "theta" report -s the
offers "the words of --sort=" "omega" report --sort = om
offers "the words of --group-by" "class context line site" report --group-by ""
offers "the words of --color" "never" diff --color n
offers "the words of --hyperlink" "never" annotate --hyperlink n
offers "the names of --editor" "vscode vscode-insiders vscodium" report --editor vs
offers "the words of --event" "dead-store" record -e dea
offers "the words of --sampler" "page-faults" record --sampler pag
offers "the word of list" "jvms" list j
offers "columns of conditions" "saved>" diff --fail-if sav
offers "findings in conditions" "avoidable>" report --fail-if avo
offers "keys with digits" "lifetime.p90_bytes lifetime.p90_collections lifetime.p90_s" report --sort lifetime.p
offers "the formats of diff" "junit" diff --format ju
offers "the words of --phase" "going-on" report --phase go
offers "files of -i" "some.data some.other" report -i some
offers "recordings of diff" "some.data" diff some.d
offers "a recording of dump" "some.data" dump some.d
offers "the types of dump" "thin thread" dump --type th
offers "a recording of report" "some.data" report some.d
offers "the command of record" "readlink" record -o x readlin
offers "the command of record behind --" "readlink" record -- readlin
offers "files of the recorded command" "some.data some.other" record -q -- cat some
is "nothing of ojx for the recorded command" "$(offer record -- cat --bud)" ""

if command -v zsh >/dev/null; then
	check "zsh can read its completion" zsh -n "$TOP/docs/completion/_ojx"
else
	skip "zsh can read its completion" "no zsh"
fi
done_testing
