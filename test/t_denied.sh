#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# System calls that a seccomp filter refuses, or kills for: the program ends as it does alone, the
# recording says what is missing, and snapshots are taken all the same. test/deny_perf.c sets the
# filters.
. "$(dirname "$0")/lib.sh"

ulimit -c 0
data=$TMP/ojx.data
report=$TMP/report.json

find_jdks
use_classes

# denied COLLECTOR OPTION...: options of deny-perf; the program exits with 3
denied()
{
	local collector=$1
	shift
	rm -f "$data"
	run "$TOP/build/deny-perf" "$@" "$OJX" record -o "$data" --interval 16k -- "$java" -Xmx64m \
		"-XX:+Use${collector}GC" -XX:ErrorFile="$TMP/hs_err" -cp "$classes" Target exit 3
	title="$name, $collector, ${*:---errno}"
	is "$title: the program runs to its own end" "$status" 3
}

# ask EXPRESSION: of the report on $data
ask()
{
	"$OJX" report --format=json -i "$data" >"$report" 2>/dev/null
	json "$report" "$1" 2>&1
}

scanned="sum(c['replica']['scanned'] for c in r['contexts'] if c['class'] == 'Target\$Box') > 0"

# Without perf_event_open there are no watches.
test_perf()
{
	denied "$1" --kill
	like "$title: it is said" "$TMP/err" \
		'^ojx: a seccomp filter kills callers of perf_event_open: uses are not watched'
	is "$title: in one line" "$(grep -c '^ojx: ' "$TMP/err")" 1
	is "$title: the scan takes over" \
		"$(ask "r['recording']['engines'] == ['scan'] and $scanned")" True
}

# Without process_vm_readv, memory is read through /proc/self/mem.
test_readv()
{
	denied "$1" --readv
	is "$title: nothing is missing" "$(grep '^ojx: ' "$TMP/err")" ""
	is "$title: objects are scanned" "$(ask "$scanned")" True
	denied "$1" --kill --readv
	like "$title: it is said" "$TMP/err" \
		'^ojx: a seccomp filter kills callers of process_vm_readv: the agent reads /proc/self/mem instead'
	is "$title: objects are scanned" "$(ask "$scanned")" True
}

# The filter kills: the checks below would fail if anybody tried the call. 298 is perf_event_open.
test_filter()
{
	local call='import ctypes; ctypes.CDLL(None).syscall(298, 0, 0, -1, -1, 0)'
	run python3 -c "$call"
	is "without a filter perf_event_open just fails" "$status" 0
	run sh -c '"$@"; exit $?' sh "$TOP/build/deny-perf" --kill python3 -c "$call"
	is "under the filter it kills" "$status" 159
}

test_quiet()
{
	rm -f "$data"
	run "$TOP/build/deny-perf" --kill "$OJX" record -q -o "$data" -- /bin/sh -c 'exit 5'
	is "with -q: the exit status" "$status" 5
	unlike "with -q: nothing is said of the filter" "$TMP/err" 'seccomp'
	run "$TOP/build/deny-perf" --kill "$OJX" record --no-watch -o "$data" -- /bin/sh -c 'exit 5'
	unlike "nor with --no-watch" "$TMP/err" 'seccomp'
}

test_filter
test_quiet
for home in "${jdks[@]}"; do
	java=$home/bin/java
	name=jdk$(version_of "$home")
	collector=$([ "$home" = "${jdks[0]}" ] && echo Serial || echo Z) # where objects move in pauses, and otherwise
	test_perf $collector
	test_readv $collector
done
done_testing
