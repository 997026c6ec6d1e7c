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

# A runtime has no compiler: the last JDK with one makes the class of continuations for all.
continuations=()
for home in "${jdks[@]}"; do
	if [ -x "$home/bin/javac" ] && [ "$(version_of "$home")" -ge 21 ]; then
		"$home/bin/javac" -nowarn -source 21 -target 21 -g -d "$classes" \
			--add-exports java.base/jdk.internal.vm=ALL-UNNAMED \
			"$TOP/test/jvm/Continuations.java" 2>"$TMP/javac" || exit 1
		continuations=(--add-exports java.base/jdk.internal.vm=ALL-UNNAMED)
	fi
done
"${jdks[0]}/bin/javac" -nowarn --release 11 -g -d "$classes" "$TOP/test/jvm/Churn.java" || exit 1

# With OJX_SOAK: everything. Otherwise a part that does not depend on when code is compiled.
modes=(-Xint -XX:+UseG1GC -Xcheck:jni)
[ -z "${OJX_SOAK:-}" ] || modes+=(-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-TieredCompilation)

# stacks OPTION... CLASS ARGUMENT: options of the JVM
stacks()
{
	rm -f "$data"
	OJX_CHECK_STACKS=1 run timeout 300 "$OJX" record -e replica --interval 1k -o "$data" -- "$home/bin/java" \
		-XX:ErrorFile="$TMP/hs_err" -Xmx256m -cp "$classes" "$@"
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
		stacks $mode Stacks $rounds
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

# A continuation on a platform thread: its entry is a frame of its own kind.
for home in "${jdks[@]}"; do
	[ "$(version_of "$home")" -ge 21 ] && [ ${#continuations[@]} -gt 0 ] || continue
	name="jdk$(version_of "$home"), continuations"
	stacks "${continuations[@]}" Continuations 300
	is "$name: the program runs to its own end" "$status $(tail -n 1 "$TMP/out")" "0 over"
	like "$name: no stack differs" "$TMP/err" 'stacks: .* all alike'
	is "$name: many are compared" "$(($(sum 2) > 500))" 1
	check "$name: no crash" [ ! -e "$TMP/hs_err" ]
	echo "# $(grep stacks: "$TMP/err")"
done

# The VM never frees a jmethodID. None is made for the methods of classes that come and go: 3000 of them here, with eight
# methods each; only stacks that are compared have some. All the same each method has its name.
for home in "${jdks[@]}"; do
	name="jdk$(version_of "$home"), classes that come and go"
	rm -f "$data"
	run "$OJX" record -v -e replica,locality,silent-store -F 1000 --interval 16k --budget 50 -o "$data" -- \
		"$home/bin/java" -XX:ErrorFile="$TMP/hs_err" -Xmx64m -Xcheck:jni -cp "$classes" Churn 3000
	is "$name: the program runs to its own end" "$status $(tail -n 1 "$TMP/out")" "0 churn 362490000"
	ids=$(sed -nE 's/.*jmethodIDs: at most ([0-9]+) for stacks, ([0-9]+) for ([0-9]+) classes/\1 \2/p' "$TMP/err")
	is "$name: no class got all its jmethodIDs" "${ids#* }" 0
	is "$name: few methods got one # $ids" "$((${ids% *} < 1500))" 1
	run "$OJX" report --all -i "$data"
	like "$name: lines in them have names" "$TMP/out" 'Churn.java:28'
	check "$name: no crash" [ ! -e "$TMP/hs_err" ]
done

# The same in figures: how much more native memory the VM has after 100,000 classes than after the first 10,000.
grown()
{
	"$@" "$home/bin/java" -XX:NativeMemoryTracking=summary -XX:+UseSerialGC -Xms128m -Xmx128m -cp "$classes" \
		Churn 100000 memory 2>"$TMP/err" |
		awk '$1 == "memory" { if (!first) first = $3; last = $3 } END { print last - first }'
}

if soaking; then
	for home in "${jdks[@]}"; do
		plain=$(grown timeout 600)
		recorded=$(grown timeout 600 "$OJX" record -q -e replica,locality,silent-store -o "$data" -f --)
		is "jdk$(version_of "$home"): 100,000 classes leave at most 1 MB more # $plain plain, $recorded KiB" \
			"$((recorded - plain <= 1024))" 1
	done
fi

done_testing
