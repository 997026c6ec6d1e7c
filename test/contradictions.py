#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether a text report contradicts itself: contradictions.py [--mutate] REPORT..., texts of `ojx report --details`.

Prints each block in which two statements cannot both be true, and the two. A block is a finding, or a line of
the table with the block below that tells all of it.

With --mutate it makes the reports false, in one way for each row of FINDING, and prints the rows that do not see it.
"""
import re
import sys

# Of one line: its row of the table as "TABLE saved=... likely=...", and its block.
LINE = [
    (r"^    verdict +(replica|few-values|some-equal)", r"how often is not known"),
    (r"^    verdict +unknown", r"^    problem .*((same|equal)[^.]*again and again|come again and again)"),
    (r"nothing to share", r"^    saves +at least"),
    (r"sure to have been", r"seen in use"),
    (r"^TABLE .*likely=[1-9]", r"identical (group )?0\.0 %"),
    (r"^TABLE .*likely=0 B", r"^    saves +at least"),
    (r"^TABLE saved=[1-9]", r"^    saves +nothing"),
    (r"^    saves +at least", r"^    saves +nothing"),
    (r"^    saves .*alike at the end", r"identical 0\.0 %"),
    (r"alike at the end of life", r"largest identical group 0\.0 %"),
    (r"some were not when used", r"(?<!\d)(\d+) of \1 seen in use"),
    (r"^    verdict +changing", r"(?<!\d)(\d+) of \1 seen in use"),
    (r"^    verdict +changing", r"^    immutable"),
    (r"^    verdict +distinct", r"^    problem .*(the same|alike|equal to others)"),
    (r"^    verdict +distinct", r"largest identical group ([3-9]\d|100)\.\d %"),
    (r"none of \d+ watch", r"^    used at"),
    (r"none of \d+ watch", r"\d seen in use before"),
    (r"(?<!\d)0 of \d+ watch", r"^    used at"),
    (r"one content dominates", r" of one size: "),
    (r"^    verdict +replica:", r"^    scan .*largest identical group [12]?\d\.\d %"),
]

CHANGED = "none of it avoidable as it is: all of 9 seen twice had changed"

# The sentence with the amounts: what else is possible, beside what is certain, comes below.
AMOUNTS = r"\A(?:(?!\n    Problem:)[\s\S])*"

# Of one finding; and how a true one is made false.
FINDING = [
    (r"no fix is known", r"^    Fix: ",
     (r"; [^\n]*\.\n", "; no fix is known.\n")),
    (r"none of it avoidable", r"(possibly|likely) [1-9]",
     (r"; (?=(possibly|likely) [1-9])", f"; {CHANGED}; besides, ")),
    (AMOUNTS + r"(?<!\d)0 of \d+ seen twice", AMOUNTS + r", certain\.",
     (r", certain\.", ": 0 of 9 seen twice had not changed, certain.")),
    (r"too few samples tell", r"(, certain|likely [1-9].* avoidable)",
     (r"(likely [1-9][^\n]*\.)(?=\n)", r"\1 possibly 2 MB avoidable: too few samples tell of it.")),
    (r"Problem: .*are equal to others", r"none of it avoidable",
     (r"; [^\n]*\.(?=\n    Problem: .*are equal to others)", f"; {CHANGED}.")),
]

# Nowhere: what nobody can use, or what says nothing.
NEVER = [
    r"\[0–100\]", r"\bat most 0 %", r"grows by at most", r"\ball of 1 watch",
    r"(?<![<\d.])0\.1 % \[0–", r"\bnan\b",
]


def lines_of(text):
    """The blocks of lines, each behind its row of the table."""
    rows = {m[1]: f"TABLE saved={m[2]} likely={m[3]}"
            for m in re.finditer(r"^ *(\d+) +(?:\d+ +)?([\d.]+ .?B|–) +([\d.]+ .?B|–) +[\d.]+ .?B ", text, re.M)}
    for block in re.split(r"^(?=\d+\. \S)", text, flags=re.M)[1:]:
        if re.search(r"^    verdict ", block, re.M):
            yield rows.get(block.split(".")[0], "") + "\n" + block


def findings_of(text):
    """The findings that are told in full; their lines are wrapped."""
    for block in re.split(r"^(?=\d+\.  \S|–   \S)", text.split("\n# ")[0], flags=re.M)[1:]:
        yield re.sub(r"\n {8,}", " ", block)


def contradictions(text):
    for blocks, pairs in ((lines_of(text), LINE), (findings_of(text), FINDING)):
        for block in blocks:
            for one, other, *_ in pairs:
                if re.search(one, block, re.M) and re.search(other, block, re.M):
                    yield f"both '{one}' and '{other}' in:\n{block}"
    for pattern in NEVER:
        for m in re.finditer(f"^.*{pattern}.*$", text, re.M | re.I):
            yield f"'{pattern}' in: {m[0]}"


def mutants(texts):
    """The rows of FINDING that see nothing in findings that they make false."""
    blocks = [block for text in texts for block in findings_of(text) if "    Fix: " in block]
    for one, other, (pattern, false) in FINDING:
        made = [re.sub(pattern, false, block, count=1) for block in blocks if re.search(pattern, block)]
        if not made:
            yield f"no finding can be made false by '{pattern}'"
        for block in made:
            if not any(f"both '{one}' and '{other}'" in found for found in contradictions(block)):
                yield f"'{one}' and '{other}' are not found in:\n{block}"


def main():
    if sys.argv[1:2] == ["--mutate"]:
        texts = [open(path, encoding="utf-8", errors="replace").read() for path in sys.argv[2:]]
        print("\n".join(mutants(texts)), end="")
        return
    blocks = 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        blocks += sum(1 for _ in lines_of(text))
        for found in contradictions(text):
            print(f"{path}: {found}")
    if not blocks:
        sys.exit("no report has the block of a line: give texts of --details")


if __name__ == "__main__":
    main()
