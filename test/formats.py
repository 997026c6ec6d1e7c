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


def joined(report):
    """Findings with the same key in several JVMs are one: the first of each, with the sums of their amounts."""
    result = {}
    for f in report["findings"]:
        key = f["key"] or repr((f["class"], f["method"], f["lines"]))
        if key not in result:
            result[key] = {**f, "pids": [f["pid"]]}
            continue
        to = result[key]
        to["pids"].append(f["pid"])
        to["lines"] = sorted({*to["lines"], *f["lines"]})
        for name in ("bytes", "objects", "share", "avoidable_bytes", "certain_bytes", "likely_bytes", "possible_bytes"):
            to[name] += f[name]
    return list(result.values())


def level(finding):
    return "warning" if finding["kind"] in ("certain", "likely") else "note"


def other_findings(report):
    """Findings of other analyses by the rule of SARIF and the key, with the lines and amounts of all processes."""
    result = {}
    for section in report["other_findings"]:
        for f in section["findings"]:
            to = result.setdefault((f"{section['analysis']}/{section['found']}", f["key"]), {**f, "amount": 0})
            to["lines"] = sorted({*to["lines"], *f["lines"]})
            to["amount"] += f["amount"]
    return result


def check_others(report):
    """What docs/findings.md promises of findings of other analyses."""
    for section in report["other_findings"]:
        of = section["findings"]
        need(of and [f["rank"] for f in of] == list(range(1, len(of) + 1)), "others: ranks", section)
        order = [(f["kind"] == "possible", -f["amount"]) for f in of]
        need(order == sorted(order), "others: order", order)
        for kind in ("likely", "possible"):
            amounts = [f["amount"] for f in of if f["kind"] == kind]
            need(abs(sum(amounts) - section[kind]) <= 1e-6 * max(1, sum(amounts)), "others: sum", kind, section)
        for f in of:
            need(f["key"] == f"{f['rule']} {f['class']}.{f['method']}" and f["problem"] and f["fix"], "others: key of", f)
            need(f["amount_ci"][0] <= f["amount"] <= f["amount_ci"][1], "others: interval of", f)
            need(f["lines"] and f["count"] > 0 and f["callers"], "others: lines and callers of", f)
            need(not f["classes"] or abs(sum(c["amount"] for c in f["classes"]) - f["amount"]) < 1e-6 * f["amount"], "others: classes of", f)


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

def check_sarif_findings(report, found, rules):
    want = joined(report)
    need(len(found) == len(want), "sarif:", len(found), "results and not", len(want))
    for (path, rule, result), finding in zip(found, want):
        need((path, rule, result["level"]) == (path_of(finding), finding["rule"] or "no-fix-known", level(finding)),
             "sarif: is", path, rule, result["level"], "and should be", finding)
        lines = [p["physicalLocation"]["region"]["startLine"] for p in result["locations"]]
        need(sorted(lines) == finding["lines"], "sarif: lines", lines, finding["lines"])
        need(result["partialFingerprints"].get("key/v1") == finding["key"], "sarif: key of", finding)
        properties = result["properties"]
        need(properties.get("pids", finding["pids"]) == finding["pids"], "sarif: pids", properties)
        for name in ("bytes", "objects", "share", "avoidable_bytes", "certain_bytes", "likely_bytes", "possible_bytes"):
            need(abs(properties[name] - finding[name]) <= 1 + 1e-5 * finding[name], "sarif:", name, properties, finding)
        need(properties["avoidable_ci"][0] <= properties["avoidable_bytes"] <= properties["avoidable_ci"][1] + 1,
             "sarif: interval", properties)
        text = rules[rule].get("help", {}).get("text", "")
        need(bool(text) == bool(finding["rule"]) and "{" not in text, "sarif: help of", rule, text)


def check_sarif(report, text):
    log = json.loads(text)
    need(log["version"] == "2.1.0", "sarif: version")
    run, = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    need(len({r["id"] for r in rules}) == len(rules), "sarif: rules are there twice")
    found, others = [], []
    for result in run["results"]:
        rule = rules[result["ruleIndex"]]["id"]
        need(rule == result["ruleId"], "sarif: ruleIndex is of", rule)
        place = result["locations"][0]
        uri = place["physicalLocation"]["artifactLocation"]["uri"]
        need(re.fullmatch(r"(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+", uri), "sarif: no URI:", uri)
        need(not uri.startswith("/"), "sarif: not relative:", uri)
        for name in ("methodHash/v1", "lineHash/v1"):
            need(re.fullmatch("[0-9a-f]{16}", result["partialFingerprints"][name]), "sarif:", name)
        need(result["stacks"][0]["frames"], "sarif: no stack")
        if "/" in rule:
            others.append((rule, result))
            continue
        found.append((urllib.parse.unquote(uri), rule, result))
    check_sarif_findings(report, found, {r["id"]: r for r in rules})
    want = other_findings(report)
    need(sorted((rule, r["partialFingerprints"]["key/v1"]) for rule, r in others) == sorted(want), "sarif: others", others, want)
    for rule, result in others:
        finding = want[rule, result["partialFingerprints"]["key/v1"]]
        lines = [p["physicalLocation"]["region"]["startLine"] for p in result["locations"]]
        need(result["level"] == "note" and sorted(lines) == finding["lines"], "sarif: lines of", rule, lines, finding)
        need(abs(result["properties"]["amount"] - finding["amount"]) < 1e-4 * finding["amount"], "sarif: amount of", result, finding)


# ---- GitHub --------------------------------------------------------------------------------

def unescape_github(text, signs):
    for sign, code in signs:
        text = text.replace(code, sign)
    return text.replace("%25", "%")


def check_github(report, text):
    found, last = [], None
    titles = tuple({key.split()[0] + ":" for _, key in other_findings(report)})  # of other analyses
    need(text.endswith("\n"), "github: cut")
    for line in text.split("\n")[:-1]:
        parts = re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", line)
        need(parts, "github: no command:", line)
        command, properties, message = parts.groups()
        pairs = dict(p.split("=", 1) for p in properties.split(","))
        pairs = {k: unescape_github(v, [(":", "%3A"), (",", "%2C"), ("\n", "%0A"), ("\r", "%0D")])
                 for k, v in pairs.items()}
        need("\r" not in message, "github: CR")
        last = unescape_github(message, [("\n", "%0A"), ("\r", "%0D")])
        need(pairs["title"].startswith("ojx: ") and last.strip(), "github: title", pairs)
        if "file" in pairs and not pairs["title"][5:].startswith(titles):
            found.append((pairs["file"], int(pairs["line"]), command))
    want = [(path_of(f), "warning" if level(f) == "warning" else "notice") for f in joined(report)]
    need([(path, command) for path, _, command in found] == want, "github:", found, "instead of", want)
    for (_, line, _), f in zip(found, joined(report)):
        need(line in f["lines"], "github: line", line, "of", f)


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
    check_others(report)
    checks = {"sarif": check_sarif, "github": check_github, "junit": check_junit, "markdown": check_markdown}
    for argument in sys.argv[2:]:
        name, path = argument.split("=", 1)
        with open(path, encoding="utf-8", newline="") as file:
            checks[name](report, file.read())


main()
