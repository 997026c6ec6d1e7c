#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether a report promises what fixes avoid: test/planted/Avoidable.java, whose methods have each its fix beside it.

    test/avoidable.py --exact [JAVA_HOME...]
        what t_avoidable.sh runs: every allocation is counted and no method compiled, so that there is no chance in what
        the calls alone decide. Prints what is wrong; nothing if all is right
    test/avoidable.py --rules
        prints the rules of advice that no counterexample names
    test/avoidable.py [-n SEEDS] [-r ROUNDS] [-b BUDGET]... [JAVA_HOME...]
        what `make accuracy` runs: sampled recordings, with the compilers, at several budgets; then tables. Fails if fewer
        intervals, of findings or of the first three together, hold the truth than 95 % would by chance once in ten thousand
        times, if something is promised as certain where nothing can be avoided, or as likely of objects that are others for
        a time, or if bytes are in two findings
"""

import argparse
import json
import math
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP / "test"))
import planted  # noqa: E402  (its folder is known only now)

BUDGETS = (2, 20, 100)
# The builder that a fix makes is no finding, so it must not be eliminated.
OPTIONS = ["-XX:-OptimizeStringConcat"]
COLLECTORS = {"Serial": ["-XX:+UseSerialGC", "-Xmx64m"], "G1": ["-XX:+UseG1GC", "-Xmx64m"],
              "Parallel": ["-XX:+UseParallelGC", "-Xmx64m"]}
EXACT_ROUNDS, ROUNDS = 20, 6000
WORTH = 0.003  # of all bytes: what is more must be found
NEEDED = "AvoidableNot"
NOTHING = "none", "seen", "restored"  # of what kind nothing is avoidable
ENOUGH = 10  # %: a budget with which the objects of each method are looked at
LOOKED = 0.02
LOOKS = 20  # some thousand are usual in a recording that counts every allocation
TOO_SMALL, FEW = 1e-4, 5  # rows of a smaller share are in no finding; so many of them make up one


@dataclass
class Truth:
    method: str
    kind: str
    rules: list
    made: int
    avoidable: int
    slack: int


def truth_of(output):
    """What the program says of its methods: {method: Truth}."""
    rows = [line.split() for line in output.splitlines()]
    return {r[0]: Truth(r[0], r[1], r[2].split(","), *map(int, r[3:])) for r in rows if len(r) == 6}


def recorded(home, options, record, arguments):
    """The truth of one run, and the report on it."""
    with tempfile.TemporaryDirectory(prefix="ojx-avoidable.") as folder:
        data = folder + "/ojx.data"
        said = subprocess.run([planted.OJX, "record", "-q", "-o", data, *record, "--", home + "/bin/java", *options, "-cp",
                               str(planted.CLASSES), "Avoidable", *arguments], check=True, capture_output=True, text=True, timeout=600)
        out = subprocess.run([planted.OJX, "report", "--format=json", "-i", data], check=True, capture_output=True, text=True, timeout=300)
    return truth_of(said.stdout), json.loads(out.stdout)


# ---- findings ------------------------------------------------------------------------------

def by_method(report):
    """The findings that have a rule: {method: [finding]}."""
    found = defaultdict(list)
    for finding in report["findings"]:
        if finding["rule"]:
            found[f"{finding['class']}.{finding['method']}"].append(finding)
    return found


def of_truth(truth, found):
    return [f for f in found[truth.method] if truth.rules == ["*"] or f["rule"] in truth.rules]


def is_needed(method):
    """Whether a method needs all that it allocates: one that looks like a finding and is none, or a fix."""
    return method.startswith(NEEDED) and not method.endswith(".<clinit>") or method.startswith("Avoidable") and method.endswith("Fixed")


def described(finding):
    low, high = finding["avoidable_ci"] or (math.nan, math.nan)
    return (f"{finding['rule']} {finding['kind']}, {finding['bytes']:.0f} bytes, avoidable {finding['avoidable_bytes'] or 0:.0f} "
            f"[{low:.0f}, {high:.0f}], possible {finding['possible_bytes'] or 0:.0f}")


def false_certain(truths, found, looked):
    """Findings that promise as certain what nobody can avoid. What the first call of a method loads is not its own. Of what
    only looks tell there may be a little too much."""
    wrong = []
    for method in filter(is_needed, found):
        own = truths.get(method.removesuffix("Fixed"))
        if own and own.kind == "seen" and not looked:
            continue
        allowed = max(own.slack, LOOKED * own.made) if own and looked else own.slack if own else 0
        wrong += [f"{method}: nothing can be avoided, found {described(f)}" for f in found[method]
                  if (f["certain_bytes"] or 0) > allowed]
    return wrong


def false_likely(truths, found):
    """Findings that promise as likely what nobody can avoid."""
    return [f"{method}: nothing can be avoided, found {described(f)}" for method in found for f in found[method]
            if is_needed(method) and method in truths and (f["likely_bytes"] or 0) > LOOKED * truths[method].made]


def estimated(report, method):
    """Bytes of a method, as the report has them."""
    return sum(x["bytes"] for x in report["lines"] if x["frame"] and f"{x['frame'][0]['class']}.{x['frame'][0]['method']}" == method)


def beside(report, truth, found):
    """Bytes of a method that a possible finding leaves out, as the report has them: other rows of its line, of too few samples. None
    if a part has another fix, such as a smaller capacity, which avoids less than this one."""
    own = of_truth(truth, found)
    if len(found[truth.method]) > len(own):
        return None
    return max(0, estimated(report, truth.method) - sum(f["bytes"] for f in own))


def is_told(report, truth):
    """Whether a recording must have told the finding: what looks decide, it tells only where it has looked."""
    looks = sum(x["scanned"] for x in report["lines"]
                if x["frame"] and f"{x['frame'][0]['class']}.{x['frame'][0]['method']}" == truth.method)
    return looks >= LOOKS or not any(rule.startswith("empty-") for rule in truth.rules)


def counted_twice(report, truths, found):
    """Bytes that are in two findings: more than there are."""
    findings = report["findings"]
    sums = [("all", sum(f["bytes"] for f in findings), sum(x["bytes"] for x in report["lines"]))]
    sums += [(method, sum(f["bytes"] for f in found[method]), estimated(report, method)) for method in truths]
    wrong = [f"{name}: findings have {got:.0f} bytes of {made:.0f}" for name, got, made in sums if got > made * (1 + 1e-9) + 0.5]
    return wrong + [f"{described(f)}: more than there is" for f in findings
                    if (f["avoidable_bytes"] or 0) + (f["possible_bytes"] or 0) > f["bytes"] * (1 + 1e-9) + 0.5]


def without_counterexample():
    """Rules that say what to change, and that no method names which only looks like one of their findings."""
    table = (TOP / "lib/fix/advice_rules.c").read_text()
    rules = dict(re.findall(r'^\t\{ "([a-z-]+)", ([^,]*),', table, re.M))
    telling = {rule for rule, verdicts in rules.items() if "ADVICE_NOTHING" not in verdicts}
    run = subprocess.run([planted.jdks()[0][1] + "/bin/java", "-cp", str(planted.CLASSES), "Avoidable", "0", *NOTHING],
                         check=True, capture_output=True, text=True, timeout=600)
    named = {rule for truth in truth_of(run.stdout).values() for rule in truth.rules}
    return sorted(telling - named) + [f"{rule}: there is no such rule" for rule in sorted(named - set(rules))]


# ---- exact ---------------------------------------------------------------------------------

def exact(home):
    """What is wrong with a recording that counts every allocation."""
    truths, report = recorded(home, ["-Xint", "-XX:+UseSerialGC", "-Xmx64m", "-Xmn1m"], ["--exact", "--no-watch", "--budget", "50", "--seed", "1"],
                              [str(EXACT_ROUNDS), "certain", "none", "restored"])
    found = by_method(report)
    wrong = [] if truths else ["the program counted nothing"]
    small = FEW * TOO_SMALL * sum(x["bytes"] for x in report["lines"])
    for truth in truths.values():
        findings = of_truth(truth, found)
        if truth.kind != "certain":
            continue
        # few looks leave it open whether objects that a call makes are kept
        promised = sum(f["certain_bytes"] + f["possible_bytes"] for f in findings)
        least = truth.avoidable - truth.slack - small if is_told(report, truth) else 0
        if not least <= promised <= truth.avoidable * 1.005 + truth.slack:
            wrong.append(f"{truth.method}: {truth.avoidable} are avoidable, {truth.slack} of them by the first call; found " +
                         ("; ".join(map(described, findings)) or "nothing"))
    return wrong + false_certain(truths, found, False) + false_likely(truths, found) + counted_twice(report, truths, found)


# ---- sampled -------------------------------------------------------------------------------

def promised(findings, scale):
    """The interval of what findings promise, possible bytes included, and what they promise without these. The possible ones
    have no interval: `scale` takes the error of sampling out, and a twentieth is left for the share that was looked at."""
    possible = sum(f["possible_bytes"] or 0 for f in findings) * scale
    return (sum(f["avoidable_ci"][0] for f in findings), sum(f["avoidable_ci"][1] for f in findings) + 1.05 * possible,
            sum(f["avoidable_bytes"] for f in findings), possible)


def first_three(report, truths, found):
    """Of the first findings together: whether the interval of the report's first sentence holds what they avoid, and how
    wide it is, as a share of that. None if one of them is in a method whose truth is not known as a whole."""
    first = report["findings"][:report["avoidable"]["first"]["findings"]]
    known = [truths.get(f"{f['class']}.{f['method']}") for f in first]
    if not first or not all(t and t.kind not in ("none", "seen") and of_truth(t, found) == [f] for t, f in zip(known, first)):
        return None
    low, high = report["avoidable"]["first"]["expected_ci"]
    avoided = sum(t.avoidable for t in known)
    return low <= avoided <= high, (high - low) / max(avoided, 1)


def all_lines(report, truths):
    """Of all lines together: whether the report's range holds what they avoid, and its ends, as shares of that."""
    low, high = report["avoidable"]["total"]["expected_ci"]
    avoided = sum(t.avoidable for t in truths.values())
    return low <= avoided <= high, low / avoided, high / avoided


def too_few(held, of):
    """Whether so few, or fewer, of the intervals hold the truth once in ten thousand times if 95 % should."""
    return sum(math.comb(of, k) * 0.95 ** k * 0.05 ** (of - k) for k in range(held + 1)) < 1e-4


class Table:
    """Sums over recordings, for each method."""

    def __init__(self):
        # runs, found, held; promised and possible bytes as shares of the truth
        self.cells = defaultdict(lambda: [0, 0, 0, 0.0, 0.0])

    def add(self, truth, budget, findings, scale, left):
        cell = self.cells[truth.kind, truth.method, budget]
        cell[0] += 1
        low, high, value, possible = promised(findings, scale)
        if truth.kind == "possible":
            if left is None:
                return bool(findings)
            high += left * scale
        # a finding of a few samples is a guess, which has no interval
        if value > 0 or (possible > 0 and truth.kind == "possible"):
            cell[1] += 1
            cell[2] += low <= truth.avoidable <= high
            cell[3] += value / truth.avoidable
            cell[4] += possible / truth.avoidable
        return bool(findings)

    def text(self):
        yield f"{'':44} budget    found  held  promised  possible besides"
        for (kind, method, budget), (runs, found, held, value, possible) in sorted(self.cells.items()):
            yield (f"{kind:9} {method:34} {budget:4} %  {found:3}/{runs:<3} {held:3}" +
                   (f"   {100 * value / found:5.0f} %  {100 * possible / found:5.0f} %" if found else ""))

    def sums(self):
        """{kind: (found, held)}"""
        sums = defaultdict(lambda: [0, 0])
        for (kind, _, _), (_, found, held, _, _) in self.cells.items():
            sums[kind][0] += found
            sums[kind][1] += held
        return sums


def sampled(args, homes):
    table, wrong, trap, firsts, totals = Table(), [], defaultdict(float), [], defaultdict(list)
    for home in homes:
        for number, budget in enumerate(b for b in args.budget or BUDGETS for _ in range(args.seeds)):
            collector = list(COLLECTORS)[number % len(COLLECTORS)]
            truths, report = recorded(home, [*OPTIONS, *COLLECTORS[collector]], ["--budget", str(budget), "--seed", str(number + 1)], [str(args.rounds)])
            found, everything = by_method(report), sum(t.made for t in truths.values())
            name = f"{Path(home).name} {collector} {budget} % seed {number + 1}"
            missed = []
            first = first_three(report, truths, found)
            firsts += [first] if first else []
            totals[budget].append(all_lines(report, truths))
            for truth in truths.values():
                if truth.kind in NOTHING:
                    trap["made"] += truth.made
                    trap["likely"] += sum(f["likely_bytes"] or 0 for f in found[truth.method])
                    trap["possible"] += sum(f["possible_bytes"] or 0 for f in found[truth.method])
                elif truth.avoidable > WORTH * everything:
                    scale = truth.made / max(estimated(report, truth.method), 1)
                    if not table.add(truth, budget, of_truth(truth, found), scale, beside(report, truth, found)):
                        missed.append(truth.method)
            restored = {method: truth for method, truth in truths.items() if truth.kind == "restored"}
            said = false_certain(truths, found, budget >= ENOUGH) + false_likely(restored, found) + counted_twice(report, truths, found)
            wrong += [f"{name}: {line}" for line in said]
            print(f"{name}: {len(truths)} methods, not found {' '.join(missed) or 'none'}; {len(said)} wrong", flush=True)
    print(*table.text(), sep="\n")
    print(f"where nothing is avoidable, {100 * trap['likely'] / trap['made']:.2f} % of the bytes are likely and "
          f"{100 * trap['possible'] / trap['made']:.2f} % possible")
    for kind, (of, held) in table.sums().items():
        print(f"{kind}: {held} of {of} intervals hold the truth, {100 * held / max(of, 1):.1f} %")
        wrong += [f"{kind}: too few intervals hold the truth"] if too_few(held, of) else []
    held, widths = sum(holds for holds, _ in firsts), sorted(width for _, width in firsts)
    print(f"the first three together: {held} of {len(firsts)} intervals hold the truth" +
          (f"; half of them are at most {100 * widths[len(widths) // 2]:.0f} % of it wide" if widths else ""))
    wrong += ["the first three together: too few intervals hold the truth"] if too_few(held, len(firsts)) else []
    for budget, ranges in totals.items():
        held = sum(holds for holds, _, _ in ranges)
        low, high = (100 * sum(r[k] for r in ranges) / len(ranges) for k in (1, 2))
        print(f"all lines, {budget} %: {held} of {len(ranges)} ranges hold the truth; on average {low:.0f} to {high:.0f} % of it")
        wrong += [f"all lines, {budget} %: too few ranges hold the truth"] if too_few(held, len(ranges)) else []
    print(*wrong, sep="\n")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--exact", action="store_true", help="count every allocation")
    parser.add_argument("--rules", action="store_true", help="look for a counterexample of each rule")
    parser.add_argument("-n", type=int, default=3, dest="seeds", metavar="SEEDS", help="recordings at each budget")
    parser.add_argument("-r", type=int, default=ROUNDS, dest="rounds", metavar="ROUNDS", help="the length of a recording")
    parser.add_argument("-b", type=int, action="append", dest="budget", metavar="PERCENT", help="only this budget")
    parser.add_argument("homes", nargs="*", metavar="JAVA_HOME")
    args = parser.parse_args()

    homes = args.homes or [home for _, home in planted.jdks()]
    planted.compile_programs(planted.jdks()[0][1])
    if args.rules:
        wrong = without_counterexample()
        print(*wrong, sep="\n", end="\n" if wrong else "")
    elif args.exact:
        wrong = [f"{Path(home).name}: {line}" for home in homes for line in exact(home)]
        print(*wrong, sep="\n", end="\n" if wrong else "")
    else:
        wrong = sampled(args, homes)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
