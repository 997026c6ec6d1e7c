#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Where memory lacks: a report ends with one message, and nothing that is recorded is lost.
. "$(dirname "$0")/lib.sh"

"${CC:-cc}" -std=gnu11 -Wall -Wextra -Werror -shared -fPIC -o "$TMP/no_memory.so" "$TOP/test/no_memory.c" || exit 1
compile_make_data
cd "$TMP" || exit 1
for kind in findings lives; do
	"$make_data" $kind $kind.data || exit 1
done

# without_memory N COMMAND...: there is memory for the first N requests of the command
without_memory()
{
	local n=$1
	shift
	run env LD_PRELOAD="$TMP/no_memory.so" NO_MEMORY_AFTER="$n" "$@"
}

# ends_well TITLE COMMAND...: at every step of it, until it has all the memory it needs, it ends with status 1 and says why,
# in one line. What it writes then is what it always writes.
ends_well()
{
	local title=$1 n=1 wrong=
	shift
	rm -f page.new page.want
	"$@" >want 2>want.err || exit 1
	[ ! -e page.new ] || mv page.new page.want
	without_memory $n "$@"
	while [ "$status" = 1 ]; do
		[ "$(cat err)" = "ojx: out of memory" ] || wrong+="$n: $(head -c 300 err)"$'\n'
		[ -z "$(ls ./page.new* 2>/dev/null)" ] || wrong+="$n: it leaves $(ls ./page.new*)"$'\n'
		n=$((n + n / 5 + 1))
		without_memory $n "$@"
	done
	is "$title: the message, at each step" "$wrong" ""
	is "$title: the status with memory enough" "$status" 0
	check "$title: more than the first requests" test "$n" -gt 100
	check "$title: the whole result with memory enough" diff want out
	[ ! -e page.want ] || check "$title: the whole file with memory enough" cmp page.want page.new
}

for format in text json csv html jfr pprof speedscope dhat collapsed sarif github junit markdown; do
	case $format in
	html | jfr | pprof) ends_well "report: $format" "$OJX" report -i findings.data -o "$TMP/page.new" --format $format ;;
	*) ends_well "report: $format" "$OJX" report --details -i findings.data --format $format ;;
	esac
done
ends_well "report of lives" "$OJX" report --details -i lives.data
ends_well "annotate" "$OJX" annotate -i findings.data
ends_well "diff" "$OJX" diff findings.data lives.data

# A limit of addresses, as a shell sets it.
least=none
for kb in 20000 25000 30000 40000 60000 100000 200000; do
	run bash -c 'ulimit -v $1 && shift && exec "$@"' - $kb "$OJX" report -i findings.data
	[ "$status" = 127 ] && continue # not even the libraries
	[ "$status" = 0 ] && break
	least=$kb
	is "ulimit -v $kb: the status" "$status" 1
	is "ulimit -v $kb: the message" "$(cat err)" "ojx: out of memory"
done
is "ulimit -v: enough at last" "$status" 0

# ---- `ojx top`: the recorder is another process

# the program writes a line when it is told to end; only then is the recording whole
home=$("$TOP/agent/jdks.sh" | head -n 1)
"$home/bin/javac" -nowarn -d "$TMP" "$TOP/test/jvm/Paced.java" || exit 1
for n in 50 400 3000; do
	rm -f kept.data end out err
	env LD_PRELOAD="$TMP/no_memory.so" NO_MEMORY_AFTER=$n "$OJX" top -o kept.data -d 0.5 --budget 50 -- \
		"$home/bin/java" -Xmx64m -XX:+UseSerialGC -cp "$TMP" Paced 600 7 end >out 2>err </dev/null &
	wait_for 120 eval 'grep -q "^err 20$" err && grep -q "^ojx:" err'
	touch end
	reap $!
	is "top, $n: the message" "$(grep ojx: err)" "ojx: out of memory"
	is "top, $n: the program's status" "$status" 7
	like "top, $n: all that the program wrote" <(tail -n 1 out) "^done after"
	"$OJX" report -i kept.data >text 2>text.err
	is "top, $n: the recording is whole" "$(cat text.err)" ""
	like "top, $n: and has what the program made" text "Paced\\\$Point"
done

done_testing
