#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How far two recordings of the same load agree, of which either may be several files.

    test/compare_recordings.py FILE... -- FILE...

For each sort of figure it prints how many both recordings have; in how many the first one's interval holds the second one's
estimate, in how many it is the other way round, and in how many the two estimates differ by no more than both intervals
together allow, the root of the sum of the squares of their halves. Amounts are shares of all bytes, as the recordings may differ in length. The interval of bytes is that of their number of
samples in each file. Two equally good recordings without any fault hold each other's estimate in 83 of 100 figures, as each strays by itself; one
that is much better than the other is held in 95. Both together hold in 95, whatever they are. Then: of what the second one finds, how much the first one finds.
"""

import json
import math
import os
import subprocess
import sys
from pathlib import Path

OJX = os.environ.get("OJX", str(Path(__file__).resolve().parent.parent / "ojx"))
LEAST = 20  # samples or pairs below which no interval says much


def report(files):
    """None: nothing was sampled, as in the last seconds of a service."""
    run = subprocess.run([OJX, "report", "--format=json", "--all", *files], capture_output=True, text=True)
    if run.returncode == 1 and "nothing was sampled" in run.stderr:
        return None
    if run.returncode:
        sys.exit(run.stderr)
    return json.loads(run.stdout)


def place(frame):
    return f"{frame.get('class')}.{frame.get('method')}:{frame.get('line')}"


def add(figures, sort, key, value, interval):
    if value is not None and interval and None not in interval:
        figures.setdefault(sort, {})[key] = (value, *interval)


def lines_of(parts):
    """By class and line: bytes, samples, variance of the bytes; added up over the files, which sample at rates of their own."""
    lines = {}
    for c in (c for r in parts for c in r["contexts"]):
        line = lines.setdefault((c["class"], place(next(iter(c["alloc_stack"]), {}))), [0, 0, 0])
        line[0] += c["bytes"]
        line[1] += c["sampled"]
        if c["sampled"]:
            line[2] += c["bytes"] ** 2 / c["sampled"]
    return lines


def figures_of(r, parts):
    """By sort of figure and key: (estimate, low, high)."""
    figures, lines, total = {}, lines_of(parts), sum(c["bytes"] for c in r["contexts"])
    for c in r["contexts"]:
        key = (c["class"], *(place(f) for f in c["alloc_stack"]))
        rep = c.get("replica") or {}
        if (rep.get("pairs") or 0) >= LEAST:
            for name in ("theta", "identical"):
                add(figures, name + " of a context", key, rep.get(name), rep.get(name + "_ci"))
        if (rep.get("scanned") or 0) >= LEAST:
            add(figures, "largest group of a context", key, rep.get("largest_group"), rep.get("largest_group_ci"))
    for key, (size, sampled, variance) in lines.items():
        if sampled >= LEAST:
            half = 1.96 * math.sqrt(variance)
            add(figures, "bytes of a line", key, size / total, [(size - half) / total, (size + half) / total])
    for f in r["findings"]:
        if f["key"] and f["avoidable_bytes"]:
            add(figures, "avoidable bytes of a finding", f["key"], f["avoidable_bytes"] / total, [x / total for x in f["avoidable_ci"]])
        for c in f["callers"]:
            if c["samples"] >= LEAST:
                add(figures, "share of a caller", (f["key"] or f["rank"], place(c["frame"])), c["share"], c["share_ci"])
    whole = r["avoidable"]["all"]
    add(figures, "all that is avoidable", "", whole["expected_bytes"] / total, [x / total for x in whole["expected_ci"]])
    return figures


def holds(a, b):
    return a[1] * (1 - 1e-9) - 1e-12 <= b[0] <= a[2] * (1 + 1e-9) + 1e-12


def agree(a, b):
    """Whether two estimates are as near to each other as their intervals say, of which each strays by itself."""
    low, high = sorted((a, b))
    return high[0] - low[0] <= math.hypot(low[2] - low[0], high[0] - high[1]) * (1 + 1e-9) + 1e-12


def compare(a, b):
    """Of figures."""
    print(f"{'':30} {'both':>6} {'1 holds 2':>10} {'2 holds 1':>10} {'together':>10}")
    sums = [0] * 4
    for sort in sorted(a.keys() | b.keys()):
        pairs = [(a[sort][k], b[sort][k]) for k in a.get(sort, {}) if k in b.get(sort, {})]
        counts = [len(pairs), sum(holds(x, y) for x, y in pairs), sum(holds(y, x) for x, y in pairs), sum(agree(x, y) for x, y in pairs)]
        sums = [x + y for x, y in zip(sums, counts)]
        say(sort, counts)
    say("all", sums)


def say(title, counts):
    shares = [f"{100 * c / counts[0]:9.1f}%" if counts[0] else "" for c in counts[1:]]
    print(f"{title:30} {counts[0]:6}", *(f"{s:>10}" for s in shares))


def found(first, second):
    """Of the second one's findings with something avoidable, what the first one has."""
    keys = {f["key"] for f in first["findings"] if f["key"] and f["expected_bytes"]}
    theirs = [f for f in second["findings"] if f["key"] and f["expected_bytes"]]
    size = sum(f["expected_bytes"] for f in theirs)
    for limit in 5, 10, 20, len(theirs):
        some = theirs[:limit]
        had = [f for f in some if f["key"] in keys]
        print(f"of the first {len(some)} findings the other has {len(had)}; of the bytes of all {len(theirs)}, these and it have "
              f"{100 * sum(f['expected_bytes'] for f in some) / size:.1f} and {100 * sum(f['expected_bytes'] for f in had) / size:.1f} %")


def say_evidence(title, r):
    rec = r["recording"]
    total = sum(c["bytes"] for c in r["contexts"])
    print(f"{title}: {rec.get('recordings', 1)} recordings, {rec['duration_s']:.0f} s, cost {rec['cost_percent']} %, {total / 1e6:.0f} MB allocated, "
          f"{sum(c['sampled'] for c in r['contexts'])} samples, {len(r['contexts'])} contexts, {rec['pairs']} pairs, "
          f"{rec['objects_scanned']} scanned, expected {100 * r['avoidable']['all']['share']:.2f} % of bytes avoidable")


def main():
    if "--" not in sys.argv:
        sys.exit(__doc__)
    at = sys.argv.index("--")
    files = sys.argv[1:at], sys.argv[at + 1:]
    first, second = map(report, files)
    say_evidence("first", first)
    say_evidence("second", second)
    compare(*(figures_of(r, [one for one in (report([f]) for f in some) if one]) for r, some in zip((first, second), files)))
    print("found by the first, of the second's:")
    found(first, second)
    print("found by the second, of the first's:")
    found(second, first)


if __name__ == "__main__":
    main()
