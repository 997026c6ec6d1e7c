# SPDX-License-Identifier: Apache-2.0
"""Reads what is for engines of many recordings, NDJSON, OpenMetrics and OTLP, and compares it with the
report as JSON. Part of exports.py; OTLP needs the module otlp_pb2 that protoc makes of test/otlp.proto."""
import collections
import json
import math
import re

from exports_report import METRICS, UNCUT, expected, need, same, same_avoidable, without_cut


def unique_names(labels, written, ours, prefix):
    """The labels under the names that a format has for them; one that is taken gets the prefix."""
    names = {}
    for label, value in labels.items():
        name = written(label)
        while name in ours or name in names:
            name = prefix + name
        names[name] = value
    return names


def labels_of(report, pid):
    """Of the JVM, with its value for each name."""
    return next(j["labels"] for j in reversed(report["recording"]["jvms"]) if j["pid"] == pid)


def near(got, want):
    """Two texts of one number; both may be None."""
    return got == want or (None not in (got, want) and math.isclose(got, want, rel_tol=1e-12, abs_tol=1e-8))


# ---- NDJSON --------------------------------------------------------------------------------

HEAD = ("type", "schema", "recording", "time", "duration_s", "program", "labels")


def read_ndjson(path, report, _):
    with open(path, encoding="utf-8", newline="\n") as file:
        lines = [json.loads(line) for line in file]
    for line in lines:
        need(tuple(line)[:len(HEAD)] == HEAD, "NDJSON: a line begins with", list(line)[:len(HEAD)])
        need(all(line[name] == lines[0][name] for name in HEAD[1:6]), "NDJSON: recordings differ")
        need(line["labels"] == (report["recording"]["labels"] if line["type"] == "recording" else
                                labels_of(report, line["pid"])), "NDJSON: labels", line["labels"])
    head = lines[0]
    need(re.fullmatch("[0-9a-f]{16}", head["recording"]) and
         re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", head["time"]), "NDJSON:", head)
    need([line["type"] for line in lines] == ["recording"] + ["finding"] * len(report["findings"]) +
         ["line"] * len(report["lines"]), "NDJSON: lines")
    need(head["duration_s"] == report["recording"]["duration_s"] and head["bytes"] == report["total"]["bytes"] and
         near(head["expected_bytes"], report["avoidable"]["all"]["expected_bytes"]) and
         head["total_expected_ci"] == report["avoidable"]["total"]["expected_ci"], "NDJSON: sums", head)
    found = [line for line in lines if line["type"] == "finding"]
    for got, want in zip(found, report["findings"]):
        left_out = want.keys() - got.keys()
        need(left_out == {"course", "evidence", "callers", "callers_others", "callers_counted"}, "NDJSON lacks", left_out)
        need(all(got[name] == want[name] for name in want.keys() - left_out), "NDJSON:", got, want)
    told = sum(f["avoidable_bytes"] for f in found)  # with --limit, the sum has more
    need(head["avoidable_bytes"] >= told - 1e-6 and (len(found) < report["avoidable"]["all"]["findings"] or
         near(head["avoidable_bytes"], told)), "NDJSON: avoidable")
    for got, want in zip(lines[1 + len(found):], report["lines"]):
        names = want.keys() & got.keys() - {"frame"}
        need(names >= {"class", "pid", "share", "bytes", "objects", "avoidable_bytes", "live_bytes"}, "NDJSON: a line has", names)
        need(all(near(got[name], want[name]) if isinstance(want[name], float) else got[name] == want[name]
                 for name in names), "NDJSON:", got, want)
        frame = want["frame"][0] if want["frame"] else None
        need(got["frame"] == frame, "NDJSON: frame", got, want)
        need(got["key"].startswith(got["class"]) and
             (not frame or got["key"].endswith(f" {frame['class']}.{frame['method']}" +
                                               (f":{frame['line']}" if frame["line"] else ""))), "NDJSON: key", got)


# ---- OpenMetrics ---------------------------------------------------------------------------

NAME = re.compile("[a-zA-Z_][a-zA-Z0-9_]*")
SAMPLE = re.compile(r'(\w+)\{((?:\w+="(?:[^"\\\n]|\\["\\n])*",?)*)\} (-?[0-9.eE+-]+)')
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"(?:,|$)')


def parse_openmetrics(text):
    """{name: {labels: value}}; a family stands together, after its HELP, TYPE and UNIT."""
    families, name = {}, None
    lines = text.split("\n")
    need(lines[-2:] == ["# EOF", ""], "OpenMetrics: the end")
    for line in lines[:-2]:
        if line.startswith("# "):
            _, what, of, rest = line.split(" ", 3)
            if what == "HELP":
                name = of
                need(name not in families and NAME.fullmatch(name), "OpenMetrics: a family is there twice:", name)
                families[name] = {}
            need(of == name and not families[name], "OpenMetrics:", line)
            need(what == "HELP" or (what == "TYPE" and rest == "gauge") or
                 (what == "UNIT" and name.endswith("_" + rest)), "OpenMetrics:", line)
            continue
        match = SAMPLE.fullmatch(line)
        need(match and match[1] == name, "OpenMetrics: no sample of", name, line)
        labels = [(k, re.sub(r"\\(.)", r"\1", v)) for k, v in LABEL.findall(match[2])]
        need(len(dict(labels)) == len(labels) and not any(k.startswith("__") for k, _ in labels), "OpenMetrics:", line)
        key = frozenset(labels)
        need(key not in families[name], "OpenMetrics: a series is there twice:", line)
        families[name][key] = float(match[3])
    need(all(families.values()), "OpenMetrics: a family without samples")
    return families


def read_openmetrics(path, report, _):
    with open(path, encoding="utf-8", newline="\n") as file:
        families = parse_openmetrics(file.read())
    sums = {k: sum(v.values()) for k, v in families.items() if not k.startswith("ojx_finding")}
    need(all(len(families[k]) == 1 for k in sums), "OpenMetrics: sums")
    need(near(sums["ojx_allocated_bytes"], report["total"]["bytes"]) and
         near(sums["ojx_recording_duration_seconds"], report["recording"]["duration_s"]) and
         near(sums.get("ojx_live_bytes"), report["alive"]["bytes"]) and
         near(sums["ojx_expected_bytes"], report["avoidable"]["all"]["expected_bytes"]) and
         near(sums["ojx_total_least_bytes"], report["avoidable"]["total"]["expected_ci"][0]) and
         near(sums["ojx_total_most_bytes"], report["avoidable"]["total"]["expected_ci"][1]), "OpenMetrics:", sums)
    for name, member in {"allocated": "bytes", "avoidable": "avoidable_bytes", "expected": "expected_bytes",
                         "live": "live_bytes"}.items():
        want = collections.Counter()
        for f in report["findings"]:
            if f[member] is None:
                continue
            labels = {k: v for k, v in labels_of(report, f["pid"]).items()
                      if k not in ("start", "host", "pod", "container")}
            labels = unique_names(labels, lambda k: re.sub("[^a-zA-Z0-9_]", "_", k),
                                  ("program", "rule", "class", "method"), "label_")
            want[frozenset({**labels, "rule": f["rule"] or "none", "class": f["class"] or "",
                            "method": f["method"] or ""}.items())] += f[member]
        got = {frozenset((k, v) for k, v in key if k != "program"): value
               for key, value in families.get(f"ojx_finding_{name}_bytes", {}).items()}
        need(got.keys() == want.keys() and all(near(got[k], want[k]) for k in got), "OpenMetrics,", name, got, want)


# ---- OTLP ----------------------------------------------------------------------------------

ATTRIBUTES = {"service": "service.name", "version": "service.version", "host": "host.name", "container": "container.id",
              "pod": "k8s.pod.name", "namespace": "k8s.namespace.name", "start": "process.creation.time"}

OF_JVM = ("process.runtime.name", "process.runtime.version", "process.pid")


def check_dictionary(d):
    for table in (d.mapping_table, d.location_table, d.function_table, d.link_table, d.attribute_table, d.stack_table):
        raw = [item.SerializeToString() for item in table]
        need(raw and raw[0] == b"" and len(set(raw)) == len(raw), "OTLP: a table's first element, or one is there twice")
    need(d.string_table[0] == "" and len(set(d.string_table)) == len(d.string_table), "OTLP: strings")
    need(all(list(p.attribute_indices) == [1] and len(p.lines) == 1 for p in d.location_table[1:]), "OTLP: locations")
    kind = d.attribute_table[1]
    need((d.string_table[kind.key_strindex], kind.value.string_value) == ("profile.frame.type", "jvm"), "OTLP: frames")


def read_otlp(path, report, _):
    import otlp_pb2
    with open(path, "rb") as file:
        raw = file.read()
    data = otlp_pb2.ProfilesData.FromString(raw)
    data.DiscardUnknownFields()
    need(data.ByteSize() == len(raw), "OTLP: fields that the format has not")
    d = data.dictionary
    check_dictionary(d)
    several = len(report["recording"]["jvms"]) > 1

    def frame_of(index):
        line = d.location_table[index].lines[0]
        function = d.function_table[line.function_index]
        return (d.string_table[function.name_strindex], d.string_table[function.filename_strindex] or None, line.line or None)
    stacks = [tuple(frame_of(i) for i in reversed(s.location_indices)) for s in d.stack_table]
    sums, ids = collections.defaultdict(collections.Counter), []
    for resource in data.resource_profiles:
        attributes = {a.key: a.value.string_value or a.value.int_value for a in resource.resource.attributes}
        need(len(attributes) == len(resource.resource.attributes), "OTLP: an attribute is there twice")
        pid = attributes["process.pid"]
        for name, value in unique_names(labels_of(report, pid), lambda k: ATTRIBUTES.get(k, k),
                                        OF_JVM, "label.").items():
            need(attributes[name] == value, "OTLP: the label", name, attributes)
        [scope] = resource.scope_profiles
        need(scope.scope.name == "ojx" and scope.scope.version, "OTLP: scope")
        for profile in scope.profiles:
            metric = d.string_table[profile.sample_type.type_strindex]
            need(d.string_table[profile.sample_type.unit_strindex] == ("By" if METRICS[metric][0] == "bytes" else "{count}"),
                 "OTLP: unit of", metric)
            need(profile.time_unix_nano > 0 and
                 abs(profile.duration_nano - report["recording"]["duration_s"] * 1e9) < 1e6, "OTLP: times")
            ids.append(profile.profile_id)
            for sample in profile.samples:
                [value] = sample.values
                frames = ((f"[JVM {pid}]", None, None),) * several + stacks[sample.stack_index]
                need(value > 0 and sample.stack_index > 0, "OTLP: a sample of", value)
                sums[metric][without_cut(frames) if metric in UNCUT else frames] += value
    need(len(set(ids)) == len(ids) and all(len(i) == 16 for i in ids), "OTLP: ids of profiles")
    same_avoidable("OTLP", sums.pop("avoidable", collections.Counter()), report)
    for metric in METRICS.keys() - {"avoidable"}:
        same(f"OTLP, {metric}:", sums[metric], expected(report, metric))
