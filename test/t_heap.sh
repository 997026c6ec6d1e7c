#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `ojx heap`: dumps of a program whose equal objects are known (test/jvm/Heaped.java), in several
# layouts; how files are read; messages about bad files. Reader and partition have unit tests.
. "$(dirname "$0")/lib.sh"

find_jdks
use_classes

# Prints what is wrong with the report $TMP/heap.json on the planted objects; nothing if it is
# right. The bytes of a class are those that the VM counts.
wrong()
{
	python3 - "$TMP/heap.json" "$1" "$2" <<'END'
import json, re, sys
version = int(sys.argv[3])
r = json.load(open(sys.argv[1]))
histogram = {}
for count, size, name in re.findall(r"^ *\d+: +(\d+) +(\d+) +(\S+)", open(sys.argv[2]).read(), re.M):
    histogram[name] = int(count), int(size)
classes = {c["class"]: c for c in r["equal"]["classes"]}
planted = {"Order": (1200, 1200, 1), "Amount": (1200, 10, 120), "Ring": (60, 4, 15), "Link": (300, 100, 3),
           "Locked": (7, 7, 1), "Weak": (7, 7, 1), "Mixed": (7, 2, 4), "Color": (2, 2, 1)}
for name in ("Vector", "Queue", "Map", "Tree", "Table", "Identity", "Concurrent", "Enums"):
    planted["Changed" + name] = 7, 1, 7  # by counts of changes and views they would differ
for name, want in planted.items():
    c = classes["Heaped$" + name]
    got = c["objects"], c["distinct"], c["largest"]
    if got != want:
        print(name, got, "not", want)
    if (c["objects"], c["bytes"]) != histogram["Heaped$" + name]:
        print(name, c["bytes"], "bytes, not", histogram["Heaped$" + name])
    if c["freed_bytes"] != c["bytes"] / c["objects"] * (c["objects"] - c["distinct"]):
        print(name, "frees", c["freed_bytes"])
total = r["equal"]
if total["freed_bytes"] != sum(c["freed_bytes"] for c in classes.values()):
    print("the sum of what is freed is", total["freed_bytes"])
if total["objects"] != sum(c["objects"] for c in classes.values()):
    print("the sum of objects is", total["objects"])
holders = {(h["holder"], h["class"]): h for h in r["equal"]["holders"]}
for holder, copies, distinct in ((("Heaped$Order.currency", "java.lang.String"), 1200, 3),
                                 (("Heaped$Order.amount", "Heaped$Amount"), 1200, 10),
                                 (("Heaped.all", "Heaped$Ring"), 20, 4),
                                 (("Heaped.all", "Heaped$Link"), 3, 1)):
    h = holders[holder]
    if (h["copies"], h["distinct"]) != (copies, distinct):
        print(holder, h)
# a string goes with its array
if not holders[("Heaped$Order.currency", "java.lang.String")]["freed_bytes"] >= 1197 * (24 + 16):
    print("the arrays of strings are not freed")
problems = {}
for p in r["wasteful"]["problems"]:
    problems.setdefault((p["problem"], p["class"]), {"objects": 0})["objects"] += p["objects"]
if problems[("empty collection", "java.util.HashMap")]["objects"] < 7:
    print("the maps are not empty")
if problems[("array of zeroes only", "byte[]")]["objects"] < 7:
    print("the zeroes are missing")
retained = r["retained"]
if retained["held_bytes"] + retained["weak_bytes"] + retained["dead_bytes"] != total["bytes"]:
    print("what is held, weak and dead has other bytes than the heap")
fields = {f["holder"]: f for f in retained["fields"]}
size = {name: c["bytes"] / c["objects"] for name, c in classes.items()}
# orders with a currency, which has an array of 10 bytes, and an amount; the array that has them
array, text = {(12, 4, 8): (16 + 4 * 1200, 32), (16, 8, 8): (24 + 8 * 1200, 40 if version < 22 else 32)}.get(
    tuple(r["dump"][key + "_bytes"] for key in ("header", "reference", "alignment")), (0, 0))
want = array + 1200 * (size["Heaped$Order"] + size["Heaped$Amount"] + size["java.lang.String"] + text)
if array and fields["Heaped.orders"]["retained_bytes"] != want:
    print("orders retain", fields["Heaped.orders"]["retained_bytes"], "not", want)
by_class = {c["class"]: c for c in retained["classes"]}
if by_class["Heaped$Amount"]["retained_bytes"] != classes["Heaped$Amount"]["bytes"]:
    print("amounts retain", by_class["Heaped$Amount"])
paths = [o["root_path"] for o in retained["objects"] if o["object"] == "class Heaped"]
if paths != ["a class of the system"]:
    print("a class is held by", paths)
if holders[("Heaped$Order.currency", "java.lang.String")]["root_path"] != "Heaped.orders > Heaped$Order[] > Heaped$Order.currency":
    print("a path:", holders[("Heaped$Order.currency", "java.lang.String")]["root_path"])
END
}

# heap_of HOME [ORDERS] OPTION...: dumps into $TMP/app.hprof
heap_of()
{
	local home=$1
	shift
	rm -f "$TMP/app.hprof"
	local orders=
	case ${1:-} in
	[0-9]*) orders=$1; shift ;;
	esac
	"$home/bin/java" -Xmx64m "$@" -cp "$classes" Heaped "$TMP/app.hprof" $orders >"$TMP/histogram" 2>"$TMP/java.err" ||
		cat "$TMP/java.err"
}

# planted TITLE HOME OPTION...
planted()
{
	local title=$1
	shift
	heap_of "$@"
	run "$OJX" heap --format=json --retained --path "$TMP/app.hprof"
	mv "$TMP/out" "$TMP/heap.json"
	is "$title: the planted objects and their bytes" "$(cat "$TMP/err")$(wrong "$TMP/histogram" "$(version_of "$1")" 2>&1)$("$TOP/test/heap_truth.py" "$TMP/heap.json" "$TMP/histogram" 2>&1)" ""
}

newest=${jdks[0]}
for home in "${jdks[@]}"; do
	[ "$(version_of "$home")" -le "$(version_of "$newest")" ] || newest=$home
done
planted "full references" "$newest" -XX:-UseCompressedOops -XX:+UseSerialGC
if [ "$(version_of "$newest")" -ge 25 ]; then
	planted "compact headers" "$newest" -XX:+UseCompactObjectHeaders
else
	skip "compact headers" "no JDK has them"
fi
planted "objects at multiples of 16" "$newest" -XX:ObjectAlignmentInBytes=16 -XX:+UseParallelGC
planted "objects at multiples of 32" "${jdks[0]}" -XX:ObjectAlignmentInBytes=32
planted "compressed references" "${jdks[0]}"

# ---- holders

# Prints what is wrong with the holders of Holders.java's copies: a row for each field that has a collection,
# with the way through it. Wrappers that are copies count themselves; what they hold counts once for each group.
wrong_holders()
{
	python3 - "$1" <<'END'
import json, sys
rows = json.load(open(sys.argv[1]))["equal"]["holders"]
got = {}
for r in rows:
    name = r["holder"].replace("Holders$", "").replace("Holders.", "")
    if r["holder"].startswith("Holders") and r["class"] in ("java.lang.String", "java.util.Optional",
                                                            "java.util.concurrent.CompletableFuture"):
        got.setdefault(name, []).append((r["class"].split(".")[-1], r["copies"], r["distinct"], r["shared"], r["path"]))
paths = {
    "INDEX": "LinkedHashMap > HashMap$Node.value", "Registry.own": "Object[]",
    "Shop.byName": "LinkedHashMap > HashMap$Node.value", "Shop.linked": "LinkedList$Node.item",
    "Shop.vector": "Vector", "Shop.deque": "ArrayDeque", "Shop.priority": "PriorityQueue",
    "Shop.hashtable": "Hashtable$Entry.value", "Shop.weak": "WeakHashMap$Entry.value",
    "Shop.identity": "IdentityHashMap", "Shop.tree": "TreeMap$Entry.value",
    "Shop.skip": "ConcurrentSkipListMap$Node.val", "Shop.concurrent": "ConcurrentHashMap$Node.val",
    "Shop.copyOnWrite": "CopyOnWriteArrayList", "Shop.linkedQueue": "ConcurrentLinkedQueue$Node.item",
    "Shop.linkedDeque": "ConcurrentLinkedDeque$Node.item", "Shop.blocking": "LinkedBlockingQueue$Node.item",
    "Shop.blockingDeque": "LinkedBlockingDeque$Node.item", "Shop.arrayBlocking": "ArrayBlockingQueue",
    "Shop.priorityBlocking": "PriorityBlockingQueue", "Shop.asList": "Arrays$ArrayList",
    "Shop.synchronizedMap": "Collections$SynchronizedMap > HashMap$Node.value",
    "Shop.unmodifiable": "Collections$UnmodifiableList > LinkedList$Node.item",
    "Shop.listOf": "ImmutableCollections$ListN", "Shop.array": "Object[]", "Shop.arrays": "Object[][]",
    "Shop.atomic": "ArrayList > AtomicReference.value", "Shop.atomicArray": "AtomicReferenceArray",
    "Shop.soft": "ArrayList > SoftReference > Reference.referent",
    "Shop.nested": "Optional > Collections$SingletonList > ImmutableCollections$Map1 > TreeMap$Entry.value",
    "Shop.subclass": "Holders$Shop$1 > HashMap$Node.value",
    "Shop.registry": "Holders$Registry > HashMap$Node.value",
    "Shop.mixed": "Object[] > ArrayList, Object[] > LinkedList$Node.item, Object[] > ArrayDeque",
}
want = {name: [("String", 30, 3, 0, path)] for name, path in paths.items()}
want["Shop.first"] = [("String", 30, 3, 30, "ArrayList (shared)")]
want["Shop.optional"] = [("Optional", 30, 3, 0, "ArrayList")]
want["Shop.future"] = [("CompletableFuture", 30, 3, 0, "ArrayList")]
for name in sorted(want.keys() | got.keys()):
    if got.get(name) != want.get(name):
        print(name, got.get(name), "not", want.get(name))
local = [r["copies"] for r in rows if r["holder"] == "(a local variable or another root)" and
         r["class"] == "java.lang.String" and "LinkedList$Node.item" in r["path"]]
if not local or local[0] < 30:
    print("the local variable", local)
END
}

for home in "${jdks[@]}"; do
	rm -f "$TMP/holders.hprof"
	"$home/bin/java" -Xmx64m -cp "$classes" Holders "$TMP/holders.hprof" >"$TMP/java.out" 2>&1 || cat "$TMP/java.out"
	run "$OJX" heap --format=json "$TMP/holders.hprof"
	is "$(version_of "$home"): a field for each collection" "$(cat "$TMP/err")$(wrong_holders "$TMP/out" 2>&1)" ""
done

# ---- what cannot be shared

# Prints what is wrong with the report on Apart.java's heap. The JDK has no group of 300 equal objects of these classes.
wrong_apart()
{
	python3 - "$1" <<'END'
import json, sys
r = json.load(open(sys.argv[1]))
classes = {c["class"]: c for c in r["equal"]["classes"]}
apart = """lang.Object Apart$NoFields util.concurrent.locks.ReentrantLock
    util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject util.concurrent.locks.StampedLock
    util.concurrent.Semaphore util.concurrent.locks.ReentrantReadWriteLock util.concurrent.CountDownLatch
    lang.ref.ReferenceQueue lang.ThreadLocal util.concurrent.Exchanger util.concurrent.atomic.AtomicBoolean
    util.concurrent.atomic.AtomicInteger util.concurrent.atomic.AtomicIntegerArray util.concurrent.atomic.AtomicLongArray
    util.concurrent.atomic.AtomicReference util.concurrent.atomic.AtomicReferenceArray
    util.concurrent.atomic.AtomicStampedReference util.concurrent.atomic.LongAdder util.concurrent.CompletableFuture
    util.concurrent.FutureTask io.ByteArrayInputStream io.StringReader util.Random util.ArrayList util.LinkedList
    util.Vector util.Stack util.ArrayDeque util.PriorityQueue util.HashMap util.LinkedHashMap util.WeakHashMap
    util.IdentityHashMap util.Hashtable util.EnumMap util.BitSet util.RegularEnumSet util.HashSet util.LinkedHashSet
    util.TreeSet util.concurrent.ConcurrentSkipListMap util.concurrent.ConcurrentSkipListSet
    util.concurrent.ConcurrentLinkedQueue util.concurrent.ConcurrentLinkedDeque util.concurrent.LinkedBlockingQueue
    util.concurrent.LinkedBlockingDeque util.concurrent.LinkedTransferQueue util.concurrent.ArrayBlockingQueue
    util.concurrent.CopyOnWriteArrayList util.concurrent.PriorityBlockingQueue util.concurrent.SynchronousQueue
    lang.StringBuilder util.concurrent.ConcurrentLinkedQueue$Node util.concurrent.ConcurrentLinkedDeque$Node
    util.concurrent.LinkedBlockingQueue$Node""".split()
shared = """Apart$Plain lang.Double math.BigDecimal time.LocalDate util.Optional char[] Apart$Elsewhere
    util.Collections$SingletonList util.TreeMap util.Properties""".split()
for name, can in [(n, False) for n in apart] + [(n, True) for n in shared]:
    full = name if "." not in name else "java." + name
    c = classes[full]
    if c["objects"] < 300 or (c["largest"] >= 300) != can:
        print(full, c)
problems = {}
for p in r["wasteful"]["problems"]:
    problems.setdefault((p["problem"], p["class"]), {"objects": 0})["objects"] += p["objects"]
# no byte twice: what merging frees does not count again
for problem, name in (("boxed number", "java.lang.Double"), ("collection of one", "java.util.TreeMap")):
    if problems[(problem, name)]["objects"] > classes[name]["distinct"]:
        print(problem, problems[(problem, name)], classes[name]["distinct"])
for name in ("LinkedList", "Vector", "PriorityQueue", "IdentityHashMap", "Hashtable", "concurrent.ConcurrentHashMap"):
    if problems.get(("empty collection", "java.util." + name), {"objects": 0})["objects"] < 300:
        print(name, "is not empty")
for name in ("Apart$Elsewhere", "java.util.Properties"):
    if ("empty collection", name) in problems:
        print(problems[("empty collection", name)])
if r["equal"]["freed_bytes"] + r["wasteful"]["wasted_bytes"] > r["equal"]["bytes"]:
    print("more than there is")
END
}

for home in "${jdks[@]}"; do
	rm -f "$TMP/apart.hprof"
	"$home/bin/java" -Xmx64m -cp "$classes" Apart "$TMP/apart.hprof" >"$TMP/java.out" 2>&1 || cat "$TMP/java.out"
	run "$OJX" heap --format=json "$TMP/apart.hprof"
	is "$(version_of "$home"): what cannot be shared" "$(cat "$TMP/err")$(wrong_apart "$TMP/out" 2>&1)" ""
done

# ---- files

# The report on the dump, without its name and size.
told()
{
	"$OJX" heap --format=json "$@" 2>&1 | sed 's/"file_bytes":[0-9]*,//; s/"file":"[^"]*",//' | cksum
}

want=$(told "$TMP/app.hprof")
is "from a pipe" "$(cat "$TMP/app.hprof" | told -)" "$want"
is "as standard input" "$(told - <"$TMP/app.hprof")" "$want"
head -c 1000000 "$TMP/app.hprof" | gzip -1 >"$TMP/app.gz"
tail -c +1000001 "$TMP/app.hprof" | gzip -1 >>"$TMP/app.gz"
is "packed, in two pieces" "$(told "$TMP/app.gz")" "$want"
is "packed, from a pipe" "$(cat "$TMP/app.gz" | told -)" "$want"
is "nothing is left in TMPDIR" "$(mkdir "$TMP/tmp"; TMPDIR=$TMP/tmp told "$TMP/app.gz" >"$TMP/x"; ls -A "$TMP/tmp")" ""

# Another user's file can be changed while root reads it: if somebody has it open for that, a copy is read.
if [ "$(id -u)" = 0 ]; then
	cp "$TMP/app.hprof" "$TMP/foreign.hprof"
	chown 65534 "$TMP/foreign.hprof"
	is "another user's" "$(told "$TMP/foreign.hprof")" "$want"
	exec 9>>"$TMP/foreign.hprof"
	is "another user's that is open for writing" "$(told "$TMP/foreign.hprof")" "$want"
	TMPDIR=/nonexistent run "$OJX" heap "$TMP/foreign.hprof"
	like "another user's that is open for writing: it is copied" "$TMP/err" 'cannot make a temporary file'
	exec 9>&-
else
	skip "another user's file" "this is not root"
fi

# refused TITLE REGEX FILE: exit status 1 and one line
refused()
{
	run "$OJX" heap "$3"
	is "$1: the exit status" "$status" 1
	is "$1: one line, nothing else" "$(wc -l <"$TMP/err") $(wc -c <"$TMP/out")" "1 0"
	like "$1: the reason" "$TMP/err" "^ojx: '$3': $2"
}

cd "$TMP" || exit 1
# cut_short TITLE REGEX FILE: what is complete is told, and one line says what is missing
cut_short()
{
	run "$OJX" heap --format=json "$3"
	is "$1: it is read" "$status $(json out 'r["dump"]["is_cut"], 0 < r["equal"]["objects"] < '"$objects")" "0 (True, True)"
	run "$OJX" heap "$3"
	is "$1: one line tells it" "$(grep -c '^# the dump is cut short: ' out)" 1
	like "$1: where" out "$2"
}
objects=$("$OJX" heap --format=json app.hprof | json /dev/stdin 'r["equal"]["objects"]')
head -c 2000000 app.hprof >cut.hprof
cut_short "a dump that is cut short" "cut short: the file ends at byte 2000000, within a record that has [0-9]+ bytes more\." cut.hprof
head -c $(($(stat -c %s app.gz) * 3 / 4)) app.gz >cut.gz
cut_short "cut short and packed" "cut short: the file cannot be unpacked behind byte [0-9]+ \(it ends too early\)\." cut.gz
: >empty
refused "an empty file" "it is empty" empty
refused "a program" "it is a program or a library: " "$(command -v bash)"
refused "what never ends" "it is no heap dump: it begins with zeroes: " /dev/zero
head -c 100000000 /dev/zero | gzip -1 >zeroes.gz
refused "a packed file that is no dump" "it is no heap dump: it begins with zeroes: " zeroes.gz
gzip -1 <app.gz >twice.gz
refused "packed twice" "it is packed by gzip twice: " twice.gz
is "what is no dump is not unpacked" "$(TMPDIR=/nonexistent "$OJX" heap zeroes.gz 2>&1)" \
	"ojx: 'zeroes.gz': it is no heap dump: it begins with zeroes: 'jcmd PID GC.heap_dump FILE' writes a heap dump"
refused "a folder" "cannot read it: " "$TMP"
refused "no file" "cannot open it: " nowhere

# ---- options

run "$OJX" heap app.hprof
is "a text" "$status" 0
like "it says how exact it is" out "^# equal objects: .* exactly$"
unlike "no contents" out currency-
is "15 lines of a table" "$(grep -c '^… [0-9]* \(classes\|fields\|problems\) more; --limit 0 shows all$' out)" 3
unlike "classes without copies are counted, not listed" out ' Heaped\$Order$'
like "how many there are" out '^… [0-9]* classes without equal objects$'
run "$OJX" heap --class 'Heaped$Order' app.hprof
like "--class lists a class without copies" out ' 1.2 k .* Heaped\$Order$'
run "$OJX" heap --sort objects --limit 0 --format=markdown app.hprof
like "--sort lists classes without copies" out '`Heaped\$Order`'
run "$OJX" heap --values --limit 0 app.hprof
like "--values shows contents" out 'Heaped\$Order.currency +java.lang.String +"currency-[012]"$'
unlike "--limit 0 shows all" out ' more; '
run "$OJX" heap --class 'Heaped$A*' --format=csv app.hprof
is "CSV of a class" "$(cut -d, -f4,5,6,9 out | tr -d '\r')" "objects,distinct,largest,class
1200,10,120,\"Heaped\$Amount\""
run "$OJX" heap --sort objects --limit 2 --format=csv app.hprof
check "--sort" sort -t, -k4 -n -r -c <(tail -n +2 out)
run "$OJX" heap --sort nothing app.hprof
is "an unknown key is refused" "$status" 2
like "with those that there are" err "heap.freed_bytes"
run "$OJX" heap --fail-if 'heap.freed_bytes>20kB' app.hprof
is "--fail-if: a condition that holds" "$status" 3
like "--fail-if: which class" err "^ojx: 'heap.freed_bytes>20kB' holds for .*lines, the first of which is "
run "$OJX" heap --fail-if 'equal>99%,wasteful>99%,total.heap.freed_bytes>1GB' app.hprof
is "--fail-if: conditions that do not" "$status" 0
run "$OJX" heap --fail-if 'saved>1' app.hprof
is "--fail-if: no column of recordings" "$status" 2

# Contents that a tool has erased are not known, so nothing is said of copies.
(cd "$TOP/test" && python3 - "$TMP/app.hprof" "$TMP/erased.hprof") <<'END'
import sys
from heapdump import Dump, SIZES
dump = Dump(sys.argv[1])
data = bytearray(dump.data)
for kind, first, length in dump.objects.values():
    if kind in SIZES:
        data[first:first + length] = bytes(length)
open(sys.argv[2], "wb").write(data)
END
run "$OJX" heap --fail-if 'heap.freed_bytes>1MB' "$TMP/erased.hprof"
is "--fail-if: of contents that are erased" "$status" 1
like "--fail-if: of contents that are erased, it says so" "$TMP/err" "'heap.freed_bytes>1MB' cannot be tested"
run "$OJX" heap --fail-if 'heap.bytes>1kB' "$TMP/erased.hprof"
is "--fail-if: sizes are known all the same" "$status" 3
run "$OJX" heap --format=markdown --class 'Heaped$*' --limit=2 app.hprof
is "markdown: the heading" "$(head -n 1 out)" "## ojx heap"
is "markdown: two classes, two holders" "$(grep -c '^| [0-9]' out)" "$(($(grep -c '^| ---' out) * 2))"
like "markdown: a class" out '^| [0-9].* | `Heaped\$[A-Z][a-z]*`'
run "$OJX" heap --values -o page.html app.hprof
is "a page" "$status $(wc -c <out)" "0 0"
is "a page with contents is for its owner alone" "$(stat -c %a page.html)" 600
unlike "it asks for nothing" page.html '(src|href)="?(https?:)?//|url\(|@import|fetch\(|XMLHttp'
run "$OJX" heap -o app.hprof --format=html app.hprof
is "a dump is not overwritten" "$status" 2
like "and it says so" err "'app.hprof' is read: name another file"
run "$OJX" heap -o app.pb.gz app.hprof
is "a format that there is not" "$status" 2
cp app.hprof old.hprof
heap_of "${jdks[0]}" 2000
run "$OJX" heap --format=json old.hprof app.hprof
mv out change.json
is "two dumps: what is more" "$(json change.json '[(c["objects"], c["objects_old"], c["objects_new"], c["freed_bytes"] > 0)
	for c in r["change"]["classes"] if c["class"] == "Heaped$Amount"]')" "[(800, 1200, 2000, True)]"
is "two dumps: who holds more" "$(json change.json '[h["copies"] for h in r["change"]["holders"]
	if h["holder"] == "Heaped$Order.currency"]')" "[800]"
is "two dumps: the sums" "$(json change.json 'r["change"]["bytes"] == sum(c["bytes"] for c in r["change"]["classes"])')" True
run "$OJX" heap -o change.html old.hprof app.hprof
is "two dumps: a page" "$status" 0
if [ -z "$(python3 -c "import sys; sys.path.insert(0, '$TOP/test'); import browser; print(browser.program() or '')")" ]; then
	skip "the page in a browser" "no Chromium here (package chromium)"
else
	is "the page in a browser" "$(python3 "$TOP/test/t_heap.py" "$TMP/page.html" "$TMP/change.html" 2>&1)" ""
fi
run "$OJX" heap old.hprof old.hprof
is "the same dump twice" "$(grep -c ─ out)" 0
run "$OJX" heap --fail-if 'change.objects>700' old.hprof app.hprof
is "--fail-if: a change" "$status" 3
run "$OJX" heap - - <old.hprof
is "not both are standard input" "$status" 2
run "$OJX" heap
is "a file is needed" "$status" 2

done_testing
