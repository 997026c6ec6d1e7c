#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# No report says two things that cannot both be true (test/contradictions.py): of recordings that are made here, and of
# programs with equal and unequal, changing and kept objects.
. "$(dirname "$0")/lib.sh"

export LC_ALL=C.UTF-8
compile_make_data
find_jdks
home=${jdks[0]}
classes=$TMP/classes
"$home/bin/javac" -nowarn -d "$classes" "$TOP"/test/planted/*.java "$TOP/test/jvm/Strings.java" "$TOP/test/jvm/Lifetimes.java" || exit 1

# agrees NAME: the report of $TMP/NAME.data
agrees()
{
	"$OJX" report --all --details --limit 0 -i "$TMP/$1.data" >"$TMP/$1.text" 2>"$TMP/err"
	is "$1: nothing contradicts itself" "$("$TOP/test/contradictions.py" "$TMP/$1.text" 2>&1)" ""
}

# the check itself: what it finds
"$make_data" full "$TMP/full.data"
agrees full
sed -E 's/^    verdict .*/    verdict    unknown: x/; s/^    problem .*/    problem    The same x is made again and again./' "$TMP/full.text" >"$TMP/text"
is "two statements that contradict each other are found" \
	"$("$TOP/test/contradictions.py" "$TMP/text" | grep -c "^.*: both .*unknown")" "$(grep -c '^    problem ' "$TMP/full.text")"

for kind in findings lives values signs moved; do
	"$make_data" $kind "$TMP/$kind.data"
	agrees $kind
done

# recorded NAME OPTION... -- COMMAND...
recorded()
{
	local name=$1
	shift
	run "$OJX" record -q -o "$TMP/$name.data" "$@"
	is "$name: it is recorded" "$status" 0
	agrees "$name"
}

for budget in 2 100; do
	recorded avoidable-$budget --budget $budget --interval 64k -- "$home/bin/java" -XX:+UseSerialGC -Xmx64m -cp "$classes" Avoidable 300
	recorded strings-$budget --values --budget $budget --interval 16k -- "$home/bin/java" -XX:+UseSerialGC -Xmx128m -cp "$classes" Strings 1000000
done
is "each contradiction of a finding is found" "$("$TOP/test/contradictions.py" --mutate "$TMP"/avoidable-*.text "$TMP"/strings-*.text 2>&1)" ""
done_testing
