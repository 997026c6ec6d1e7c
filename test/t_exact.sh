#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `ojx record --exact` on every collector: for each site of test/jvm/Counted.java the report has the
# numbers that the program itself counted, to the object and the byte.
. "$(dirname "$0")/lib.sh"

data=$TMP/ojx.data
report=$TMP/report.json
# Compact headers would change the sizes; older JVMs do not know them.
layout="-XX:+UnlockExperimentalVMOptions -XX:-UseCompactObjectHeaders"

find_jdks
use_classes

# record OPTIONS -- COMMAND
record()
{
	rm -f "$data" "$report"
	run "$OJX" record -o "$data" --exact "$@"
	"$OJX" report --format=json -i "$data" >"$report" 2>"$TMP/report.err"
}

# Compares what the program says with what is reported of the contexts that run through its method,
# except for what the loading of classes allocates there; and checks that the report says nothing is
# missing. Prints the differences; nothing if there are none.
differences()
{
	python3 - "$report" "$1" <<'END'
import json, re, sys
report = json.load(open(sys.argv[1]))
truth = [line.split() for line in open(sys.argv[2]) if re.fullmatch(r"\w+ \S+ \d+ \d+\n", line)]
if not truth:
    print("the program counted nothing")
if not report["recording"]["exact"] or report["recording"]["allocations_lost"]:
    print("the report says that something is missing")
for method, kind, objects, size in truth:
    name = kind if kind.endswith("[]") else "Counted$" + kind
    of = [c for c in report["contexts"] if c["class"] == name
          and any(f.get("class") == "Counted" and f["method"] == method for f in c["alloc_stack"])
          and not any(f.get("method") == "loadClass" for f in c["alloc_stack"])]
    got = [sum(c[key] for c in of) for key in ("objects", "sampled", "bytes")]
    if got != [int(objects), int(objects), int(size)]:
        print(f"{method}: objects, samples, bytes {got}, the program counted {objects}, {size}")
END
}

# exact TITLE: the last recording of Counted has the program's own numbers, and says that they are
# exact
exact()
{
	is "$1: exit status" "$status" 0
	is "$1: the program's own numbers" "$(differences "$TMP/out" 2>&1)" ""
}

for home in "${jdks[@]}"; do
	java=$home/bin/java
	flags=
	"$java" $layout -version >/dev/null 2>&1 && flags=$layout
	for gc in $(collectors "$home" each) Epsilon; do
		scale=1000 heap=-Xmx256m
		[ $gc = G1 ] && scale=3000
		[ $gc = Epsilon ] && scale=300 heap=-Xmx512m
		options="-XX:+UnlockExperimentalVMOptions -XX:+Use${gc}GC $flags"
		[ $gc = Epsilon ] && ! "$java" $options -version >/dev/null 2>&1 && continue
		record -- "$java" $heap $options -cp "$classes" Counted $scale
		exact "jdk$(version_of "$home") $gc"
	done
done

# Lines are the program's own from the first object on, also where the platform loader makes its
# first class only then, and where a module of the JDK makes them that the application's loader has: without a collection, and with some.
for home in "${jdks[@]}"; do
	for young in 900 8; do
		record -- "$home/bin/java" -XX:+UseSerialGC -Xmx1g -Xmn${young}m -cp "$classes" Platform 100000
		is "jdk$(version_of "$home"), young generation of $young MB: no line is the platform's" \
			"$(json "$report" "sorted({l['frame'][0]['class'] for l in r['lines'] if l['bytes'] >= 1e6 and l['frame']})")" \
			"['Platform']"
	done
done

# the text
java=${jdks[0]}/bin/java
run "$OJX" report -i "$data"
like "the report says so" "$TMP/out" '^# counts +exact$'

# started: the recording has objects so far
started()
{
	"$OJX" report --format=json -i "$data" 2>/dev/null | grep -q '"class"'
}

# With a delay: the program waits until it is recorded.
rm -f "$data" "$TMP/go"
"$OJX" record -o "$data" --exact -D 300 -- "$java" -Xmx256m -XX:+UseSerialGC -cp "$classes" Counted 600 "$TMP/go" \
	>"$TMP/out" 2>"$TMP/err" &
wait_for 120 started
touch "$TMP/go"
reap $!
"$OJX" report --format=json -i "$data" >"$report"
exact "after a delay"
like "record says so" "$TMP/err" 'the counts are exact \]$'
record --no-watch --no-scan -- "$java" -Xmx256m -cp "$classes" Counted 600
is "without snapshots: there is nothing to note" "$("$OJX" report --stdio -i "$data" | grep '^# note')" ""
record --class 'Counted$Box' --no-watch --no-scan -- "$java" -Xmx256m -cp "$classes" Counted 600
grep Box "$TMP/out" >"$TMP/boxes"
is "one class: the program's own numbers" "$(differences "$TMP/boxes")" ""
is "one class: others are neither counted nor missing" "$(json "$report" \
	"{c['class'] for c in r['contexts']}, r['recording']['allocations_lost']")" "({'Counted\$Box'}, 0)"

# A tool that is stopped: the program waits for it, and then goes on.
rm -f "$data" "$TMP/go"
"$OJX" record -q -o "$data" --exact -- "$java" -Xmx256m -cp "$classes" Counted 6000 "$TMP/go" \
	>"$TMP/out" 2>"$TMP/err" &
ojx=$!
if wait_for 120 started; then
	jvm=$(pgrep -P $ojx -x java)
	kill -STOP $ojx
	touch "$TMP/go"
	wait_for 300 sh -c "! grep -qs Counted /proc/$jvm/cmdline" ||
		fail "a tool that stands still: the program ends" "$TMP/err"
	kill -CONT $ojx
fi
reap $ojx
is "a tool that stands still: the program's status" "$status" 0
like "a tool that stands still: the program's output" "$TMP/out" '^shared Shared 120000 1920000$'
"$OJX" report --format=json -i "$data" >"$report"
is "a tool that stands still: what is lost is counted" "$(json "$report" "r['recording']['exact'] and
	r['recording']['allocations_lost'] > 0 and
	sum(c['sampled'] for c in r['contexts']) + r['recording']['allocations_lost'] ==
		r['recording']['objects_sampled']")" True
run "$OJX" report -i "$data"
like "and the report says so" "$TMP/out" '^# counts +exact but [0-9]+ allocations lost$'

run "$OJX" record --exact --interval 64k -- true
is "--exact with --interval is a usage error" "$status" 125
like "and says why" "$TMP/err" '^ojx: --exact counts every allocation and excludes --interval'
record --interval 0 -- "$java" -version
is "the interval that ojx chooses is none" "$status" 0
run "$OJX" record -q -o "$data" --interval 4k -- "$java" -cp "$classes" Counted 600
"$OJX" report --format=json -i "$data" >"$report"
is "without --exact the counts are estimates" "$(json "$report" \
	"r['recording']['exact'], r['recording']['allocations_lost']")" "(False, None)"
done_testing
