# SPDX-License-Identifier: Apache-2.0
"""What many records say about the accuracy of ojx: errors, coverage of intervals, verdicts."""

import math

from planted import effective_pairs, wilson
from score import identical_defined, theta_defined

PAIRS, LOOKS = 100, 1000  # evidence from which on the goals of accuracy hold
RANGE = (0.05, 0.95)  # of truths by which the coverage of intervals is judged
Z = 6  # standard deviations that sampling error may make up in a check of a single figure


def wide(p, interval):
    """The interval that Z standard deviations make of a 95 % one around p."""
    low, high = wilson(p, effective_pairs(p, interval), Z)
    return min(low, interval[0]), max(high, interval[1])


# ---- errors and coverage -------------------------------------------------------------------

class Quantity:
    """A figure of the report that has a truth."""

    def __init__(self, name, member, truth, wanted, enough):
        self.name, self.member, self.truth = name, member, truth
        self.wanted, self.enough = wanted, enough

    def of(self, records):
        return [r for r in records if self.wanted(r) and r[self.member] is not None]

    def missing(self, records):
        return [r for r in records if self.wanted(r) and r[self.member] is None]


def deep_defined(record):
    """What is larger than was followed is equal as far as looked, and its interval says [0, 1]."""
    return record["true_deep"] is not None and (record["deep_cut"] or 0) < 0.01


def by_content(record):
    """Who is used at one of two places, depending on what it holds: a limit in docs/method.md."""
    return record["uses"] == "by-content" and record["source"] == "watch" and not record["true_big"]


QUANTITIES = [
    Quantity("largest group", "largest_group", "true_largest",
             lambda r: not r["true_big"] and not r["true_references"],
             lambda r: r["scanned"] >= LOOKS),
    # References are compared within an epoch, of which each has few objects.
    Quantity("largest group, references", "largest_group", "true_largest",
             lambda r: r["true_references"], lambda r: r["scanned"] >= LOOKS),
    Quantity("identical (A/n)", "identical", "true_identical", identical_defined,
             lambda r: r["pairs"] >= PAIRS),
    Quantity("theta", "theta", "true_theta", theta_defined, lambda r: r["pairs"] >= PAIRS),
    Quantity("A/n, uses by content", "identical", "true_identical", by_content,
             lambda r: r["pairs"] >= PAIRS),
    Quantity("deep largest group", "largest_group_deep", "true_deep", deep_defined,
             lambda r: r["deep_scanned"] >= LOOKS),
]


def covered(record, quantity):
    interval, truth = record[quantity.member + "_ci"], record[quantity.truth]
    return interval[0] - 1e-9 <= truth <= interval[1] + 1e-9


def coverage(records, quantity):
    """(intervals that hold the truth, intervals) over truths within RANGE."""
    judged = [r for r in quantity.of(records)
              if RANGE[0] <= r[quantity.truth] <= RANGE[1] and r[quantity.member + "_ci"]]
    return sum(covered(r, quantity) for r in judged), len(judged)


def percent(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "-"


def error_row(records, quantity):
    """One line of the table of errors."""
    enough = [r for r in quantity.of(records) if quantity.enough(r)]
    errors = sorted(abs(r[quantity.member] - r[quantity.truth]) for r in enough)
    held, judged = coverage(records, quantity)
    missing = len(quantity.missing(records))
    return [quantity.name, str(len(errors)),
            f"{sum(errors) / len(errors):.4f}" if errors else "not measured",
            f"{errors[len(errors) * 99 // 100]:.4f}" if errors else "-",
            f"{errors[-1]:.4f}" if errors else "-", percent(held, judged), str(judged),
            str(missing)]


def breakdown_rows(records, quantity, member):
    """Coverage by the values of a member, where it is to be explained."""
    rows = []
    for value in sorted({str(r[member]) for r in quantity.of(records)}):
        held, judged = coverage([r for r in records if str(r[member]) == value], quantity)
        if judged:
            rows.append([f"{quantity.name}, {member} {value}", percent(held, judged), str(judged)])
    return rows


def collector_rows(records, quantity):
    """Errors by collector, and how many looks of equal weight a thousand are worth."""
    rows = []
    for gc in sorted({r["gc"] for r in records}):
        chosen = [r for r in quantity.of(records) if r["gc"] == gc and quantity.enough(r)]
        worth = sorted(effective_pairs(r[quantity.member], r[quantity.member + "_ci"])
                       / r["scanned"] for r in chosen
                       if RANGE[0] <= r[quantity.member] <= RANGE[1])
        row = error_row([r for r in records if r["gc"] == gc], quantity)
        rows.append([gc, *row[1:6], f"{1000 * worth[len(worth) // 2]:.0f}" if worth else "-"])
    return rows


def looks_rows(records, quantity):
    """Errors by what the looks are worth, and in units of the standard error of a share of so many.

    Without phases, which looks that are few may miss.
    """
    rows = []
    for least, most in ((300, 1000), (1000, 2000), (2000, 4000), (4000, math.inf)):
        errors = []
        for r in quantity.of(records):
            if not r["phased"] and r[quantity.member + "_ci"] and RANGE[0] <= r[quantity.truth] <= RANGE[1]:
                worth = effective_pairs(r[quantity.member], r[quantity.member + "_ci"])
                if least <= worth < most:
                    truth = r[quantity.truth]
                    error = abs(r[quantity.member] - truth)
                    errors.append((error, error / math.sqrt(truth * (1 - truth) / worth)))
        if errors:
            z = sorted(z for _, z in errors)
            rows.append([f"{least} or more", str(len(errors)),
                         f"{sum(e for e, _ in errors) / len(errors):.4f}",
                         f"{max(e for e, _ in errors):.4f}",
                         f"{math.sqrt(sum(x * x for x in z) / len(z)):.2f}",
                         percent(sum(x <= 1.96 for x in z), len(z)), f"{z[-1]:.1f}"])
    return rows


# ---- bounds that must hold -----------------------------------------------------------------

def saved_excess(record, deep=""):
    """By how much what is said to be saved, of the bytes, is more than merging saves."""
    saved = record["saved_bytes" + deep]
    if saved is None or not record["bytes"] or record["true_big"]:
        return None
    return saved / record["bytes"] - record["true_merged" + deep]


def bounds_excess(record):
    """By how much omega <= X_N/X <= gamma fails beyond sampling error: 0 where it holds."""
    if record["omega"] is None or record["identical_ci"] is None or not identical_defined(record):
        return None
    p, objects, largest = record["identical"], record["objects"], record["true_largest"]
    low, high = wide(p, record["identical_ci"])
    gamma = math.sqrt(min(max(high, 0), 1)) + 1 / max(objects, 2)
    return max(0, largest - gamma, record["omega"] - (p - max(low, 0)) - largest)


def counted_error(total):
    """(estimate / truth - 1, the same in standard deviations of that many samples)"""
    error = total["objects"] / total["true_objects"] - 1
    return error, error * math.sqrt(total["sampled"])


def decided_excess(record):
    """By how much the bounds of what few looks tell are beyond the truth: 0 where both hold."""
    if record["commonest_low"] is None or record["true_big"] or record["true_sizes"] != 1:
        return None
    low = record["commonest_low"] - record["true_commonest"]
    return max(0, low, record["true_held"] - record["sixteen_high"])


# ---- verdicts ------------------------------------------------------------------------------

def judged(records):
    """With enough pairs, shallow or deep, and contents that are hashed as a whole."""
    return [r for r in records if not r["true_big"]
            and (r["pairs"] >= PAIRS
                 or (r["true_references"] and (r["deep_scanned"] or 0) >= 2 * PAIRS))]


def is_clear(record, positive):
    """Whether the truth lies 0.15 or more from where the verdict enters or leaves `positive`."""
    right = {v in positive for v in record["right"]}
    return len(right) == 1


def table3(records, positive):
    """(true positives, false negatives, false positives, true negatives), the lists of the wrong"""
    cells, wrong = [0, 0, 0, 0], ([], [])
    for r in records:
        actual, said = r["true_verdict"] in positive, r["shown"] in positive
        cells[(0 if said else 1) if actual else (2 if said else 3)] += 1
        if actual != said:
            wrong[said].append(r)
    return cells, wrong


def describe(r):
    return (f"seed {r['seed']} {r['jdk']} {r['gc']} place{r['place']} {r['true_cls']} "
            f"({r['mix']}, lane {r['lane']}, {r['uses']}{', phases' if r['phased'] else ''}): "
            f"{r['shown']} ({r['verdict']}, deep {r['verdict_deep']}), right "
            f"{'/'.join(r['right'])}, {r['source']} {r['pairs']} pairs, {r['deep_scanned']} deep, "
            f"A/n {'-' if r['identical'] is None else round(r['identical'], 3)} truth {r['true_identical']:.3f}, largest "
            f"{r['largest_group'] if r['largest_group'] is None else round(r['largest_group'], 3)} "
            f"truth {r['true_largest']:.3f}, merged {r['true_merged']:.3f}")


def markdown(head, rows):
    return "\n".join("| " + " | ".join(row) + " |" for row in
                     [head, ["---"] * len(head), *rows])


# ---- the report ----------------------------------------------------------------------------

def verdict_section(records):
    text = []
    for name, positive in (("`replica`", {"replica"}),
                           ("`replica` or `few-values`", {"replica", "few-values"})):
        for which, chosen in (("all", judged(records)),
                              ("clear", [r for r in judged(records) if is_clear(r, positive)])):
            (tp, fn, fp, tn), (missed, false) = table3(chosen, positive)
            total = max(tp + fn + fp + tn, 1)
            text += [f"\n{name}, {which} contexts:\n", markdown(
                ["actual", "said so", "not said so"],
                [["replicated", str(tp), str(fn)], ["not replicated", str(fp), str(tn)]]),
                f"\nCorrectness {100 * (tp + tn) / total:.1f} %, false positives "
                f"{percent(fp, fp + tn)}, false negatives {percent(fn, tp + fn)}."]
            if which == "clear":
                text += ["- false: " + describe(r) for r in false]
                text += ["- missed: " + describe(r) for r in missed]
    return text


def bound_section(records, totals):
    saved = [e for e in map(saved_excess, records) if e is not None]
    deep = [e for e in (saved_excess(r, "_deep") for r in records) if e is not None]
    bounds = [e for e in map(bounds_excess, records) if e is not None]
    few = [e for e in map(decided_excess, records) if e is not None]
    counted = [counted_error(t) for t in totals if t["sampled"] >= PAIRS]
    sized = [(t["bytes"] / t["objects"]) / (t["true_bytes"] / t["true_objects"]) - 1
             for t in totals if t["sampled"] >= PAIRS and t["true_bytes"]]
    rows = [["saved_bytes <= truth", str(len(saved)),
             percent(sum(e <= 1e-6 for e in saved), len(saved)),
             f"{max(saved, default=0):.4f} of the bytes"],
            ["saved_bytes_deep <= truth", str(len(deep)),
             percent(sum(e <= 1e-6 for e in deep), len(deep)),
             f"{max(deep, default=0):.4f} of the bytes"],
            ["commonest content, what 16 hold", str(len(few)),
             percent(sum(e <= 1e-6 for e in few), len(few)), f"{max(few, default=0):.4f}"],
            ["omega <= X_N/X <= gamma", str(len(bounds)),
             percent(sum(e <= 0.002 for e in bounds), len(bounds)), f"{max(bounds, default=0):.4f}"],
            ["objects within 1.96 / sqrt(samples)", str(len(counted)),
             percent(sum(abs(z) <= 1.96 for _, z in counted), len(counted)),
             f"{max((abs(e) for e, _ in counted), default=0):.4f}"],
            ["bytes of an object within 5 %", str(len(sized)),
             percent(sum(abs(e) <= 0.05 for e in sized), len(sized)),
             f"{max(map(abs, sized), default=0):.4f}"]]
    return markdown(["what must hold", "contexts", "holds", "worst"], rows)


def field_section(records):
    """Fields: the constant ones must never differ; of the others, the counts against the truth."""
    fields = [(r, *f) for r in records for f in r["fields"]
              if f[1] >= 30 and not r["phased"] and r["uses"] != "by-content"]
    constant = [f for f in fields if f[1] == 1]
    others = [f for f in fields if RANGE[0] <= f[1] <= RANGE[1]]
    held = 0
    for _, share, pairs, equal in others:
        low, high = wilson(equal / pairs, pairs, 1.96)
        held += low <= share <= high
    named = [f for f in fields if f[1] < 0.9]
    rows = [["constant fields: all pairs equal", str(len(constant)),
             percent(sum(f[2] == f[3] for f in constant), len(constant))],
            ["fields that differ: a pair that shows it", str(len(named)),
             percent(sum(f[3] < f[2] for f in named), len(named))],
            ["share of equal pairs: truth within its 95 % interval", str(len(others)),
             percent(held, len(others))]]
    return markdown(["fields of 30 pairs or more", "fields", ""], rows)


def miss_rows(records, quantity):
    """The worst misses: intervals that are widened to Z standard deviations and still do not hold."""
    missed = []
    for r in quantity.of(records):
        low, high = wide(r[quantity.member], r[quantity.member + "_ci"])
        if not low - 1e-3 <= r[quantity.truth] <= high + 1e-3:
            missed.append(f"- {quantity.name} {r[quantity.member]:.4f}, truth "
                          f"{r[quantity.truth]:.4f}: {describe(r)}")
    return missed


def report(records, totals):
    """The whole text."""
    text = [markdown(["quantity", "contexts", "mean error", "99 % below",
                      "worst error", "coverage of 95 %",
                      "judged", "not measured"], [error_row(records, q) for q in QUANTITIES]), ""]
    text += [markdown(["largest group by collector", "contexts", "mean error", "99 % below",
                       "worst error", "coverage of 95 %", "worth of 1000 looks"],
                      collector_rows(records, QUANTITIES[0])), ""]
    text += [markdown(["largest group, no phases, by what looks are worth", "contexts", "mean error", "worst",
                       "error / standard error, rms", "within 1.96", "worst"],
                      looks_rows(records, QUANTITIES[0])), ""]
    for quantity in QUANTITIES[:4] + QUANTITIES[5:]:
        rows = [row for member in ("source", "gc", "shape", "uses", "phased", "true_sizes")
                for row in breakdown_rows(records, quantity, member)]
        text += [markdown(["coverage by", "", "contexts"], rows), ""]
    text += [bound_section(records, totals), "", field_section(records),
             f"\nMisses beyond {Z} standard deviations:\n"]
    for quantity in QUANTITIES[:4]:
        text += miss_rows(records, quantity) or [f"- {quantity.name}: none"]
    return "\n".join(text + verdict_section(records))
