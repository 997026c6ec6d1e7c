#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a report of a large recording costs: 100 000 contexts, ten million pieces of evidence.

    test/bench_report.py [--runs N] [RECORDING...]

Without a recording, test/make_data.c makes them: `pairs`, as a program would fill it, and `many`, all contexts alike.
Medians over the runs: wall and CPU time, peak resident memory. Where there is a Chromium, also how
long it takes to open the page.
"""

import argparse
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import browser

TOP = Path(__file__).resolve().parent.parent
OJX = os.environ.get("OJX", str(TOP / "ojx"))
REPORTS = {"text": [], "csv": ["--format=csv"], "pprof": ["--format=pprof"], "html": ["--format=html"],
           "html, all": ["--format=html", "--limit=0"], "json": ["--format=json"]}


def compile_make_data(folder):
    """The path of the program that writes recordings."""
    program = folder + "/make-data"
    unit = TOP / "test" / "unit"
    deflate = subprocess.run(["pkg-config", "--libs", "--silence-errors", "libdeflate"], stdout=subprocess.PIPE, text=True).stdout.split()
    subprocess.run([os.environ.get("CC", "cc"), "-std=gnu11", "-O2", f"-I{TOP}/lib", f"-I{unit}",
                    "-o", program, *(TOP / "test").glob("make_data*.c"), unit / "builder.c",
                    TOP / "build" / "libojx.a", "-lm", *deflate, "-lz", "-pthread"], check=True)
    return program


def make_recordings(folder):
    """name: path"""
    program = compile_make_data(folder)
    recordings = {kind: f"{folder}/{kind}.data" for kind in ("pairs", "many")}
    for kind, path in recordings.items():
        subprocess.run([program, kind, path], check=True)
    return recordings


def measure(command):
    """Wall s, CPU s, MiB."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"exit status {process.returncode} of {' '.join(command)}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def opening(page, runs):
    """Seconds until a browser has opened a page and run its scripts."""
    times = []
    with browser.Browser() as b:
        for _ in range(runs):
            b.open("about:blank")
            start = time.monotonic()
            b.open("file://" + page)
            if b.eval("table.order.length") == 0:
                raise SystemExit(f"{page}: no rows")
            times.append(time.monotonic() - start)
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser(description="measure what reports of large recordings cost")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("recording", nargs="*")
    args = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="ojx-bench.") as folder:
        recordings = {Path(p).name: p for p in args.recording} or make_recordings(folder)
        print(f"{'':16} {'MB':>6} {'report':9} {'wall s':>7} {'cpu s':>7} {'MiB':>6} {'output MB':>9} {'opens in s':>10}")
        for name, path in recordings.items():
            for report, options in REPORTS.items():
                output = f"{folder}/out.{report[:4]}"
                runs = [measure([OJX, "report", "-i", path, "-o", output, *options]) for _ in range(args.runs)]
                wall, cpu, memory = (statistics.median(column) for column in zip(*runs))
                opens = f"{opening(output, args.runs):.2f}" if report.startswith("html") and browser.program() else ""
                print(f"{name:16} {os.path.getsize(path) / 1e6:6.0f} {report:9} {wall:7.2f} {cpu:7.2f} "
                      f"{memory:6.0f} {os.path.getsize(output) / 1e6:9.1f} {opens:>10}", flush=True)


if __name__ == "__main__":
    main()
