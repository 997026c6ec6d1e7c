/* SPDX-License-Identifier: Apache-2.0 */
/* total.c - see total.h. */
#include "report/total.h"

#include <math.h>

#define CONFIDENCE 0.95
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

void total_measure(struct total *t, const struct rows *rows)
{
	double below = 0, above = 0, most = 0, others[CLUSTER_BLOCKS] = { 0 }, own = 0;

	*t = (struct total){ .bytes = 0 };
	for (size_t i = 0; i < rows->table.n; i++) {
		const struct replica *r = &rows_at(rows, i)->replica;
		double likely = replica_likely(r), low = replica_saved(r);
		add_verdict(t, r);
		if (!(likely >= 0) || isnan(low))
			continue;
		/*
		 * whether objects change is not a matter of chance, so errors of different rows do
		 * not cancel
		 */
		double at_end = fmax(likely, replica_likely_end(r));
		double high = fmax(at_end, replica_saved_high(r));
		low = fmin(low, likely);
		t->saved += likely;
		add_others(others, &own, r);
		below += (likely - low) * (likely - low);
		most += at_end;
		above += (high - at_end) * (high - at_end) +
			 sampling_error(rows_at(rows, i), at_end);
	}
	double common = common_error(others, own);
	t->range.low = fmax(0, t->saved - sqrt(below + common));
	t->range.high = fmin(t->bytes > 0 ? t->bytes : INFINITY, most + sqrt(above + common));
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
