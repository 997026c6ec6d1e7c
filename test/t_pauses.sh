#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The collections and pauses that a report tells of: as many as the JVM's own log has (test/pauses.py), and no longer than their
# safepoints, which the agent's own work there is a part of. The program is test/jvm/Pauses.java.
. "$(dirname "$0")/lib.sh"

data=$TMP/ojx.data
log=$TMP/gc.log
find_jdks
"${jdks[0]}/bin/javac" -nowarn --release 11 -d "$TMP" "$TOP/test/jvm/Pauses.java" || exit 1

# Nothing but System.gc() begins a collection. ZGC would also begin one now and then.
options()
{
	echo -Xmx64m "-XX:+Use${1}GC" $([ "$1" != Z ] || echo -XX:-ZProactive) "-Xlog:gc*,safepoint:file=$log::filecount=0" -cp "$TMP" Pauses
}

# jvm MEMBER: of the recorded JVM, as Python prints it
jvm()
{
	"$OJX" report --format=json -i "$data" >"$TMP/report" 2>/dev/null
	json "$TMP/report" "r['recording']['jvms'][0]['$1']" 2>&1
}

# compare TITLE GC FROM LEAST: with the lines of the log behind FROM, which have LEAST collections or pauses
compare()
{
	local title=$1 gc=$2 collections pauses seconds told
	read -r collections pauses seconds < <("$TOP/test/pauses.py" "$log" "$3")
	case $gc in
	Z | Shenandoah)
		is "$title: pauses alone are counted" "$(jvm collections)" None
		check "$title: each collection has one" test "$pauses" -ge "$4"
		told="$pauses pauses,"
		;;
	*)
		is "$title: the log has the same collections" "$(jvm collections)" "$collections"
		check "$title: those that the program has asked for" test "$collections" -ge "$4"
		told="$collections collections, pauses"
		;;
	esac
	is "$title: the log has the same pauses" "$(jvm pauses)" "$pauses"
	is "$title: they took some time, and less than their safepoints" \
		"$(json "$TMP/report" "0 < r['recording']['jvms'][0]['pause_s'] < $seconds")" True
	is "$title: and less than what was recorded" "$(json "$TMP/report" \
		"r['recording']['jvms'][0]['pause_s'] < r['recording']['jvms'][0]['recorded_s'] < r['recording']['duration_s']")" True
	"$OJX" report --stdio -i "$data" >"$TMP/text" 2>&1
	head -n 1 "$TMP/text" >"$TMP/first"
	like "$title: the report begins with it" "$TMP/first" \
		"^[0-9.]+ .?B allocated in [0-9.]+ m?s by Pauses \(JDK $version, $gc\): $told [<0-9.]+ % of the time$"
}

test_launched()
{
	local gc
	for gc in $(collectors "$home" each); do
		run "$OJX" record -q -o "$data" --interval 16k -- "$java" $(options $gc) 12
		is "$name, $gc: exit status 0" "$status" 0
		compare "$name, $gc" $gc 0 12
	done
}

# Only what happens while it is recorded.
test_attached()
{
	local gc from dir=$TMP/steps recorder program
	for gc in $(collectors "$home" each); do
		rm -rf "$dir" "$data"
		mkdir "$dir"
		"$java" $(options $gc) 5 "$dir" 9 >"$TMP/program" 2>&1 &
		program=$!
		wait_for 120 test -e "$dir/ready"
		from=$(wc -l <"$log")
		"$OJX" record -q -p $program -o "$data" --interval 16k >"$TMP/out" 2>"$TMP/err" &
		recorder=$!
		begun() { [ "$(jvm recorded_s)" != 0.0 ] && [[ "$(jvm recorded_s)" = [0-9]* ]]; }
		check "$name, $gc: attached" wait_for 120 begun
		is "$name, $gc: nothing is counted of before" "$(jvm pauses)" 0
		touch "$dir/go"
		wait_for 120 test -e "$dir/done"
		kill -INT $recorder
		reap $recorder
		is "$name, $gc: detached" "$status" 0
		compare "$name, $gc, attached" $gc "$from" 9
		touch "$dir/end"
		reap $program
		is "$name, $gc: the program goes on to its end" "$status" 0
	done
}

tests=(launched attached)
on_each_jdk "$@"
done_testing
