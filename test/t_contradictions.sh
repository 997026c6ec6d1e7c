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

# record NAME OPTION... -- COMMAND...
record()
{
	local name=$1
	shift
	run "$OJX" record -q -o "$TMP/$name.data" "$@"
	is "$name: it is recorded" "$status" 0
}

# Which findings a live recording has is a matter of chance: those that are made false are of one that is kept
# (`test/t_contradictions.sh keep` writes it anew).
data=$TMP/kept.data
recorded avoidable record kept --budget 2 --interval 64k -- "$home/bin/java" -XX:+UseSerialGC -Xmx64m -cp "$classes" Avoidable 300
agrees kept
is "each contradiction of a finding is found" "$("$TOP/test/contradictions.py" --mutate "$TMP/kept.text" 2>&1)" ""
! keeping || done_testing

for budget in 2 100; do
	record avoidable-$budget --budget $budget --interval 64k -- "$home/bin/java" -XX:+UseSerialGC -Xmx64m -cp "$classes" Avoidable 300
	agrees avoidable-$budget
	record strings-$budget --values --budget $budget --interval 16k -- "$home/bin/java" -XX:+UseSerialGC -Xmx128m -cp "$classes" Strings 1000000
	agrees strings-$budget
done
done_testing
