# SPDX-License-Identifier: Apache-2.0
"""What exports must count, by the report as JSON: values by stack. Part of exports.py."""
import collections
import sys

METRICS = {
    "objects": ("count", lambda c: c["objects"]),
    "bytes": ("bytes", lambda c: c["bytes"]),
    "saved": ("bytes", lambda c: max(c["replica"]["saved_bytes"] or 0,
                                    c["replica"]["saved_bytes_deep"] or 0)),
    "avoidable": ("bytes", None),
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


def command_of(recording):
    """What exports have of the command line."""
    words, left = recording["command"], recording["command_left_out"]
    return " ".join(words + [f"({left} argument{'s' if left > 1 else ''} left out)"] * (left > 0))


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


ROOTS = {None: [], "counted": ["[callers not read]"], "depth": ["[stack cut]"], "room": ["[stack cut]"]}


def stack(report, context, frames, missing):
    """Outermost frame first."""
    result = [(f"[JVM {context['pid']}]", None, None)] if len(report["recording"]["jvms"]) > 1 else []
    result += [note(root) for root in ROOTS[missing]]
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
                sums[stack(report, c, a["stack"], None)] += whole(of(a))
        elif report.get("by_line"):
            sums[stack(report, c, c["alloc_stack"][-1:], None)] += whole(of(c))
        else:
            sums[stack(report, c, c["alloc_stack"], c["alloc_stack_missing"])] += whole(of(c))
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


def same_avoidable(what, got, report, key=lambda frame: frame):
    """Findings have no stacks: each that is counted has the line and the class of one, and their sum is known. `key`
    gives a frame as the format has it."""
    places = {(key((f"{f['class']}.{f['method']}", f["file"], line)), key(note(c["class"])))
              for f in report["findings"] if f["avoidable_bytes"] > 0 for line in f["lines"] for c in f["classes"]}
    by_site = not report["by_line"] and all(len(c["alloc_stack"]) < 2 for c in report["contexts"])
    classes = {c for _, c in places}
    for frames in got:
        need(frames[-1] in classes if by_site else any((frame, frames[-1]) in places for frame in frames[:-1]), what, "has no finding for", frames)
    sums = sum(got.values()), sum(f["avoidable_bytes"] for f in report["findings"])
    need(abs(sums[0] - sums[1]) <= 1 + len(got), what, sums)
    need((sums[1] > 0) == bool(got), what, "is empty")


# JSON does not say whether these stacks were cut.
UNCUT = {"accesses", "locality", *AGAIN}


def without_cut(frames):
    return tuple(f for f in frames if f[0] != "[stack cut]")


def flat(context):
    """The members that have one value, or an interval of two, by the names of the columns."""
    for name, value in list(context.items()) + list(context["replica"].items()):
        if name.endswith("_ci"):
            yield name + "_low", value and value[0]
            yield name + "_high", value and value[1]
        elif value is None or isinstance(value, (str, int, float)):
            yield name, value
