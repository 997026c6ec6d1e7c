#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ojx.1 and `ojx COMMAND --help` name the same commands, options and arguments.
. "$(dirname "$0")/lib.sh"

page=$TOP/ojx.1

# section COMMAND: the part of the page that describes it, from its heading to the next
section()
{
	awk -v heading=".Ss ojx $1" '
		/^\.S[sh] / { inside = $0 == heading }
		inside' "$page"
}

# "o output FILE" for `.It Fl o , Fl -output Ar file`
page_options()
{
	section "$1" | sed -nE 's/^\.It (Fl [a-zA-Z] , )?Fl -([a-z-]+)( Ar [a-z]+)?$/\1|\2|\3/p' |
		sed -E 's/Fl ([a-zA-Z]) , /\1/; s/ Ar //' | tr a-z A-Z | sort
}

# the same for `  -o, --output FILE  help`, of --help=all
help_options()
{
	"$OJX" "$1" --help=all |
		sed -nE 's/^  (-[a-zA-Z], |    )--([a-z-]+)( [A-Z]+)?( .*)?$/\1|\2|\3/p' |
		sed -E 's/^ +//; s/^-([a-zA-Z]), /\1/; s/\| /|/' | tr a-z A-Z | sort
}

for command in $("$OJX" help | sed -nE 's/^  ([a-z]+)  +[a-z].*/\1/p' | grep -vx -e help -e top); do
	help_options $command >"$TMP/help"
	page_options $command >"$TMP/page"
	check "$command: --help lists options" test -s "$TMP/help"
	check "$command: the options of --help and of ojx.1 are the same" diff "$TMP/help" "$TMP/page"
done
# the options that top has besides those of record
help_options top | sort -u >"$TMP/all"
help_options record >"$TMP/record"
comm -23 "$TMP/all" "$TMP/record" >"$TMP/help"
page_options top | comm -23 - "$TMP/record" >"$TMP/page"
check "top: its own options are the same in --help and ojx.1" diff "$TMP/help" "$TMP/page"
is "top takes all options of record" "$(comm -13 "$TMP/all" "$TMP/record")" ""

for command in $("$OJX" help | sed -nE 's/^  ([a-z]+)  +[a-z].*/\1/p' | grep -vx help); do
	is "ojx help $command is ojx $command --help" "$("$OJX" help "$command")" "$("$OJX" "$command" --help)"
	is "the synopsis of ojx.1 has $command" "$(sed '/^\.Sh DESCRIPTION/q' "$page" | grep -cx "\.Cm $command")" 1
done
# What --help leaves out is in --help=all, and is little enough for a screen.
"$OJX" record --help | sed -nE 's/^  (-[a-zA-Z], |    )--([a-z-]+).*/\2/p' | sort >"$TMP/brief"
"$OJX" record --help=all | sed -nE 's/^  (-[a-zA-Z], |    )--([a-z-]+).*/\2/p' | sort >"$TMP/all"
is "record --help: all of it is in --help=all" "$(comm -23 "$TMP/brief" "$TMP/all")" ""
check "record --help: it fits on a screen" [ "$("$OJX" record --help | wc -l)" -le 24 ]
like "record --help: it names --help=all" <("$OJX" record --help) '--help=all'
check "record --help: it leaves some out" [ "$(wc -l <"$TMP/brief")" -lt "$(wc -l <"$TMP/all")" ]
is "of others --help has all" "$("$OJX" report --help)" "$("$OJX" report --help=all)"
"$OJX" help | sed -nE 's/^  ([a-z]+)  +[a-z].*/\1/p' | sort >"$TMP/help"
sed -n 's/^\.Ss ojx //p' "$page" | sort >"$TMP/page"
check "help lists commands" test -s "$TMP/help"
check "the commands of help and of ojx.1 are the same" diff "$TMP/help" "$TMP/page"

# words COMMAND OPTION NEXT: the values of OPTION that --help lists; NEXT is the option after it.
words()
{
	"$OJX" "$1" --help | sed -nE "/^ .*--$2 /,/^ .*--$3 /s/^ +- ([^ :]+): .*/\1/p" | sort
}

# Keys of single analyses, "waste.count", that the page has in a sentence.
page_keys()
{
	section "$1" | grep '^\.Cm ' | tr ' ' '\n' | grep -E '^[a-z]+\.[a-z0-9_]+$' | sort -u
}

# same_words OPTION NEXT WORD...: the values of OPTION, which come from a table, are the same in
# both, and include the WORDs.
same_words()
{
	local option=$1 next=$2
	shift 2
	words report $option $next | grep -v '\.' >"$TMP/help"
	section report | sed -nE "/^\.It .*Fl -$option /,/^\.It .*Fl -$next /s/^\.It Cm //p" |
		sort >"$TMP/page"
	check "--$option: the words of --help and of ojx.1 are the same" diff "$TMP/help" "$TMP/page"
	for word in "$@"; do
		like "--$option: $word" "$TMP/help" "^$word\$"
	done
}

same_words sort metric theta saved
same_words metric group-by bytes accesses
same_words format output text json
words report sort metric | grep '\.' >"$TMP/help"
page_keys report >"$TMP/page"
like "--sort: keys with digits are seen" "$TMP/help" '^lifetime.p90_s$'
check "--sort: ojx.1 names keys of analyses" [ "$(wc -l <"$TMP/page")" -gt 10 ]
is "--sort: there are all the keys of analyses that ojx.1 names" "$(comm -13 "$TMP/help" "$TMP/page")" ""
words heap sort class >"$TMP/help"
page_keys heap | grep '^heap\.' >"$TMP/page"
check "heap --sort: the keys of --help and of ojx.1 are the same" diff "$TMP/help" "$TMP/page"

if command -v groff >/dev/null; then
	groff -mandoc -ww -Tutf8 "$page" 2>"$TMP/words" >"$TMP/text"
	is "groff has nothing to say against ojx.1" "$(cat "$TMP/words")" ""
else
	skip "groff has nothing to say against ojx.1" "no groff"
fi

done_testing
