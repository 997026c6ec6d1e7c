#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether the cost that is told is the cost that is paid.

    test/bench_cost.py [--pairs N] [--least N] [--seconds N] [--options "..."] [--keep FILE] [PROGRAM...]

Runs each program plain and recorded at the same time, on half of the processors each. So whatever else
the machine does meets both. From pair to pair they change sides, and the sides' difference is left out.
(To change sides within a pair, three times a second, does not make pairs scatter less: runs themselves differ by 5 %.)

    paid    CPU time of the recorded run, all processes, that the plain one does not take; in percent
    told    the whole cost that the recording tells, and what of it was measured
    bias    told minus paid, the mean over the pairs, with half the width of its 95 % interval

A program gets at least --least pairs (10), and further ones until half the width is at most 1.5 points,
there are --pairs (40; or $BENCH_PAIRS), or --seconds (900; or $BENCH_SECONDS) have passed. Exit status 1: a
bias is more than 1.5 points, beyond its interval; or an interval is wider than that.

--keep FILE: each pair is added to FILE at once, as a line of JSON. Pairs there of the same program, code of the tool and the
agent, JDK and options count as if they had been run now, so several quiet moments add up, and a run that was cut goes on.

The last lines give the bias of all programs together, where a program counts the more the narrower its interval is, and
paid / measured. WIRE_COST_TIMES in lib/wire/wire.h comes from there. A figure cannot confirm itself, so the last two
programs of the table are left out of it.
"""

import argparse
import hashlib
import json
import math
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

import bench

MOST = 1.5  # points, of the bias and of half of its interval
COLLECTOR = "-XX:+UseG1GC"  # on one processor a JVM would choose another
JAVA_17 = ["-Xmx512m", COLLECTOR]
# 97.5 % points of Student's t for so many degrees of freedom; the normal distribution's beyond.
STUDENT = [math.inf, 12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145,
           2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045]


# ---- programs --------------------------------------------------------------------------------

@dataclass
class Program:
    classpath: list
    arguments: list  # '{out}' is a folder of this run
    fitted: bool = True
    options: tuple = ()  # of java


def shrinking(jar):
    """ProGuard's arguments: what is not public is renamed, what is not used left out. This version does not know the JDK's classes."""
    return ["-injars", jar, "-outjars", "{out}/small.jar", "-dontwarn", "-ignorewarnings", "-dontnote", "-dontoptimize",
            "-dontpreverify", "-keep", "public class ** { public *; }"]


def programs():
    """Returns {name: Program}; those that this machine lacks are left out."""
    known = {name: Program(*row) for name, row in bench.applications().items() if row}
    share = "/usr/share/"
    jars = [f"{bench.JARS}{name}.jar" for name in
            ("checkstyle", "antlr4-runtime", "commons-lang3", "commons-beanutils", "commons-collections3", "guava",
             "commons-cli", "commons-logging", "picocli", "Saxon-HE", "reflections")]
    tree = bench.source_tree()
    known["jython"] = Program([bench.JARS + "jython.jar"], ["org.python.util.jython", str(bench.TOP / "test/apps/tally.py"), "60"],
                              options=("-Dpython.cachedir.skip=true",))
    known["allocate"] = Program([str(bench.BUILD)], ["Allocate", "20", "50"], options=("-Xms512m", "-Xmn200m"))
    known["proguard"] = Program([bench.JARS + "proguard.jar"], ["proguard.ProGuard", *shrinking(bench.JARS + "batik-all.jar")], False,
                                ("-Xss2m",))
    if tree:
        known["checkstyle"] = Program(jars, ["com.puppycrawl.tools.checkstyle.Main", "-c", share + "checkstyle/sun_checks.xml",
                                             tree + "/com/sun/org/apache/xalan/internal/xsltc"], False)
    return {name: p for name, p in known.items() if Path(p.classpath[-1] if name != "checkstyle" else jars[0]).exists()}


# ---- pairs ---------------------------------------------------------------------------------

@dataclass
class Pair:
    paid: float  # percent of the recorded run's CPU time
    told: float
    measured: float
    side: int  # on which half of the processors the recorded run was


# ---- pairs that are kept --------------------------------------------------------------------

def code_of(*binaries):
    """A hash of what runs of them: debug information has the names of folders."""
    digest = hashlib.sha256()
    for binary in binaries:
        with tempfile.NamedTemporaryFile(prefix="ojx-bench.") as bare:
            subprocess.run(["objcopy", "--strip-all", "--remove-section=.note.gnu.build-id", binary, bare.name], check=True)
            digest.update(Path(bare.name).read_bytes())
    return digest.hexdigest()


class Kept:
    """The pairs in a file, by program and by `what` was run."""

    def __init__(self, path, what):
        self.path, self.what, self.pairs = path, what, {}
        if not path or not os.path.exists(path):
            return
        text = Path(path).read_text(encoding="utf-8")
        for number, line in enumerate(text.splitlines(), 1):
            try:
                one = json.loads(line)
                pair = Pair(**one["pair"])
                if one["what"] == what:
                    self.pairs.setdefault(one["program"], []).append(pair)
            except (ValueError, KeyError, TypeError):
                if number <= text.count("\n"):
                    sys.exit(f"bench_cost.py: {path}:{number}: no pair of --keep")
        if text and not text.endswith("\n"):  # a run was killed while it wrote
            os.truncate(path, text.rfind("\n") + 1)

    def of(self, program):
        return list(self.pairs.get(program, []))

    def add(self, program, pair):
        if self.path:
            with open(self.path, "a", encoding="utf-8") as out:
                out.write(json.dumps({"program": program, "what": self.what, "pair": asdict(pair)}) + "\n")


# ---- running a pair ------------------------------------------------------------------------

def halves():
    here = sorted(os.sched_getaffinity(0))
    if len(here) < 2:
        sys.exit("bench_cost.py: two processors are needed")
    middle = len(here) // 2
    return [",".join(map(str, part)) for part in (here[:middle], here[middle:2 * middle])]


def run_on(processors, command):
    return bench.measure(["taskset", "-c", processors, *command])


def one_pair(java, options, number, folder):
    """Runs both at the same time; the recorded one on the half `number` % 2."""
    data, on = f"{folder}/ojx.data", halves()
    arms = []
    for arm in ("plain", "recorded"):
        out = f"{folder}/{arm}"
        shutil.rmtree(out, ignore_errors=True)  # ProGuard makes nothing anew that is there
        os.makedirs(out)
        arms.append([word.replace("{out}", out) for word in java])
    arms[1] = [bench.OJX, "record", "-q", "-o", data, *options, "--", *arms[1]]
    side = number % 2
    with ThreadPoolExecutor(2) as both:
        plain, recorded = both.map(run_on, [on[1 - side], on[side]], arms)
    if plain[0] != recorded[0]:
        sys.exit(f"exit status {plain[0]} plain, {recorded[0]} recorded:\n{recorded[1].output[-2000:]}")
    report = subprocess.run([bench.OJX, "report", "--format=json", "-i", data], check=True, capture_output=True, text=True).stdout
    facts = json.loads(report)["recording"]
    return Pair(100 * (1 - plain[1].cpu / recorded[1].cpu), facts["whole_cost_percent"], facts["cost_percent"], side), recorded[1]


def interval(values, sides):
    """Mean and half the width of its 95 % interval, where both sides count the same and their difference is none of the noise."""
    groups = [[v for v, s in zip(values, sides) if s == k] for k in (0, 1)]
    if min(map(len, groups)) < 2:
        return statistics.mean(values), math.inf
    mean = statistics.mean(statistics.mean(g) for g in groups)
    freedom = len(values) - 2
    variance = sum(sum((v - statistics.mean(g)) ** 2 for v in g) for g in groups) / freedom
    width = math.sqrt(variance / 4 * sum(1 / len(g) for g in groups))
    return mean, width * (STUDENT[freedom] if freedom < len(STUDENT) else 2)


def enough(pairs, args, since):
    if len(pairs) >= args.pairs or (len(pairs) >= 2 and time.monotonic() - since > args.seconds):
        return True
    return len(pairs) >= args.least and bias_of(pairs)[1] <= MOST


def bias_of(pairs):
    return interval([p.told - p.paid for p in pairs], [p.side for p in pairs])


def bench_program(name, program, home, args, kept):
    java = [home + "/bin/java", *JAVA_17, *program.options, "-cp", ":".join(program.classpath),
            *program.arguments]
    pairs, since = kept.of(name), time.monotonic()
    if pairs:
        print(f"  {name}: {len(pairs)} pairs of before", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory(prefix="ojx-bench.") as folder:
        while not enough(pairs, args, since):
            pair, run = one_pair(java, shlex.split(args.options), len(pairs), folder)
            pairs.append(pair)
            kept.add(name, pair)
            print(f"  {name} {len(pairs)}: {run.wall:.1f} s, {run.cpu:.1f} s CPU, paid {pair.paid:.2f} %, told {pair.told:.2f} %",
                  file=sys.stderr, flush=True)
    return pairs


# ---- the table -----------------------------------------------------------------------------

def plus_minus(half):
    """Half the width of an interval; '-': there are too few pairs for one."""
    return f"± {half:4.2f}" if math.isfinite(half) else "±    -"


def row_of(name, pairs):
    sides = [p.side for p in pairs]
    paid, told, bias = (interval(values, sides) for values in (
        [p.paid for p in pairs], [p.told for p in pairs], [p.told - p.paid for p in pairs]))
    measured = statistics.mean(p.measured for p in pairs)
    good = abs(bias[0]) <= MOST and bias[1] <= MOST
    return f"{name:12} {len(pairs):5} {paid[0]:8.2f} {plus_minus(paid[1])} {told[0]:8.2f} {measured:9.2f} {bias[0]:+8.2f} {plus_minus(bias[1])}  {'ok' if good else 'NOT'}", good


def pooled(biases):
    """The bias of all programs together: each counts by the inverse square of its interval."""
    weights = [1 / half ** 2 for _, half in biases]
    return sum(w * mean for w, (mean, _) in zip(weights, biases)) / sum(weights), 1 / math.sqrt(sum(weights))


def print_pooled(all_pairs):
    counted = [(b, len(pairs)) for pairs in all_pairs.values() if 0 < (b := bias_of(pairs))[1] < math.inf]
    if counted:
        mean, half = pooled([b for b, _ in counted])
        print(f"bias of all: {mean:+.2f} ± {half:.2f} ({len(counted)} programs, {sum(n for _, n in counted)} pairs)")


def print_factor(all_pairs, known):
    """Paid / measured over the programs of which the factor is fitted: of all pairs' means, with its interval."""
    some = [pairs for name, pairs in all_pairs.items() if known[name].fitted]
    paid = [interval([p.paid for p in pairs], [p.side for p in pairs]) for pairs in some]
    measured = sum(statistics.mean(p.measured for p in pairs) for pairs in some)
    if not some or any(math.isinf(p[1]) for p in paid):
        return
    width = math.sqrt(sum(p[1] ** 2 for p in paid)) / measured
    print(f"paid / measured: {sum(p[0] for p in paid) / measured:.2f} ± {width:.2f} (WIRE_COST_TIMES; "
          "what a sample costs HotSpot, WIRE_COST_SAMPLE_NS, included)")


def main():
    parser = argparse.ArgumentParser(description="compare the cost that is told with the cost that is paid")
    parser.add_argument("--pairs", type=int, default=int(os.environ.get("BENCH_PAIRS", "40")), help="at most, for a program")
    parser.add_argument("--least", type=int, default=10, help="at least")
    parser.add_argument("--seconds", type=float, default=float(os.environ.get("BENCH_SECONDS", "900")), help="at most, for a program")
    parser.add_argument("--jdk", default="", help="a JDK whose path contains this")
    parser.add_argument("--options", default="", help="for ojx record")
    parser.add_argument("--keep", default=os.environ.get("BENCH_KEEP"), help="a file of pairs, read at first and added to")
    parser.add_argument("program", nargs="*")
    args = parser.parse_args()

    home = bench.jdk_home(args.jdk)
    bench.compile_drivers(home)
    known = programs()
    unknown = [name for name in args.program if name not in known]
    if unknown:
        sys.exit(f"bench_cost.py: no program '{unknown[0]}'; there are {', '.join(known)}")
    print(f"{home}, options '{args.options}'\n{'':12} pairs      paid %        told %  measured       bias", flush=True)
    kept = Kept(args.keep, {"code": code_of(bench.OJX, Path(bench.OJX).with_name("libojx-agent.so")) if args.keep else None, "jdk": home, "options": args.options})
    all_pairs, good = {}, True
    for name in args.program or known:
        all_pairs[name] = bench_program(name, known[name], home, args, kept)
        row, fine = row_of(name, all_pairs[name])
        good = good and fine
        print(row, flush=True)
    print_pooled(all_pairs)
    print_factor(all_pairs, known)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
