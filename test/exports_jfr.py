# SPDX-License-Identifier: Apache-2.0
"""Reads a recording for JDK Flight Recorder with `jfr print`, and compares it with the report. Part of exports.py."""
import collections
import json
import math
import re
import struct
import subprocess

from exports_report import command_of, flat, frame, need, whole

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


UNREAD = ("ojx", "[callers not read]", -1)  # JSON does not say everywhere that callers were not read


def recorded_frames(value):
    return [(f["method"]["type"]["name"], f["method"]["name"], f["lineNumber"]) for f in value["frames"]]


def recorded_stack(value):
    return value and tuple(f for f in recorded_frames(value) if f != UNREAD)


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
    for name in ("bytes", "objects", "avoidable_bytes", "theta", "alpha", "omega", "gamma", "identical", "largest_group",
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
    names = ("share", "contexts", "saved_bytes", "likely_bytes", "avoidable_bytes", "bytes", "objects", "scanned",
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
    for key in report.keys() - {"ojx", "recording", "short", "contexts", "avoidable", "findings", "accepted", "lines", "total", "alive", "by_line",
                               "other_findings"}:  # told of the rows that are events
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


def same_ranked(events, report):
    """What the report ranks, in the order of the events' times."""
    wanted = []
    for f in report["findings"]:
        members = {name.replace("_ci", "_bytes_ci"): value for name, value in (f | f["evidence"]).items()
                   if not isinstance(value, dict) and not name.startswith("callers")}
        wanted.append(event_of(members) | {"lines": " ".join(map(str, f["lines"])) or None,
                                           "classes": ";".join(f"{c['class']} {c['bytes']:.0f}" for c in f["classes"])})
    ranks = [e["rank"] for e in events.get("ojx.Finding", [])]
    need(ranks == sorted(ranks), "findings are not in order:", ranks)
    for e in events.get("ojx.Finding", []):
        frame_of, = recorded_frames(e["stackTrace"])
        f = report["findings"][ranks.index(e["rank"])]
        need(frame_of[0] == jvm_class(f["class"]) and frame_of[1] == f["method"] and frame_of[2] in f["lines"],
             "the line of", e)
    same_events("ojx.Finding", events, wanted)


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
    events, cut, unread, times = collections.defaultdict(list), 0, 0, []
    for event in json.loads(text.stdout)["recording"]["events"]:
        values = event["values"]
        if event["type"] == "ojx.Allocation" and values["stackTrace"]:
            cut += values["stackTrace"]["truncated"]
            unread += recorded_frames(values["stackTrace"])[-1] == UNREAD
        times.append(values.pop("startTime"))
        events[event["type"]].append(values)
    need(len(set(times)) == len(times), "events at the same time")
    stacks = [c for c in report["contexts"] if not report["by_line"]]
    need(cut == sum(c["alloc_stack_cut"] for c in stacks), "cut:", cut)
    need(unread == sum(c["alloc_stack_missing"] == "counted" for c in stacks), "callers not read:", unread)
    recording, total = report["recording"], report["total"]
    same_events("ojx.Recording", events, [
        {"command": clean(command_of(recording)) or None, "version": report["ojx"]["version"],
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
    same_ranked(events, report)
    for kind, wanted in wanted_findings(report).items():
        for e in same_events(kind, events, wanted):
            need(e.keys() - wanted[0].keys() <= {"kind"}, kind, "has", e.keys() - wanted[0].keys())
    need(not events, "events that the report has not:", list(events))
