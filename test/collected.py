#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Collections of the JDK in each state, for test/t_collected.sh.

    collected.py java                      writes the program, with a method for each collection and state
    collected.py check REPORT.json JDK     prints what is false in the report of a recording of it, and what is missing there
    collected.py false REPORT.json JDK     what is false alone

A method makes objects of one collection in one state, so its line is its own. Of the states only 'empty' may be told to never
hold anything. It must be told of the collections that ojx knows.
"""
import json
import os
import sys

# How a state is made. NEW, COPY, FILL and CLEAR are those of the row.
STATES = {
    "empty": "return {new};",
    "filled": "{type} x = {new}; {fill}; return x;",
    "cleared": "{type} x = {new}; {fill}; {clear}; return x;",
    "copied": "return {copy};",
    "drained": "{type} x = {copy}; drain(x); return x;",
    "cloned": "return (({type}) model_{name}).clone();",
    "deserialised": "return read(stored_{name});",
}


class Row:
    """A collection: the state in which it is made, and how it gets to the others. A state without a way is left out."""

    def __init__(self, name, new, fill, copy=None, clear="x.clear()", type=None, known=None, clone=False, serial=True,
                 drain=True, unused=None):
        self.code = {"name": name, "new": new, "fill": fill, "copy": copy, "clear": clear, "type": type or name}
        self.known = known  # the class of which the advice must be told when empty, and the first JDK
        self.unused = unused  # the class of an object within it that is never filled
        ways = {"empty": new, "filled": new and fill, "cleared": new and fill and clear, "copied": copy,
                "drained": copy and drain, "cloned": clone, "deserialised": serial and (copy or fill)}
        self.states = [s for s in STATES if ways[s]]

    def model(self):
        """An expression of one that has elements."""
        return self.code["copy"] or "filled_" + self.code["name"] + "()"


def plain(name, package="java.util.", known=None, **more):
    return Row(name, f"new {name}()", 'x.add("a")', f"new {name}(SOME)", known=known and (package + name, known), **more)


def mapped(name, package="java.util.", known=None, **more):
    return Row(name, f"new {name}()", 'x.put("a", "b")', f"new {name}(PAIRS)", known=known and (package + name, known), **more)


def wrapped(kind, inner, content, fill):
    """The three wrappers of Collections; an unmodifiable one gets its elements with what it wraps."""
    full = f"new {inner}({content})"
    element = ", String.class" + (", String.class" if kind.endswith("Map") else "")
    yield Row("synchronized" + kind, f"Collections.synchronized{kind}(new {inner}())", fill,
              f"Collections.synchronized{kind}({full})", type=kind)
    yield Row("checked" + kind, f"Collections.checked{kind}(new {inner}(){element})", fill,
              f"Collections.checked{kind}({full}{element})", type=kind)
    yield Row("unmodifiable" + kind, f"Collections.unmodifiable{kind}(new {inner}())", None,
              f"Collections.unmodifiable{kind}({full})", type=kind, drain=False)


def fixed(name, empty, full):
    """One that nobody can change."""
    return Row(name, empty, None, full, type="Object", drain=False)


CONCURRENT = "java.util.concurrent."
ADD, PUT = 'x.add("a")', 'x.put("a", "b")'
ROWS = [
    plain("ArrayList", known=11, clone=True),
    plain("LinkedList", known=11, clone=True),
    plain("Vector", known=11, clone=True),
    Row("Stack", "new Stack()", 'x.push("a")', known=("java.util.Stack", 11), clone=True),
    plain("PriorityQueue", known=11),
    plain("ArrayDeque", clone=True),
    plain("HashSet", clone=True),
    plain("LinkedHashSet", clone=True),
    plain("TreeSet", clone=True),
    Row("BitSet", "new BitSet()", "x.set(3)", clone=True),
    Row("EnumSet", "EnumSet.noneOf(Kind.class)", "x.add(Kind.A)", "EnumSet.of(Kind.A)", clone=True),
    Row("EnumMap", "new EnumMap(Kind.class)", 'x.put(Kind.A, "b")', "new EnumMap(KINDS)", clone=True),
    Row("SetFromMap", "Collections.newSetFromMap(new HashMap())", ADD, type="Set"),
    Row("LifoQueue", "Collections.asLifoQueue(new ArrayDeque())", ADD, type="Queue"),
    mapped("HashMap", known=11, clone=True),
    mapped("LinkedHashMap", known=11, clone=True),
    mapped("TreeMap", known=11, clone=True),
    # each has a queue of its own, so there may be no verdict on those that are empty, and then no advice
    mapped("WeakHashMap", known=99, serial=False),
    mapped("IdentityHashMap", known=11, clone=True),
    mapped("Hashtable", known=11, clone=True),
    Row("Properties", "new Properties()", PUT, clone=True),
    plain("CopyOnWriteArrayList", clone=True, drain=False),
    plain("CopyOnWriteArraySet", drain=False),
    plain("ConcurrentLinkedQueue"),
    plain("ConcurrentLinkedDeque"),
    plain("LinkedBlockingQueue"),
    plain("LinkedBlockingDeque"),
    plain("LinkedTransferQueue"),
    plain("PriorityBlockingQueue"),
    plain("ConcurrentSkipListSet", clone=True),
    Row("ArrayBlockingQueue", "new ArrayBlockingQueue(4)", ADD, "new ArrayBlockingQueue(4, false, SOME)"),
    Row("DelayQueue", "new DelayQueue()", "x.add(LATER)", serial=False),
    Row("SynchronousQueue", "new SynchronousQueue()", None),
    mapped("ConcurrentHashMap", CONCURRENT, known=11),
    # the head is made with the map in older ones
    mapped("ConcurrentSkipListMap", CONCURRENT, known=17, clone=True),
    Row("KeySet", "ConcurrentHashMap.newKeySet()", ADD, type="Set"),
    Row("KeySetView", "new ConcurrentHashMap().keySet(1)", ADD, type="Set"),
    *wrapped("Collection", "ArrayList", "SOME", ADD),
    *wrapped("List", "LinkedList", "SOME", ADD),
    *wrapped("Set", "HashSet", "SOME", ADD),
    *wrapped("SortedSet", "TreeSet", "SOME", ADD),
    *wrapped("NavigableSet", "TreeSet", "SOME", ADD),
    *wrapped("Map", "HashMap", "PAIRS", PUT),
    *wrapped("SortedMap", "TreeMap", "PAIRS", PUT),
    *wrapped("NavigableMap", "TreeMap", "PAIRS", PUT),
    Row("checkedQueue", "Collections.checkedQueue(new ArrayDeque(), String.class)", ADD, type="Queue"),
    fixed("ArraysList", "Arrays.asList()", 'Arrays.asList("a", "b")'),
    fixed("ListOf", "List.of()", 'List.of("a")'),
    fixed("ListOfMany", "List.of()", 'List.of("a", "b", "c")'),
    fixed("SetOf", "Set.of()", 'Set.of("a")'),
    fixed("SetOfMany", "Set.of()", 'Set.of("a", "b", "c")'),
    fixed("MapOf", "Map.of()", 'Map.of("a", "b")'),
    fixed("MapOfMany", "Map.of()", 'Map.of("a", "b", "c", "d")'),
    fixed("Singleton", None, 'Collections.singletonList("a")'),
    fixed("Copies", "Collections.nCopies(0, SOME)", 'Collections.nCopies(2, "a")'),
    # subclasses: nothing is in the fields that they inherit, or all is
    Row("OwnList", "new OwnList()", ADD, clear=None),
    Row("OwnMap", "new OwnMap()", PUT, clear=None),
    Row("OwnSet", "new OwnSet()", ADD, clear=None, unused="java.util.HashMap"),
    Row("Recent", "new Recent()", PUT, clone=True),
]

PROGRAM = """\
import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.*;

@SuppressWarnings({"unchecked", "rawtypes"})
final class Collected {
    enum Kind { A, B }
    static final int BATCH = 64;
    static final List<String> SOME = Arrays.asList("a", "b", "c");
    static final Map<String, String> PAIRS = new HashMap<>(Collections.singletonMap("a", "b"));
    static final Map<Kind, String> KINDS = new EnumMap<>(Collections.singletonMap(Kind.A, "b"));
    static volatile Object[] escaped;

    static final Delayed LATER = new Delayed() {
        public long getDelay(TimeUnit unit) { return 1; }
        public int compareTo(Delayed other) { return 0; }
    };

    static final class OwnList extends ArrayList {
        private Object own;
        @Override public boolean add(Object x) { own = x; return true; }
        @Override public int size() { return own == null ? 0 : 1; }
    }
    static final class OwnSet extends HashSet {
        private Object own;
        @Override public boolean add(Object x) { own = x; return true; }
        @Override public int size() { return own == null ? 0 : 1; }
    }
    static final class OwnMap extends ConcurrentHashMap {
        private Object own;
        @Override public Object put(Object key, Object value) { own = value; return null; }
        @Override public int size() { return own == null ? 0 : 1; }
    }
    static final class Recent extends LinkedHashMap {
        @Override protected boolean removeEldestEntry(Map.Entry eldest) { return size() > 4; }
    }

    static final class Stop extends RuntimeException {
        @Override public synchronized Throwable fillInStackTrace() { return this; }
    }
    static final class Quiet extends RuntimeException {
        Quiet() { super(null, null, false, false); }
    }
    static final class TracedException extends RuntimeException { }

    static void drain(Object from) {
        if (from instanceof PriorityQueue)
            ((Queue) from).poll();
        Iterator i = (from instanceof Map ? ((Map) from).keySet() : (Collection) from).iterator();
        while (i.hasNext()) {
            i.next();
            i.remove();
        }
    }

    /** As many as a batch has, so that a reader makes more of them than objects of its own. */
    static byte[] store(Supplier<Object> maker) {
        try (ByteArrayOutputStream bytes = new ByteArrayOutputStream(); ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            Object[] all = new Object[BATCH];
            for (int i = 0; i < BATCH; i++)
                all[i] = maker.get();
            out.writeObject(all);
            out.flush();
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Object read(byte[] stored) {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(stored))) {
            return in.readObject();
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    static Object overriddenTrace() { return new Stop(); }
    static Object unwritableTrace() { return new Quiet(); }
    static Object fullTrace() { return new TracedException(); }

%s

    static final List<Supplier<Object>> makers = new ArrayList<>(), readers = new ArrayList<>();
    static {
        makers.add(Collected::overriddenTrace);
        makers.add(Collected::unwritableTrace);
        makers.add(Collected::fullTrace);
%s
    }

    /** The argument is how many of each are made. The class of each is printed. */
    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]), made = 0;
        for (int i = 0; i < n; i++) {
            for (Supplier<Object> maker : makers) {
                if (made %% BATCH == 0)
                    escaped = new Object[BATCH];
                escaped[made++ %% BATCH] = maker.get();
            }
            if (i %% BATCH == 0)
                for (Supplier<Object> reader : readers)
                    escaped[made++ %% BATCH] = reader.get();
        }
        System.out.println(n);
    }
}
"""

ENOUGH = 4  # snapshots of which each would have to show an empty one
TRACES = {"overriddenTrace": False, "unwritableTrace": False, "fullTrace": True}


def write_program():
    methods, adds = [], []
    for row in ROWS:
        name = row.code["name"]
        if "cloned" in row.states:
            methods.append(f"    static final Object model_{name} = {row.model()};")
        if "deserialised" in row.states:
            source = "copied" if "copied" in row.states else "filled"
            methods.append(f"    static final byte[] stored_{name} = store(Collected::{source}_{name});")
        for state in row.states:
            methods.append(f"    static Object {state}_{name}() {{ {STATES[state].format(**row.code)} }}")
            into = "readers" if state == "deserialised" else "makers"
            adds.append(f"        {into}.add(Collected::{state}_{name});")
    print(PROGRAM % ("\n".join(methods), "\n".join(adds)))


def told_of(path):
    """By the method that makes the objects: class, rule and snapshots of each line."""
    told = {}
    for row in json.load(open(path))["contexts"]:
        frames = [f for f in row["alloc_stack"] if f.get("class") == "Collected" and f["method"] not in ("read", "drain")]
        if frames:
            told.setdefault(frames[0]["method"], []).append(
                (row["class"], (row["advice"] or {}).get("rule", ""), row["replica"]["scanned"]))
    return told


def check_seen(row, state, lines, jdk):
    """Whether the objects were seen; those of a class that the advice is about, often enough for it. Chance has a part in that."""
    method = f"{state}_{row.code['name']}"
    if not lines and (row.code["type"] != "Object" or state != "empty"):  # the JDK has one that is shared
        print(f"{method}: not seen")
    if not row.known:
        return
    its = [line for line in lines if line[0] == row.known[0]]
    if sum(snapshots for _, _, snapshots in its) < ENOUGH:
        print(f"{method}: too few snapshots: {lines}")
    if state == "empty" and jdk >= row.known[1] and "empty-collection" not in [rule for _, rule, _ in its]:
        print(f"{method}: not told: {lines}")


def check(path, jdk, whole):
    told = told_of(path)
    unused = {(f"{state}_{row.code['name']}", row.unused) for row in ROWS for state in row.states}
    for method, lines in sorted(told.items()):
        for name, rule, _ in lines:
            if rule == "empty-collection" and not method.startswith("empty_") and (method, name) not in unused:
                print(f"{method}: {name} is told to be empty")
    if not told:
        print("nothing was seen")
    for method, traced in TRACES.items():
        rules = [rule for _, rule, _ in told.get(method, [])]
        if not traced and "exception" in rules or "exception-some" in rules:
            print(method, rules)
        if traced and whole and "exception" not in rules:
            print(f"{method}: not told: {rules}")
    if not whole:
        return
    if os.environ.get("OJX_SOAK"):
        for row in ROWS:
            for state in row.states:
                check_seen(row, state, told.get(f"{state}_{row.code['name']}", []), jdk)
    else:  # otherwise nothing false would be told, whatever the rule is
        known = [f"empty_{row.code['name']}" for row in ROWS if row.known]
        right = [m for m in known if any(rule == "empty-collection" for _, rule, _ in told.get(m, []))]
        if len(right) < len(known) / 3:
            print(f"told to be empty: only {right} of {known}")


if sys.argv[1] == "java":
    write_program()
else:
    check(sys.argv[2], int(sys.argv[3]), sys.argv[1] == "check")
