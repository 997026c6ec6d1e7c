/* SPDX-License-Identifier: Apache-2.0 */
/*
 * regime_judge.c - see regime.h: makes the report of a simulated recording with the tool's own code
 * and compares it with the truth. What makes a verdict right is its rule in docs/method.md, applied
 * to all objects.
 */
#include <stdio.h>
#include <stdlib.h>

#include "analyse/analyses.h"
#include "fix/fix_total.h"
#include "regime.h"
#include "report/rows.h"
#include "report/total.h"

#define HALF	 0.5
#define QUARTER	 0.25
#define ROUNDING 1e-9

static bool mergeable(const struct regime_truth *t, double share)
{
	return !t->identity &&
	       (t->end_covered * t->end_same >= share || t->use_covered * t->use_same >= share);
}

static bool replica(const struct regime_truth *t)
{
	return (t->end_top >= HALF && t->end_same >= HALF) ||
	       (t->use_top >= HALF && t->use_same >= HALF);
}

static bool is_wrong(enum replica_verdict v, const struct regime_truth *t)
{
	switch (v) {
	case VERDICT_REPLICA:
		return t->identity || !replica(t);
	case VERDICT_FEW_VALUES:
		return !mergeable(t, HALF);
	case VERDICT_SOME_EQUAL:
		return !mergeable(t, QUARTER);
	case VERDICT_CHANGING:
		return t->stays > QUARTER;
	case VERDICT_ALIKE:
		return t->end_covered < HALF;
	case VERDICT_PARTIAL:
		return t->slots < HALF;
	case VERDICT_DISTINCT:
		return t->held > QUARTER;
	default:
		return false;
	}
}

/* The line of the program; its frame has that number. */
static size_t line_of(const struct row *row)
{
	const struct model_frame *f = row_line(row);

	if (!f || f->line < 1 || f->line > REGIME_LINES) {
		fputs("regime: a row of no line\n", stderr);
		abort();
	}
	return (size_t)f->line - 1;
}

static struct regime_said said_of(const struct row *row, const struct regime_program *p)
{
	const struct replica *r = &row->replica;
	size_t line = line_of(row);
	struct regime_truth t = regime_truth_of(p, &p->line[line]);
	bool deep;
	enum replica_verdict v = replica_shown(r, &deep);

	return (struct regime_said){
		.line = line,
		.snapshots = r->own.scanned,
		.verdict = v,
		.wrong = is_wrong(v, &t),
		.exceeded = replica_saved(r) > t.saved + ROUNDING,
		.held = (deep ? r->deep.decision : r->own.decision).held_high <
			t.end_held - ROUNDING,
	};
}

/* What findings avoid there is merging alone: its truth is theirs. */
static void judge_findings(struct regime_report *r, struct rows *rows, const struct model *m)
{
	struct fixes fixes;

	fixes_find(&fixes, rows, m, rows->how->confidence);
	const struct fix_total all = fixes_total(&fixes);
	r->all_low = all.range.low;
	r->all_high = all.range.high;
	r->found = fixes_sum(&fixes).expected;
	r->bytes = fixes.bytes;
	fixes_release(&fixes);
}

void regime_report(struct regime_report *r, const struct regime_program *p, struct rng *rng)
{
	const struct rows_options options = { .grouping = ROWS_BY_LINE,
					      .replica = REPLICA_OPTIONS_INIT };
	struct model *m = model_new(analyses);
	struct rows rows;
	struct total total;

	*r = (struct regime_report){ .n = 0 };
	if (!m)
		abort();
	regime_record(m, p, rng);
	rows_make(&rows, m, &options);
	for (size_t i = 0; i < rows.table.n; i++)
		r->said[r->n++] = said_of(rows_at(&rows, i), p);
	for (size_t i = 0; i < REGIME_LINES; i++)
		r->saved += regime_truth_of(p, &p->line[i]).saved;
	total_measure(&total, &rows);
	r->low = total.range.low;
	r->high = total.range.high;
	r->likely = total.saved;
	r->exceeded = r->low > r->saved + ROUNDING;
	judge_findings(r, &rows, m);
	rows_release(&rows);
	model_free(m);
}
