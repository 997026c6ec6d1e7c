#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How far samples of the clock are from samples of accesses: test/jvm/Bias.java, whose accesses are counted, on each
JDK, compiled by C2 and by C1. Prints, for each line of the program, its share of the accesses, of the time where it
is known, and of the samples; and how often the predicted instruction was the one that touched the predicted address.

    test/bias.py [SECONDS [JAVA_HOME...]]"""
import json
import os
import re
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OJX = os.environ.get("OJX", os.path.join(TOP, "ojx"))
SOURCE = os.path.join(TOP, "test", "jvm", "Bias.java")


def lines_of_source():
    with open(SOURCE, encoding="utf-8") as source:
        return {n: m[1] for n, text in enumerate(source, 1) if (m := re.search(r"// line: (\w+)", text))}


def record(java, folder, events, options, mode, seconds):
    """What the program and ojx say, and the report."""
    data = os.path.join(folder, "ojx.data")
    said = subprocess.run(
        [OJX, "record", "-v", "-e", events, "--sampler=clock", "-F", "1000", "--budget", "50", "-o", data, "--", java,
         *options, "-Xmx1g", "-cp", folder, "Bias", mode, str(seconds)],
        check=True, capture_output=True, text=True)
    report = subprocess.run([OJX, "report", "--format=json", "-i", data], check=True, capture_output=True, text=True)
    return said.stdout, said.stderr, json.loads(report.stdout)


def samples_by_line(report):
    lines, samples = lines_of_source(), {}
    for total in report["locality_totals"]:
        for access in (a for o in total["others"] for a in o["accesses"]):
            add_sample(samples, lines, access)
    for access in (a for o in report["locality"] for a in o["accesses"]):
        add_sample(samples, lines, access)
    return samples


def add_sample(samples, lines, access):
    top = access["stack"][0] if access["stack"] else None
    if top and top["class"] == "Bias" and top["line"] in lines:
        name = lines[top["line"]]
        samples[name] = samples.get(name, 0) + access["samples"]


def show(title, truth, samples):
    accesses = sum(n for n, _ in truth.values())
    time = sum(ns for _, ns in truth.values())
    total = max(1, sum(samples.get(name, 0) for name in truth))
    for name, (n, ns) in truth.items():
        share = f"{100 * ns / time:6.1f}" if time else "     -"
        print(f"{title:28} {name:11} {100 * n / accesses:8.1f} {share} {100 * samples.get(name, 0) / total:8.1f}"
              f"   of {total}")


def main():
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    homes = sys.argv[2:] or subprocess.run([os.path.join(TOP, "agent", "jdks.sh")], check=True, capture_output=True,
                                           text=True).stdout.split()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([os.path.join(homes[0], "bin", "javac"), "--release", "11", "-g", "-d", folder, SOURCE],
                       check=True, capture_output=True)
        print(f"{'percent of':28} {'line':11} accesses   time  samples")
        for home in homes:
            for compiler, options in (("C2", []), ("C1", ["-XX:TieredStopAtLevel=1"])):
                java = os.path.join(home, "bin", "java")
                for mode in ("loops", "mixed"):
                    out, _, report = record(java, folder, "locality", options, mode, seconds)
                    truth = {w[0]: (int(w[1]), int(w[2])) for w in map(str.split, out.splitlines())}
                    show(f"{os.path.basename(home)[:22]} {compiler} {mode}", truth, samples_by_line(report))
                _, said, _ = record(java, folder, "dead-store,silent-load", options, "mixed", seconds)
                print(f"{os.path.basename(home)[:22]} {compiler}: " + "".join(re.findall("accesses: (.*) ]", said)))


if __name__ == "__main__":
    main()
