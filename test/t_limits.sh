#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Programs near their limits: they do what they do without ojx, and ojx says what it leaves out.
. "$(dirname "$0")/lib.sh"

home=$("$TOP/agent/jdks.sh" | head -n 1)
mkdir -p "$TMP/classes"
"$home/bin/javac" -nowarn -d "$TMP/classes" "$TOP"/test/jvm/{Narrow,Crowd}.java || exit 1
events=replica,locality,dead-store,silent-store,silent-load,lifetime,equality

# One arena of malloc's, so that the same program takes the same addresses each time.
export MALLOC_ARENA_MAX=1
java=("$home/bin/java" -XX:+UseSerialGC -Xmx48m -XX:CompressedClassSpaceSize=24m -XX:ReservedCodeCacheSize=48m -cp "$TMP/classes")

# peak NAME: the most kB of that name in /proc/PID/status that the program had by itself
peak()
{
	"${java[@]}" Narrow 3000000 | sed -n "s/^$1:[[:space:]]*\([0-9]*\) kB/\1/p"
}

# most NAME: the same of three runs: the compilers' threads come and go
most()
{
	for _ in 1 2 3; do
		peak "$1"
	done | sort -n | tail -n 1
}

# near LETTER KB WHAT: the program under that limit, without ojx and with it
near()
{
	(ulimit "-$1" "$2" && exec "${java[@]}" Narrow 3000000) >"$TMP/plain" 2>"$TMP/plain.err"
	local there=$?
	run bash -c 'ulimit "-$1" "$2" && shift 2 && exec "$@"' - "$1" "$2" \
		"$OJX" record -e "$events" -o "$TMP/near.data" -- "${java[@]}" Narrow 3000000
	is "$3: the status is the plain program's" "$status" "$there"
	is "$3: and so is what it says" "$(grep '^sum' "$TMP/out")" "$(grep '^sum' "$TMP/plain")"
}

size=$(most VmPeak)
near v $((size + 700000)) "ulimit -v far off"
unlike "ulimit -v far off: recorded" "$TMP/err" 'ulimit'
like "ulimit -v far off: and that is all" "$TMP/err" 'record: wrote .* [1-9][0-9]* objects sampled'
for more in 140000 100000 60000 40000; do
	near v $((size + more)) "ulimit -v $more kB above what the program takes"
	like "ulimit -v $more kB above: what is left out, and why" "$TMP/err" \
		'^ojx: pid [0-9]+: ulimit -v leaves [0-9]+ MB, and the agent needs [0-9]+ MB, .*: not profiled; '
done
near d $(($(most VmData) + 40000)) "ulimit -d near"
like "ulimit -d near: said" "$TMP/err" 'ulimit -d leaves [0-9]+ MB'
# Nothing of ours is locked in memory but rings of perf events, which only a sampler with a PMU has.
near l 0 "ulimit -l 0"
like "ulimit -l 0: recorded" "$TMP/err" 'record: wrote .* [1-9][0-9]* objects sampled'
# The kernel kills what goes beyond the limit of a cgroup.
if make_group $((($(most VmHWM) + 12000) * 1024)); then
	# shellcheck disable=SC2016
	run "$OJX" record -e "$events" -o "$TMP/near.data" -- \
		sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "${java[@]}" Narrow 3000000
	is "a cgroup with 12 MB more than the program takes: it ends well" "$status" 0
	is "a cgroup near: nothing was killed" "$(grep oom_kill "$group/$killed" | grep -v '_disable ')" "oom_kill 0"
	like "a cgroup near: recorded" "$TMP/err" 'record: wrote .* [1-9][0-9]* objects sampled'
	wait_for 20 rmdir "$group"
else
	skip "a cgroup near" "no cgroup with a limit can be made here"
fi
unset MALLOC_ARENA_MAX

if can_watch; then
	run bash -c 'ulimit -n 256 && exec "$@"' - "$OJX" record --budget 100 --interval 4k -o "$TMP/crowd.data" -- \
		"$home/bin/java" -Xmx256m -Xss256k -cp "$TMP/classes" Crowd 600
	is "600 threads and few descriptors: the program ends well" "$status" 0
	like "600 threads: not all have a ring, and that is said" "$TMP/err" 'events lost: more threads sent than have a ring'
	like "few descriptors: said" "$TMP/err" 'watches and samplers not opened: .*ulimit -n'
	"$OJX" report -i "$TMP/crowd.data" >"$TMP/text"
	like "few descriptors: in the report, too" "$TMP/text" '^# limit +.*; raise ulimit -n$'
else
	skip "few descriptors" "there are no debug registers"
fi

done_testing
