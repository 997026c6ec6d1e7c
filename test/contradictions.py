#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether a text report contradicts itself: contradictions.py REPORT..., texts of `ojx report --details`.

Prints each block in which two statements cannot both be true, and the two. A block is a finding, or a line of
the table with the block below that tells all of it.
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
]

# Of one finding.
FINDING = [
    (r"no fix is known", r"^    Fix: "),
    (r"none of it avoidable", r"(possibly|likely) [1-9]"),
    (r"(?<!\d)0 of \d+ seen twice", r", certain\."),
    (r"too few samples tell", r"(, certain|likely [1-9].* avoidable)"),
    (r"Problem: .*are equal to others", r"none of it avoidable"),
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
            for one, other in pairs:
                if re.search(one, block, re.M) and re.search(other, block, re.M):
                    yield f"both '{one}' and '{other}' in:\n{block}"
    for pattern in NEVER:
        for m in re.finditer(f"^.*{pattern}.*$", text, re.M | re.I):
            yield f"'{pattern}' in: {m[0]}"


def main():
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
