# SPDX-License-Identifier: Apache-2.0
"""Java programs of random structure: the source, and the truth about each of their places.

A program has some dozens of places, the methods place0, place1, ... Each makes objects of one shape
with one mix of contents, in batches: a batch is made into an array that escapes, then used, so that
no compiler can leave out the objects or the loads. The places take turns. Those of lane 0 run in the
main thread, those of lane 1 in two threads at a time, those of lane 2 in a virtual thread where the
JDK has them, those of lane 3 hand their batches to another thread, which uses them.

The same seed, JDK version and scale give the same program.
"""

import random
from dataclasses import dataclass

import mix as mixes
import shapes

PLACES = 36
ROUNDS = 256
BATCH = 32
BATCH_BYTES = 32 << 10
PLACE_BYTES = 32 << 20
LARGE_ONE_IN, LARGE = 18, 4  # two places make four times as much: of these thousands of objects are looked at
LEAST, LEAST_BIG = 2000, 400  # objects of a place; of one whose objects are beyond shapes.WHOLE
RECORDS, VIRTUAL = 16, 21  # versions that brought them


@dataclass
class Place:
    number: int
    shape: object
    mix: mixes.Mix
    lane: int
    threads: int
    objects: int
    uses: str  # "one" place, "two" at random, "by-content"
    phased: bool  # one content after the other instead of in random order

    def method(self):
        return f"place{self.number}"

    def truths(self, reference):
        """Threads are contexts of their own."""
        return self.shape.truths(self.mix, self.objects // self.threads, reference)


# ---- choices -------------------------------------------------------------------------------

def random_classes(r, version):
    kinds = ["plain", "plain", "inherits"] + (["record"] if version >= RECORDS else [])
    found = []
    for number in range(8):
        kind = r.choice(kinds)
        types = r.choices([*shapes.BYTES, "Object"], [1, 1, 1, 1, 4, 1, 3, 2, 2],
                          k=r.randint(4 if kind == "inherits" else 1, 10))
        types.append(r.choice(["int", "long", "double"]))
        found.append(shapes.JavaClass(f"C{number}", types, kind))
    return found


def random_array(r):
    element = r.choice([*shapes.BYTES, "Object"])
    size = shapes.BYTES.get(element, 4)
    digits = 32 // shapes.BITS[element]
    top = r.choices([64, 512, 4096, 60 << 10, 1 << 20], [6, 4, 4, 2, 0.7])[0]
    length = max(int(top / size * r.uniform(0.3, 1)), digits + 4)
    lengths = r.choice([1, 1, 1, 3, 7]) if top <= 4096 else 1
    length = min(length, (1 << 20) // size)
    varying = r.choice([digits, length // 2, length, r.randint(digits, length)])
    varying = min(max(varying, digits), length)
    return shapes.Array(element, length, lengths, r.randint(0, length - varying), varying)


def random_shape(r, program, classes):
    kind = r.choices(["fields", "array", "boxed", "string", "nested"], [13, 11, 3, 4, 4])[0]
    if kind == "fields":
        cls = r.choice(classes)
        return shapes.Fields(program, cls, shapes.random_fields(r, cls.types), r.random() < 0.4)
    if kind == "array":
        return random_array(r)
    if kind == "boxed":
        return shapes.Boxed(r.choice(["int", "long", "double"]))
    if kind == "string":
        return shapes.String(r.randint(12, 60), r.random() < 0.3)
    return shapes.Nested(program, r.choice(["Inner", "long[]"]))


def holds_references(shape):
    return (isinstance(shape, (shapes.String, shapes.Nested))
            or getattr(shape, "element", "") == "Object"
            or any(f.type == "Object" for f in getattr(shape, "fields", [])))


def random_place(r, number, program, classes, scale):
    shape = random_shape(r, program, classes)
    least = LEAST_BIG if shape.bytes > shapes.WHOLE else LEAST
    room = scale * PLACE_BYTES * (1 if number % LARGE_ONE_IN else LARGE)
    objects = max(int(room / shape.bytes), least)
    mix = mixes.random_mix(r, objects)
    lane = r.choices([0, 1, 2, 3], [5, 2, 1, 1])[0]
    uses = r.choices(["one", "two", "by-content"], [6, 2, 1])[0]
    if lane == 3:
        uses = "one"  # who uses them has not made them
        if shape.java == "Object[]":
            lane = 0  # the batches are of that class
    threads = 2 if lane == 1 else 1
    each = max(objects // threads // mix.size, 1) * mix.size
    # What is said of contents with references holds within an epoch: no phases there.
    phased = r.random() < 0.12 and not holds_references(shape)
    return Place(number, shape, mix, lane, threads, each * threads, uses, phased)


# ---- source --------------------------------------------------------------------------------

FRAME = """// SPDX-License-Identifier: Apache-2.0
// Made by test/accuracy/programs.py: seed %(seed)d for version %(version)d, scale %(scale)d.
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;

final class %(name)s {
    static final int ROUNDS = %(rounds)d;
    static final Object[] K = new Object[%(constants)d];
    static final ArrayBlockingQueue<Batch> QUEUE = new ArrayBlockingQueue<>(16);
    /** The batches that were made last; other code could see them at any time. */
    static volatile Object[] escaped;
    static volatile long total;

    static final class State {
        final int thread;
        final Object[] batch = new Object[%(batch)d];
        final char[] text = new char[64];
        /** Where each object of the batch is to be used. */
        final boolean[] other = new boolean[%(batch)d];
        long sum;

        State(int thread) { this.thread = thread; }
    }

    static final class Batch {
        final int place;
        final int n;
        final Object[] objects;

        Batch(int place, Object[] objects, int n) {
            this.place = place;
            this.objects = objects;
            this.n = n;
        }
    }

    static final class Inner {
        long key;

        Inner(long key) { this.key = key; }
    }

    static final class Outer {
        int number;
        Inner part;

        Outer(int number, Inner part) { this.number = number; this.part = part; }
    }

    static final class Holder {
        int number;
        long[] part;

        Holder(int number, long[] part) { this.number = number; this.part = part; }
    }

    static int[] table(long seed, boolean mixed, int unique, int... counts) {
        int size = unique;
        for (int c : counts) { size += c; }
        int[] t = new int[size];
        int at = 0;
        for (int g = 0; g < counts.length; g++) {
            for (int k = 0; k < counts[g]; k++) { t[at++] = g; }
        }
        while (at < size) { t[at++] = -1; }
        java.util.Random random = new java.util.Random(seed);
        for (int i = size - 1; mixed && i > 0; i--) {
            int j = random.nextInt(i + 1), e = t[i];
            t[i] = t[j];
            t[j] = e;
        }
        return t;
    }

    /** Number i of a place, as object number `own` of its thread's `all`. */
    static long key(int[] table, boolean phased, long own, long all, long i) {
        int e = table[(int) (phased ? own * table.length / all : own %% table.length)];
        return e >= 0 ? e : %(unique)d + i;
    }

    static char[] text(char[] to, long key, boolean wide) {
        for (int j = 0; j < to.length; j++) { to[j] = (char) ('a' + j %% 20); }
        to[0] = wide ? '\\u4e00' : 'x';
        for (int j = 1; j < 10; j++, key /= 10) { to[j] = (char) ('0' + key %% 10); }
        return to;
    }

    static long letters(String s) {
        long sum = 0;
        for (int j = 0; j < s.length(); j++) { sum = sum * 31 + s.charAt(j); }
        return sum;
    }

    static long sumObject(Object[] a) {
        long sum = 0;
        for (Object e : a) { sum += e == K[1] ? 1 : 2; }
        return sum;
    }

    static long sumboolean(boolean[] a) {
        long sum = 0;
        for (boolean e : a) { sum += e ? 1 : 2; }
        return sum;
    }
%(body)s
    public static void main(String[] args) throws InterruptedException {
        for (int k = 0; k < K.length; k++) { K[k] = "constant " + k; }
        CountDownLatch done = new CountDownLatch(4);
        start(() -> lane1(new State(0)), done);
        start(() -> lane1(new State(1)), done);
        Thread consumer = new Thread(() -> consume(new State(0)));
        consumer.start();
        start(() -> lane3(new State(0)), done);
        %(virtual)s(() -> lane2(new State(0)), done);
        State state = new State(0);
        lane0(state);
        done.await();
        QUEUE.put(new Batch(-1, null, 0));
        consumer.join();
        finish(state);
        System.out.println("%(name)s " + Long.toHexString(total));
    }

    static synchronized void finish(State s) { total += s.sum; }

    static void start(Runnable lane, CountDownLatch done) {
        new Thread(() -> {
            lane.run();
            done.countDown();
        }).start();
    }
%(starter)s}
"""

STARTER = """
    static void startVirtual(Runnable lane, CountDownLatch done) {
        Thread.ofVirtual().start(() -> {
            lane.run();
            done.countDown();
        });
    }
"""

PLACE = """
    static final int[] T%(n)d = table(%(n)d, %(mixed)s, %(unique)d%(counts)s);

    static void place%(n)d(State state, int round) {
        long all = %(each)dL, to = all * (round + 1) / ROUNDS;
        for (long own = all * round / ROUNDS; own < to;) {
            int n = (int) Math.min(%(batch)d, to - own);
            Object[] b = %(array)s;
            escaped = b;
            for (int k = 0; k < n; k++) {
                long key = key(T%(n)d, %(phased)s, own + k, all, own + k + state.thread * all);
%(other)s                b[k] = %(make)s;
            }
            %(done)s;
            own += n;
        }
    }

    static long sum%(n)d(%(java)s o) {
        return %(use)s;
    }
%(second)s%(helper)s
    static void use%(n)d(State state, Object[] b, int n) {
        for (int k = 0; k < n; k++) {
            %(java)s o = (%(java)s) b[k];
            state.sum = state.sum * 31 + %(call)s;
        }
    }
"""


# Whether an object is used at the other of two places: at random, or by what it holds.
OTHER = {"two": "(own + k) * 0x9e3779b97f4a7c15L < 0", "by-content": "(key & 1) != 0"}


def place_source(place):
    n, shape = place.number, place.shape
    array = isinstance(shape, shapes.Array)
    two = place.uses != "one"
    values = {
        "n": n, "mixed": str(not place.phased).lower(), "phased": str(place.phased).lower(),
        "unique": place.mix.unique, "counts": "".join(f", {c}" for c in place.mix.counts),
        "each": place.objects // place.threads,
        "batch": max(1, min(BATCH, int(BATCH_BYTES / shape.bytes))),
        "array": "new Object[n]" if place.lane == 3 else "state.batch",
        "make": f"array{n}(key)" if array else shape.make(),
        "done": f"hand({n}, b, n)" if place.lane == 3 else f"use{n}(state, b, n)",
        "java": shape.java, "use": shape.use(),
        "other": f"                state.other[k] = {OTHER[place.uses]};\n" if two else "",
        "call": f"(state.other[k] ? other{n}(o) : sum{n}(o))" if two else f"sum{n}(o)",
        "second": (f"\n    static long other{n}({shape.java} o) {{\n"
                   f"        return {shape.use()} + 1;\n    }}\n" if two else ""),
        "helper": "\n" + shape.helper(f"array{n}") if array else "",
    }
    return PLACE % values


def sums():
    return "".join(f"""
    static long sum{t}({t}[] a) {{
        long sum = 0;
        for ({t} e : a) {{ sum += (long) e; }}
        return sum;
    }}
""" for t in shapes.BYTES if t != "boolean")


def lanes(places):
    text = ""
    for lane in range(4):
        calls = "".join(f"            {p.method()}(state, round);\n" for p in places
                        if p.lane == lane)
        text += (f"\n    static void lane{lane}(State state) {{\n"
                 "        for (int round = 0; round < ROUNDS; round++) {\n" + calls
                 + "        }\n" + ("        finish(state);\n" if lane else "") + "    }\n")
    cases = "".join(f"                case {p.number}: use{p.number}(state, b.objects, b.n); break;\n"
                    for p in places if p.lane == 3)
    return text + """
    static void hand(int place, Object[] objects, int n) {
        try {
            QUEUE.put(new Batch(place, objects, n));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static void consume(State state) {
        try {
            for (Batch b = QUEUE.take(); b.place >= 0; b = QUEUE.take()) {
                switch (b.place) {
""" + cases + """                default: throw new IllegalStateException();
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        finish(state);
    }
"""


class Program:
    """`scale` times as many objects as fit PLACE_BYTES at each place."""

    def __init__(self, seed, version, scale=1):
        r = random.Random(seed)
        self.seed, self.version, self.scale = seed, version, scale
        self.name = f"Accuracy{seed}"
        self.classes = random_classes(r, version)
        self.places = [random_place(r, n, self.name, self.classes, scale) for n in range(PLACES)]

    def source(self):
        body = "".join(c.declare() for c in self.classes) + sums()
        body += "".join(place_source(p) for p in self.places) + lanes(self.places)
        has_virtual = self.version >= VIRTUAL
        return FRAME % {
            "seed": self.seed, "version": self.version, "scale": self.scale, "name": self.name, "rounds": ROUNDS,
            "constants": shapes.CONSTANTS, "batch": BATCH, "unique": mixes.UNIQUE_KEYS,
            "body": body, "virtual": "startVirtual" if has_virtual else "start",
            "starter": STARTER if has_virtual else ""}
