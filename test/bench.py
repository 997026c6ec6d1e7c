#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What recording costs: real applications, run plain and recorded in turn; and what `ojx heap` takes, beside JOL.

    test/bench.py [--pairs N] [--jdk TEXT] [--options "..."] [--together] [APPLICATION[:EVENTS]... | heap[:ORDERS]]

For each application the medians over the pairs: wall time, CPU time (all processes, ojx's own
included), peak resident memory of the JVM, as recorded / plain, and the range of the pairs' own ratios
of wall time. `tool` is the peak memory of the ojx process itself, `says` what the recording
gives as its cost. The output of the application must be the same both ways.

With --together both runs of a pair go on at the same time, each on one processor, in turn on either:
what else the machine does then meets both alike. CPU time is what counts there: its ratio is the mean of the pairs' own, and
`range` is its standard error.

`heap`: all that `ojx heap` tells of a planted dump, without and with retained sizes and paths, in turn with JOL's heapdumpstats, which counts
objects by class and does no more. A million orders are 4 million objects, 150 MB. The memory without the file is the most that was seen twenty times a second. JOL is org.openjdk.jol:jol-cli:0.17:full of Maven Central; $JOL names its file.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
OJX = os.environ.get("OJX", str(TOP / "ojx"))
BUILD = TOP / "build" / "apps"
JARS = "/usr/share/java/"
BATIK = [JARS + j for j in ("batik-all.jar", "xmlgraphics-commons.jar", "xml-apis-ext.jar")]
H2 = [JARS + "h2.jar"]
WASTE = "dead-store,silent-store,silent-load"
# Each by itself, and all in one recording; beside replicas and locality on all applications.
ANALYSES = {"h2": ["numa", "dead-store", "silent-store", "silent-load", f"replica,{WASTE},numa"],
            "ecj": ["numa", WASTE, f"replica,{WASTE},numa"]}
ECJ = [JARS + "eclipse-jdt-core.jar"]


# ---- applications --------------------------------------------------------------------------

def source_tree():
    """A module of the JDK, in source: from a JDK's src.zip, unpacked once."""
    tree = BUILD / "java.xml"
    archives = [z for z in sorted(Path("/usr/lib/jvm").glob("*/**/src.zip")) if z.exists()]
    if not tree.exists() and archives:
        with zipfile.ZipFile(archives[0]) as archive:
            archive.extractall(BUILD, [n for n in archive.namelist() if n.startswith("java.xml/")])
    return str(tree) if tree.exists() else None


def applications():
    """Returns {name: (classpath, main class and arguments)}; None for an application that is missing."""
    own = [str(BUILD)]
    tree = source_tree()
    return {
        "batik": (own + BATIK, ["Rasterize", "450"]),
        "h2": (own + H2, ["Database", "70"]),
        "ecj": (ECJ, ["org.eclipse.jdt.internal.compiler.batch.Main", "-17", "-nowarn",
                      "-proc:none", "-proceedOnError", "-d", "none", tree]) if tree else None,
    }


def jdk_home(text):
    homes = subprocess.run([TOP / "agent" / "jdks.sh"], capture_output=True, text=True,
                           check=True).stdout.split()
    return next((h for h in homes if text in h), None) or sys.exit(f"no JDK '{text}'")


def compile_drivers(home):
    BUILD.mkdir(parents=True, exist_ok=True)
    subprocess.run([home + "/bin/javac", "--release", "11", "-g", "-nowarn", "-cp",
                    ":".join(BATIK + H2), "-d", str(BUILD),
                    *(str(TOP / "test" / "apps" / name) for name in ("Rasterize.java", "Database.java", "Allocate.java"))], check=True)


# ---- one run -------------------------------------------------------------------------------

@dataclass
class Run:
    wall: float  # s
    cpu: float  # s, with all children
    memory: float  # MiB, largest process: the JVM
    tool: float  # MiB, the first process alone
    anonymous: float  # MiB, the first process without files, as seen
    output: str


def memory_of(pid):
    """Peak resident memory of a process so far, and what is no file's now, in MiB; 0 if it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0, 0
    found = [re.search(name + r":\s+(\d+)", status) for name in ("VmHWM", "RssAnon")]
    return [int(each.group(1)) / 1024 if each else 0 for each in found]


def measure(command):
    with tempfile.TemporaryFile() as out:
        start = time.monotonic()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out,
                                   stderr=subprocess.STDOUT)
        tool, anonymous, pid = 0, 0, 0
        while pid == 0:
            time.sleep(0.05)
            peak, now = memory_of(process.pid)
            tool, anonymous = max(tool, peak), max(anonymous, now)
            # Of wait4 for a process: its CPU time with that of its children, its memory or theirs.
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        wall = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        output = out.read().decode()
    return process.returncode, Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024,
                                   tool, anonymous, output)


def checked(command):
    code, run = measure(command)
    if code not in (0, 255):  # 255: ecj met an error in the sources, which are of another JDK
        sys.exit(f"exit status {code} of {' '.join(command)}\n{run.output[-2000:]}")
    return run


# ---- heap dumps ----------------------------------------------------------------------------

def bench_heap(home, pairs, orders):
    jol = os.environ.get("JOL", str(BUILD / "jol-cli-0.17-full.jar"))
    if not os.path.exists(jol):
        print(f"heap: without JOL, there is no {jol} (org.openjdk.jol:jol-cli:0.17:full of Maven Central; "
              "$JOL names it)", file=sys.stderr)
        jol = None
    subprocess.run([home + "/bin/javac", "--release", "11", "-nowarn", "-d", str(BUILD), str(TOP / "test/jvm/Heaped.java")],
                   check=True)
    with tempfile.TemporaryDirectory(prefix="ojx-bench.") as folder:
        dump = folder + "/app.hprof"
        subprocess.run([home + "/bin/java", f"-Xmx{300 + orders // 2000}m", "-cp", str(BUILD), "Heaped", dump, str(orders)], check=True,
                       stdout=subprocess.DEVNULL)
        ojx = [OJX, "heap", "-q", "--format=json", "--limit", "0", dump]
        commands = {"ojx heap": ojx, "with --retained": ojx + ["--retained", "--path"]}
        if jol:
            commands["JOL heapdumpstats"] = [home + "/bin/java", "-jar", jol, "heapdumpstats", dump]
        runs = {name: [] for name in commands}
        for _ in range(pairs):
            for name, command in commands.items():
                runs[name].append(checked(command))
        print(f"{os.path.getsize(dump) / 1e6:.0f} MB, {pairs} runs of each in turn, medians")
        for name, some in runs.items():
            print(f"{name:20} {median(some, 'wall'):7.2f} s  {median(some, 'cpu'):7.2f} s CPU  "
                  f"{median(some, 'memory'):6.0f} MiB  {median(some, 'anonymous'):6.0f} MiB without the file")
        plain, *others = runs.items()
        for name, some in others:
            print(f"{name + ' : ojx':27} {median(some, 'wall') / median(plain[1], 'wall'):.2f}    "
                  f"{median(some, 'cpu') / median(plain[1], 'cpu'):7.2f}")


# ---- the table -----------------------------------------------------------------------------

def pair_of(java, recording, number, together):
    """One run of each."""
    if not together:
        return checked(java), checked(recording)
    here = sorted(os.sched_getaffinity(0))[:2]
    if len(here) < 2:
        sys.exit("--together needs two processors")
    on = [["taskset", "-c", str(here[(number + k) % 2])] for k in range(2)]
    with ThreadPoolExecutor(2) as both:
        return tuple(both.map(checked, [on[0] + java, on[1] + recording]))


def bench(name, java, options, pairs, together):
    """Runs one application; returns its row."""
    plain, recorded, cost = [], [], []
    with tempfile.TemporaryDirectory(prefix="ojx-bench.") as folder:
        data = folder + "/ojx.data"
        for number in range(pairs):
            one, other = pair_of(java, [OJX, "record", "-q", "-o", data, *options, "--", *java],
                                 number, together)
            plain.append(one)
            recorded.append(other)
            if plain[-1].output != recorded[-1].output:
                sys.exit(f"{name}: the output differs\n{recorded[-1].output[-2000:]}")
            report = subprocess.run([OJX, "report", "--format=json", "-i", data], check=True,
                                    capture_output=True, text=True).stdout
            cost.append(json.loads(report)["recording"]["cost_percent"])
            print(f"  {name} {number + 1}/{pairs}: {plain[-1].wall:.2f} s plain, "
                  f"{recorded[-1].wall:.2f} s recorded", file=sys.stderr)

    def ratio(what):
        return median(recorded, what) / median(plain, what)

    each = sorted(r.wall / p.wall for p, r in zip(plain, recorded))
    spread, cpu = f"{each[0]:.3f}-{each[-1]:.3f}", ratio("cpu")
    if together:
        each = [r.cpu / p.cpu for p, r in zip(plain, recorded)]
        cpu = statistics.mean(each)
        spread = f"{statistics.stdev(each) / pairs ** 0.5:.3f}" if pairs > 1 else ""
    return [name, f"{median(plain, 'wall'):.2f}", f"{median(recorded, 'wall'):.2f}",
            f"{ratio('wall'):.3f}", spread, f"{cpu:.3f}",
            f"{median(plain, 'memory'):.0f}", f"{median(recorded, 'memory'):.0f}",
            f"{ratio('memory'):.3f}", f"{median(recorded, 'tool'):.0f}",
            "" if None in cost else f"{statistics.median(cost):.2f}"]


def median(runs, what):
    return statistics.median(getattr(run, what) for run in runs)


HEADER = ["", "plain s", "recorded s", "wall", "range", "cpu", "plain MiB", "recorded MiB", "memory",
          "tool MiB", "says %"]


def print_table(rows):
    widths = [max(len(row[k]) for row in rows) for k in range(len(HEADER))]
    for row in rows:
        print("  ".join(cell.rjust(width) if k else cell.ljust(width)
                        for k, (cell, width) in enumerate(zip(row, widths))))


def main():
    parser = argparse.ArgumentParser(description="measure what recording costs")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--jdk", default="", help="a JDK whose path contains this")
    parser.add_argument("--options", default="", help="for ojx record")
    parser.add_argument("--command", action="store_true",
                        help="do not measure: print the command of the application")
    parser.add_argument("application", nargs="*",
                        help="batik, h2, ecj, or one of them with what to record, as in "
                        "h2:locality,dead-store; or heap:ORDERS (default: all, each with locality, h2 and ecj "
                        "with the other analyses, and heap)")
    parser.add_argument("--together", action="store_true",
                        help="both runs of a pair at the same time, on a processor each")
    args = parser.parse_args()

    home = jdk_home(args.jdk)
    compile_drivers(home)
    known = applications()
    rows = [HEADER]
    for row in args.application or [*known, *(name + ":locality" for name in known),
                                    *(name + ":" + analysis for name, some in ANALYSES.items()
                                      for analysis in some), "heap"]:
        if row.partition(":")[0] == "heap":
            continue
        name, _, events = row.partition(":")
        if known[name] is None:
            print(f"{name}: skipped, no JDK has a src.zip (package openjdk-17-source)",
                  file=sys.stderr)
            continue
        classpath, arguments = known[name]
        java = [home + "/bin/java", "-Xmx512m", "-cp", ":".join(classpath), *arguments]
        if args.command:
            print(" ".join(java))
        else:
            options = args.options.split() + (["-e", events] if events else [])
            rows.append(bench(row, java, options, args.pairs, args.together))
    if not args.command:
        if len(rows) > 1:
            print(f"{home}, {args.pairs} pairs; ratios are recorded / plain, medians")
            print_table(rows)
        heaps = [row.partition(":")[2] for row in args.application if row.partition(":")[0] == "heap"]
        for orders in heaps or ([] if args.application else [""]):
            bench_heap(home, args.pairs, int(orders or 1000000))


if __name__ == "__main__":
    main()
