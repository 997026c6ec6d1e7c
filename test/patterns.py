#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether the interval of wasted accesses holds the truth: test/jvm/Patterns.java, whose loops waste one access of each
period, unrolled, in vectors and with arms, by C2 with each level of AVX, by C1, and interpreted.

    test/patterns.py [-n RUNS] [-s SECONDS] [-w TEXT] [--busy] [JAVA_HOME...]

Each run is a line. Fails if fewer intervals hold the truth than 95 % would by chance once in ten thousand times. With
-w, only lines with the text are run. With --busy, two other processes take the processors in the meantime."""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OJX = os.environ.get("OJX", os.path.join(TOP, "ojx"))
SOURCE = os.path.join(TOP, "test", "jvm", "Patterns.java")
LOOPS = [("silent-store", shape, period) for shape in ("choose", "jump", "hand", "vector") for period in (2, 3, 8)]
LOOPS += [("dead-store", "dead", period) for period in (2, 3, 8)] + [("silent-load", "load", 2)]
COMPILERS = {"C2 AVX0": "-XX:UseAVX=0", "C2 AVX1": "-XX:UseAVX=1", "C2 AVX2": "-XX:UseAVX=2", "C2 AVX3": "-XX:UseAVX=3",
             "C1": "-XX:TieredStopAtLevel=1", "Xint": "-Xint"}
FEWEST = 5  # pairs that a report judges


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=1, metavar="RUNS", help="how often each loop is recorded")
    parser.add_argument("-s", type=float, default=1.5, metavar="SECONDS", help="CPU time of a recording")
    parser.add_argument("-w", default="", metavar="TEXT", help="only lines with this text")
    parser.add_argument("--busy", action="store_true", help="with two busy processes beside")
    parser.add_argument("homes", nargs="*", metavar="JAVA_HOME")
    return parser.parse_args()


def waste_of(java, option, folder, loop, seconds):
    """The truth, and the report's entry."""
    kind, shape, period = loop
    data = os.path.join(folder, "ojx.data")
    said = subprocess.run(
        [OJX, "record", "-e", kind, "--sampler=clock", "-F", "1000", "--budget", "50", "-o", data, "--", java, option,
         "-cp", folder, "Patterns", shape, str(period), str(seconds)], check=True, capture_output=True, text=True)
    report = subprocess.run([OJX, "report", "--format=json", "-i", data], check=True, capture_output=True, text=True)
    waste = [w for w in json.loads(report.stdout)["waste"] if w["kind"] == kind]
    return float(said.stdout.split()[0]), waste[0] if waste else None


def verdict(truth, waste):
    """What the line says, and whether the interval holds the truth; None if nothing is judged. The content alone is
    planted: lengths of arrays are loaded besides."""
    pairs = waste["content_pairs"] if waste else 0
    if pairs < FEWEST:
        return f"{pairs} pairs", None
    low, high = waste["content_fraction_ci"]
    says = f"{waste['content_fraction']:.3f} [{low:.3f}, {high:.3f}] of {pairs} pairs, in truth {truth:.3f}"
    return says, low <= truth <= high


def too_few(held, judged):
    """Whether so few, or fewer, of the intervals hold the truth once in ten thousand times if 95 % should."""
    chance = sum(math.comb(judged, k) * 0.95 ** k * 0.05 ** (judged - k) for k in range(held + 1))
    return chance < 1e-4


def main():
    args = arguments()
    homes = args.homes or subprocess.run([os.path.join(TOP, "agent", "jdks.sh")], check=True, capture_output=True,
                                         text=True).stdout.split()
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2 * args.busy)]
    held = judged = widths = 0
    try:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([os.path.join(homes[0], "bin", "javac"), "--release", "11", "-g", "-d", folder, SOURCE],
                           check=True, capture_output=True)
            for home in homes * args.n:
                for name, option in COMPILERS.items():
                    for loop in LOOPS:
                        line = " ".join([os.path.basename(home), name, *map(str, loop)])
                        if args.w not in line:
                            continue
                        truth, waste = waste_of(os.path.join(home, "bin", "java"), option, folder, loop, args.s)
                        says, holds = verdict(truth, waste)
                        print(f"{line}: {says}{'' if holds is not False else '   MISSED'}", flush=True)
                        if holds is not None:
                            judged, held = judged + 1, held + holds
                            widths += waste["content_fraction_ci"][1] - waste["content_fraction_ci"][0]
    finally:
        for process in busy:
            process.kill()
    if not judged:
        sys.exit("patterns.py: nothing was recorded")
    print(f"{held} of {judged} intervals hold the truth, {100 * held / judged:.1f} %; mean width {widths / judged:.3f}")
    sys.exit(too_few(held, judged))


if __name__ == "__main__":
    main()
