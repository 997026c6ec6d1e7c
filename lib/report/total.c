/* SPDX-License-Identifier: Apache-2.0 */
/* total.c - see total.h. */
#include "report/total.h"

#include <math.h>
#include <stdlib.h>

#include "base/xmalloc.h"
#include "report/pool.h"
#include "stats/binomial.h"

#define CONFIDENCE 0.95
#define ALPHA	   ((1 - CONFIDENCE) / 2)
#define IDENTITY   8.0 /* uses without change that an object outweighs whose identity was used */
#define OPEN_MOST  1.0 /* what cannot be told, as a part of the estimate, for there to be one */
#define OWN_LEAST  0.5 /* share of the bytes whose lines speak for themselves, for an estimate */
/* From which on much of what is alive has no verdict. */
#define DUMP_BYTES (1 << 20)
#define DUMP_SHARE 0.25

static void add_verdict(struct total *t, const struct replica *r)
{
	bool deep;
	enum replica_verdict v = replica_shown(r, &deep);

	t->bytes += r->bytes;
	t->decided += replica_is_decided(v) ? r->bytes : 0;
	t->unknown += v == VERDICT_UNKNOWN;
	/* the part that is proven is in `saved` already */
	if (v == VERDICT_ALIKE && r->saved_end_bytes > 0)
		t->end += fmax(0, r->saved_end_bytes - fmax(0, replica_saved(r)));
}

/* The squared error of the upper end of a saving that comes from the sampling of allocations. */
static double sampling_error(const struct row *row, double saved)
{
	double bytes = row->replica.bytes;
	double share = bytes > 0 ? saved / bytes : 0, z = bounds_z(CONFIDENCE);

	return z * z * share * share * rows_variances(row).bytes;
}

/* Adds the errors that a row has in common with others to `sum`, and their squares to *own. */
static void add_others(double sum[CLUSTER_BLOCKS], double *own, const struct replica *r)
{
	for (int b = 0; b < CLUSTER_BLOCKS; b++) {
		if (!isfinite(r->others[b])) /* nothing is known of the row */
			continue;
		sum[b] += r->others[b];
		*own += r->others[b] * r->others[b];
	}
}

/*
 * The squared error of the lower end that rows have in common: snapshots of one time stand for
 * objects of another time. It is the covariance of different rows.
 */
static double common_error(const double sum[CLUSTER_BLOCKS], double own)
{
	double squares = 0, z = bounds_z(CONFIDENCE);

	for (int b = 0; b < CLUSTER_BLOCKS; b++)
		squares += sum[b] * sum[b];
	return z * z * fmax(0, squares - own);
}

/* ---- the lower end ------------------------------------------------------------------------- */

static void measure_low(struct total *t, const struct row *const *rows, size_t n, double *common)
{
	double likely = 0, below = 0, others[CLUSTER_BLOCKS] = { 0 }, own = 0;

	for (size_t i = 0; i < n; i++) {
		const struct replica *r = &rows[i]->replica;
		double of_row = replica_likely(r), low = replica_saved(r);
		if (!(of_row >= 0) || isnan(low))
			continue;
		low = fmin(low, of_row);
		likely += of_row;
		below += (of_row - low) * (of_row - low);
		add_others(others, &own, r);
	}
	*common = common_error(others, own);
	t->range.low = fmax(0, likely - sqrt(below + *common));
}

/* ---- the estimate, and the upper end ------------------------------------------------------- */

static double at_least_0(double x)
{
	return x > 0 ? x : 0;
}

/* What a line is estimated from. */
struct line {
	double bytes;
	struct pool_line like; /* its class and kind */
	const struct replica_decision *decision;
	bool told;	  /* whether the share that stays the same can be estimated */
	double same_high; /* that share, at most */
	double error;	  /* squared, of the bytes */
	/* estimates: of equal content at the end; of what stays the same; lent by others */
	double covered, same, lent;
};

/* Whether equal deep contents are what can be merged. */
static bool by_deep(const struct replica *r)
{
	if (replica_saved(r) > 0)
		return replica_saved_deep(r);
	return r->refers && r->deep.decision.common > r->own.decision.common;
}

static unsigned kind_of(const struct replica *r)
{
	return r->constant_class | r->refers << 1 | r->by_value << 2;
}

/* Sets what is known of the share that stays the same; `same` goes into the pool. */
static void set_same(struct line *l, struct pool_line *same, const struct replica *r, bool deep)
{
	double alike = (double)r->used_alike;

	l->told = !deep || r->constant_referred || !r->refers;
	l->same = l->told && r->constant_class && !r->identity_used;
	l->same_high = 1;
	if (r->identity_used) {
		same->share = 0;
		same->number = IDENTITY;
	} else if (!r->constant_class && alike > 0) {
		same->share = (double)r->used_same / alike;
		same->number = alike;
		l->same_high = binomial_high((double)r->used_same, alike, ALPHA);
	}
}

static void set_line(struct line *l, struct pool_line *covered, struct pool_line *same,
		     const struct row *row)
{
	const struct replica *r = &row->replica;
	const struct model_class *class = row->ncontexts ? row->contexts[0]->class : NULL;
	bool deep = by_deep(r);
	const struct replica_decision *d = deep ? &r->deep.decision : &r->own.decision;
	bool seen = d->common >= 0 && d->snapshots > 1;

	*covered = (struct pool_line){ .class = class ? class->name : NULL, .kind = kind_of(r) };
	*same = *covered;
	*l = (struct line){ .bytes = r->bytes, .like = *covered, .decision = d };
	if (seen) {
		covered->share = d->common;
		covered->number = d->snapshots - 1;
	}
	set_same(l, same, r, deep);
	l->error = sampling_error(row, fmin(1, seen ? d->common : 1) * r->bytes);
}

/* Estimates the shares of all lines, each by its own evidence and that of others. */
static double estimate_lines(struct line *lines, struct pool_line *covered, struct pool_line *same,
			     size_t n)
{
	size_t pooled = 0;

	for (size_t i = 0; i < n; i++) {
		covered[i].line = i;
		if (lines[i].same > 0 || !lines[i].told)
			continue;
		same[pooled] = same[i];
		same[pooled++].line = i;
	}
	double error = pool_estimate(covered, n);
	pool_estimate(same, pooled);
	for (size_t i = 0; i < n; i++) {
		lines[covered[i].line].covered = fmin(1, covered[i].estimate);
		lines[covered[i].line].lent = covered[i].lent;
	}
	for (size_t i = 0; i < pooled; i++)
		lines[same[i].line].same = same[i].estimate;
	return error;
}

static void add_lines(struct total *t, struct total_line *of, const struct line *lines, size_t n,
		      double pool_error, double common)
{
	double most = 0, above = 0, shared = 0, own = 0, saved = 0, open = 0;

	for (size_t i = 0; i < n; i++) {
		const struct line *l = &lines[i];
		double end = l->bytes * l->same_high, of_line = l->bytes * l->covered * l->same;
		/* what no number of snapshots tells is no error of chance */
		double middle = end * fmax(l->covered, at_least_0(l->decision->common_most));
		double high = l->decision->common_high;
		high = fmax(middle, end * (high >= 0 ? high : 1));
		saved += of_line;
		open += middle - of_line;
		/* how a line that has nothing of its own differs from others is not known */
		middle = l->lent < 1 ? middle : high;
		if (of)
			of[i] = (struct total_line){ of_line, middle, 1 - l->lent, l->like };
		most += middle;
		above += (high - middle) * (high - middle) + l->error;
		shared += end * l->lent;
		own += l->bytes * (1 - l->lent);
	}
	most += sqrt(above + common) + bounds_z(CONFIDENCE) * at_least_0(pool_error) * shared;
	t->range.high = fmin(t->bytes > 0 ? t->bytes : INFINITY, most);
	t->saved = fmin(fmax(saved, t->range.low), t->range.high);
	if (!(own >= OWN_LEAST * t->bytes) || open > OPEN_MOST * t->saved)
		t->saved = NAN;
}

void total_measure_lines(struct total *t, const struct row *const *rows, size_t n,
			 struct total_line *of)
{
	struct line *lines = xcalloc(n + 1, sizeof *lines);
	struct pool_line *covered = xcalloc(n + 1, sizeof *covered);
	struct pool_line *same = xcalloc(n + 1, sizeof *same);
	double common;

	*t = (struct total){ .bytes = 0 };
	for (size_t i = 0; i < n; i++) {
		add_verdict(t, &rows[i]->replica);
		set_line(&lines[i], &covered[i], &same[i], rows[i]);
	}
	measure_low(t, rows, n, &common);
	double error = estimate_lines(lines, covered, same, n);
	add_lines(t, of, lines, n, error, common);
	free(lines);
	free(covered);
	free(same);
}

void total_measure(struct total *t, const struct rows *rows)
{
	const struct row **list = xmallocarray(rows->table.n + 1, sizeof(struct row *));

	for (size_t i = 0; i < rows->table.n; i++)
		list[i] = rows_at(rows, i);
	total_measure_lines(t, list, rows->table.n, NULL);
	free(list);
}

void total_alive(struct total_alive *a, const struct rows *rows)
{
	bool deep, known = false;

	*a = (struct total_alive){ .bytes = 0 };
	for (size_t i = 0; i < rows->table.n; i++) {
		const struct replica *r = &rows_at(rows, i)->replica;
		if (isnan(r->live_bytes))
			continue;
		known = true;
		a->bytes += r->live_bytes;
		a->undecided += replica_is_decided(replica_shown(r, &deep)) ? 0 : r->live_bytes;
	}
	if (!known)
		*a = (struct total_alive){ NAN, NAN };
}

bool total_wants_dump(const struct total_alive *a)
{
	return a->undecided >= DUMP_BYTES && a->undecided >= DUMP_SHARE * a->bytes;
}
