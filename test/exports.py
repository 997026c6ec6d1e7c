#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads exports of `ojx report` as their readers do, and compares them with the report as JSON.

    test/exports.py [--line] REPORT.json FORMAT[:METRIC]=FILE...

--line: the reports have --group-by=line, where an export's stack is the line alone.
FORMAT is csv, collapsed, speedscope, pprof, dhat or jfr; METRIC is what a collapsed file counts. All reports must
have the same options. Exits with 1 after saying what is wrong; a pprof file needs the module
profile_pb2 that protoc makes of test/profile.proto, and a jfr file the home of a JDK for METRIC.
"""

import collections
import csv
import gzip
import json
import math
import re
import struct
import subprocess
import sys

METRICS = {
    "objects": ("count", lambda c: c["objects"]),
    "bytes": ("bytes", lambda c: c["bytes"]),
    "saved": ("bytes", lambda c: max(c["replica"]["saved_bytes"] or 0,
                                    c["replica"]["saved_bytes_deep"] or 0)),
    "samples": ("count", lambda c: c["sampled"]),
    "accesses": ("count", lambda a: a["samples"]),
    "dead-store": ("bytes", None),
    "silent-store": ("bytes", None),
    "silent-load": ("bytes", None),
    "locality": ("count", None),
    "alive": ("count", None),
}
# Between the stacks of a pair of accesses.
AGAIN = {"dead-store": "[stored again, unread, at]", "silent-store": "[same value stored again at]",
         "silent-load": "[same value loaded again at]"}
WAYS = {"time": "[time]", "access": "[accesses]", "page-fault": "[page faults]"}


def need(condition, *what):
    if not condition:
        sys.exit("exports.py: " + " ".join(map(str, what)))


def whole(value):
    """Rounds like C's llround, for numbers from 0 on."""
    return int(value + 0.5)


# ---- what the report says ------------------------------------------------------------------

# A frame is (name, file, line), the last two None where they are not known.

def frame(f):
    if "folded" in f:
        n = f["folded"]
        return (f"[recursion of {n} frame{'s' if n > 1 else ''}]", None, None)
    return (f"{f['class']}.{f['method']}", f["file"], f["line"])


def stack(report, context, frames, cut):
    """Outermost frame first."""
    result = [(f"[JVM {context['pid']}]", None, None)] if len(report["recording"]["jvms"]) > 1 else []
    result += [("[stack cut]", None, None)] if cut else []
    result += [] if frames else [("[unknown]", None, None)]
    result += [frame(f) for f in reversed(frames)]
    return tuple(result + [(context["class"], None, None)])


def note(text):
    return (text, None, None)


def plain(frames):
    """Outermost frame first, without marks around them."""
    return [frame(f) for f in reversed(frames)] or [note("[unknown]")]


def expected_waste(report, kind):
    sums = collections.Counter()
    for w in report["waste"]:
        for p in w["pairs"] if w["kind"] == kind else []:
            jvm = [note(f"[JVM {p['pid']}]")] if len(report["recording"]["jvms"]) > 1 else []
            sums[tuple(jvm + plain(p["watched"]) + [note(AGAIN[kind])] + plain(p["trapped"]))] += \
                p["wasted_bytes"]
    return +sums


def expected_locality(report):
    sums = collections.Counter()
    ways = {o["metric"] for o in report["locality"]}
    for o in report["locality"]:
        jvm = [note(f"[JVM {o['pid']}]")] if len(report["recording"]["jvms"]) > 1 else []
        way = [note(WAYS[o["metric"]])] if len(ways) > 1 else []
        for a in o["accesses"]:
            sums[tuple(jvm + way + plain(o["alloc_stack"]) + [note(o["class"]), note("[accessed at]")] +
                       plain(a["stack"]))] += whole(round(a["share"] * o["value"], 6))
    return +sums


def expected(report, metric):
    """The metric by stack; stacks with 0 are left out."""
    if metric == "locality":
        return expected_locality(report)
    if metric in AGAIN:
        return expected_waste(report, metric)
    if metric == "alive":
        need(not report.get("lifetime"), "these recordings have no lives")
        return collections.Counter()
    of = METRICS[metric][1]
    sums = collections.Counter()
    for c in report["contexts"]:
        if metric == "accesses":
            for a in c["accesses"]:
                sums[stack(report, c, a["stack"], False)] += whole(of(a))
        elif report.get("by_line"):
            sums[stack(report, c, c["alloc_stack"][-1:], False)] += whole(of(c))
        else:
            sums[stack(report, c, c["alloc_stack"], c["alloc_stack_cut"])] += whole(of(c))
    return +sums


def same(what, got, want, key=lambda frames: frames):
    """Both count the same stacks; `key` reduces a frame to what the format keeps."""
    got, mapped = +got, collections.Counter()
    for frames, value in want.items():
        mapped[tuple(key(f) for f in frames)] += value
    need(got.keys() == mapped.keys(), what, "stacks differ:",
         list((got.keys() - mapped.keys()))[:1], "is not", list((mapped.keys() - got.keys()))[:1])
    wrong = [frames for frames in got if got[frames] != mapped[frames]]
    need(not wrong, what, wrong[:1], [(got[w], mapped[w]) for w in wrong[:1]])


# JSON does not say whether these stacks were cut.
UNCUT = {"accesses", "locality", *AGAIN}


def without_cut(frames):
    return tuple(f for f in frames if f[0] != "[stack cut]")


# ---- formats -------------------------------------------------------------------------------

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
    want = collections.Counter()
    for frames, value in expected(report, metric).items():
        names = []
        frames = [(name.replace(";", "|"), file, line) for name, file, line in frames]
        # the class comes last, or before the accesses to its objects; pairs have none
        is_class = None if metric in AGAIN else \
            [f[0] for f in frames].index("[accessed at]") - 1 if metric == "locality" else len(frames) - 1
        for i, (name, _, line) in enumerate(frames):
            if i == is_class:
                name += "_[i]"
            elif not name.startswith("["):
                scope, dot, method = name.rpartition(".")
                name = scope.replace(".", "/") + dot + method + (f":{line}" if line else "")
            names.append((name,))
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
        same(f"speedscope, {metric}:", values, expected(report, metric))
    names = [p["name"] for p in data["profiles"]]
    missing = [m for m in METRICS if m not in names and expected(report, m)]
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
    need(" ".join(report["recording"]["command"]) in [text[c] for c in profile.comment] or
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
        need(labels.keys() <= {"verdict", "theta", "saved"}, "labels:", labels)
        if any(sample.value[:4]):
            verdicts[labels["verdict"][0]] += 1
            thetas += [labels["theta"][1:]] if "theta" in labels else []
            saved += [labels["saved"][1:]] if "saved" in labels else []
            need(sample.value[2] == (labels["saved"][1] if "saved" in labels else 0), "saved:", labels)
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


def flat(context):
    """The members that have one value, or an interval of two, by the names of the columns."""
    for name, value in list(context.items()) + list(context["replica"].items()):
        if name.endswith("_ci"):
            yield name + "_low", value and value[0]
            yield name + "_high", value and value[1]
        elif value is None or isinstance(value, (str, int, float)):
            yield name, value


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


def csv_lines(path, count):
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    need(text.count("\n") == text.count("\r\n") == count + 1, "ends of lines")
    header, *lines = csv.reader(text.split("\r\n")[:-1], strict=True)
    need(len(set(header)) == len(header), "a column is there twice")
    return header, lines


def csv_findings(path, rows):
    """A table of findings; `rows` are those of JSON, a column is a member, an interval's end, or a stack."""
    header, lines = csv_lines(path, len(rows))
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


def read_csv(path, report, metric):
    if metric in AGAIN:
        csv_findings(path, [{"kind": w["kind"], **p} for w in report["waste"]
                            for p in w["pairs"] if w["kind"] == metric])
        return
    if metric == "locality":
        csv_findings(path, report["locality"])
        return
    header, lines = csv_lines(path, len(report["contexts"]))
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


# ---- JDK Flight Recorder -------------------------------------------------------------------

ENOUGH = {"theta": "pairs", "alpha": "pairs", "omega": "pairs", "gamma": "pairs", "identical": "pairs",
          "largestGroup": "scanned", "largestGroupDeep": "deep_scanned"}


def camel(name):
    """saved_bytes is savedBytes; an s for seconds is left out, as readers show the unit."""
    first, *rest = re.sub("_s$", "", name).replace("-", "_").split("_")
    return first + "".join(word.capitalize() for word in rest)


def event_name(*names):
    return "ojx." + "".join(camel(name)[0].upper() + camel(name)[1:] for name in names if name)


def clean(text):
    return re.sub(r"[\x00-\x1f\x7f-\x9f]", "\ufffd", text)


def jvm_class(name):
    """As the JVM writes it; signs of descriptors are none of a name."""
    primitive = dict(boolean="Z", byte="B", char="C", short="S", int="I", long="J", float="F", double="D")
    element = re.sub(r"(\[\])+$", "", name)
    dimensions = (len(name) - len(element)) // 2
    plain_name = re.sub(r"[\[;]", "_", element.replace(".", "/"))
    if not dimensions:
        return plain_name
    return "[" * dimensions + (primitive.get(element) or f"L{plain_name};")


def jvm_frame(f):
    if "folded" in f:
        return ("ojx", frame(f)[0], -1)
    return (jvm_class(f["class"]), f["method"], f["line"] or -1)


def jvm_stack(frames):
    return tuple(jvm_frame(f) for f in frames) or None


def recorded_stack(value):
    return value and tuple((f["method"]["type"]["name"], f["method"]["name"], f["lineNumber"])
                           for f in value["frames"])


def seconds_of(text):
    parts = re.fullmatch(r"PT(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?[\d.]+)S)?", text)
    hours, minutes, rest = (float(part or 0) for part in parts.groups())
    seconds = hours * 3600 + minutes * 60 + rest
    return None if seconds < -2**60 / 1e9 else seconds


def is_stack(value):
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict) and \
        ("method" in value[0] or "folded" in value[0])


def is_paths(value):
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict) and "stack" in value[0]


def simple(value):
    """A field as the report has it."""
    if isinstance(value, dict) and "frames" in value:
        return recorded_stack(value)
    if isinstance(value, dict):
        return value["name"]
    if isinstance(value, str) and value.startswith("PT"):
        return seconds_of(value)
    return value


CURVES = ("survival", "alive_over_time")  # no fields of an event; null where nothing is known


def event_of(members):
    """What an event must have that is an object of JSON: fields and values."""
    fields = {}
    for name, value in members.items():
        if name in CURVES:
            continue
        if name in ("alloc_stack", "watched"):
            fields["stackTrace"] = jvm_stack(value)
        elif name == "class":
            fields["class"] = value and jvm_class(value)
        elif name.endswith("_ci"):
            low, high = value or (None, None)
            fields[camel(name[:-3]) + "Low"], fields[camel(name[:-3]) + "High"] = low, high
        elif is_stack(value):
            fields[camel(name)] = jvm_stack(value)
        elif isinstance(value, dict):
            fields[camel(name)] = ", ".join(f"{part} {count}" for part, count in value.items())
        elif not isinstance(value, list):
            fields[camel(name)] = value
    return fields


def alike(got, want):
    if not isinstance(got, (int, float)) or not isinstance(want, (int, float)):
        return got == want
    # JSON has 15 digits or nine decimals, and a share is of single precision
    return math.isclose(got, want, rel_tol=1e-12, abs_tol=6e-10) or \
        (0 <= want <= 1 and math.isclose(got, want, rel_tol=1e-6))


IDENTITY = ("class", "objectClass", "pid", "stackTrace", "allocStack", "kind", "metric")


def same_events(kind, events, wanted):
    """Takes out the events, which are those wanted in any order. Returns them; they may have further fields."""
    got = [{name: simple(value) for name, value in event.items()} for event in events.pop(kind, [])]
    need(len(got) == len(wanted), kind, "events:", len(got), "not", len(wanted))
    by_identity = collections.defaultdict(list)
    for one in got:
        by_identity[tuple(one[name] for name in IDENTITY if name in wanted[0] and name in one)].append(one)
    for want in wanted:
        alternatives = by_identity[tuple(want[name] for name in IDENTITY if name in want and name in got[0])]
        need(alternatives, kind, "has none of", want)
        differing = [[(name, one.get(name, "absent"), value) for name, value in want.items()
                      if not alike(one.get(name, "absent"), value)] for one in alternatives]
        need([] in differing, kind, "differs: name, is, should be:", min(differing, key=len), want)
        del alternatives[differing.index([])]
    return got


def shown(row):
    return {"class": jvm_class(row["class"]), "pid": row["pid"]}


def wanted_allocation(report, context):
    values = dict(flat(context))
    want = shown(context)
    frames = context["alloc_stack"]
    want["stackTrace"] = jvm_stack(frames[-1:] if report["by_line"] else frames)
    for name in ("bytes", "objects", "theta", "alpha", "omega", "gamma", "identical", "largest_group",
                 "largest_group_deep", "pairs", "sampled", "a", "b", "c", "scanned", "deep_scanned"):
        for end in ("", "_low", "_high"):
            source = f"{name}_ci{end}" if end else name
            if source in values or source[:-4] in context["replica"] or source[:-5] in context["replica"]:
                known = values[ENOUGH[camel(name)]] >= 5 if camel(name) in ENOUGH else True
                want[camel(name + end)] = values.get(source) if known else None
    bounds = [b for b in (values["saved_bytes"], values["saved_bytes_deep"]) if b is not None]
    want["savedBytes"] = want["savedBytesLow"] = max(bounds, default=None)
    want["verdict"], want["deep"] = context["replica"]["shown"]["verdict"], context["replica"]["shown"]["deep"]
    total = report["total"]["bytes"]
    want["share"] = context["bytes"] / total if total else None
    return want


def wanted_line(line):
    advice = line["advice"] or {}
    names = ("share", "contexts", "saved_bytes", "likely_bytes", "bytes", "objects", "scanned",
             "saved_bytes_at_end")
    file, number = (line["frame"][0].get("file"), line["frame"][0].get("line")) if line["frame"] else (None, None)
    return {**shown(line), **{camel(name): line[name] for name in names}, "savedBytesLow": line["saved_bytes"],
            "stackTrace": jvm_stack(line["frame"]), "line": f"{file}:{number}" if file and number else None,
            "verdict": line["shown"]["verdict"], "deep": line["shown"]["deep"],
            **{name: advice.get(name) for name in ("rule", "problem", "fix")}}


def wanted_accesses(report):
    for c in report["contexts"]:
        frames = c["alloc_stack"][-1:] if report["by_line"] else c["alloc_stack"]
        for a in c["accesses"]:
            yield {**shown(c), "stackTrace": jvm_stack(a["stack"]), "allocStack": jvm_stack(frames),
                   **{name: a[name] for name in ("samples", "pairs", "equal")}}


def wanted_findings(report):
    """Events by type: of objects, of the arrays in them, of the paths in these."""
    wanted = collections.defaultdict(list)

    def add(names, members):
        wanted[event_name(*names)].append(event_of(members))
        for name, value in members.items():
            for path in value if is_paths(value) else ():
                event = event_of({key: members[key] for key in ("class", "pid", "metric")})
                event |= {"share": path["share"], "samples": path["samples"],
                          "stackTrace": jvm_stack(path["stack"])}
                if "alloc_stack" in members:
                    event["allocStack"] = jvm_stack(members["alloc_stack"])
                wanted[event_name(*names, name)].append(event)
    for key in report.keys() - {"ojx", "recording", "contexts", "lines", "total", "by_line"}:
        analysis = key.removesuffix("_totals")
        for members in report[key]:
            add([key], members)
            for name, value in members.items():
                if name not in CURVES and isinstance(value, list) and not is_stack(value) and not is_paths(value) and \
                        all(isinstance(row, dict) for row in value):
                    for row in value:
                        add([analysis, name], row)
    return wanted


def same_lines(events, report):
    lines = [wanted_line(line) for line in report["lines"]]
    got = same_events("ojx.AllocationLine", events, lines)
    for e in got:
        need(e["savedBytesHigh"] is None or e["savedBytesHigh"] >= e["savedBytes"], "an interval:", e)
    worth = collections.Counter(repr((e["class"], e["pid"], e["line"], e["problem"], e["fix"], e["bytes"])) for e in got
                                if (e["savedBytes"] or 0) > 0 or e["fix"])
    sure = collections.Counter(repr((e["class"], e["pid"], e["line"], e["problem"], e["fix"], e["bytes"])) for e in got
                               if (e["savedBytes"] or 0) > 0)
    found = collections.Counter(repr((simple(e["class"]), e["pid"], e["line"], e["problem"], e["fix"], e["bytes"]))
                                for e in events.pop("ojx.ReplicaFinding", []))
    need(sure <= found <= worth, "findings:", found - worth, sure - found)


def read_jfr(path, report, jdk):
    with open(path, "rb") as file:
        data = file.read()
    magic, major, minor, size, pools, metadata, start, duration, _, ticks, flags = \
        struct.unpack(">4sHHQQQQQQQI", data[:68])
    need((magic, major, minor, size, ticks, flags) == (b"FLR\0", 2, 1, len(data), 10**9, 3), "the header")
    need(68 <= metadata < size and 68 <= pools < size and start > 0 and
         abs(duration - report["recording"]["duration_s"] * 1e9) < 1e6, "the header's numbers")
    text = subprocess.run([jdk + "/bin/jfr", "print", "--json", "--stack-depth", "100000", path],
                          capture_output=True, check=True, encoding="utf-8")
    need(not text.stderr, "jfr print:", text.stderr)
    events, cut = collections.defaultdict(list), 0
    for event in json.loads(text.stdout)["recording"]["events"]:
        values = event["values"]
        cut += event["type"] == "ojx.Allocation" and bool(values["stackTrace"]) and \
            values["stackTrace"]["truncated"]
        need(values.pop("startTime"), "no time")
        events[event["type"]].append(values)
    need(cut == sum(c["alloc_stack_cut"] for c in report["contexts"] if not report["by_line"]), "cut:", cut)
    recording, total = report["recording"], report["total"]
    same_events("ojx.Recording", events, [
        {"command": clean(" ".join(recording["command"])) or None, "version": report["ojx"]["version"],
         "notes": "; ".join(clean(note) for jvm in recording["jvms"] for note in jvm["notes"]) or None,
         "objectsSampled": recording["objects_sampled"], "pairs": recording["pairs"], "bytes": total["bytes"],
         "likelyBytes": total["likely_bytes"], "savedBytesLow": total["saved_bytes_ci"][0],
         "savedBytesHigh": total["saved_bytes_ci"][1]}])
    rows = [wanted_allocation(report, c) for c in report["contexts"]]
    same_events("jdk.ObjectAllocationSample", events,
                [{"objectClass": r["class"], "stackTrace": r["stackTrace"], "weight": whole(r["bytes"])} for r in rows])
    left = same_events("ojx.Allocation", events, rows)
    need(not left or left[0].keys() - rows[0].keys() == {"line", "contexts", "likelyBytes", "savedBytesHigh"},
         "fields:", left and left[0].keys() ^ rows[0].keys())
    same_events("ojx.AllocationAccesses", events, list(wanted_accesses(report)))
    same_lines(events, report)
    for kind, wanted in wanted_findings(report).items():
        for e in same_events(kind, events, wanted):
            need(e.keys() - wanted[0].keys() <= {"kind"}, kind, "has", e.keys() - wanted[0].keys())
    need(not events, "events that the report has not:", list(events))


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
        globals()["read_" + kind](path, report, metric or "bytes")


if __name__ == "__main__":
    main()
