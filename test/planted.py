#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records the planted programs and checks the reports against the truth.

    test/planted.py [-j N] [--all] [--jdk TEXT] [--gc NAME] [--mode MODE] [PROGRAM...]

Each run is one line, `ok 12 AllSame jdk17 G1 watch`; a failed one is followed by what was wrong. Each program is
recorded with watches, without them, and by attaching to a longer run for a few seconds, each time on the next
collector; one of them also where system calls of the agent are forbidden. Some collectors are those of the
preferred JDK, the others of another one. With --all, or with a JDK, a collector or a mode, every collector of every
JDK is used, and of the runtimes in $JDKS (separated by colons).

The programs run for a second, so they are recorded densely and with the whole budget: by default a
recording would spend a fiftieth of a second on them. Then the rings may overflow on a busy machine;
lost events are allowed here, and t_jvm.sh has the runs that may lose none.
There are several times as many snapshots and pairs as required. How many there are depends on the machine, so where there
are too few, the program is recorded again with more objects.

The bounds. A correct ojx must pass the whole matrix 999 times of 1000, and the matrix makes a few
thousand checks; so each has a false alarm rate of about 1e-6, five standard deviations.
 - counts of pairs against a probability: the exact tails of the binomial distribution. They hold
   whatever the pairs weigh, since the programs mix their contents at random; of TenPhases, which
   does not, only the estimates are checked;
 - theta if positions differ in how often they are equal: partners go where seeds were, so there are
   as many draws of a position as seeds in a reservoir; and 0.05 at least, as one position of BigArray may be
   compared many times;
 - estimates: the reported 95 % interval, which gives the effective number of pairs, widened to five
   standard deviations;
 - the largest group: 0.03 with at least 5000 snapshots, which is 4.2 standard deviations of a
   measurement at the worst share, one half, and five at three quarters. In TenPhases, what was
   skipped for lack of time may all be made up for by snapshots of one phase;
 - estimated objects: five standard deviations of a count of that many samples, the share of the
   events that were lost, and 2 % for what is allocated before the program proper.
Nothing is compared with a clock. If uses cannot be watched, the runs that need that are skipped.
"""
# Runs alone: programs are over after a second, and it runs two at a time itself.

import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
SOURCES = TOP / "test" / "planted"
sys.path.insert(0, str(SOURCES))
from truth import PROGRAMS  # noqa: E402  (its folder is known only now)

OJX = os.environ.get("OJX", str(TOP / "ojx"))
CLASSES = TOP / "build" / "planted"
ALARM = 1e-6
MIN_SCANNED = 1500
MIN_PAIRS = 30
SEEDS = 64  # of a reservoir, agent/heap/contexts.h
SEED = 1
EXACTLY = "OJX_SOAK" in os.environ  # what holds on an idle machine

COLLECTORS = {
    "Serial": ["-XX:+UseSerialGC", "-Xmx64m"],
    "Parallel": ["-XX:+UseParallelGC", "-Xmx64m"],
    "G1": ["-XX:+UseG1GC", "-Xmx64m"],
    "CMS": ["-XX:+UseConcMarkSweepGC", "-Xmx64m"],
    "Z": ["-XX:+UnlockExperimentalVMOptions", "-XX:+UseZGC", "-Xmx256m"],
    "Z-generational": ["-XX:+UseZGC", "-XX:+ZGenerational", "-Xmx256m"],
    "Shenandoah": ["-XX:+UnlockExperimentalVMOptions", "-XX:+UseShenandoahGC", "-Xmx256m"],
    "Shenandoah-generational": ["-XX:+UnlockExperimentalVMOptions", "-XX:+UseShenandoahGC", "-XX:ShenandoahGCMode=generational",
                                "-Xmx256m"],
    "G1-compact": ["-XX:+UseG1GC", "-XX:+UseCompactObjectHeaders", "-Xmx64m"],
}
# If each collector is tested once: those of the preferred JDK; the others on another JDK.
PREFERRED = ("Serial", "G1")


# ---- what there is to run ------------------------------------------------------------------

def jdks():
    """(name, home) of each JDK found, e.g. ("jdk17", "/usr/lib/jvm/..."), and of the runtimes in $JDKS."""
    homes = subprocess.run([TOP / "agent" / "jdks.sh"], capture_output=True, text=True,
                           check=True).stdout.split("\n") + os.environ.get("JDKS", "").split(":")
    named = []
    for home in filter(None, homes):
        release = (Path(home) / "release").read_text() if (Path(home) / "release").exists() else ""
        version = re.search(r'JAVA_VERSION="(\d+)', release)
        named.append(("jdk" + (version.group(1) if version else "?"), home))
    return named


def collectors(home, only=None):
    """Names of the collectors that this JDK has; of `only`, where that is given."""
    def works(options):
        run = subprocess.run([home + "/bin/java", *options, "-version"], capture_output=True, text=True, check=False)
        return run.returncode == 0 and "Ignoring option" not in run.stdout + run.stderr
    return [name for name, options in COLLECTORS.items() if only in (None, name) and works(options)]


def spread():
    """(name, home, collector): each collector of one of two JDKs, the preferred one and the one furthest from it in
    age; all of one where there are no two."""
    found = jdks()
    first = found[0]
    second = max(found[1:], key=lambda j: abs(version(j) - version(first)), default=None)
    if not second:
        return [(*first, gc) for gc in collectors(first[1])]
    return [(*first, gc) for gc in collectors(first[1]) if gc in PREFERRED] + \
        [(*second, gc) for gc in collectors(second[1]) if gc not in PREFERRED]


def version(jdk):
    return int("0" + jdk[0].removeprefix("jdk").strip("?"))


def can_watch():
    """Whether uses of objects can be seen on this machine."""
    said = subprocess.run([OJX, "doctor"], capture_output=True, text=True, check=False).stdout
    return bool(re.search("^ok +debug registers", said, re.MULTILINE))


def compile_programs(home):
    if "OJX_TEST_CLASSES" in os.environ:
        return  # compiled elsewhere, as compiling takes too long in an emulated machine
    CLASSES.mkdir(parents=True, exist_ok=True)
    subprocess.run([home + "/bin/javac", "--release", "11", "-g", "-nowarn", "-d", str(CLASSES),
                    *map(str, SOURCES.glob("*.java"))], check=True)
    for file in CLASSES.glob("*.class"):  # a name that Kotlin's compiler gives, and that Java's does not take
        file.write_bytes(file.read_bytes().replace(b"box_impl", b"box-impl"))


def marked_line(program, marker):
    """The line of the program's source that ends in `// @marker`."""
    for number, text in enumerate((SOURCES / (program + ".java")).read_text().split("\n"), 1):
        if re.search(r"// @" + marker + r"\b", text):
            return number
    raise KeyError(f"{program}: no line is marked @{marker}")


# ---- statistics ----------------------------------------------------------------------------

def binomial_tail(k, n, p):
    """P(X <= k) for X ~ Binomial(n, p)."""
    if p <= 0 or k >= n:
        return 1.0
    if p >= 1:
        return 0.0
    log_p, log_q = math.log(p), math.log1p(-p)
    return min(1.0, math.fsum(
        math.exp(math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1)
                 + i * log_p + (n - i) * log_q)
        for i in range(k + 1)))


def plausible(k, n, p):
    """Whether k of n is plausible if each has probability p."""
    # Shares are 0.0005 off at most by the seed, see truth.py; 0 and 1 are exact.
    slack = 0.0005 if 0 < p < 1 else 0
    low = binomial_tail(k, n, max(p - slack, 0))
    high = binomial_tail(n - k, n, 1 - min(p + slack, 1))
    return low >= ALARM and high >= ALARM


# ---- checks --------------------------------------------------------------------------------

class Checks:
    """Collects what is wrong with one run."""

    def __init__(self):
        self.wrong = []
        self.evidence = []  # the evidence of the run

    def that(self, condition, text):
        if not condition:
            self.wrong.append(text)
        return condition


def in_program(context, program):
    """The frames of the allocation stack that lie in the program's own file."""
    return [f for f in context["alloc_stack"] if f.get("file") == program + ".java"]


def contexts_of(report, program, site):
    line = marked_line(program.name, site.marker)
    through = {marked_line(program.name, m) for m in site.through}
    found = []
    for context in report["contexts"]:
        frames = in_program(context, program.name)
        if (frames and frames[0]["line"] == line and context["class"] == site.cls
                and through <= {f["line"] for f in frames}):
            found.append(context)
    return found


def effective_pairs(p, interval):
    """The number of pairs of equal weight that gives p this 95 % Wilson interval."""
    low, high = 1.0, 1e9
    for _ in range(100):
        middle = math.sqrt(low * high)
        ends = wilson(p, middle, 1.96)
        if ends[1] - ends[0] > interval[1] - interval[0]:
            low = middle
        else:
            high = middle
    return low


def wilson(p, n, z):
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return centre - half, centre + half


def check_estimate(checks, name, what, replica, truth):
    p, interval = replica[what], replica[what + "_ci"]
    low, high = wilson(p, effective_pairs(p, interval), 5)
    checks.that(low - 0.0005 <= truth <= high + 0.0005,
                f"{name}: {what} is {p:.4f} in {interval}, truth {truth:.4f}")


def check_pairs(checks, name, replica, site, program):
    n = replica["pairs"]
    if program.sizes > 1:
        # Sizes are combined by their shares, which are estimates themselves.
        checks.that(abs(replica["identical"] - site.identical) < 0.005,
                    f"{name}: identical {replica['identical']}, truth {site.identical}")
        checks.that(abs(replica["theta"] - site.theta) < 0.005,
                    f"{name}: theta {replica['theta']}, truth {site.theta}")
        return
    check_estimate(checks, name, "identical", replica, site.identical)
    if program.mixed:
        a, b = replica["a"], replica["b"]
        checks.that(plausible(a, n, site.identical),
                    f"{name}: {a} of {n} pairs identical, truth {site.identical}")
        if site.theta is None:
            return
        if program.positions == 1:
            wrong = not plausible(a + b, n, site.theta)
        else:
            spread = 5 * math.sqrt(site.theta * (1 - site.theta) / SEEDS)
            wrong = abs((a + b) / n - site.theta) > max(0.05, spread)
        checks.that(not wrong, f"{name}: {a + b} of {n} pairs equal, theta is {site.theta:.4f}")


def index(name):
    return int(name[1:-1]) if name.startswith("[") else name


def covers(found, wanted):
    """Whether the field is the wanted one, or the range of elements contains it."""
    return found[0] == wanted[0] and index(found[1]) <= index(wanted[1]) and index(wanted[2]) <= index(found[2]) and (
        wanted[0] is None or found == wanted)


def check_apart(checks, name, context, site):
    """The fields that keep the objects apart are the true ones, by snapshots.

    A thread that does not run while it makes an object leaves it unfinished, and different elsewhere: on a busy machine
    there may be more fields.
    """
    apart = context["apart"]
    checks.that(context["fields_source"] == "scan",
                f"{name}: fields are of {context['fields_source']}")
    if not checks.that(apart, f"{name}: not known what keeps the objects apart"):
        return
    fields = tuple((f["class"], f["name"], f["last"]) for f in apart["fields"])
    checks.that(fields == site.apart or not EXACTLY and all(any(covers(f, w) for f in fields) for w in site.apart),
                f"{name}: {fields} keep the objects apart, not {site.apart}")
    # One object in a thousand may have been caught under construction.
    checks.that(apart["equal_share"] == 0 and apart["without_share"] >= (0.998 if EXACTLY else 0.9),
                f"{name}: {apart['without_share']} of the pairs equal without them, "
                f"{apart['equal_share']} with them")


def check_context(checks, name, context, site, program, mode):
    replica = context["replica"]
    checks.evidence.append(f"{replica['pairs']} pairs, {replica['scanned']} scanned")
    scanned, group = replica["scanned"], replica["largest_group"]
    if checks.that(scanned >= MIN_SCANNED, f"{name}: only {scanned} objects scanned"):
        if checks.that(group is not None, f"{name}: no largest group"):
            left_out = 0 if program.mixed else max(1 - scanned / context["sampled"], 0)
            checks.that(abs(group - site.largest) <= 0.03 + left_out,
                        f"{name}: largest group {group:.4f}, truth {site.largest}")
    if mode not in WATCHED or program.watch is not None:
        source = "watch" if mode in WATCHED else "scan"
        checks.that(replica["source"] == source, f"{name}: only the source {replica['source']}")
    least = MIN_PAIRS if program.watch is not None or mode not in WATCHED else 5
    if checks.that(replica["pairs"] >= least, f"{name}: only {replica['pairs']} pairs"):
        check_pairs(checks, name, replica, site, program)
    if site.apart is not None:
        check_apart(checks, name, context, site)
    verdicts = site.verdicts
    if (mode not in WATCHED or not program.watch) and {"replica", "few-values"} & set(verdicts):
        verdicts += ("some-equal", "alike-at-end")
    checks.that(replica["verdict"] in verdicts,
                f"{name}: verdict {replica['verdict']}, identical {replica['identical_ci']}, "
                f"largest group {replica['largest_group_ci']}")


def lost(report):
    """Events lost, per object sampled."""
    recording = report["recording"]
    return recording["lost_events"] / max(recording["objects_sampled"], 1)


def check_site(checks, report, site, program, mode):
    name = f"{program.name} @{site.marker} {' '.join(site.through)}".strip()
    found = contexts_of(report, program, site)
    if not checks.that(found, f"{name}: no such context"):
        return
    checks.that(len(found) <= site.contexts, f"{name}: {len(found)} contexts")
    if site.contexts == 1:
        check_context(checks, name, found[0], site, program, mode)
    else:
        # The contexts of a recursion are of unequal weight: those with enough evidence count.
        full = [c for c in found if c["replica"]["scanned"] >= MIN_SCANNED
                and c["replica"]["pairs"] >= MIN_PAIRS]
        checks.that(full, f"{name}: only contexts without enough evidence")
        for context in full:
            check_context(checks, name, context, site, program, mode)
    if mode in ATTACHED_S:
        return
    objects, sampled = sum(c["objects"] for c in found), sum(c["sampled"] for c in found)
    truth = program.objects * site.share
    checks.that(abs(objects / truth - 1) < 5 / math.sqrt(max(sampled, 1)) + 0.02 + lost(report),
                f"{name}: {objects:.0f} objects estimated from {sampled}, truth {truth:.0f}")


def check_report(checks, report, program, mode, engines):
    recording = report["recording"]
    checks.that(lost(report) <= (0.25 if EXACTLY else 0.9), f"{recording['lost_events']} events lost")
    checks.that(len(recording["jvms"]) == 1, f"{len(recording['jvms'])} JVMs")
    checks.that(set(engines) <= set(recording["engines"]),
                f"engines are {recording['engines']}, wanted {engines}")
    for site in program.sites:
        check_site(checks, report, site, program, mode)


# ---- runs ----------------------------------------------------------------------------------

MODES = {
    # name: (options of record, what goes before ojx, engines that must have run)
    "watch": ([], [], ["watch", "scan"]),
    "scan": (["--no-watch"], [], ["scan"]),
    "denied": ([], [str(TOP / "build" / "deny-perf")], ["scan"]),
    "attach": ([], [], ["watch", "scan"]),
    "filtered": ([], [str(TOP / "build" / "deny-perf"), "--kill", "--readv"], ["scan"]),
}
WATCHED = {"watch", "attach"}
ONCE = {"denied", "filtered"}  # with one program, unless all need to be run
# Seconds for which ojx attaches; the next one where a busy machine gave too little evidence. "filtered" is a JVM that a call of the
# agent could kill: there the whole budget goes to snapshots, and of those of many collections too few of each are kept to compare
# references.
ATTACHED_S = {"attach": (4, 15, 60), "filtered": (1, 4, 15, 60)}
ATTACHED = {"Same75", "AllDistinct", "BigArray", "HandedOver", "ChangedBeforeUse"}  # if not all need to be run
LONGER = 1000  # so many times as many objects are made while ojx is attached: the program is ended then


def wait_for_handler(pid):
    """Until the JVM handles SIGQUIT by a thread: before that, ojx does not attach."""
    for _ in range(600):
        if any(name.read_text() == "Signal Dispatch\n" for name in Path(f"/proc/{pid}/task").glob("*/comm")):
            return
        time.sleep(0.1)


def record_attached(program, home, collector, mode, folder, checks, seconds):
    """Attaches to the program some time after its start."""
    data = folder + "/ojx.data"
    _, wrapper, _ = MODES[mode]
    with subprocess.Popen([*wrapper, home + "/bin/java", *COLLECTORS[collector], "-XX:ErrorFile=" + folder + "/hs_err", "-cp", str(CLASSES),
                           program.name, str(program.objects * LONGER), str(SEED)],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as java:
        wait_for_handler(java.pid)
        time.sleep(1)
        run = subprocess.run([OJX, "record", "-q", "-o", data, "--interval", str(program.interval), "--budget", "100",
                              "--seed", str(SEED), "--duration", str(seconds), "-p", str(java.pid)],
                             capture_output=True, text=True, timeout=900, check=False)
        time.sleep(0.5)
        checks.that(java.poll() is None, f"the program has ended: {java.returncode}")
        java.kill()
    Path(f"/tmp/.java_pid{java.pid}").unlink(missing_ok=True)  # a JVM leaves it when it is killed
    checks.that(run.returncode == 0, f"exit status {run.returncode}: {run.stderr.strip()[-500:]}")
    checks.that(not Path(folder + "/hs_err").exists(), "the JVM has crashed")
    return data


def record(program, home, collector, mode, folder, checks):
    options, wrapper, _ = MODES[mode]
    data = folder + "/ojx.data"
    command = [*wrapper, OJX, "record", "-q", "-o", data, "--interval", str(program.interval),
               "--budget", "100", "--seed", str(SEED), *options, "--", home + "/bin/java", *COLLECTORS[collector], "-cp", str(CLASSES),
               program.name, str(program.objects), str(SEED)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    checks.that(run.returncode == 0, f"exit status {run.returncode}: {run.stderr.strip()[-500:]}")
    checks.that(run.stdout == f"{program.name} {program.output}\n" or not program.output and run.stdout.startswith(program.name + " "),
                f"output is {run.stdout!r}, not {program.output}")
    return data


def one_run(program, home, collector, mode):
    """Returns the checks made of this run."""
    for seconds in ATTACHED_S.get(mode, ()):
        checks = try_run(program, home, collector, mode, seconds)
        if not any(": only " in wrong for wrong in checks.wrong):
            break
    for times in () if mode in ATTACHED_S else (1,) if EXACTLY else (1, 4, 16):
        longer = program if times == 1 else replace(program, objects=program.objects * times, output="")
        checks = try_run(longer, home, collector, mode, 0)
        if not any(": only " in wrong for wrong in checks.wrong):
            break
    return checks


def try_run(program, home, collector, mode, seconds):
    checks = Checks()
    with tempfile.TemporaryDirectory(prefix="ojx-planted.") as folder:
        try:
            data = (record_attached(program, home, collector, mode, folder, checks, seconds) if mode in ATTACHED_S else
                    record(program, home, collector, mode, folder, checks))
            out = subprocess.run([OJX, "report", "--format=json", "-i", data],
                                 capture_output=True, text=True, timeout=900, check=False)
            if checks.that(out.returncode == 0, f"report: {out.stderr.strip()[-500:]}"):
                check_report(checks, json.loads(out.stdout), program, mode, MODES[mode][2])
        except (subprocess.TimeoutExpired, json.JSONDecodeError, KeyError, TypeError) as error:
            checks.that(False, f"{type(error).__name__}: {error}")
    return checks


def matrix(args):
    """Every program on every collector of every JDK with watches; without them, with
    perf_event_open forbidden, and by attaching, on the default collector of each."""
    for jdk, home in jdks():
        for collector in collectors(home, args.gc):
            for program in PROGRAMS:
                for mode in MODES:
                    if mode != "watch" and collector != "G1" and not args.mode:
                        continue
                    if mode in ONCE and program.name != "Same75" and not args.mode:
                        continue
                    if mode in ATTACHED_S and not program.mixed:
                        continue  # it shows only a part of the run
                    if (args.jdk or "") in jdk and args.mode in (None, mode):
                        yield program, jdk, home, collector, mode


def selection():
    """Every program with watches and without, each on some collector."""
    where = spread()
    for number, program in enumerate(PROGRAMS):
        for mode in MODES:
            if mode == "attach" and program.name not in ATTACHED:
                continue
            if mode not in ONCE or program.name == "Same75":
                yield program, *where[number % len(where)], mode
                number += 1


def main():
    parser = argparse.ArgumentParser(description="check ojx against programs of known truth")
    parser.add_argument("-j", type=int, default=2, help="runs at a time")
    parser.add_argument("--all", action="store_true", help="every collector of every JDK")
    parser.add_argument("--jdk", help="only JDKs whose name (jdk17) contains this")
    parser.add_argument("--gc", choices=COLLECTORS, help="only this collector")
    parser.add_argument("--mode", choices=MODES, help="only this mode, but on all collectors")
    parser.add_argument("program", nargs="*", help="only these programs")
    args = parser.parse_args()

    compile_programs(jdks()[0][1])
    runs = matrix(args) if args.all or args.jdk or args.gc or args.mode or EXACTLY else selection()
    runs = [r for r in runs if not args.program or r[0].name in args.program]
    results = Counter()
    possible = [mode for mode in MODES if mode not in WATCHED or can_watch()]
    with ThreadPoolExecutor(args.j) as pool:
        jobs = [pool.submit(one_run, program, home, collector, mode)
                if mode in possible else None for program, _, home, collector, mode in runs]
        for number, (run, job) in enumerate(zip(runs, jobs), 1):
            program, jdk, _, collector, mode = run
            if not job:
                print(f"ok {number} {program.name} {jdk} {collector} {mode} # SKIP no debug registers")
                continue
            wrong, evidence = job.result().wrong, job.result().evidence
            results[bool(wrong)] += 1
            print(f"{'not ok' if wrong else 'ok'} {number} {program.name} {jdk} {collector} {mode}"
                  f" # {'; '.join(evidence)}")
            for line in wrong:
                print("#   " + line)
            sys.stdout.flush()
    print(f"{results[False]} passed, {results[True]} failed")
    return 1 if results[True] or not runs else 0


if __name__ == "__main__":
    sys.exit(main())
