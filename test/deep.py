#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Snapshots of objects that refer to others, on every collector.

    test/deep.py [--all] [--jdk TEXT] [--gc COLLECTOR]

test/jvm/Deep.java makes objects of known kinds, each at a line that is marked; here stands what must be
seen of each. Shares are checked at five standard deviations. Each collector is that of one JDK; with --all or a JDK or a
collector it is every collector of every JDK. OJX_TEST_JRES: further homes (separated by colons), of JVMs without a compiler.
"""

import argparse
import math
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP / "test"))
import looks  # noqa: E402
from planted import COLLECTORS, collectors, jdks, spread  # noqa: E402

OJX = os.environ.get("OJX", str(TOP / "ojx"))
SOURCE = TOP / "test" / "jvm" / "Deep.java"
LEAST = 60  # snapshots that a kind must have: then a group of a quarter has two, except once in a million times
WORDS = ["", "alpha", "b\u00e9ta", "\u4f60\u597d", "\U0001f600", "zeta", "eta", "theta",
         "iota" * 30, "\u00e9" * 40]
TEXT = 64  # WIRE_VALUE_TEXT
PATIENCE = 400  # s


@dataclass
class Kind:
    number: int
    groups: object = 2  # different deep contents; "all": as many as objects
    largest: float = 0.75
    refs: bool = False  # it contains something that equals only itself
    cut: bool = False
    alone: bool = True  # no two have the same shallow content
    nodes: int = None
    hashed: float = 0
    locked: float = 0
    least: int = LEAST


KINDS = {
    "string": Kind(0, nodes=2),
    "nested": Kind(1, nodes=6),
    "inherited": Kind(2, nodes=5),
    "list": Kind(3, nodes=5),
    "map": Kind(4),
    "cycle": Kind(5, nodes=2),
    "shared": Kind(6),
    "lock": Kind(7, groups="all", refs=True, nodes=3),
    "thread": Kind(8, alone=False, nodes=2),
    "type": Kind(9, alone=False, nodes=3),
    "colour": Kind(10, alone=False, nodes=2),
    "lambda": Kind(11, nodes=2),
    "hashed": Kind(12, groups=1, largest=1, alone=False, nodes=1, hashed=0.75),
    "word": Kind(13, groups=len(WORDS), largest=1 / len(WORDS), alone=False, nodes=2, least=150),
    "chain": Kind(14, groups=1, largest=1, cut=True, nodes=33),
    "wide": Kind(15, groups=1, largest=1, cut=True, nodes=48),
    "locked": Kind(16, groups=1, largest=1, alone=False, nodes=1, locked=0.75),
    # a class that the agent does not know would make a twelfth equal
    "apart": Kind(17, groups="all", refs=True, nodes=2),
}
# least rounds, interval (None: each object) and kinds of each run: what is slow, and what takes long to look at, goes by
# itself. A program goes on until there are enough snapshots; if each object is sampled, there are when it ends.
RUNS = [
    (20_000, "2k", [name for name, kind in KINDS.items() if kind.number < 14 or name == "apart"]),
    (20_000, "2k", ["chain"]),
    (5_000, "40k", ["wide"]),
    (700, None, ["locked"]),
]

checks = Counter()


def check(title, problems):
    checks["all"] += 1
    checks["failed"] += bool(problems)
    print(f"{'not ok' if problems else 'ok'} {checks['all']} {title}")
    for problem in problems:
        print(f"#   {problem}")
    sys.stdout.flush()


def close(share, truth, n, odd=0.005):
    return abs(share - truth) <= 5 * math.sqrt(max(truth * (1 - truth), 0) / n) + odd


def made_at(contexts, name):
    """The context whose innermost frame in the program is on the marked line."""
    line = next(n for n, text in enumerate(SOURCE.read_text(encoding="utf-8").split("\n"), 1)
                if text.endswith("// @" + name))
    found = [c for c in contexts if [f[2] for f in c.stack if f[0] == "LDeep;"][:1] == [line]]
    # a constructor allocates on the same line
    return max((c for c in found if c.cls[0] != "[" or name == "wide"),
               key=lambda c: (c.stack[0][0] == "LDeep;", len(c.looks)), default=None)


def wrong_identity(kind, seen):
    n = len(seen)
    hashed = sum(bool(s.flags & looks.HASHED) for s in seen) / n
    locked = sum(bool(s.flags & looks.LOCKED) for s in seen) / n
    if not close(hashed, kind.hashed, n) and not kind.locked:
        yield f"{hashed:.3f} hashed, not {kind.hashed}"
    # a monitor is released some time after its use
    if locked > kind.locked + 5 * math.sqrt(0.25 / n) * bool(kind.locked) or (
            kind.locked and locked < kind.locked / 3):
        yield f"{locked:.3f} locked, not {kind.locked}"


def wrong_values(context, deep):
    wanted = {}
    for word in WORDS:
        cut = word.encode()[:TEXT].decode(errors="ignore")
        wanted[cut] = len(word.encode("utf-16-le")) // 2
    got = dict(context.values.values())
    if got != wanted:
        yield f"values are {got}, not {wanted}"
    if len(set(context.values) - {s.deep for s in deep}) > 1:
        yield "values are not those of the contents seen"


def wrong(name, kind, context, followed):
    if not context:
        yield "no such context"
        return
    deep = [s for s in context.looks if s.flags & looks.DEEP]
    n = len(deep)
    if not followed:
        if n or not context.looks:
            yield f"{n} of {len(context.looks)} snapshots are deep, though references cannot be followed"
        return
    if n < kind.least or n < len(context.looks) / 10:
        yield f"only {n} of {len(context.looks)} snapshots are deep"
        return
    # a thread that does not run for long leaves an object unfinished; addresses are reused in later epochs
    odd = max(n / 50, 2)
    groups = {k: m for k, m in Counter(s.deep for s in deep).items()
              if kind.groups == "all" or m > max(n / 100, 1)}
    shallow = Counter(s.content for s in deep)
    if kind.groups == "all" and len(groups) < 0.97 * n or kind.groups not in ("all", len(groups)):
        yield f"{len(groups)} groups of {n}, not {kind.groups}: {sorted(groups.values())[-4:]}"
    elif kind.groups != "all" and not close(max(groups.values()) / n, kind.largest, n, odd / n) and not (
            name == "word" and max(groups.values()) / n < kind.largest + 6 * math.sqrt(0.1 / n)):
        yield f"the largest group is {max(groups.values()) / n:.3f} of {n}, not {kind.largest}"
    if kind.alone and max(shallow.values()) > 1 + n / 20:
        yield f"shallow contents are the same: {shallow.most_common(2)}"
    for flag, what, expected in ((looks.DEEP_CUT, "cut", kind.cut),
                                 (looks.DEEP_REFS, "bound to an epoch", kind.refs)):
        if abs(sum(bool(s.flags & flag) for s in deep) - n * expected) > odd:
            yield f"{sum(bool(s.flags & flag) for s in deep)} of {n} are {what}"
    if kind.nodes and Counter(s.nodes for s in deep)[kind.nodes] < n - odd:
        yield f"objects looked at: {Counter(s.nodes for s in deep)}, not {kind.nodes}"
    yield from wrong_identity(kind, context.looks)
    if name == "word":
        yield from wrong_values(context, deep)


def enough(contexts, kinds, followed):
    """Whether there are more snapshots of all kinds than required."""
    seen = [made_at(contexts, name) for name in kinds]
    return all(c and sum(bool(x.flags & looks.DEEP) or not followed for x in c.looks) > 1.5 * KINDS[name].least
               for name, c in zip(kinds, seen))


def record(command, data, end, kinds, followed):
    """Returns the exit status, the messages, and what was seen of each context; nothing if it failed."""
    for file in (data, end):
        Path(file).unlink(missing_ok=True)
    if "--exact" in command:
        Path(end).touch()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + PATIENCE
        while process.poll() is None and time.monotonic() < deadline and not (
                os.path.exists(data) and enough(looks.read(data), kinds, followed)):
            time.sleep(0.3)
        Path(end).touch()
        out, err = process.communicate()
    return process.returncode, out + err, looks.read(data) if process.returncode == 0 else {}


def run(title, java, options, classes, folder):
    followed = title != "jre11 Shenandoah"  # the message is on standard error, too
    for rounds, interval, kinds in RUNS:
        data, end = folder + "/ojx.data", folder + "/end"
        command = [OJX, "record", "-q", "-o", data, "--values", "--no-watch", "--budget", "100",
                   *(["--interval", interval] if interval else ["--exact"]), "--seed", "1", "--", java, *options,
                   "-Xcheck:jni", f"-XX:ErrorFile={folder}/hs_err", "-cp", classes, "Deep", end, str(rounds),
                   *(str(KINDS[k].number) for k in kinds)]
        status, said, contexts = record(command, data, end, kinds, followed)
        check(f"{title}: {' '.join(kinds)}", [] if status == 0 and re.fullmatch(r"deep \d+\n", said) else
              [f"exit status {status}", *said.split("\n")[-20:]])
        for name in kinds if status == 0 else ():
            check(f"{title}: {name}", list(wrong(name, KINDS[name], made_at(contexts, name), followed)))


def jres():
    for home in filter(None, os.environ.get("OJX_TEST_JRES", "").split(":")):
        version = next(line.split('"')[1] for line in (Path(home) / "release").read_text().split("\n")
                       if line.startswith("JAVA_VERSION="))
        yield "jre" + version.split(".")[0], home


def main():
    parser = argparse.ArgumentParser(description="check what snapshots say of deep contents")
    parser.add_argument("--all", action="store_true", help="every collector of every JDK")
    parser.add_argument("--jdk", default="", help="only JDKs whose name (jdk17) contains this")
    parser.add_argument("--gc", choices=COLLECTORS, help="only this collector")
    args = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="ojx-deep.") as folder:
        subprocess.run([jdks()[0][1] + "/bin/javac", "--release", "11", "-g", "-nowarn", "-d", folder,
                        "-encoding", "UTF-8", str(SOURCE)], check=True)
        where = spread()
        if args.all or args.jdk or args.gc or "OJX_SOAK" in os.environ:
            where = [(*j, gc) for j in jdks() for gc in collectors(j[1])]
        where += [(*j, gc) for j in jres() for gc in collectors(j[1])]
        for jdk, home, gc in where:
            if args.jdk in jdk and args.gc in (None, gc):
                run(f"{jdk} {gc}", home + "/bin/java", COLLECTORS[gc], folder, folder)
    print(f"1..{checks['all']}")
    return 1 if checks["failed"] or not checks["all"] else 0


if __name__ == "__main__":
    sys.exit(main())
