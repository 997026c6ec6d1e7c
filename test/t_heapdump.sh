#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A second truth: a heap dump holds every live object, and test/heapdump.py groups them by content. An H2 database
# keeps a table in memory, test/apps/Table.java, and ojx has watched it being filled. For the classes of the table's
# values the report must agree with the dump, within its own intervals.
#
# Why that is fair. ojx speaks of the objects that were allocated, a dump of those that are alive. The two are the same
# where nothing dies, and that is not taken on trust: with --exact the report has the number of objects that a
# class has had, and only if it is the number of live ones, to 0.2 %, is the class compared (the ones named below must be).
# Values do not change, so it does not matter when ojx saw them. Shares of a class are those of all its contexts
# together (--group-by class). References are equal, in a dump and for ojx, if they lead to the same object;
# no two live notes have the same string, so that they are all different, shallow, whenever they are compared.
# The dump is asked for by jcmd. It makes a collection first, of which Serial and Parallel do not tell JVMTI.
. "$(dirname "$0")/lib.sh"

h2=/usr/share/java/h2.jar
data=$TMP/ojx.data

[ -e $h2 ] || {
	skip "a heap dump of a database" "no $h2 (Debian: libh2-java)"
	done_testing
}
find_jdks
"${jdks[0]}/bin/javac" -nowarn --release 11 -g -cp $h2 -d "$TMP/classes" "$TOP/test/apps/Table.java" || exit 1

# Has the JVM write its heap for ojx: at once, when a signal comes meanwhile, and where no JVM can.
read_alive()
{
	"$OJX" heap -p "$1" --format=json --limit 0 >"$TMP/alive.json" 2>"$TMP/alive.err"
	alive_status=$?
	"$OJX" heap -p "$1" --all -q >/dev/null 2>"$TMP/ended.err" &
	wait_for 100 sh -c "[ -d /tmp/.ojx_heap$1 ] || [ -d /var/tmp/.ojx_heap$1 ] || ! kill -0 $!"
	kill $! 2>/dev/null
	wait $!
	ended_status=$?
	"$OJX" heap -p $$ >/dev/null 2>"$TMP/bash.err"
	left=$(ls -d /tmp/.ojx_heap"$1" /var/tmp/.ojx_heap"$1" 2>/dev/null)
}

# Fills the table, dumps the heap, ends. Makes $TMP/{dump.hprof,contexts.json,classes.json}.
dump()
{
	local java=$1 gc=$2 ojx
	rm -f "$data" "$TMP"/{dump.hprof,out,stdin}
	mkfifo "$TMP/stdin"
	# ojx takes snapshots of these classes only: Value* and Note
	"$OJX" record -q -o "$data" --exact --budget 50 --class '*[.$][VN][ao][lt][ue]*' -- \
		"$java/bin/java" -Xmx256m "-XX:+Use${gc}GC" -Dh2.objectCache=false \
		-cp "$TMP/classes:$h2" Table $rows \
		<"$TMP/stdin" >"$TMP/out" 2>"$TMP/err" &
	ojx=$!
	exec 9>"$TMP/stdin"
	if wait_for 200 sh -c "grep -qs ready '$TMP/out' || ! kill -0 $ojx"; then
		"$java/bin/jcmd" "$(pgrep -P $ojx -x java)" GC.heap_dump "$TMP/dump.hprof" \
			>"$TMP/jcmd" 2>&1
		read_alive "$(pgrep -P $ojx -x java)"
	fi
	exec 9>&-
	reap $ojx
	"$OJX" report --format=json -i "$data" --group-by=class >"$TMP/classes.json"
	"$OJX" report --format=json -i "$data" >"$TMP/contexts.json"
}

# Prints what does not agree, one line each.
compare()
{
	python3 - "$TOP/test" "$TMP" "$rows" <<'END'
import json, sys
sys.path.insert(0, sys.argv[1])
import heapdump

dump = heapdump.Dump(sys.argv[2] + "/dump.hprof")
classes = {c["class"]: c for c in json.load(open(sys.argv[2] + "/classes.json"))["contexts"]}
contexts = json.load(open(sys.argv[2] + "/contexts.json"))["contexts"]
rows = int(sys.argv[3])
SPREAD = 2.55  # 95 % intervals to five standard deviations


def near(what, estimate, interval, truth):
    if estimate is None or interval is None:
        print(f"{what} is not measured, truth {truth:.4f}")
        return
    low = estimate - SPREAD * (estimate - interval[0]) - 0.005
    high = estimate + SPREAD * (interval[1] - estimate) + 0.005
    if not low <= truth <= high:
        print(f"{what} {estimate:.4f} in {interval}, truth {truth:.4f}")


def compare(name):
    row, groups = classes.get(name), dump.groups(name)
    n = sum(groups.values())
    if not row or not n >= rows:
        print(f"{name}: {n} alive, " + ("not recorded" if not row else "too few"))
        return
    if abs(row["objects"] - n) > 0.002 * n:
        print(f"{name}: {row['objects']} allocated, {n} alive")
        return
    replica, largest = row["replica"], max(groups.values()) / n
    if replica["scanned"] < 300:
        print(f"{name}: only {replica['scanned']} looked at")
    near(f"{name}: largest group", replica["largest_group"], replica["largest_group_ci"], largest)
    # pairs are made within a context: take one that has nearly all of the class
    main = max((c for c in contexts if c["class"] == name), key=lambda c: c["objects"])
    if main["objects"] > 0.99 * n:
        same = sum(k * (k - 1) for k in groups.values()) / n / (n - 1)
        near(f"{name}: identical", main["replica"]["identical"], main["replica"]["identical_ci"], same)
    if replica["distinct"] is not None and not 0.8 < replica["distinct"] / len(groups) < 1.25:
        print(f"{name}: {replica['distinct']} contents, truth {len(groups)}")
    if len(groups) <= 10 and replica["distinct"] != len(groups):
        print(f"{name}: {replica['distinct']} contents of {len(groups)}")
    size = row["bytes"] / row["objects"]
    if (replica["saved_bytes"] or 0) > (n - len(groups)) * size:
        print(f"{name}: {replica['saved_bytes']} bytes saved, {(n - len(groups)) * size} can be")
    # they have all survived the dump's collection; a view knows of it only if it was noticed
    near(f"{name}: alive", replica["live_objects"], replica["live_objects_ci"], n)
    low, high = replica["saved_live_bytes_ci"] or (0, 0)
    if low > SPREAD * (n - len(groups)) * size or SPREAD * high < (n - len(groups)) * size:
        print(f"{name}: {low, high} bytes of what is alive saved, {(n - len(groups)) * size} can be")
    if len(groups) <= 10 and low < 0.1 * n * size:
        print(f"{name}: only {low} bytes of what is alive are known to be saved of {n * size}")
    deep = dump.groups(name, deep=True)
    if replica["largest_group_deep"] is not None or name == "Table$Note":
        near(f"{name}: largest group, deep", replica["largest_group_deep"],
             replica["largest_group_deep_ci"], max(deep.values()) / n)


for name in ("ValueInteger", "ValueDouble", "ValueDate", "ValueTimestamp", "ValueUuid"):
    compare("org.h2.value." + name)
compare("Table$Note")
END
}

# The table's classes in a report of a heap dump.
table_of()
{
	json "$1" "sorted((c['class'], c['objects'], c['bytes'], c['distinct'], c['freed_bytes']) \
		for c in r['equal']['classes'] if c['class'] in ('Table\$Note', 'org.h2.value.ValueUuid', \
		'org.h2.value.ValueDate'))"
}

agree()
{
	local title="jdk$(version_of "$1") $2" wrong
	# more rows where too little was looked at
	for rows in 6000 12000 24000; do
		dump "$1" "$2"
		wrong=$(compare 2>&1)
		[[ $wrong = *"looked at"* ]] || break
	done
	is "$title: exit status" "$status" 0
	is "$title: the table is whole" "$(tail -n 1 "$TMP/out")" "$rows sales, $rows notes"
	check "$title: there is a dump" test -s "$TMP/dump.hprof"
	is "$title: every allocation was counted" "$(json "$TMP/classes.json" \
		"r['recording']['exact'], r['recording']['allocations_lost']")" "(True, 0)"
	is "$title: what the dump says" "$wrong" ""
	"$OJX" heap --format=json --limit 0 "$TMP/dump.hprof" >"$TMP/dumped.json"
	is "$title: heap -p: exit status" "$alive_status" 0
	like "$title: heap -p: says how long the JVM stood still" "$TMP/alive.err" \
		"pid [0-9]+ \(Table\) wrote a dump of .* stood still for"
	"$OJX" heap --format=json --limit 0 -i "$data" "$TMP/dump.hprof" >"$TMP/sites.json"
	is "$title: heap -i: each class is shared out among its lines" "$(json "$TMP/sites.json" \
		"{(s['line'].split(':')[0], s['of_class']) for s in r['equal']['sites'] if s['class'] == 'org.h2.value.ValueUuid'} \
		!= set() and all(abs(sum(s['of_class'] for s in r['equal']['sites'] if s['class'] == c) - 1) < 1e-9 \
		for c in {s['class'] for s in r['equal']['sites']})")" True
	like "$title: heap -p: it has the table" "$TMP/alive.json" 'Table\$Note'
	is "$title: heap -p: what jcmd's dump has" "$(table_of "$TMP/alive.json")" \
		"$(table_of "$TMP/dumped.json")"
	like "$title: heap -p: no JVM" "$TMP/bash.err" "is not a JVM"
	like "$title: heap -p: a signal ends it, or came after the end" <(echo "$ended_status") '^(143|0)$'
	is "$title: heap -p: nothing is left of it" "$left" ""
}

agree "${jdks[-1]}" G1
agree "${jdks[0]}" Serial

# Checks the reader itself without ojx: the table as it was filled.
"$TOP/test/heapdump.py" "$TMP/dump.hprof" org.h2.value.ValueDate org.h2.value.ValueUuid \
	org.h2.value.ValueTimestamp 'Table$Note' >"$TMP/groups"
like "the reader: ten days" "$TMP/groups" "ValueDate: shallow $rows objects, 10 contents, largest"
like "the reader: two owners" "$TMP/groups" "ValueUuid: shallow $rows objects, 2 contents, largest group 0\.(79|80)"
like "the reader: no moment twice" "$TMP/groups" "ValueTimestamp: shallow $rows objects, $rows contents"
like "the reader: notes are alike when their texts are" "$TMP/groups" \
	"Note: shallow $rows objects, $rows contents, .* deep $rows objects, 6 contents"
done_testing
