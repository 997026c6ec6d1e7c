#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a JVM's own log says of its collections, for test/t_pauses.sh.

    pauses.py LOG [LINE]    prints, of the lines from LINE on (0), the number of collections, the number of pauses for them, and the
                            seconds of these safepoints

LOG is that of -Xlog:gc*,safepoint. A collection or a step of one is a line `Pause ... 1.234ms`; the safepoint in which it was
follows. Parallel may collect twice in one. Steps of a marking are no collections.
"""
import re
import sys

STEP = re.compile(r"\bPause (\w+).*[0-9]ms$")
SAFEPOINT = re.compile(r'Safepoint ".*At safepoint: *([0-9]+) ns')


def main(path, first="0"):
    collections = pauses = steps = ns = 0
    with open(path) as log:
        for line in log.readlines()[int(first):]:
            if step := STEP.search(line.rstrip()):
                steps += 1
                collections += step[1] in ("Young", "Full")
            elif (end := SAFEPOINT.search(line)) and steps:
                pauses += 1
                ns += int(end[1])
                steps = 0
    print(collections, pauses, ns / 1e9)


main(*sys.argv[1:])
