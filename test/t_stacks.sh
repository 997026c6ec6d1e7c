#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The agent walks stacks by itself. Here each stack is compared with the JVM's own, for stacks of
# all kinds (test/jvm/Stacks.java), of interpreted and compiled code.
. "$(dirname "$0")/lib.sh"

ulimit -c 0
classes=$TMP/classes
data=$TMP/ojx.data

mapfile -t jdks < <("$TOP/agent/jdks.sh")
"${jdks[0]}/bin/javac" -nowarn --release 11 -g -d "$classes" "$TOP/test/jvm/Stacks.java" || exit 1

# JDKS=DIR:DIR...: further JDKs, or runtimes without a compiler.
IFS=: read -ra more <<<"${JDKS:-}"
jdks+=("${more[@]}")

# With OJX_SOAK: everything. Otherwise a part that does not depend on when code is compiled.
modes=(-Xint -XX:+UseG1GC -Xcheck:jni)
[ -z "${OJX_SOAK:-}" ] || modes+=(-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-TieredCompilation)

# stacks OPTION...: options of the JVM
stacks()
{
	rm -f "$data"
	OJX_CHECK_STACKS=1 run timeout 300 "$OJX" record -e replica --interval 1k -o "$data" -- "$home/bin/java" \
		-XX:ErrorFile="$TMP/hs_err" -Xmx256m "$@" -cp "$classes" Stacks $rounds
}

# sum N: the sum of the Nth numbers that the agent reports about stacks
sum()
{
	sed -nE 's/^ojx: .*stacks: ([0-9]+) walked, ([0-9]+) compared, ([0-9]+) not understood.*/\'"$1"'/p' "$TMP/err"
}

for home in "${jdks[@]}"; do
	jdk=jdk$(version_of "$home")
	for mode in "${modes[@]}"; do
		rounds=$([ $mode = -Xint ] && echo 400 || echo 2000)
		[ -z "${OJX_SOAK:-}" ] || rounds=$((rounds * 4))
		stacks $mode
		is "$jdk $mode: the program runs to its own end" "$status $(tail -n 1 "$TMP/out")" "0 over"
		like "$jdk $mode: no stack differs" "$TMP/err" 'stacks: .* all alike'
		is "$jdk $mode: many are compared" "$(($(sum 2) > 500))" 1
		[ -z "${OJX_SOAK:-}" ] ||
			is "$jdk $mode: most are understood, but those of virtual threads" \
				"$(($(sum 1) > $(sum 3)))" 1
		check "$jdk $mode: no crash" [ ! -e "$TMP/hs_err" ]
		echo "# $(grep stacks: "$TMP/err")"
	done
done

done_testing
