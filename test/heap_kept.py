#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares `ojx heap --format=json --retained --path` of a dump of test/jvm/Kept.java with what the program has planted.

    test/heap_kept.py REPORT

Sizes are those of compressed references and headers of 12 bytes. Prints what differs; nothing if all is well.
"""

import json
import sys


def array(n, width):
    return (16 + n * width + 7) // 8 * 8


# (finding, problem, holder, class): objects and bytes
OBJECTS = "java.lang.Object[]"
PLANTED = {
    ("wasteful", "empty collection", "Kept.empty", "java.util.ArrayList"): (50, 50 * 24),
    # a map, its table of 16 and a node
    ("wasteful", "collection of one", "Kept.one", "java.util.HashMap"): (40, 40 * (48 + array(16, 4) + 32)),
    ("wasteful", "much more room than needed", "Kept.room", "java.util.ArrayList"): (30, 30 * (array(1000, 4) - array(2, 4))),
    ("wasteful", "much more room than needed", "Kept.hashed", "java.util.LinkedHashMap"): (20, 20 * (array(64, 4) - array(4, 4))),
    ("wasteful", "much more room than needed", "Kept.sets", "java.util.HashSet"): (10, 10 * (array(128, 4) - array(4, 4))),
    ("wasteful", "much more room than needed", "Kept.deques", "java.util.ArrayDeque"): (10, 10 * (array(101, 4) - array(2, 4))),
    ("wasteful", "much more room than needed", "Kept.builders", "java.lang.StringBuilder"): (20, 20 * (array(5000, 1) - array(2, 1))),
    ("wasteful", "much more room than needed", "Kept.iterated", "java.util.HashSet"): (12, 12 * (array(128, 4) - array(4, 4))),
    ("wasteful", "empty collection", "Kept.looked", "java.util.HashSet"): (9, 9 * (16 + 48)),
    ("wasteful", "collection of one", "Kept.nested", "java.util.ArrayList"): (8, 8 * (24 + array(1, 4))),
    ("wasteful", "collection of one", "Kept.pairs", "java.util.HashMap"): (6, 6 * (48 + array(16, 4) + 32)),
    ("wasteful", "much more room than needed", "Kept.identities", "java.util.IdentityHashMap"): (7, 7 * (array(512, 4) - array(64, 4))),
    ("wasteful", "boxed number", "Kept.boxes", "java.lang.Integer"): (300, 300 * 16),
    ("wasteful", "array mostly null", "Kept.sparse", "java.lang.String[]"): (10, 10 * 95 * 4),
    ("wasteful", "array of zeroes only", "Kept.zeroes", "int[]"): (12, 12 * array(200, 4)),
    ("wasteful", "array with unused tail", "Kept.tails", "long[]"): (11, 11 * 97 * 8),
    ("kept", "field without a value", "Kept$Item.never", "Kept$Item"): (500, 500 * 8),
    ("kept", "field with one value", "Kept$Item.same", "Kept$Item"): (500, 500 * 8),
    ("kept", "field without a value", "Kept$Twice.never", "Kept$Twice"): (120, 120 * 8),
    ("kept", "field with one value", "Kept$Twice.same", "Kept$Twice"): (120, 120 * 8),
    ("kept", "kept by an inner object alone", "Kept$Shop$Listener.this$0", "Kept$Shop"): (2, 16 + array(100000, 1)),
    ("kept", "kept by inner objects alone", None, "Kept$House"): (2, 16 + array(30000, 1)),
    ("kept", "weak key that its value keeps", "Kept.held", "java.util.WeakHashMap$Entry"):
        (20, sum(40 + 16 + 24 + array(2000 + i, 1) for i in range(20))),
    ("kept", "weak key that its value keeps", "Kept.ring", "java.util.WeakHashMap$Entry"): (8, 8 * (40 + 16 + 24 + array(3000, 1))),
    ("kept", "entry whose key is gone", "Kept.weak", "java.util.WeakHashMap$Entry"):
        (25, sum(40 + array(1000 + i, 1) for i in range(25))),
    ("kept", "has a finalizer", None, "Kept$Closing"): (35, 35 * 40),
    ("kept", "waits for its finalizer", None, "Kept$Waiting"): (15, 15 * (40 + 16 + array(500, 1))),
    ("outside", "direct buffer", "Kept.buffers", "java.nio.DirectByteBuffer"): (4, 4 * 100000),
}
# what a field alone keeps
RETAINED = {
    "Kept.cache": array(100, 4) + 100 * array(10000, 1),
    "Kept.list": 10000 * (24 + array(24, 1)),
    "Kept.items": array(500, 4) + 500 * 32,
    "Kept.zeroes": array(12, 4) + 12 * array(200, 4),
    "Kept$Node.next": 9999 * (24 + array(24, 1)),
}
# what is no problem
NONE = {("Kept$Twice.differs", "Kept$Twice"), ("Kept.chain", "java.util.WeakHashMap$Entry"), ("Kept.iterated", "java.util.HashMap"), ("Kept.looked", "java.util.HashMap"), ("Kept.tight", "java.util.HashMap"), ("Kept.tight", "java.util.HashMap$Node[]")}


def main():
    report = json.load(open(sys.argv[1]))
    found = {}
    for finding in ("wasteful", "kept", "outside"):
        for p in report[finding]["problems"]:
            amount = p.get("wasted_bytes", p.get("freed_bytes", p.get("outside_bytes")))
            key = finding, p["problem"], p["holder"], p["class"]
            if key in found:
                print(f"{key} is there twice")
            found[key] = p["objects"], amount
            if (p["holder"], p["class"]) in NONE:
                print(f"{p['problem']}: {p['holder']} has none")
    for key, want in PLANTED.items():
        if found.get(key) != want:
            print(f"{key}: {found.get(key)}, in truth {want}")
    loaded = {key[3]: value for key, value in found.items() if key[1] == "loaded several times"}
    plugins, freed = loaded.pop("Kept$Plugin", (0, 0))
    if plugins != 2 or not 20016 < freed < 20400 or [(k, n) for k, (n, _) in loaded.items()] != [("Kept$Twice", 2)]:
        print(f"loaded several times: {plugins} plugins of {freed} bytes, {loaded}")
    fields = {f["holder"]: f["retained_bytes"] for f in report["retained"]["fields"]}
    for field, want in RETAINED.items():
        if fields.get(field) != want:
            print(f"{field} retains {fields.get(field)}, in truth {want}")
    paths = {(p["holder"], p["class"]): p["root_path"] for p in report["wasteful"]["problems"] + report["kept"]["problems"]}
    for key, want in {("Kept.sets", "java.util.HashSet"): "Kept.sets > Object[]",
                      ("Kept.tails", "long[]"): "Kept.tails > Object[]",
                      ("Kept.far", "int[]"): "Kept.far > Object[][] > Object[] (2 times)",
                      ("Kept.soft", "java.lang.StringBuilder"): "Kept.soft > Reference.referent (soft)",
                      ("Kept$Shop$Listener.this$0", "Kept$Shop"): "Kept.listener > Kept$Shop$Listener.this$0"}.items():
        if paths.get(key) != want:
            print(f"the path to {key}: {paths.get(key)}, in truth {want}")


main()
