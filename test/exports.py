#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads exports of `ojx report` as their readers do, and compares them with the report as JSON.

    test/exports.py [--line] REPORT.json FORMAT[:METRIC]=FILE...

--line: the reports have --group-by=line, where an export's stack is the line alone.
FORMAT is csv, collapsed, speedscope, pprof, dhat, jfr, ndjson, openmetrics or otlp; METRIC is what a collapsed file counts. All reports must
have the same options. Exits with 1 after saying what is wrong; a pprof file needs the module
profile_pb2 that protoc makes of test/profile.proto, and a jfr file the home of a JDK for METRIC.
"""

import collections
import csv
import gzip
import json
import math
import re
import sys

sys.dont_write_bytecode = True
from exports_fleet import labels_of, read_ndjson, read_openmetrics, read_otlp  # noqa: E402
from exports_jfr import read_jfr  # noqa: E402
from exports_report import (AGAIN, METRICS, UNCUT, command_of, expected, flat, frame, need, same, same_avoidable,  # noqa: E402
                            without_cut)


def folded(frame, is_class=False):
    name, _, line = frame
    if is_class:
        return (name + "_[i]",)
    if name.startswith("["):
        return (name,)
    scope, dot, method = name.rpartition(".")
    return (scope.replace(".", "/") + dot + method + (f":{line}" if line else ""),)


def read_collapsed(path, report, metric):
    got = collections.Counter()
    with open(path, encoding="utf-8", newline="\n") as lines:
        for line in lines:
            match = re.fullmatch(r"(.+) ([0-9]+)\n", line)  # as stackcollapse and flamegraph.pl do
            need(match, "no line of a collapsed file:", repr(line))
            frames = tuple(match.group(1).split(";"))
            need(all(frames), "a frame without a name:", line)
            need(not re.search(r"[\x00-\x1f\x7f]", match.group(1)), "a control character:", repr(line))
            got[without_cut(tuple((f,) for f in frames)) if metric in UNCUT else
                tuple((f,) for f in frames)] += int(match.group(2))
    if metric == "avoidable":
        # a class has neither file nor line
        same_avoidable("collapsed", got, report, lambda f: folded(
            (f[0].replace(";", "|"), *f[1:]), f[1:] == (None, None)))
        return
    want = collections.Counter()
    for frames, value in expected(report, metric).items():
        names = []
        frames = [(name.replace(";", "|"), file, line) for name, file, line in frames]
        # the class comes last, or before the accesses to its objects; pairs have none
        is_class = None if metric in AGAIN else \
            [f[0] for f in frames].index("[accessed at]") - 1 if metric == "locality" else len(frames) - 1
        for i, frame_of in enumerate(frames):
            names.append(folded(frame_of, i == is_class))
        want[tuple(names)] += value
    same("collapsed", got, want)


def read_speedscope(path, report, _):
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    need(data["$schema"] == "https://www.speedscope.app/file-format-schema.json", "no $schema")
    frames = [(f["name"], f.get("file"), f.get("line")) for f in data["shared"]["frames"]]
    need(len(set(frames)) == len(frames), "a frame is there twice")
    need(0 <= data["activeProfileIndex"] < len(data["profiles"]), "no active profile")
    for profile in data["profiles"]:
        metric, values = profile["name"], collections.Counter()
        need(profile["type"] == "sampled" and len(profile["samples"]) == len(profile["weights"]),
             metric, "is no sampled profile")
        need(profile["unit"] == ("bytes" if METRICS[metric][0] == "bytes" else "none"), metric, "unit")
        need(profile["startValue"] == 0 and profile["endValue"] == sum(profile["weights"]),
             metric, "endValue")
        need(profile["samples"] == sorted(profile["samples"]), metric, "is no flame graph")
        for sample, weight in zip(profile["samples"], profile["weights"]):
            need(weight > 0, "a weight of", weight)
            frames_of = tuple(frames[i] for i in sample)
            values[without_cut(frames_of) if metric in UNCUT else frames_of] += weight
        if metric == "avoidable":
            same_avoidable("speedscope", values, report)
            continue
        same(f"speedscope, {metric}:", values, expected(report, metric))
    names = [p["name"] for p in data["profiles"]]
    missing = [m for m in METRICS if m not in names and m != "avoidable" and expected(report, m)]
    avoidable = any(f["avoidable_bytes"] >= 1 for f in report["findings"])
    need(("avoidable" in names) == avoidable, "speedscope: avoidable")
    need(not missing and len(set(names)) == len(names), "profiles:", names, "not", missing)
    need(names[data["activeProfileIndex"]] == "bytes", "bytes are not shown first")


def read_pprof(path, report, _):
    import profile_pb2
    with gzip.open(path) as file:
        raw = file.read()
    profile = profile_pb2.Profile.FromString(raw)
    size = profile.ByteSize()
    profile.DiscardUnknownFields()
    need(size == profile.ByteSize() == len(raw), "fields that the format has not, or 0 written out")
    text = list(profile.string_table)
    need(text[0] == "" and len(set(text)) == len(text), "string table")
    functions = {f.id: f for f in profile.function}
    locations = {p.id: p for p in profile.location}
    need(0 not in functions and 0 not in locations, "an id of 0")
    need(len(functions) == len(profile.function) and len(locations) == len(profile.location),
         "an id is there twice")
    need([m.id for m in profile.mapping] == [1], "mappings")
    need(all(p.mapping_id == 1 and len(p.line) == 1 for p in profile.location), "locations")
    types = [(text[t.type], text[t.unit]) for t in profile.sample_type]
    need(types == [(name, unit) for name, (unit, _) in METRICS.items()], "sample types:", types)
    need(text[profile.default_sample_type] == "bytes", "default sample type")
    need(profile.time_nanos > 0 and
         abs(profile.duration_nanos - report["recording"]["duration_s"] * 1e9) < 1e6, "times")
    need(command_of(report["recording"]) in [text[c] for c in profile.comment] or
         re.search(r"[^ -~]", "".join(report["recording"]["command"])), "comments")

    def frame_of(location):
        line = locations[location].line[0]
        function = functions[line.function_id]
        return (text[function.name], text[function.filename] or None, line.line or None)

    sums = {metric: collections.Counter() for metric in METRICS}
    verdicts, thetas, saved = collections.Counter(), [], []
    for sample in profile.sample:
        need(len(sample.value) == len(METRICS) and any(sample.value), "values:", sample.value)
        frames = tuple(frame_of(i) for i in reversed(sample.location_id))
        for metric, value in zip(METRICS, sample.value):
            sums[metric][without_cut(frames) if metric in UNCUT else frames] += value
        labels = {text[l.key]: (text[l.str], l.num, text[l.num_unit]) for l in sample.label}
        pids = [int(name[5:-1]) for name, _, _ in frames[:1] if name.startswith("[JVM ")]
        for name, value in labels_of(report, (pids or [report["recording"]["jvms"][0]["pid"]])[0]).items():
            need(labels.pop(name)[0] == value, "the label", name)
        need(labels.keys() <= {"verdict", "theta", "saved"}, "labels:", labels)
        if any(sample.value[:3]):
            verdicts[labels["verdict"][0]] += 1
            thetas += [labels["theta"][1:]] if "theta" in labels else []
            saved += [labels["saved"][1:]] if "saved" in labels else []
            need(sample.value[2] == (labels["saved"][1] if "saved" in labels else 0), "saved:", labels)
    same_avoidable("pprof", +sums.pop("avoidable"), report)
    for metric, got in sums.items():
        same(f"pprof, {metric}:", got, expected(report, metric))
    made = [c for c in report["contexts"] if c["sampled"]]
    need(sum(verdicts.values()) == len(made), "samples:", verdicts)
    need(all(number > 0 and unit == "bytes" for number, unit in saved), "saved:", saved)
    shares = sorted(c["replica"]["theta"] * 100 for c in made if c["replica"]["pairs"] >= 5)
    # JSON has 15 digits of a share: one halfway between two numbers may have been rounded either way
    need(len(thetas) == len(shares) and all(unit == "percent" and abs(got - want) <= 0.5 + 1e-9
         for (got, unit), want in zip(sorted(thetas), shares)), "theta:", thetas, shares)


# Parses a frame like the Firefox Profiler.
DHAT_FRAME = re.compile(r"0x([0-9a-f]+): (.+) \((?:in )?(.+?)(?::(\d+))?(?::(\d+))?\)", re.I)


def read_dhat(path, report, _):
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    # what dh_view.js requires
    for field, kind in {"dhatFileVersion": int, "mode": str, "verb": str, "bklt": bool, "bkacc": bool,
                        "tu": str, "Mtu": str, "cmd": str, "pid": int, "te": int, "pps": list,
                        "ftbl": list}.items():
        need(isinstance(data.get(field), kind), "no", field)
    need(data["dhatFileVersion"] == 2 and not data["bklt"] and not data["bkacc"], "what it has")
    need(data["ftbl"][0] == "[root]" and len(set(data["ftbl"])) == len(data["ftbl"]), "frames")
    frames = [None]
    for i, text in enumerate(data["ftbl"][1:], 1):
        match = DHAT_FRAME.fullmatch(text)
        need(match and int(match.group(1), 16) == i, "frame", text)
        line = match.group(4)
        where = match.group(3) if line else None
        frames.append((match.group(2), where, int(line) if line else None))
    sums = collections.Counter(), collections.Counter()
    for point in data["pps"]:
        need(point.keys() == {"tb", "tbk", "fs"}, "point:", point)
        need(0 not in point["fs"], "the root on a stack")
        stack_of = tuple(frames[i] for i in reversed(point["fs"]))
        sums[0][stack_of] += point["tb"]
        sums[1][stack_of] += point["tbk"]

    def kept(f):  # a file without a line looks like the place of a class
        return f if f[2] else (f[0], None, None)
    same("dhat, tb:", sums[0], expected(report, "bytes"), kept)
    same("dhat, tbk:", sums[1], expected(report, "objects"), kept)


# Members without a column: rates are savings divided by the duration.
LEFT_OUT = {"fields_source", "saved_per_s", "saved_objects_per_s"}


def cell(value):
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return "'" + value if value[:1] in ("=", "+", "-", "@") else value
    return float(value)


def csv_frame(f):
    name, file, line = frame(f)
    if "folded" in f:
        return name
    text = f"{name}({file or 'Unknown Source'}{':%d' % line if file and line else ''})"
    return text.replace(";", "|")


def csv_lines(path, count, report):
    """Header and lines, without the columns of labels, which are compared."""
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    need(text.count("\n") == text.count("\r\n") == count + 1, "ends of lines")
    header, *lines = csv.reader(text.split("\r\n")[:-1], strict=True)
    need(len(set(header)) == len(header), "a column is there twice")
    own = [i for i, name in enumerate(header) if name.startswith("label_")]
    need(own == list(range(len(header) - len(own), len(header))), "labels are not the last columns")
    for line in lines if own else []:
        labels = labels_of(report, int(line[header.index("pid")]))
        need({header[i][6:]: line[i] for i in own if line[i]} == {k: cell(v) for k, v in labels.items()}, "labels:", line)
    n = len(header) - len(own)
    return header[:n], [line[:n] if len(line) == len(header) else line for line in lines]


def csv_findings(path, rows, report):
    """A table of findings; `rows` are those of JSON, a column is a member, an interval's end, or a stack."""
    header, lines = csv_lines(path, len(rows), report)
    for values, row in zip(lines, rows):
        need(len(values) == len(header), "columns:", values)
        for name, got in zip(header, values):
            if name.endswith(("_ci_low", "_ci_high")):
                want = cell(row[name.rpartition("_")[0]][name.endswith("high")])
            elif isinstance(row[name], list):
                want = ";".join(map(csv_frame, row[name]))
            else:
                want = cell(row[name])
            # nine decimals, or 15 digits
            need(math.isclose(float(got), want, rel_tol=1e-12, abs_tol=6e-10) if isinstance(want, float) else
                 got == want, name, "is", got, "and should be", want)
    left_out = {name for row in rows for name in row} - {re.sub("_(low|high)$", "", h) for h in header}
    need(left_out <= {"accesses", "levels", "latency", "tlb_walks", "numa"}, "columns lack:", left_out)


def csv_ranked(path, report):
    """What the report ranks: numbers and names, and lists as texts."""
    findings = report["findings"]
    header, lines = csv_lines(path, len(findings), report)
    for values, finding in zip(lines, findings):
        row = {**finding, **finding["evidence"], "lines": " ".join(map(str, finding["lines"])),
               "classes": ";".join(f"{c['class']} {c['bytes']:.0f}" for c in finding["classes"])}
        for name, got in zip(header, values, strict=True):
            base, _, end = name.rpartition("_")
            want = cell(row[base][end == "high"] if base.endswith("_ci") else row[name])
            need(math.isclose(float(got), want, rel_tol=1e-12, abs_tol=6e-10) if isinstance(want, float) else
                 got == want, name, "is", got, "and should be", want)
    left_out = {name for f in findings for name in f} - {re.sub("_(low|high)$", "", h) for h in header}
    need(left_out <= {"evidence", "course", "callers", "callers_others", "callers_counted"}, "columns lack:", left_out)


def read_csv(path, report, metric):
    if metric == "avoidable":
        csv_ranked(path, report)
        return
    if metric in AGAIN:
        csv_findings(path, [{"kind": w["kind"], **p} for w in report["waste"]
                            for p in w["pairs"] if w["kind"] == metric], report)
        return
    if metric == "locality":
        csv_findings(path, report["locality"], report)
        return
    header, lines = csv_lines(path, len(report["contexts"]), report)
    for values, context in zip(lines, report["contexts"]):
        need(len(values) == len(header), "columns:", values)
        row = dict(zip(header, values))
        need(row.pop("alloc_stack") == cell(";".join(map(csv_frame, context["alloc_stack"]))),
             "alloc_stack of", context["class"])
        for name, value in flat(context):
            if name in LEFT_OUT:
                continue
            need(name in row or value is None, "no column", name)
            got = row.pop(name, "")
            want = cell(value)
            if isinstance(want, float) and math.isclose(float(got or "nan"), want, rel_tol=4e-16):
                continue  # cJSON writes 15 digits if the rest is negligible
            need(got == want, context["class"], name, got, value)
        need(not row, "columns that JSON has not:", row)


READERS = {"csv": read_csv, "collapsed": read_collapsed, "speedscope": read_speedscope, "pprof": read_pprof,
           "dhat": read_dhat, "jfr": read_jfr, "ndjson": read_ndjson, "openmetrics": read_openmetrics, "otlp": read_otlp}


def main():
    by_line = sys.argv[1] == "--line"
    report_path, *exports = sys.argv[1 + by_line:]
    with open(report_path, encoding="utf-8") as file:
        report = json.load(file)
    report["by_line"] = by_line
    need(report["contexts"] and exports, "nothing to compare")
    for export in exports:
        kind, _, path = export.partition("=")
        kind, _, metric = kind.partition(":")
        READERS[kind](path, report, metric or "bytes")


if __name__ == "__main__":
    main()
