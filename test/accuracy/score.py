# SPDX-License-Identifier: Apache-2.0
"""A report held against the truth: one record (a dict) for each context of the program's places.

A record has what the report says, what is true (members that begin with `true_`), and what kind of
context it is. They are kept as JSON lines, so that statistics can be made anew without new runs.
"""

SAMPLED = 100  # a context of fewer samples is left out: the truth is about random objects

CONTEXT = ("objects", "bytes", "sampled")
REPLICA = ("source", "pairs", "scanned", "theta", "theta_ci", "alpha", "omega", "gamma",
           "identical", "identical_ci", "largest_group", "largest_group_ci", "largest_group_deep",
           "largest_group_deep_ci", "distinct", "deep_scanned", "deep_cut", "saved_bytes",
           "saved_bytes_deep", "verdict", "verdict_deep")
TRUTH = ("cls", "objects", "largest", "identical", "merged", "theta", "within", "size", "deep",
         "positions", "big", "sizes", "references")
STRING = "java.lang.String"
ALIKE = {"replica", "few-values"}


# ---- the verdict ---------------------------------------------------------------------------

def rule(largest, merged, slots, held):
    """The verdict of docs/method.md, of what is true instead of the ends of bounds."""
    if largest >= 1 / 2:
        return "replica"
    if merged >= 1 / 2:
        return "few-values"
    if merged >= 1 / 4:
        return "some-equal"
    if slots >= 1 / 2:
        return "partial"
    return "distinct" if held <= 1 / 4 else "unknown"


def of_contents(truth):
    """What the rule asks of contents as such."""
    held = truth.mix.held(16) if truth.identical else 0
    return truth.largest, truth.merged, 0.5 if truth.theta is None else truth.theta, held


def of_deep(truth):
    """The same of contents with what they refer to: those of two objects of one key are equal.

    There are no values by which they could be alike in part."""
    mix, objects = truth.mix, truth.objects
    return mix.largest(objects), mix.merged(objects), -1, mix.held(16)


def verdicts(shares, margin):
    """All verdicts that are right if each share may be off by `margin`."""
    found = set()
    for signs in range(16):
        off = [margin * (1 if signs >> k & 1 else -1) for k in range(4)]
        found.add(rule(*(share + o for share, o in zip(shares, off))))
    return found


def shown(verdict, deep, by_value):
    """Which of two verdicts a report shows: see docs/method.md, "The verdict"."""
    if verdict == "replica" or deep is None or (verdict in ALIKE and deep != "replica"):
        return verdict
    if deep in ALIKE:
        return deep
    if "some-equal" in (verdict, deep):
        return "some-equal"
    if (verdict == "unknown" or by_value) and deep != "unknown":
        return deep
    return "unknown" if verdict == "distinct" and deep != "distinct" else verdict


def verdicts_shown(truth, margin):
    """All that may be shown if contents and deep contents are measured as exactly as that."""
    by_value = truth.cls == STRING
    return {shown(v, d, by_value)
            for v in verdicts(of_contents(truth), margin)
            for d in verdicts(of_deep(truth), margin)}


# ---- records -------------------------------------------------------------------------------

def place_of(context, name):
    """The place that is innermost on the allocation stack."""
    for frame in context["alloc_stack"]:
        if frame.get("file") == name + ".java" and frame.get("method", "").startswith("place"):
            return frame["method"]
    return None


def field_counts(context, truth):
    """(share of pairs that are equal in truth, pairs, equal) of each field."""
    return [(truth.fields[f["name"]], f["pairs"], f["equal"]) for f in context["fields"]
            if f["name"] in truth.fields]


def record_of(context, place, truth):
    record = {k: context[k] for k in CONTEXT}
    replica = context["replica"]
    record.update((k, replica.get(k)) for k in REPLICA)
    record.update(("true_" + k, getattr(truth, k)) for k in TRUTH)
    decided = replica["shown"]
    deep = decided["deep"] or truth.cls == STRING
    record.update(
        shown=decided["verdict"], doubt=decided["doubt"], looks=decided["snapshots"],
        commonest_low=decided["commonest_low"], sixteen_high=decided["sixteen_high"],
        true_commonest=truth.mix.largest(truth.objects) if deep else truth.largest,
        true_held=truth.mix.held(16) if deep or truth.identical else 0,
        true_verdict=sorted(verdicts_shown(truth, 0))[0],
        right=sorted(verdicts_shown(truth, 0.15)),
        true_merged_deep=truth.mix.merged(truth.objects), place=place.number, shape=type(place.shape).__name__, mix=place.mix.kind, lane=place.lane,
        uses=place.uses, phased=place.phased, fields=field_counts(context, truth),
        java=place.shape.java)
    return record


def theta_defined(record):
    """Whether theta, as reported, is an estimate of the truth that was computed.

    At two places by content, uses are compared at each by itself. Of long arrays, looks know some
    positions only, always the same ones.
    """
    return (record["true_theta"] is not None and record["uses"] != "by-content"
            and (record["source"] == "watch" or record["true_positions"] <= 32))


def identical_defined(record):
    """The same of A/n. What is beyond the whole hash is never proven to be equal."""
    return ((record["uses"] != "by-content" or record["source"] == "scan")
            and not record["true_big"])


def records(report, program, reference):
    """The records of a report, and for each class of each place the objects found and true."""
    found, totals = [], []
    by_place = {}
    for context in report["contexts"]:
        by_place.setdefault((place_of(context, program.name), context["class"]), []).append(context)
    for place in program.places:
        for truth in place.truths(reference):
            contexts = by_place.get((place.method(), truth.cls), [])
            found += [record_of(c, place, truth) for c in contexts if c["sampled"] >= SAMPLED]
            sums = {k: sum(c[k] for c in contexts) for k in CONTEXT}
            sums.update(place=place.number, shape=type(place.shape).__name__, cls=truth.cls,
                        true_objects=truth.objects * place.threads,
                        true_bytes=truth.size and truth.size * truth.objects * place.threads)
            totals.append(sums)
    return found, totals


