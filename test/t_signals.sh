#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What the rest of a program can do to signals, threads, descriptors, system calls and to the sampling interval,
# which it shares with the agent: the program runs to its own end, and the loss is noticed.
#   test/t_signals.sh [NAME...]    only these
. "$(dirname "$0")/lib.sh"

ulimit -c 0
classes=$TMP/classes
data=$TMP/ojx.data
report=$TMP/report.json

mapfile -t jdks < <("$TOP/agent/jdks.sh")
"${jdks[0]}/bin/javac" -nowarn --release 11 -g -d "$classes" "$TOP"/test/jvm/Suspended.java || exit 1
# shared SOURCE LIBRARY
shared()
{
	"${CC:-cc}" -std=gnu11 -Wall -Wextra -Werror -shared -fPIC -I"${jdks[0]}/include" \
		-I"${jdks[0]}/include/linux" -o "$TMP/$2" "$TOP/test/jvm/$1" -pthread || exit 1
}
shared jvmti.c jvmti.so

# record OPTIONS -- ARGUMENT...: of java
record()
{
	local options=()
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	rm -f "$data"
	run "$OJX" record -o "$data" "${options[@]}" -- "$java" -Xmx128m -XX:ErrorFile="$TMP/hs_err" \
		-cp "$classes" "$@"
}

# ask EXPRESSION: of the report on $data
ask()
{
	"$OJX" report --format=json -i "$data" >"$report" 2>/dev/null
	json "$report" "$1" 2>&1
}

# A thread that is suspended while it meets a new class stops none of the others.
test_suspended()
{
	record -q --budget 100 --interval 32 -- Suspended "$TMP/jvmti.so"
	is "$name: threads are suspended, and the others go on" "$status $(cat "$TMP/out")" \
		"0 suspended true"
}

tests=(suspended)
[ $# = 0 ] || tests=("$@")
for home in "${jdks[@]}"; do
	java=$home/bin/java
	name=jdk$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$home/release")
	for t in "${tests[@]}"; do
		"test_$t"
	done
done
done_testing
