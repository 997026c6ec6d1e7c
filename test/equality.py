#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What test/t_equality.sh knows of a recording of test/jvm/Equality.java.

    equality.py row REPORT.json OBJECTS INTERVAL CLASS EXPRESSION    of its row r and its lines l
    equality.py windows <DUMP                                        prints what is false in the windows

How many windows there are, and for how many objects each stands, is a matter of chance and of how busy the machine is. What is
in a window is not: the program makes its objects in turn, so a stretch of memory has each sort of content as often as another,
but for one turn at each end.
"""
import json
import math
import re
import sys
from collections import Counter, defaultdict


def print_row(path, objects, interval, name, expression):
    report = json.load(open(path))
    n = int(objects)
    rows = [c for c in report["equality"] if c["class"] == name]
    if not rows:
        return print("no such class")
    r = rows[0]
    l = [x for x in report["equality_totals"][0]["lines"] if x["class"] == name]

    def near(figure, truth):
        return abs(r[figure] - truth) <= 0.03

    def within(figure, truth):
        # 95 % intervals, and 0.03 more, which is several times the deviation
        return r[figure + "_ci"][0] - 0.03 <= truth <= r[figure + "_ci"][1] + 0.03

    def exact(objects):
        # one in 10^6 is farther from the truth, or 3 %
        samples = objects * r["bytes"] / r["objects"] / int(interval)
        return abs(r["objects"] / objects - 1) <= max(0.03, 4.9 / math.sqrt(samples))

    ok = eval(expression, {}, {"r": r, "l": l, "n": n, "near": near, "within": within, "exact": exact})
    print(True if ok else [r, l[:1]])


def read_windows(lines):
    """For each class, contents of each window: objects, hashed and flags by key."""
    names, windows = {}, defaultdict(lambda: defaultdict(dict))
    for line in lines:
        if line.startswith("class "):
            names[re.search(r" id=(\d+)", line)[1]] = re.search(r'signature="(.*?)"', line)[1]
        elif line.startswith("window "):
            number = re.search(r" window=(\d+)", line)[1]
            for content in re.findall(r"content={ (.*?) }", line):
                field = dict(x.split("=") for x in content.split())
                windows[field["class_id"]][number][field["key"]] = [int(field[k]) for k in ("objects", "hashed", "flags")]
    return {names.get(k, k): list(w.values()) for k, w in windows.items()}


class Seen:
    """What the windows have of a class."""

    def __init__(self, windows):
        self.windows = windows
        self.total = Counter()
        for window in windows:
            self.total.update({key: objects for key, (objects, _, _) in window.items()})
        self.objects, self.contents = sum(self.total.values()), len(self.total)
        self.most = max(self.total.values(), default=0)
        self.hashed = sum(hashed for w in windows for _, hashed, _ in w.values())
        self.by_address = [key for w in windows for key, (_, _, flags) in w.items() if flags]
        self.most_in_one = max((objects for w in windows for objects, _, _ in w.values()), default=0)

    def near(self, found, truth, ends):
        return abs(found - truth) <= ends * len(self.windows)


# What is true of the objects of each class in any window. A window is one stretch or, where a thread's part of eden ends in
# it, two: hence 2.
TRUE = {
    # of ten objects four are equal: a stretch of n has 0.4 n, and 2.4 more or fewer
    "LEquality$Part;": lambda s: s.near(s.most, 0.4 * s.objects, 2 * 2.4) and s.contents == s.objects - s.most + 1,
    "LEquality$Unique;": lambda s: s.contents == s.objects,
    # 300 contents in turn: in one window a stretch has fewer objects
    "LEquality$Few;": lambda s: s.contents <= 300 and s.most_in_one <= 4,
    # ten contents; what a Holder refers to is made before it, so it may lie before the window
    "LEquality$Holder;": lambda s: len(s.by_address) <= 2 * len(s.windows) and s.contents - len(set(s.by_address)) <= 10,
    # every fourth has a hash code
    "LEquality$Hashed;": lambda s: s.contents == 1 and s.near(s.hashed, s.objects / 4, 2 * 0.75),
    # 20 contents, and those of the few arrays that the JDK makes at the start
    "[J": lambda s: s.near(sum(n for _, n in s.total.most_common(20)), s.objects, 2),
}


def print_false(windows):
    for name, is_true in TRUE.items():
        s = Seen(windows.get(name, []))
        if not s.objects or not is_true(s):
            print(f"{name}: {len(s.windows)} windows, {s.objects} objects, {s.contents} contents, the commonest {s.most}, "
                  f"in one window {s.most_in_one}, hashed {s.hashed}, by address {len(s.by_address)}")


if __name__ == "__main__":
    if sys.argv[1] == "row":
        print_row(*sys.argv[2:])
    else:
        print_false(read_windows(sys.stdin))
