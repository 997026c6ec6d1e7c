#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads what `ojx report` writes for builds as its readers do, and compares it with the report as JSON.

    test/formats.py REPORT.json FORMAT=FILE...

FORMAT is sarif, github, junit or markdown. REPORT is by line, and has --limit 0 as the others do. Exits with 1 after
saying what is wrong.
"""

import html
import json
import re
import sys
import urllib.parse
import xml.etree.ElementTree


def need(condition, *what):
    if not condition:
        sys.exit("formats.py: " + " ".join(map(str, what)))


# ---- what the report says ------------------------------------------------------------------

def path_of(frame):
    """com/acme/Shop.java"""
    package = frame["class"].rpartition(".")[0]
    return (package.replace(".", "/") + "/" if package else "") + frame["file"]


def saved(line):
    deep = line["replica"]["saved_bytes_deep"] or 0
    return max(line["replica"]["saved_bytes"] or 0, deep)


def own_frame(line):
    """Frames of a line are those up to it."""
    return line["alloc_stack"][-1]


def wanted(report):
    """Of each line that something is saved of: path, number, class."""
    return sorted((path_of(own_frame(c)), own_frame(c)["line"], c["class"])
                  for c in report["contexts"] if saved(c) > 0)


def kinds(report):
    """Names of findings of other analyses that have rows with places."""
    return ({f"waste/{w['kind']}" for w in report["waste"] if w["pairs"]} |
            {f"locality/{t['metric']}" for t in report["locality"]})


def check_findings(report):
    """What docs/findings.md promises of their members."""
    findings = report["findings"]
    need([f["rank"] for f in findings] == sorted({f["rank"] for f in findings}), "findings: ranks")
    expected = [f["expected_bytes"] for f in findings]
    need(expected == sorted(expected, reverse=True), "findings: order", expected)
    for f in findings:
        need(f["kind"] in (("certain", "likely", "possible") if f["rule"] else (None,)), "findings: kind of", f)
        need(f["key"] == (f"{f['rule']} {f['class']}.{f['method']}" if f["rule"] else None), "findings: key of", f)
        for name in ("certain", "likely", "avoidable"):
            low, high = f[name + "_ci"]
            need(low <= f[name + "_bytes"] <= high, "findings: interval of", name, f)
        need(abs(f["avoidable_bytes"] - f["certain_bytes"] - f["likely_bytes"]) < 1e-3, "findings: sum of", f)
        need(abs(sum(c["bytes"] for c in f["classes"]) - f["bytes"]) < 1e-3 * len(f["classes"]), "findings: classes of", f)
        need(abs(f["share"] - f["bytes"] / report["total"]["bytes"]) < 1e-6, "findings: share of", f)
        need(f["evidence"]["sampled"] > 0 and f["evidence"]["snapshots"] >= 0, "findings: evidence of", f)


# ---- SARIF ---------------------------------------------------------------------------------

def check_sarif(report, text):
    log = json.loads(text)
    need(log["version"] == "2.1.0", "sarif: version")
    run, = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    need(len({r["id"] for r in rules}) == len(rules), "sarif: rules are there twice")
    found = []
    for result in run["results"]:
        rule = rules[result["ruleIndex"]]["id"]
        need(rule == result["ruleId"], "sarif: ruleIndex is of", rule)
        place, = result["locations"]
        uri = place["physicalLocation"]["artifactLocation"]["uri"]
        need(re.fullmatch(r"(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+", uri), "sarif: no URI:", uri)
        need(not uri.startswith("/"), "sarif: not relative:", uri)
        for name in ("methodHash/v1", "lineHash/v1"):
            need(re.fullmatch("[0-9a-f]{16}", result["partialFingerprints"][name]), "sarif:", name)
        need(result["stacks"][0]["frames"], "sarif: no stack")
        if rule != "replica":
            need(result["level"] == "note", "sarif: level of", rule)
            continue
        more = result["properties"]["saved_bytes"]
        need(result["level"] == ("warning" if more > 0 else "note"), "sarif: level", result["level"], more)
        if more > 0:
            found.append((urllib.parse.unquote(uri), place["physicalLocation"]["region"]["startLine"],
                          result["properties"]["class"]))
    want = sorted(set(wanted(report)))
    need(sorted(found) == want, "sarif:", sorted(found), "instead of", want)
    others = {r["ruleId"] for r in run["results"]} - {"replica"}
    need(others == kinds(report), "sarif: rules", others, "instead of", kinds(report))


# ---- GitHub --------------------------------------------------------------------------------

def unescape_github(text, signs):
    for sign, code in signs:
        text = text.replace(code, sign)
    return text.replace("%25", "%")


def check_github(report, text):
    found, last = [], None
    need(text.endswith("\n"), "github: cut")
    for line in text.split("\n")[:-1]:
        parts = re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", line)
        need(parts, "github: no command:", line)
        level, properties, message = parts.groups()
        pairs = dict(p.split("=", 1) for p in properties.split(","))
        pairs = {k: unescape_github(v, [(":", "%3A"), (",", "%2C"), ("\n", "%0A"), ("\r", "%0D")])
                 for k, v in pairs.items()}
        need("\r" not in message, "github: CR")
        last = unescape_github(message, [("\n", "%0A"), ("\r", "%0D")])
        need(pairs["title"].startswith("ojx: ") and last.strip(), "github: title", pairs)
        if level == "warning":
            found.append((pairs["file"], int(pairs["line"]), pairs["title"][5:].partition(": likely ")[0]))
    want = sorted((p, n, c.rpartition(".")[2]) for p, n, c in set(wanted(report)))
    need(sorted(found) == want, "github:", sorted(found), "instead of", want)


# ---- JUnit ---------------------------------------------------------------------------------

def check_junit(report, text):
    root = xml.etree.ElementTree.fromstring(text)
    suite, = root
    cases = suite.findall("testcase")
    failures = [c.find("failure") for c in cases if c.find("failure") is not None]
    errors = [c for c in cases if c.find("error") is not None]
    for node in (root, suite):
        need(int(node.get("tests")) == len(cases), "junit: tests")
        need(int(node.get("failures")) == len(failures), "junit: failures")
        need(int(node.get("errors")) == len(errors), "junit: errors")
    for f in failures:
        need(f.get("message") == f.text and f.text, "junit: message", f.get("message"), f.text)
    need(len({c.get("name") for c in cases}) == len(cases), "junit: names")
    command, = suite.findall("properties/property")
    clean = [a.replace("\x1b", "\ufffd").replace("\t", "\ufffd").replace("\n", "\ufffd").replace("\x07", "\ufffd")
             for a in report["recording"]["command"]]
    if left_out := report["recording"]["command_left_out"]:
        clean.append(f"({left_out} argument{'s' if left_out > 1 else ''} left out)")
    need(command.get("value") == " ".join(clean), "junit:", command.get("value"), clean)
    names = [f["method"] for f in report["findings"] if f["avoidable_bytes"] > 0]
    output = " ".join(suite.findtext("system-out").split())
    need(not names or any(" ".join(n.split()) in output for n in names), "junit: output", output, names)


# ---- Markdown ------------------------------------------------------------------------------

def unescape_markdown(text):
    if text.startswith("`"):
        need(text.endswith("`") and "`" not in text[1:-1], "markdown: code", text)
        return text[1:-1]
    need(not re.search(r"(?<!\\)(?:\\\\)*[*_`\[\]~|]", text), "markdown: is markup:", text)
    return html.unescape(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text))


def check_markdown(report, text):
    found = []
    tags = set(re.findall(r"<[^>]*>", re.sub(r"`[^`\n]*`", "", text)))
    need(tags <= {"<details>", "<summary>", "</summary>", "<pre>", "</pre>", "</details>"}, "markdown:", tags)
    columns = None
    for line in text.split("\n"):
        if not line.startswith("|"):
            columns = None
            continue
        cells = [c.strip() for c in re.split(r"(?<!\\)\|", line)[1:-1]]
        columns = columns or [c.lstrip("\\") for c in cells]
        need(len(cells) == len(columns), "markdown: cells of", line)
        row = dict(zip(columns, cells))
        if row["#"].isdigit() and not row["saved"].startswith("0 "):
            found.append((unescape_markdown(row["line"]), unescape_markdown(row["class"])))
    want = sorted((f"{p.rpartition('/')[2]}:{n}", c) for p, n, c in wanted(report))
    need(sorted(found) == want, "markdown:", sorted(found), "instead of", want)
    need(text.count("<pre>") == text.count("</pre>") == 1, "markdown: pre")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        report = json.load(file)
    check_findings(report)
    checks = {"sarif": check_sarif, "github": check_github, "junit": check_junit, "markdown": check_markdown}
    for argument in sys.argv[2:]:
        name, path = argument.split("=", 1)
        with open(path, encoding="utf-8", newline="") as file:
            checks[name](report, file.read())


main()
