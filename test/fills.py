#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How full collections, buffers and builders are, of each class in known states (test/jvm/Fills.java), on every JDK.

    test/fills.py [--all] [--jdk TEXT] [--gc COLLECTOR]

The first JDK runs with Serial, the others with G1; with --all each with all collectors. What snapshots say is compared with what the program reads by reflection. Prints what is wrong; nothing if all is right. A snapshot
can show an object that its thread is still filling, if that has lost the processor for long, and reflection makes a few lists of its
own: so most must be right, where a wrong layout would make all wrong.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP / "test"))
import looks  # noqa: E402
from planted import COLLECTORS, collectors, jdks  # noqa: E402

OJX = os.environ.get("OJX", str(TOP / "ojx"))
OPENS = [word for name in ("util", "lang", "io", "util.concurrent") for word in ("--add-opens", f"java.base/java.{name}=ALL-UNNAMED")]
SIZE, CHANGES, CAPACITY, NEVER, GREW, DIED, SURVIVED = (1 << k for k in range(7))
LEAST, SHARE = 5, 0.6  # looks of a state; of these that must be right
PATIENCE = 700  # s
ELEMENTS = {"B": 1, "Z": 1, "C": 2, "S": 2, "I": 4, "F": 4, "J": 8, "D": 8}


def table_bytes(tables, reference):
    header = 16  # with compressed class pointers
    return sum(-(-(header + n * ELEMENTS.get(kind, reference)) // 8) * 8 for n, kind in tables if n)


def truths(output):
    """What the program says: {(thread, state): (class, size, changes, tables)}."""
    found = {}
    told, ends, _ = output.partition("all\n")
    for line in told.splitlines() if ends else []:
        name, cls, state, size, changes, *tables = line.split()
        found[name, state] = (cls, int(size), int(changes), [(int(n), kind) for n, kind in (t.split(":") for t in tables)])
    return found


def wanted(truth, gc):
    cls, size, changes, tables = truth
    reference = 8 if gc == "Z" else 4
    return (size, changes if changes >= 0 else 0, tables[0][0] if tables else 0, table_bytes(tables, reference) if tables else 0)


def seen(path, states):
    """{(thread, state): Counter of what was seen} of objects of the state's class; and the fates of all objects, which are apart."""
    found, fates = defaultdict(Counter), Counter()
    for context in looks.read(path):
        methods = {name for cls, name, _ in context.stack if cls == "LFills;"}
        if "newInstance" not in {name for _, name, _ in context.stack}:
            methods.discard("read")  # what reading itself needs
        for look in context.looks:
            if look.fill:
                fates["died"] += bool(look.fill.flags & DIED)
                fates["survived"] += bool(look.fill.flags & SURVIVED)
            for state in methods & {s for t, s in states if t == look.thread}:
                if look.fill and context.cls[1:-1].replace("/", ".") == states[look.thread, state][0]:
                    f = look.fill
                    found[look.thread, state][f.size, f.changes, f.capacity, f.table_bytes, f.flags & ~(DIED | SURVIVED)] += 1
    return found, fates


def flags_of(truth, state):
    cls, size, changes, tables = truth
    flags = SIZE | (CHANGES if changes >= 0 else 0) | (CAPACITY if tables else 0)
    lazy = cls.endswith(".ConcurrentHashMap") and not tables[0][0]
    if changes == size == 0 or lazy:
        flags |= NEVER | GREW
    each = cls.rsplit(".", 1)[-1] in ("HashMap", "LinkedHashMap", "HashSet", "LinkedHashSet") and cls.startswith("java.util.")
    if changes == 0 or (each and changes == size):
        flags |= GREW
    if flags & NEVER and state not in ("empty", "copiedEmpty"):
        raise AssertionError(f"{cls}: {state} looks as if it had never held anything")
    return flags


def check(home, gc, classes, program="Fills"):
    """What is wrong, and the states that were tried."""
    with tempfile.TemporaryDirectory(prefix="ojx-fills.") as folder:
        data = folder + "/ojx.data"
        with open(folder + "/out", "w+") as out, open(folder + "/err", "w+") as err:
            command = [OJX, "record", "-q", "-o", data, "--budget", "100", "--no-watch", "--interval", "512", "--", home + "/bin/java",
                       *COLLECTORS[gc], "-Xmn8m", "-Xmx128m", *OPENS, "-cp", classes, program]
            run = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out, stderr=err)
            states, found, fates = {}, {}, Counter()
            end = time.monotonic() + PATIENCE
            while run.poll() is None and time.monotonic() < end and not enough(states, found):
                time.sleep(1)
                states = truths(Path(folder + "/out").read_text())
                found, fates = seen(data, states) if Path(data).exists() else ({}, fates)
            try:
                run.communicate(b"\n", timeout=PATIENCE)
            except BrokenPipeError:
                pass
            if run.wait() or not states:
                return [f"status {run.returncode}: {Path(folder + '/err').read_text()[-500:]}"], states
    wrong = []
    for key, truth in states.items():
        right = (*wanted(truth, gc), flags_of(truth, key[1]))
        looked = found.get(key, Counter())
        n = sum(looked.values())
        if n < LEAST:
            wrong.append(f"{' '.join(key)}: {n} looks")
        elif looked[right] < SHARE * n:
            wrong.append(f"{' '.join(key)}: {looked[right]} of {n} are {right}; most are {looked.most_common(1)[0][0]}")
    moves = gc == "Z"  # concurrently: then nothing is known of the end of an object
    if any(bool(fates[fate]) == moves for fate in ("died", "survived")):
        wrong.append(f"{fates['died']} died, {fates['survived']} survived")
    return wrong, states


def enough(states, found):
    return states and all(sum(found.get(key, Counter()).values()) >= LEAST for key in states)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--jdk", default="")
    parser.add_argument("--gc")
    args = parser.parse_args()
    homes = [(name, home) for name, home in jdks() if args.jdk in name]
    with tempfile.TemporaryDirectory(prefix="ojx-fills.") as folder:
        subprocess.run([homes[0][1] + "/bin/javac", "--release", "11", "-nowarn", "-g", "-d", folder,
                        str(TOP / "test/jvm/Fills.java")], check=True)
        for name, home in homes:
            usual = ["Serial" if home == homes[0][1] else "G1"]
            all_of_them = [gc for gc in collectors(home) if gc in ("Serial", "Parallel", "G1", "Z")]
            for gc in [args.gc] if args.gc else all_of_them if args.all else usual:
                for line in check(home, gc, folder)[0]:
                    print(f"{name}, {gc}: {line}")


if __name__ == "__main__":
    main()
