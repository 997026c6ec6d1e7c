#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# JVMs with the C library musl, as in Alpine: recorded from the start under every collector, attached to while threads come and
# go, and with the agent alone. test/deps.sh gets them (test/musl/jvms.sh). `make musl` does so in a file system without glibc,
# and `make matrix JDKS=build/musl/jdk-17` goes through all analyses.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/attach.sh"

musl=()
for home in "$TOP"/build/musl/jdk-*; do
	! "$home/bin/java" -version >"$TMP/version" 2>&1 || musl+=("$home")
done
if ! readelf -rW "$TOP/libojx-agent.so" | grep -q TLSDESC; then
	skip "JVMs with musl" "the compiler has no descriptors of thread-local variables"
	done_testing
fi
if [ ${#musl[@]} = 0 ]; then
	skip "JVMs with musl" "there are none: test/musl/jvms.sh build/musl pip3 gets them"
	done_testing
fi
"${jdks[0]}/bin/javac" -nowarn --release 11 -g -d "$classes" "$TOP"/test/jvm/{ComeAndGo,Loops,Stacks}.java || exit 1
want=$("${jdks[0]}/bin/java" -cp "$classes" Loops 500)

# uses: how many uses of objects were watched, as ojx said
uses()
{
	sed -nE 's/.* ([0-9]+) uses watched.*/\1/p' "$TMP/err"
}

test_collectors()
{
	local gc
	for gc in Serial Parallel G1 Z Shenandoah; do
		rm -f "$data"
		run timeout 300 "$OJX" record -o "$data" --budget 100 -F 1000 --interval 4k --values \
			-e replica,dead-store,silent-store,silent-load,locality -- "$java" -XX:+UnlockExperimentalVMOptions "-XX:+Use${gc}GC" \
			-XX:ErrorFile="$TMP/hs_err" -Xmx192m -cp "$classes" Loops 500
		is "$name $gc: the program's status and output" "$status $(cat "$TMP/out")" "0 $want"
		check "$name $gc: the recording is complete" is_over "$data"
		if can_watch; then
			is "$name $gc: uses are watched" "$(($(uses) > 0))" 1
		else
			skip "$name $gc: uses are watched" "no debug registers"
		fi
	done
	check "$name: no crash" [ ! -e "$TMP/hs_err" ]
}

# Each stack that the agent walks is the JVM's own.
test_stacks()
{
	local mode
	for mode in -Xint -XX:+UseG1GC; do
		OJX_CHECK_STACKS=1 run timeout 300 "$OJX" record -e replica --interval 1k -o "$data" -- "$java" $mode -Xmx256m \
			-XX:ErrorFile="$TMP/hs_err" -cp "$classes" Stacks 400
		is "$name $mode: the program runs to its own end" "$status $(tail -n 1 "$TMP/out")" "0 over"
		like "$name $mode: no stack differs" "$TMP/err" 'stacks: .* all alike'
		is "$name $mode: many are compared" \
			"$(($(sed -nE 's/.*stacks: [0-9]+ walked, ([0-9]+) compared.*/\1/p' "$TMP/err") > 500))" 1
	done
	check "$name: no crash" [ ! -e "$TMP/hs_err" ]
}

test_attach()
{
	begin --
	attach "$name"
	attach "$name again" -e replica,dead-store,lifetime --budget 20
	end "$name, attached to"
}

# The agent is loaded while there are threads, and others come: each has the agent's variables.
test_threads()
{
	rm -f "$TMP/stop/threads"
	"$java" -XX:ErrorFile="$TMP/hs_err" -cp "$classes" ComeAndGo "$TMP/stop/threads" 20 >"$TMP/output" 2>&1 &
	jvm=$!
	wait_for 120 grep -q . "$TMP/output"
	for more in 1 2; do
		run "$OJX" record -p $jvm --duration 3 -o "$data" --interval 1k --budget 100
		is "$name, threads that come and go, recording $more: exit status" "$status" 0
		check "$name, threads that come and go, recording $more: there are objects" sh -c \
			"'$OJX' report --stdio --all -i '$data' | grep -q 'ComeAndGo'"
	done
	touch "$TMP/stop/threads"
	reap $jvm
	is "$name, threads that come and go: the program ends by itself" "$status $(find "$TMP" -name 'hs_err*')" "0 "
}

test_alone()
{
	rm -f "$data"
	begin -- "-agentpath:$TOP/libojx-agent.so=file=$data,interval=16k"
	check "$name, the agent alone: the objects are there" wait_for 100 points
	end "$name, the agent alone"
	check "$name, the agent alone: the recording is complete" is_over "$data"
}

jdks=("${musl[@]}")
tests=(stacks attach collectors)
once=(threads alone)
on_each_jdk "$@"
done_testing
