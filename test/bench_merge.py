#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What it costs to merge many recordings of a service: time and memory, which must not grow with their number.

    test/bench_merge.py [--recordings N] [--folder DIR]

test/make_data.c makes one recording of 10 000 contexts (`day`), which is then N recordings that began at other times: 5 GB for the
default of 1000, in the folder (default: that of temporary files). Merges a tenth of them, then all, and reports on the merged
file. Then the same as files of one process, as `ojx record --rotate` makes them. Prints wall and CPU time, and the peak of what is resident.
"""

import argparse
import shutil
import struct
import subprocess
import tempfile
from pathlib import Path

import bench_report

START = 16  # of file_header.start_unix_ns


def make_rotated(program, first):
    """A file that knows when its process started, and which secret it has."""
    lines = subprocess.run([bench_report.OJX, "dump", "--chunks", first], capture_output=True, text=True, check=True).stdout.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("jvm ")) + 1
    lines[at:at] = ["secret jvm=0 fingerprint=7", 'label jvm=1 flags=0 name="start" value="now"']
    Path(first).unlink()
    subprocess.run([program, "text", first], input="\n".join(lines) + "\n", text=True, check=True)


def make_recordings(folder, n, rotated):
    program, first = bench_report.compile_make_data(folder), folder + "/first"
    subprocess.run([program, "day", first], check=True)
    if rotated:
        make_rotated(program, first)
    paths = []
    for i in range(n):
        paths.append(f"{folder}/{i:04}.data")
        shutil.copyfile(first, paths[-1])
        with open(paths[-1], "r+b") as f:
            f.seek(START)
            f.write(struct.pack("<Q", 1_700_000_000_000_000_000 + i))
    return paths


def say(what, measured):
    wall, cpu, mib = measured
    print(f"{what:40} {wall:8.1f} s {cpu:8.1f} s of CPU time {mib:8.0f} MiB", flush=True)


def measure(folder, recordings, rotated):
    paths = make_recordings(folder, recordings, rotated)
    size = Path(paths[0]).stat().st_size
    what, out = "files of a process" if rotated else "recordings", folder + "/merged"
    for n in sorted({max(recordings // 10, 2), recordings}):
        measured = bench_report.measure([bench_report.OJX, "merge", "-q", "-o", out, *paths[:n]])
        say(f"merge {n} {what} of {size / 1e6:.1f} MB", measured)
    say(f"report on {Path(out).stat().st_size / 1e6:.1f} MB", bench_report.measure([bench_report.OJX, "report", "--stdio", out]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--recordings", type=int, default=1000)
    parser.add_argument("--folder")
    args = parser.parse_args()
    for rotated in (False, True):
        with tempfile.TemporaryDirectory(dir=args.folder) as folder:
            measure(folder, args.recordings, rotated)


if __name__ == "__main__":
    main()
