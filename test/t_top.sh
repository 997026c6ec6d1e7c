#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `ojx top`, without a terminal and on one: contents, keys, the program's streams, exit status and
# signals, running recordings.
. "$(dirname "$0")/lib.sh"

home=$("$TOP/agent/jdks.sh" | head -n 1)
"$home/bin/javac" -nowarn -d "$TMP" "$TOP/test/jvm/Paced.java" || exit 1
paced="$home/bin/java -Xmx64m -XX:+UseSerialGC -cp $TMP Paced"
cd "$TMP" || exit 1
# temporary recordings are made here: at the end nothing may be left
mkdir "$TMP/run"
export TMPDIR=$TMP/run

# ---- without a terminal ----------------------------------------------------------------------

# prints the numbers of lines "out N" that are missing or out of order
whole()
{
	awk '$1 == "out" && $2 != n++ { print "out " $2 " is not " n - 1 } END { if (n < 20) print "too few" }' "$1"
}

# ends_when COMMAND...: ends the process $! once the command succeeds, within two minutes; sets
# `status`. Programs run until they are told to end, so nothing depends on the speed of the machine.
ends_when()
{
	wait_for 120 "$@"
	touch "$TMP/end"
	reap $!
	rm "$TMP/end"
}

# The first seconds of a rate's mean are from before the program ran.
enough_tables()
{
	[ "$(grep -c 'Paced\$Point' "$TMP/out")" -ge 7 ] && grep -q "^err 20$" "$TMP/err"
}

echo "some input" | "$OJX" top -d 1 --budget 50 -- $paced 600 7 end >"$TMP/out" 2>"$TMP/err" &
ends_when enough_tables
is "batch: exit status" "$status" 7
check "batch: several tables" test "$(grep -c '^# .* by saved/s' "$TMP/out")" -ge 4
like "batch: headings" "$TMP/out" "^ *saved/s +bytes/s +objects/s .*class +site"
like "batch: what findings avoid" "$TMP/out" "^# (The first .* avoids? [0-9.]+ .?B|No fix is known yet)"
like "batch: the line of the program" "$TMP/out" "Paced\\\$Point +Paced.make:"
is "batch: standard output is whole" "$(whole "$TMP/out")" ""
like "batch: its last line is the program's" <(tail -n 1 "$TMP/out") "^done after"
is "batch: no table behind what the program wrote" "$(sed -n '/^out 0$/,$p' "$TMP/out" | grep -c '^#')" 0
like "batch: standard error is the program's" "$TMP/err" "^err 20$"
like "batch: its input, too" "$TMP/out" "^read 11 bytes"
is "batch: no recording is left" "$(ls "$TMP"/*.data "$TMP"/run/* 2>/dev/null)" ""
unlike "batch: no escape sequences" "$TMP/out" $'\x1b'

run "$OJX" top -n 1 -d 0.5 --limit=1 -- $paced 2 0
is "-n 1: one table" "$(grep -c '^# .* by saved/s' "$TMP/out")" 1
like "-n 1: the program goes on" "$TMP/out" "^done after"
run "$OJX" top -- "$TMP/nothing"
is "not found: 127" "$status" 127
run "$OJX" top -b -- "$TMP"
is "not executable: 126" "$status" 126
run "$OJX" top --sort=nonsense -- true
is "a wrong option: 125" "$status" 125
like "a wrong key: the right ones" "$TMP/err" "^ojx: --sort: 'nonsense' is not one of: saved/s, bytes/s"
run "$OJX" top -p $$
is "no recording: 125" "$status" 125
like "no recording, and no JVM: says so" "$TMP/err" "^ojx: pid $$ \\(.*\\) is not a JVM"
# Of rounds of 50 000 points there are as many as the program made: of 1000 samples, a quarter is eight standard deviations.
# (test_rates.c has the rates.)
points()
{
	"$OJX" report --format=json -i "$TMP/kept.data" >"$TMP/kept.json" 2>"$TMP/kept.err" &&
		json "$TMP/kept.json" "[sum(c[k] for c in r['contexts'] if c['class'] == 'Paced\$Point') for k in ('objects', 'sampled')]"
}

enough_points()
{
	[ "$(points | grep -cE ', [0-9]{4,}\]')" = 1 ]
}

"$OJX" top -o "$TMP/kept.data" -d 0.5 -q --interval 64k -- $paced 600 0 end >"$TMP/out" 2>"$TMP/err" &
ends_when enough_points
made=$(sed -n 's/^done after \([0-9]*\) in .*/\1/p' "$TMP/out")
is "-o: as many as the program made" "$(python3 -c "objects, n = $(points)
print([(objects, n)] if n < 1000 or abs(objects / ($made * 50000) - 1) > 0.25 else [])" 2>&1)" "[]"
run "$OJX" report --stdio --all -i "$TMP/kept.data"
like "-o: kept" "$TMP/out" "Paced\\\$Point"
run "$OJX" top -b -d 60 -- sh -c 'kill -TERM $$'
is "a signal that kills the program kills ojx" "$status" 143
rm -f "$TMP/kept.data"

# ---- a recording that runs -------------------------------------------------------------------

"$OJX" record -q -o "$TMP/watched.data" --budget 50 $paced 600 3 end </dev/null >/dev/null 2>&1 &
recorder=$!
wait_for 60 reports "$TMP/watched.data" 'Paced\$Point'
jvm=$(pgrep -P $recorder -x java) # not earlier: the recorder has other children first

# watch PID: tables of a running recording, more of them on a slow machine
watch()
{
	local n
	for n in 4 20 60; do
		run "$OJX" top -p "$1" -n $n -d 1
		! grep -q 'Paced\$Point' "$TMP/out" || break
	done
}

watch $recorder
like "-p: of the recorder" "$TMP/out" "Paced\\\$Point"
is "-p: exit status 0" "$status" 0
watch "$jvm"
like "-p: of its JVM" "$TMP/out" "Paced\\\$Point"
touch end
wait $recorder
is "a recording that was watched ends as it would have" $? 3
run "$OJX" report --stdio -i "$TMP/watched.data"
is "and is whole" "$(cat "$TMP/err")" ""

# ---- on a terminal ---------------------------------------------------------------------------

. "$TOP/test/tmux.sh"

rm end
begin 80 24 "'$OJX' top -d 1 --budget 50 -- $paced 600 5 end 2>'$TMP/own-err'"
shows "a live table" "lines? by saved/s"
shows "the program's line" "Paced\\\$Point"
shows "what findings avoid" "^(The first .* avoids? [0-9.]+ .?B|No fix is known yet)"
shows "a finding" "^(1\.|–) .* [0-9.]+ .?B \\([<>0-9.]+ %\\) (avoidable|made)"
shows "its last minute" "[▁▂▃▄▅▆▇█]"
unlike "the program does not write on it" "$TMP/screen" "^(out|err|read) "
narrow "no wider than the screen" 80
keys u
shows "u: what it wrote" "^out [0-9]+"
keys q
keys p
shows "p: paused" "\[paused\]"
keys p
shows "p: goes on" "ojx top  java"
# with a filter: the first line may change at any time
keys /
keys -l 'Paced$Point'
keys Enter
shows "/: the program's lines alone" "^[1-9][0-9]* of [0-9]+ match 'Paced\\\$Point'"
keys Enter
shows "Enter: a line" "^[0-9]+\. Paced"
keys q Escape
shows "Escape: all lines" "Enter opens"
tm resize-window -t s -x 200 -y 50
shows "resized: more columns" "objects/s +trend +θ %"
keys b
shows "sorted by b" "by bytes/s"
keys Tab
shows "Tab: classes" "^[1-9][0-9]* class(es)? by bytes/s · [1-9]"
keys Tab
shows "Tab: stacks" "^[1-9][0-9]* stacks? by bytes/s"
keys Tab
shows "Tab: lines, with rates" "^[1-9][0-9]* lines? by bytes/s"
keys e
shows "e: a page" "written to 'ojx.html'"
like "e: of what was seen" "$TMP/ojx.html" "Paced"
keys w
shows "w: a recording" "written to 'ojx.data'"
run "$OJX" report --stdio --all -i "$TMP/ojx.data"
like "w: it can be reported" "$TMP/out" "Paced\\\$Point"
is "w: it has an end" "$(cat "$TMP/err")" ""
keys r
shows "r: counting from now on" "counting from now on"
touch end
shows "the program has ended" "· ended"
keys q
ended "its own exit status" 5
tm capture-pane -p -S - -t s >"$TMP/all"
is "what it wrote came out, whole" "$(whole "$TMP/all")" ""
like "to its end" "$TMP/all" "^done after"
like "its standard input was empty" "$TMP/all" "^read 0 bytes"
like "a stream that is no terminal is the program's" "$TMP/own-err" "^err 20$"
unlike "and is not shown" "$TMP/all" "^err"

rm end "$TMP/own-err"
begin 120 24 "'$OJX' top -d 600 --sort=bytes/s --budget 50 -- $paced 600 0 end 2>'$TMP/own-err'"
wait_for 60 grep -q "^err 60$" "$TMP/own-err"
touch end
shows "a program that ends before the second look" "· ended"
shows "its line is the first" "^ *[0-9.]+ .?B .*Paced\\\$Point"
rm end
keys q
ended "and is left" 0

begin 80 24 "'$OJX' top -- $paced 600 0"
shows "before Ctrl-C" "Paced"
keys C-c
ended "Ctrl-C reaches the program" 130

begin 80 24 "'$OJX' top -- $paced 600 0"
shows "before q" "Paced"
keys q
shows "q asks" "quit: q or d detaches, the program runs on; s stops it"
keys x
shows "any other key stays" "Enter opens"
keys q
keys s
ended "s stops the program" 143

begin 80 24 "'$OJX' top -- $paced 600 4 end"
shows "before leaving" "Paced"
keys q
keys q
shows "left: its output passes through" "^out [0-9]+"
touch end
shows "left: on and on" "^done after"
ended "left: its exit status" 4

begin 80 24 "'$OJX' top -- $paced 600 0"
shows "before SIGTERM" "Paced"
kill -TERM "$(process)"
ended "SIGTERM" 143

at_prompt()
{
	[ "$(tm display-message -p -t s '#{alternate_on}')" = 0 ] && on_screen '[$#] *$'
}

# a shell with job control
begin 80 24 "bash --norc --noprofile -i"
shows "a shell" '[$#] *$'
keys -l "'$OJX' top -- $paced 600 0"
keys Enter
shows "before Ctrl-Z" "Enter opens"
keys C-z
shows "Ctrl-Z: the shell is back" "Stopped"
check "Ctrl-Z: the program is stopped" \
	wait_for 60 sh -c 'test "$(ps -o state= -p "$(pgrep -n -f "$1 Paced 600 0\$")")" = T' sh "$TMP"
is "Ctrl-Z: the terminal's cursor is seen, its other screen left" \
	"$(tm display-message -p -t s '#{cursor_flag} #{alternate_on}')" "1 0"
keys -l fg
keys Enter
shows "fg: the screen is back" "Enter opens"
is "fg: the other screen" "$(tm display-message -p -t s '#{alternate_on}')" 1
keys C-c
# until ojx has ended, it gets what is typed
check "fg: Ctrl-C: the shell is back" wait_for 60 at_prompt
keys -l 'echo STATUS $?'
keys Enter
shows "fg: exit status" "^STATUS 130"

begin 80 24 "LC_ALL=C TERM=vt100 NO_COLOR=1 '$OJX' top -- $paced 600 0"
shows "a plain terminal" "Paced"
is "a plain terminal: ASCII" "$(LC_ALL=C grep -c $'[\x80-\xff]' "$TMP/screen")" 0
keys C-c
ended "a plain terminal" 130

# into a new file: once it exists, it can be found
"$OJX" record -q -o "$TMP/other.data" $paced 600 0 </dev/null >/dev/null 2>&1 &
recorder=$!
wait_for 60 test -s "$TMP/other.data"
begin 80 24 "'$OJX' top"
shows "without a name: the one there is" "Paced|there are [0-9]+ recordings"
keys q
begin 80 24 "'$OJX' top -p $recorder"
shows "-p" "lines? by saved/s"
keys q
ended "-p" 0
check "the recording goes on" kill -TERM $recorder
wait $recorder
is "to its end" $? 143
done_testing
