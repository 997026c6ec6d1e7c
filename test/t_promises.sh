#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# No saving may be promised for objects that are alike only at the end: locks, keys by identity,
# objects that change, objects that refer to something that changes. test/planted/Promises.java
# knows which is which. With the dense sampling of tests, and with the default one. What is told of each is a matter of how much
# is looked at, so it is asked of a recording that is kept (`test/t_promises.sh keep` writes it anew), and by `make soak` of new ones.
. "$(dirname "$0")/lib.sh"

classes=$TMP/classes
data=$TMP/ojx.data
report=$TMP/report.json
source=$TOP/test/planted/Promises.java

find_jdks
"${jdks[0]}/bin/javac" -nowarn --release 11 -g -d "$classes" "$source" || exit 1

# What the line of code with a mark makes. Loading a class may allocate other things there.
declare -A makes=([lock]=java.lang.Object [key]='Promises$Key' [mutable]='Promises$Mutable' [array]='long[]'
	[wrapper]='Promises$Wrapper' [shareable]='Promises$Shareable')

# line MARK EXPRESSION: evaluated over x, the line of code with that mark
line()
{
	python3 - "$report" "$source" "${makes[$1]}" "$@" 2>&1 <<'END'
import json, sys
path, source, made, mark, expression = sys.argv[1:]
number = [i for i, l in enumerate(open(source), 1) if l.rstrip().endswith("// @" + mark)][0]
document = json.load(open(path))
rows = [x for x in document["lines"] if x["frame"] and x["frame"][0]["line"] == number
        and "Promises" in x["frame"][0]["class"] and x["class"] == made]
if len(rows) != 1:
    sys.exit(print(len(rows), "lines"))
x, total = rows[0], document["total"]
print(eval(expression))
END
}

# record OBJECTS OPTION...
record()
{
	local objects=$1
	shift
	rm -f "$data"
	run "$OJX" record -q -o "$data" "$@" -- "$java" -XX:+UseG1GC -Xmx64m -cp "$classes" \
		Promises "$objects"
	is "$title: the program runs" "$status" 0
}

make_report()
{
	"$OJX" report --format=json -i "$data" >"$report" 2>"$TMP/report.err"
}

# Checks that hold however few objects were seen.
nothing_false()
{
	for mark in lock key mutable array wrapper; do
		is "$title: nothing is promised of $mark" \
			"$(line $mark "(x['saved_bytes'] or 0) <= 0.5 * x['bytes'] and x['shown']['verdict'] not in ('replica', 'few-values')")" True
	done
	# where too much is not known, there is a range without an estimate
	is "$title: the sum has an interval" \
		"$(line lock "total['saved_bytes_ci'][0] <= (total['likely_bytes'] or total['saved_bytes_ci'][0]) <= total['saved_bytes_ci'][1]")" True
	is "$title: the sum is no more than can be shared" \
		"$(line shareable "total['saved_bytes_ci'][0] <= 1.1 * x['bytes'] + 0.1 * total['bytes']")" True
}

# What is told of each if enough was looked at.
told()
{
	is "$title: a lock is told" "$(line lock "x['shown']['verdict'], x['shown']['doubt'], x['advice']['rule']")" \
		"('alike-at-end', 'identity', 'lock')"
	is "$title: a key is told" "$(line key "x['shown']['doubt']")" identity
	# without debug registers nobody sees the lists when they are used
	is "$title: a wrapper is told" "$(line wrapper \
		"x['shown']['verdict'], x['shown']['doubt'] in ('changes', 'referred')")" "('alike-at-end', True)"
	is "$title: what can be shared" \
		"$(line shareable "x['shown']['verdict'] == 'few-values' and x['saved_bytes'] > 0.8 * x['bytes']")" True
}

compile_make_data
java=${jdks[0]}/bin/java
if ! soaking; then
	title="kept"
	recorded promises record 3000000 --interval 64k --budget 100
	make_report
	nothing_false
	told
fi
! keeping || done_testing

for home in "${jdks[@]}"; do
	java=$home/bin/java
	name=jdk$(version_of "$home")
	title="$name, dense"
	record 3000000 --interval 64k --budget 100
	make_report
	nothing_false
	! soaking || told
	title="$name, as users record"
	record 6000000
	make_report
	nothing_false
done
done_testing
