#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `ojx report` on a terminal: keys, sizes, limited terminals, and the terminal afterwards.
# test/unit/test_screen_table.c tests the table.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/tmux.sh"

compile_make_data
data=$TMP/ojx.data
"$make_data" full "$data" || exit 1
classes=$("$OJX" report --stdio --format=csv -i "$data" | tail -n +2 | wc -l)

begin 80 24 "'$OJX' report -i '$data'"
shows "a table, with lines and verdicts" "saved +likely +avoidable +bytes +(objects +)?(θ % +)?verdict +line +class *$"
shows "how many lines" "^$classes lines by likely"
narrow "no wider than the screen" 80
shows_at "the keys, on the last line" 24 "Enter opens.*q quit"
shows_at "what findings avoid, first" 3 "^The first three fixes avoid 4\.8 MB \([0-9.]+ MB to [0-9.]+ MB, 87\.4 %\)"
shows_at "three findings, a line each" 5 "^1\. Shop\.load:20: 2\.3 MB \(41\.6 %\) avoidable, likely\. "
shows_at "the last of them" 7 "^3\. Shop\.load:20: "
shows_at "then the table" 8 "saved +likely"
keys Enter
shows "Enter opens a finding" "^    Problem:  ArrayList.grow at Shop.load:20"
shows "its fix" "^    Fix: "
shows "its callers" "^    Callers: "
shows "its classes and lines" "^ *2\.3 MB +2\.3 MB +likely +Shop.java:20 +Point"
keys n
shows "n: the next finding" "^2\.  Shop.store:30 makes"
keys y
shows "y: the finding's line" "^Shop.java:30 was sent"
keys Enter
shows "Enter there: only its lines" "^1 of $classes lines are of finding 2 "
shows_at "it is one" 9 "replica +Shop.java:30 +Point"
keys Tab
shows "Tab: its classes" "^1 of [0-9]+ class(es)? are of finding 2 "
keys Tab Tab Escape
shows "Escape: all lines" "Enter opens"
keys f Down Down Down Down Up Enter
shows "down from the last finding to the table" "^    verdict "
keys q Up Enter
shows "up from its first line to the findings" "^3\.  Shop.load:20 makes"
keys q
screen
first=$(sed -n 9p "$TMP/screen")
same_first()
{
	screen && [ "$(sed -n 9p "$TMP/screen")" = "$first" ]
}

check "with lines" test -n "$first"
keys o
shows "a letter sorts" "lines by objects"
keys '<'
shows "< sorts by the column to the left" "lines by bytes"
keys '<'
shows "and once more" "lines by avoidable"
keys '<'
shows "and to the first one that sorted them" "lines by likely"
check "the same order again" wait_for 60 same_first
keys Enter
shows "Enter opens a line" "^1\. "
shows "its verdict" "^    verdict "
keys NPage
shows "its stack, a page further on" "^    allocated at"
keys n
shows "n: the next line" "^2\. "
keys N
shows "N: the one before" "^1\. "
keys q
shows "q: back" "Enter opens"
keys /
keys -l zzzz
shows "a filter as one types" "class or package: zzzz"
shows "nothing matches" "no line matches"
keys Escape
shows "Escape: all again" "^$classes lines by likely"
keys /
keys -l acme.Order
keys Enter
shows "a filter that is kept" "[0-9]+ of $classes match 'acme.Order'"
keys Escape
keys h
shows "help" "Sorting by one letter"
keys q
keys i
shows "the recording" "^# command"
keys q
tm resize-window -t s -x 200 -y 50
shows "a wider screen: more columns" "θ % \[95 %\].*verdict +line +class +site"
shows "the last line is the last one" "Enter opens.*q quit"
shows_at "it is line 50" 50 "q quit"
tm resize-window -t s -x 30 -y 6
sleep 0.5
narrow "a small screen: no wider" 30
tm resize-window -t s -x 80 -y 24
keys Tab
shows "Tab: classes" "^[1-9][0-9]* class(es)? by likely"
shows "classes have no place" "verdict +class *$"
keys y
shows "y: a class has no line" "^a class is made at many lines: press Tab"
tm resize-window -t s -x 45 -y 24
shows "what does not fit is left out as a whole" "^[1-9][0-9]* class.* by likely( · [0-9.]+ [a-z]+( objects sampled| pairs)?)*$"
tm resize-window -t s -x 80 -y 24
keys Tab
shows "Tab: stacks" "^[1-9][0-9]* stacks? by likely"
shows "stacks have a site" "verdict +class +site *$"
keys Tab
shows "Tab: lines again" "^$classes lines by likely"
keys /
keys -l acme.Point
keys Enter
keys s
shows "s: the line's file" "^# com/acme/Shop.java: "
shows "s: no source" "^# no source: --source-path"
shows "s: its line" " +20 │ Shop.load$"
keys q
keys y
shows "y: tells what it copies" "^Shop.java:20 was sent to the terminal's clipboard"
is "y: the clipboard" "$(tm show-buffer)" "Shop.java:20"
echo mine >"$TMP/ojx.html"
keys e
shows "e: a page, and its name" "^written to 'ojx-2.html'"
is "e: nothing is overwritten" "$(cat "$TMP/ojx.html")" mine
like "e: it is a page" "$TMP/ojx-2.html" "</html>"
shows "e: the screen is whole" "lines by likely"
rm "$TMP/ojx-2.html" "$TMP/ojx.html"
keys h
shows "help names the keys" "^ +e +writes a page"
keys q q
ended "q" 0

mkdir -p "$TMP/src/com/acme"
{ echo "package com.acme;"; for i in $(seq 2 60); do echo "line $i"; done; } |
	sed '21s/$/ is longer than the screen is wide: it is cut, and the arrows scroll, sideways, to its end/' \
		>"$TMP/src/com/acme/Shop.java"
begin 80 40 "'$OJX' report -i '$data' --source-path '$TMP/src'"
shows "with sources" "lines by likely"
keys /
keys -l acme.Point
keys Enter
keys s
shows "s: its source" " +20 │ line 20$"
shows "s: a long line is cut" " +21 │ line 21 is longer .*…$"
keys Right Right Right
shows "s: right: its end" "sideways, to its end$"
narrow "s: no wider than the screen" 80
keys Left Left Left
shows "s: left: its beginning" " +20 │ line 20$"
keys q
keys q
ended "with sources" 0

begin 80 24 "'$OJX' report -i '$data'"
shows "before Ctrl-C" "lines by likely"
keys C-c
ended "Ctrl-C" 130

begin 80 24 "'$OJX' report -i '$data'"
shows "before SIGTERM" "lines by likely"
kill -TERM "$(process)"
ended "SIGTERM" 143

begin 80 24 "NO_COLOR=1 '$OJX' report -i '$data'"
shows "NO_COLOR: a table" "lines by likely"
shows "NO_COLOR: all of it" "q quit"
shows_ink "NO_COLOR: the cursor is reverse" $'\x1b\\[[0-9;]*7[;m]'
unlike "NO_COLOR: no colours" "$TMP/screen" $'\x1b\\[[0-9;]*3[1-7][;m]'
keys q
begin 80 24 "TERM=screen-256color '$OJX' report -i '$data'"
shows "colours: a table" "lines by likely"
keys Enter
keys q
shows_ink "colours where there are some" $'\x1b\\[[0-9;]*3[1-7][;m]'
keys q

begin 80 24 "LC_ALL=C TERM=vt100 '$OJX' report -i '$data'"
shows "a plain terminal: a table" "lines by likely"
keys t
shows "a plain terminal: names of measures" "theta %"
shows_at "a plain terminal: all of it" 24 "q quit"
is "a plain terminal: ASCII" "$(LC_ALL=C grep -c $'[\x80-\xff]' "$TMP/screen")" 0
keys Enter
shows "a plain terminal: a line" "^1\. "
keys q q
ended "a plain terminal" 0

# findings beside contexts
"$make_data" findings "$TMP/findings" || exit 1
begin 160 120 "'$OJX' report -i '$TMP/findings'"
keys /
keys -l acme.Point
keys Enter
shows "sampled accesses: the class" "match 'acme.Point'"
keys Enter
shows "sampled accesses: of a line's objects" "^ +locality +47\.5 % \[26.70\] of the time at accesses to the heap"
shows "sampled accesses: by whom" "63\.2 % com\.acme\.Shop\.main \(Shop\.java:40\)"
keys q i
shows "wasteful operations with the recording" "^# dead stores: 47\.8 %"
keys End
shows "and locality" "^# locality: shares of the page faults"
keys q q

begin 80 24 "TERM=dumb OJX_PAGER='tail -n 3' '$OJX' report -i '$data'"
shows "a dumb terminal: printed" "^STATUS 0"
begin 80 24 "'$OJX' report --stdio --no-pager --limit=1 -i '$data'"
shows "--stdio: printed" "^STATUS 0"
begin 80 24 "'$OJX' report --format=csv -i '$data'"
shows "another format: printed" "^STATUS 0"
done_testing
