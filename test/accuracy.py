#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records programs of random structure and known truth, and says how accurate the reports are.

    test/accuracy.py [-j N] [--jdk TEXT] [--gc NAME] [SEED...]
        the part that `make soak` runs: one program on every JDK and collector. Each run is a line,
        `ok 3 seed 1 jdk17 G1`; a failed one is followed by what was wrong
    test/accuracy.py --full [--keep FILE] [...]
        what `make accuracy` runs: twenty programs, then tables of errors, coverage and verdicts.
        The records of all contexts are kept in FILE, to which runs that it holds are not added again
    test/accuracy.py --tables FILE
        only the tables

The programs are made by accuracy/programs.py, which also says what is true of them. They are the
same each time; what the agent samples is not. A check of a single run allows for six standard
deviations of sampling error, to which the intervals that ojx reports are widened. Whether these
intervals are right is what the tables tell; docs/accuracy.md has those of one full run.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TOP / "test"), str(TOP / "test" / "accuracy")]
import planted  # noqa: E402  (its folder is known only now)
import score  # noqa: E402
import tables  # noqa: E402
from programs import Program  # noqa: E402

BUILD = TOP / "build" / "accuracy"
QUICK, FULL = [1], range(1, 21)
CHECKED = [q for q in tables.QUANTITIES if q.wanted != tables.by_content]
WORTH, STRONG = 100, 0.65  # pairs of equal weight and A/n, with which `replica` is a must
# They move objects while the program runs: of two references to one object, one may be updated before the other.
CONCURRENT = ("Z", "Shenandoah")
INTERVAL = 16 << 10  # bytes between samples: some 2000 of each place, times the scale
FULL_SCALE = 3  # a thousand objects looked at have a standard error of 0.016: too much to be right within 0.01


# ---- runs ----------------------------------------------------------------------------------

COMPILING = threading.Lock()


def compile_program(seed, scale, jdk, home):
    """The program and the folder of its classes; each JDK has its own, because of records and lambdas."""
    program = Program(seed, int(jdk.removeprefix("jdk")), scale)
    folder = BUILD / jdk
    source = folder / (program.name + ".java")
    text = program.source()
    with COMPILING:
        if not source.exists() or source.read_text() != text:
            unfinished = folder / str(seed) / source.name
            unfinished.parent.mkdir(parents=True, exist_ok=True)
            unfinished.write_text(text)
            subprocess.run([home + "/bin/javac", "-g", "-nowarn", "-d", str(folder),
                            str(unfinished)], check=True)
            unfinished.rename(source)
    return program, folder


def reference_bytes(collector):
    return 8 if collector == "Z" else 4


def run(seed, scale, jdk, home, collector):
    """Returns what the report says: (records, totals, events lost per object sampled)."""
    program, classes = compile_program(seed, scale, jdk, home)
    with tempfile.TemporaryDirectory(prefix="ojx-accuracy.") as folder:
        data = folder + "/ojx.data"
        subprocess.run([planted.OJX, "record", "-q", "-o", data, "--interval", str(INTERVAL),
                        "--budget", "100", "--", home + "/bin/java",
                        *planted.COLLECTORS[collector], "-cp", str(classes), program.name],
                       capture_output=True, text=True, timeout=300, check=True)
        out = subprocess.run([planted.OJX, "report", "--format=json", "-i", data],
                             capture_output=True, text=True, timeout=120, check=True).stdout
    report = json.loads(out)
    found, totals = score.records(report, program, reference_bytes(collector))
    for entry in found + totals:
        entry.update(seed=seed, jdk=jdk, gc=collector)
    return found, totals, planted.lost(report)


# ---- checks of a single run ----------------------------------------------------------------

def check_shares(checks, record):
    """Leaves out programs with phases, and allows theta more error because of positions: see docs/accuracy.md."""
    # There are fewer deep snapshots; two may be of unfinished objects.
    room = {"theta": 0.1, "deep largest group": 2 / max(record["deep_scanned"] or 0, 1)}
    if record["true_references"] and record["gc"] in CONCURRENT:
        room["identical (A/n)"] = 0.05
    for quantity in () if record["phased"] else CHECKED:
        slack = room.get(quantity.name, 0.001)
        for r in quantity.of([record]):
            p, truth = r[quantity.member], r[quantity.truth]
            low, high = tables.wide(p, r[quantity.member + "_ci"])
            checks.that(low - slack <= truth <= high + slack,
                        f"{quantity.name} {p:.4f}, truth {truth:.4f}: {tables.describe(r)}")


def check_bounds(checks, record):
    excess = tables.saved_excess(record)
    low, high = record["largest_group_ci"] or (0, 0)
    # A lower bound at 95 %: if few snapshots decide, it may be off by as much as the largest group.
    checks.that(excess is None or excess <= max(0.03, (high - low) / 2) or record["phased"],
                f"saved too much, {excess}: " + tables.describe(record))
    excess = tables.bounds_excess(record)
    # A snapshot may be taken while the thread that fills the object has been off the processor for long.
    checks.that(excess is None or excess <= 0.002 or record["phased"], f"omega, gamma off by {excess}: {tables.describe(record)}")
    for share, pairs, equal in record["fields"]:
        # Likewise, one or two of a thousand snapshots are of unfinished objects.
        checks.that(share < 1 or pairs - equal <= pairs / 100 + 1, f"{pairs - equal} of {pairs} pairs differ in a "
                    f"constant field: {tables.describe(record)}")


def check_verdict(checks, record):
    """A replica must be called one if there is enough evidence."""
    replica, described = {"replica"}, tables.describe
    for r in tables.judged([record]):
        if tables.is_clear(r, replica) and (r["shown"] in replica) != (
                r["true_verdict"] in replica):
            checks.that(r["shown"] not in replica, "false positive: " + described(r))
            strong = (r["identical"] is not None and r["true_identical"] >= STRONG
                      and planted.effective_pairs(r["identical"], r["identical_ci"]) >= WORTH)
            # what could have changed and was not seen in use counts as no saving
            # and whether a reference of another epoch is the same is not known
            unproven = r["shown"] in ("some-equal", "alike-at-end") or (
                r["true_references"] and r["shown"] == "few-values")
            checks.that(r["shown"] in replica or not strong or unproven or r["phased"],
                        "false negative: " + described(r))


def check_total(checks, total, lost):
    name = f"place{total['place']} {total['cls']}"
    if checks.that(total["sampled"] > 0, f"{name}: not seen"):
        error, deviations = tables.counted_error(total)
        allowed = 5 + (0.02 + lost) * total["sampled"] ** 0.5
        checks.that(abs(deviations) <= allowed, f"{name}: objects off by {error:.3f}")


def check_run(seed, scale, jdk, home, collector):
    checks = planted.Checks()
    try:
        found, totals, lost = run(seed, scale, jdk, home, collector)
    except Exception as error:  # pylint: disable=broad-except; the other runs go on
        checks.that(False, f"{type(error).__name__}: {error} {getattr(error, 'stderr', '')}")
        return checks, [], []
    for record in found:
        check_shares(checks, record)
        check_bounds(checks, record)
        check_verdict(checks, record)
    for total in totals:
        check_total(checks, total, lost)
    checks.evidence = [f"{len(found)} contexts, {sum(r['pairs'] for r in found)} pairs, "
                       f"{sum(r['scanned'] for r in found)} scanned"]
    return checks, found, totals


# ---- all runs ------------------------------------------------------------------------------

def matrix(args):
    for seed in args.seed or (FULL if args.full else QUICK):
        for jdk, home in planted.jdks():
            for collector in planted.collectors(home):
                if (args.jdk or "") in jdk and args.gc in (None, collector):
                    yield seed, args.scale or (FULL_SCALE if args.full else 1), jdk, home, collector


def load(file):
    records, totals = [], []
    for line in file.read_text().splitlines() if file.exists() else []:
        entry = json.loads(line)
        (records if "verdict" in entry else totals).append(entry)
    return records, totals


def run_all(args):
    runs, failed = list(matrix(args)), 0
    done = {(t["seed"], t["jdk"], t["gc"]) for t in load(args.keep)[1]} if args.keep else set()
    runs = [r for r in runs if (r[0], r[2], r[4]) not in done]
    with ThreadPoolExecutor(args.j) as pool:
        jobs = [pool.submit(check_run, *r) for r in runs]
        for number, (which, job) in enumerate(zip(runs, jobs), 1):
            checks, found, totals = job.result()
            failed += bool(checks.wrong)
            print(f"{'not ok' if checks.wrong else 'ok'} {number} seed {which[0]} {which[2]} "
                  f"{which[4]} # {'; '.join(checks.evidence)}")
            for line in checks.wrong:
                print("#   " + line)
            sys.stdout.flush()
            if args.keep:
                with args.keep.open("a") as file:
                    file.writelines(json.dumps(e) + "\n" for e in found + totals)
    return failed


def main():
    parser = argparse.ArgumentParser(description="measure the accuracy of ojx")
    parser.add_argument("-j", type=int, default=2, help="runs at a time")
    parser.add_argument("--jdk", help="only JDKs whose name (jdk17) contains this")
    parser.add_argument("--gc", choices=planted.COLLECTORS, help="only this collector")
    parser.add_argument("--full", action="store_true", help="twenty programs, and the tables")
    parser.add_argument("--scale", type=int, help=f"so many times as many objects; of a full run {FULL_SCALE}")
    parser.add_argument("--keep", type=Path, help="where the records of a full run go")
    parser.add_argument("--tables", type=Path, metavar="FILE", help="only the tables of a full run")
    parser.add_argument("seed", type=int, nargs="*", help="only these programs")
    args = parser.parse_args()

    if args.full and not args.keep:
        args.keep = BUILD / "records"
    if args.keep:
        args.keep.parent.mkdir(parents=True, exist_ok=True)
    failed = 0 if args.tables else run_all(args)
    if args.full or args.tables:
        print(tables.report(*load(args.tables or args.keep)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
