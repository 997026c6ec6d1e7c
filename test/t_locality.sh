#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `ojx record -e locality,numa`: loops over arrays whose share of the time the program measures
# itself (test/jvm/Locality.java). Shares are within 0.05 in recordings that are kept (`test/t_locality.sh keep` writes them
# anew), and in new ones by `make soak`, on every JDK and collector. How often a live one is interrupted, and where, depends on
# the machine and the compiler: it is made longer until it has 200 samples, and its share may be off by 0.4.
. "$(dirname "$0")/lib.sh"

data=$TMP/ojx.data
report=$TMP/report.json
source=$TOP/test/jvm/Locality.java
seconds=1 # of CPU time
soaking && seconds=5

find_jdks
use_classes

# The line of the source that is marked so.
line_of()
{
	grep -n "// line: $1" "$source" | cut -d: -f1
}

# record EVENTS MODE JAVA [OPTION...]: records Locality; $options has more options of ojx, and $by the command that runs ojx
options=()
by=()
rate=(-F 1000 --budget 40)
record()
{
	local events=$1 mode=$2
	shift 2
	rm -f "$data"
	run "${by[@]}" "$OJX" record -e "$events" "${rate[@]}" "${options[@]}" -o "$data" -- "$@" \
		-cp "$classes" Locality "$mode" $seconds
	tail -n 1 "$TMP/out" >"$TMP/truth"
}

make_report()
{
	"$OJX" report --format=json -i "$data" >"$report" 2>"$TMP/report.err"
}

# looked ARGUMENT...: a live recording with 200 samples, or where $enough holds: a longer one where the first had too few
enough="sum(t['samples'] for t in r['locality_totals']) >= 200"
looked()
{
	local least=$seconds seconds
	for seconds in $least $((5 * least)) $((30 * least)); do
		record "$@"
		make_report
		[ "$(json "$report" "$enough" 2>&1)" != True ] || break
	done
}

# wrong ROOM [WHERE]: prints what is wrong with the share of the objects made at the line `first`, which may differ by ROOM from
# what the program said, and with where they are accessed: at the line marked WHERE; with little room, most. Prints nothing if
# all is right.
wrong()
{
	python3 - "$report" "$(cat "$TMP/truth")" "$(line_of first)" "$1" "${2:+$(line_of "$2")}" <<'END'
import json, sys
path, truth, made, room, used = sys.argv[1:]
r, truth, room = json.load(open(path)), float(truth), float(room)
rows = [l for l in r["locality"] if l["alloc_stack"] and l["alloc_stack"][0]["line"] == int(made)]
total = [t for t in r["locality_totals"] if t["metric"] == "time"]
if not rows or total[0]["samples"] < 100:
    sys.exit(print("too few samples:", [t["samples"] for t in total]))
l = rows[0]
places = [a["stack"][0]["line"] for a in sorted(l["accesses"], key=lambda a: -a["share"]) if a["stack"]]
if abs(l["share"] - truth) > room:
    print(f"share {l['share']:.3f} of {total[0]['samples']} samples, in truth {truth:.3f}")
if used and int(used) not in (places if room > 0.1 else places[:1]):
    print(f"accessed at lines {places}, in truth {used}")
if room <= 0.1 and total[0]["unplaced"] > 0.3 * total[0]["samples"]:
    print(f"{total[0]['unplaced']} samples unplaced")
END
}

# measured TITLE WHERE ARGUMENT...: arguments of record
measured()
{
	local title=$1 where=$2
	shift 2
	looked "$@"
	is "$title: exit status" "$status" 0
	is "$title" "$(wrong "$(soaking && echo 0.05 || echo 0.4)" "$where")" ""
}

# figure NAME TITLE WHERE ARGUMENT...: the same of the recording that is kept by this name; the program's last words are with it
figure()
{
	local name=$1 title=$2 where=$3
	shift 3
	recorded "locality/$name" record "$@"
	! keeping || cp "$TMP/truth" "$TOP/test/recordings/locality/$name.truth"
	soaking || keeping || cp "$TOP/test/recordings/locality/$name.truth" "$TMP/truth"
	make_report
	is "$title" "$(wrong 0.05 "$where")" ""
}

# ---- figures

compile_make_data
home=${jdks[0]}
java=$home/bin/java
together=replica,locality,numa
can_watch && together+=,dead-store
if ! soaking; then
	seconds=5
	figure old "objects that outlive collections" walk locality old "$java" -XX:+UseG1GC -Xmx256m
	figure search "an array that is searched" search locality search "$java" -XX:+UseG1GC
	figure order "an array that is walked in the wrong order" walk replica,locality order "$java" -XX:+UseG1GC
	figure together "a hot array, with other analyses" walk $together hot "$java" -XX:+UseG1GC
	run "$OJX" report --sort=accesses --details --limit=1 --format=json -i "$data"
	is "--sort=accesses: the hot array comes first" "$(json "$TMP/out" \
		"r['contexts'][0]['alloc_stack'][0]['line']")" "$(line_of first)"
	run "$OJX" report --stdio --details -i "$data"
	like "text: what the shares are of" "$TMP/out" "shares of the time at accesses to the heap"
	like "text: where it is accessed" "$TMP/out" "Locality.walk \\(Locality.java:$(line_of walk)\\)"
	seconds=1
fi
! keeping || done_testing

# ---- live

for home in "${jdks[@]}"; do
	java=$home/bin/java
	jdk=jdk$(version_of "$home")
	for gc in $(collectors "$home" each); do
		measured "$jdk $gc: objects that outlive collections" walk locality old "$java" -XX:+Use${gc}GC -Xmx256m
	done
done
home=${jdks[0]}
java=$home/bin/java
measured "an array that is searched" search locality search "$java" -XX:+UseG1GC
like "what was recorded, in a line" "$TMP/err" \
	"wrote .*: [0-9]+ objects and [0-9]+ accesses sampled, [0-9]+ of them to followed objects of [0-9]+ contexts, [0-9]+ events lost"

# If the budget lowers the rate of the clock during the run, the first second does not count for
# more.
rate=(--budget 4)
if soaking; then
	for home in "${jdks[@]}"; do
		seconds=8 measured "jdk$(version_of "$home"): phases, sampled at a rate that falls" "" locality phases \
			"$home/bin/java" -XX:+UseG1GC
	done
fi
rate=(-F 1000 --budget 40)

# Prints the estimate of the number of arrays if it differs from the program's own by more than five standard deviations, what was
# lost, and 2 % for what is made before the program proper.
bloat()
{
	json "$report" "[(o, n) for of in [[c for c in r['contexts'] if c['class'] == 'int[]'
			and c['alloc_stack'] and c['alloc_stack'][0]['line'] == $(line_of first)]]
		for o, n in [(sum(c['objects'] for c in of), sum(c['sampled'] for c in of))]
		if not n or abs(o / $(cat "$TMP/truth") - 1) > 5 / n ** .5 + 0.02 + r['recording']['lost_events'] / n]" 2>&1
}

# Followed objects are not kept alive: otherwise 40 MB would not last for a second. And bloat shows.
# With the JVM's checks, objects cannot be followed on some collectors; on those of the first JDK
# they can.
for home in "${jdks[@]}"; do
	checks_of_jni=
	[ "$home" != "${jdks[0]}" ] || soaking || checks_of_jni=-Xcheck:jni
	for gc in $(collectors "$home" each); do
		title="jdk$(version_of "$home") $gc${checks_of_jni:+ $checks_of_jni}"
		enough="sum(c['sampled'] for c in r['contexts'] if c['class'] == 'int[]') >= 200" \
			looked locality bloat "$home/bin/java" -XX:+Use${gc}GC -Xmx40m $checks_of_jni
		is "$title: what is followed is not kept alive" "$status" 0
		is "$title: bloat: how many were allocated" "$(bloat)" "[]"
		unlike "$title: the JVM has nothing to say" "$TMP/out" WARNING
	done
done

# Objects that are too small are reported by class. No watches are needed.
options=(--min-size=1m --no-watch)
measured "--min-size, --no-watch: a hot array among cold ones" walk replica,locality hot "$java" -XX:+UseG1GC
is "--min-size: only the large array is followed" "$(json "$report" \
	"[l['alloc_stack'][0]['line'] for l in r['locality']]")" "[$(line_of first)]"
is "--min-size: the others are told by class" "$(json "$report" \
	"'int[]' in [o['class'] for o in r['locality_totals'][0]['others']]")" True

# Classes of which no allocation was sampled have names, too.
options=(--interval=1g)
for home in "${jdks[@]}"; do
	for gc in $(collectors "$home"); do
		looked locality hot "$home/bin/java" -XX:+Use${gc}GC
		is "jdk$(version_of "$home") $gc: the class of an object whose allocation was not sampled" "$(json "$report" \
			"'int[]' in [o['class'] for o in r['locality_totals'][0]['others']]")" True
	done
done
options=()

# Together with the other analyses.
measured "together: locality" walk $together hot "$java" -XX:+UseG1GC
is "together: snapshots" "$(json "$report" "r['recording']['objects_scanned'] > 0")" "True"

nodes=$(find /sys/devices/system/node -maxdepth 1 -name 'node[0-9]*' 2>/dev/null | wc -l)
is "numa: nodes are known" "$(json "$report" \
	"r['locality'][0]['numa']['local'] + r['locality'][0]['numa']['remote'] > 0")" "True"
if [ "$nodes" -le 1 ]; then
	is "numa: one node has no remote memory" "$(json "$report" \
		"r['locality'][0]['numa']['remote']")" "0"
	like "numa: one node: it is said" "$report" "one NUMA node"
else
	skip "numa: one node has no remote memory" "this machine has $nodes nodes"
	skip "numa: one node: it is said" "this machine has $nodes nodes"
fi

# perf_event_open is not needed.
for how in "" --kill; do
	by=("$TOP/build/deny-perf" $how)
	title="perf_event_open denied${how:+, by killing}"
	# the timers of POSIX have 250 samples in a second of CPU time
	seconds=$((2 * seconds)) measured "$title: an array that is walked in the wrong order" walk locality order "$java" -XX:+UseG1GC
	like "$title: it is said" "$report" "accesses are sampled by POSIX timers"
	unlike "$title: of watches nothing is said" "$report" "no watch"
	java=${jdks[-1]}/bin/java
done
run "${by[@]}" "$OJX" list --format=json
is "perf_event_open denied: ojx list knows what needs it" "$(json "$TMP/out" \
	"[l['name'] for l in r['list'] if l['available'] and l['name'] in ('locality', 'numa', 'clock', 'silent-load', 'page-faults')]")" \
	"['locality', 'numa', 'clock']"

done_testing
