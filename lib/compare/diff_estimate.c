/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diff_estimate.c - the estimates that are compared: of a row, of all rows, and of findings, each
 * with its interval at the level of the whole comparison. Shares and savings are computed again at
 * that level, because an interval cannot be converted to another level.
 */
#include "compare/diff_private.h"

#include <math.h>

/* ---- samples ----------------------------------------------------------------------------- */

double diff_samples(const struct row *row)
{
	return row ? (double)row->replica.sampled : 0;
}

double diff_bytes_per_sample(const struct diff_side *side)
{
	double bytes = 0, n = 0;

	for (size_t i = 0; i < side->rows->table.n; i++) {
		bytes += rows_at(side->rows, i)->replica.bytes;
		n += diff_samples(rows_at(side->rows, i));
	}
	return n > 0 ? bytes / n : 0;
}

/* ---- estimates --------------------------------------------------------------------------- */

const struct estimate diff_unmeasured = { NAN, { NAN, NAN } };

static struct estimate share(double value, const struct replica_interval *ci)
{
	struct estimate e = { value, { fmin(value, ci->low), fmax(value, ci->high) } };

	return isnan(ci->low) || isnan(ci->high) ? diff_unmeasured : e;
}

static double saved_bytes(const struct replica *r, bool deep)
{
	return deep ? r->deep.saved_bytes : r->own.saved_bytes;
}

static double saved_high(const struct replica *r, bool deep)
{
	return deep ? r->deep.saved_bytes_high : r->own.saved_bytes_high;
}

/* What is saved, with two errors: that of the contents, and that of the bytes. */
static struct estimate saved(double value, const struct replica *strict, bool deep,
			     const struct estimate *bytes)
{
	double part = bytes->value > 0 ? value / bytes->value : 0;
	double low = fmin(value, saved_bytes(strict, deep));
	double high = fmax(value, saved_high(strict, deep));

	if (isnan(value) || isnan(saved_bytes(strict, deep)))
		return diff_unmeasured;
	low = value - hypot(value - low, part * (bytes->value - bytes->range.low));
	high = value + hypot(high - value, part * (bytes->range.high - bytes->value));
	return (struct estimate){ value, { fmax(0, low), high } };
}

/*
 * The estimates of a side that does not have the row: no objects. A sample, had there been one,
 * would have stood for as many bytes as on the other side, times `ratio`.
 */
static void estimate_none(const struct diff *d, struct diff_estimates *e, const struct row *other,
			  double ratio)
{
	double each = ratio / fmax(1, diff_samples(other));

	e->of[DIFF_OBJECTS] = estimate_amount(0, 0, other->replica.objects * each, d->z);
	e->of[DIFF_BYTES] = estimate_amount(0, 0, other->replica.bytes * each, d->z);
	e->of[DIFF_SAVED] = e->of[DIFF_BYTES];
	e->of[DIFF_IDENTICAL] = e->of[DIFF_THETA] = e->alike = diff_unmeasured;
}

/* A row's estimates at the level of the comparison. */
static void estimate(const struct diff *d, struct diff_estimates *e, const struct row *row,
		     bool deep)
{
	struct replica_options options = d->options.replica;
	struct replica strict;
	struct observations_variances v = rows_variances(row);
	const struct replica *r = &row->replica;

	options.confidence = estimate_level(options.confidence, d->comparisons);
	options.interval = row->how->interval;
	replica_compute(&strict, row->contexts, row->ncontexts, &options);
	e->of[DIFF_OBJECTS] = estimate_amount(r->objects, v.objects, 0, d->z);
	e->of[DIFF_BYTES] = estimate_amount(r->bytes, v.bytes, 0, d->z);
	e->of[DIFF_SAVED] = saved(saved_bytes(r, deep), &strict, deep, &e->of[DIFF_BYTES]);
	e->of[DIFF_IDENTICAL] = share(r->identical, &strict.identical_ci);
	e->of[DIFF_THETA] = share(r->theta, &strict.theta_ci);
	e->alike = share(r->deep.largest, &strict.deep.largest_ci);
	replica_release(&strict);
}

void diff_estimate(const struct diff *d, const struct diff_row *row, double ratio,
		   struct diff_estimates *from, struct diff_estimates *to)
{
	if (row->from)
		estimate(d, from, row->from, row->deep);
	else
		estimate_none(d, from, row->to, ratio);
	if (row->to)
		estimate(d, to, row->to, row->deep);
	else
		estimate_none(d, to, row->from, 1 / ratio);
}

/* ---- changes ---------------------------------------------------------------------------- */

static double rate(const struct diff *d, const struct diff_side *side)
{
	double duration = side->recording->duration_s;

	return d->per_second && duration > 0 ? 1 / duration : 1;
}

struct diff_change diff_change_of(const struct diff *d, bool is_share, struct estimate from,
				  struct estimate to)
{
	if (!is_share) {
		from = estimate_scale(from, rate(d, &d->from));
		to = estimate_scale(to, rate(d, &d->to));
	}
	double threshold = d->options.threshold;
	enum estimate_verdict verdict =
		estimate_judge(&from, &to, is_share ? 0 : threshold, is_share ? threshold : 0);
	return (struct diff_change){ from.value, to.value, estimate_change(&from, &to).range,
				     verdict };
}

/* ---- totals ------------------------------------------------------------------------------ */

/* Its error combines those of the rows, which are independent. */
struct estimate diff_total(const struct diff *d, enum diff_measure m, bool to)
{
	struct estimate sum = { 0, { 0, 0 } };
	double variance = 0, spread = 0;

	for (size_t i = 0; i < d->n; i++) {
		const struct row *row = to ? d->row[i].to : d->row[i].from;
		if (!row)
			continue;
		const struct replica *r = &row->replica;
		struct observations_variances v = rows_variances(row);
		double saved = saved_bytes(r, d->row[i].deep);
		variance += m == DIFF_OBJECTS ? v.objects : v.bytes;
		if (m == DIFF_SAVED && !isnan(saved)) {
			double above = saved_high(r, d->row[i].deep) - saved;
			sum.value += saved;
			spread += above * above;
		} else if (m != DIFF_SAVED) {
			sum.value += m == DIFF_OBJECTS ? r->objects : r->bytes;
		}
	}
	double error = hypot(sqrt(spread), d->z * sqrt(variance));
	sum.range.low = fmax(0, sum.value - error);
	sum.range.high = sum.value + error;
	return sum;
}

struct estimate diff_headline(const struct finding *f, double z)
{
	const struct figure *headline = finding_headline(f->kind);
	double value = f->seen ? figure_of(headline, f) : NAN;

	if (isnan(value))
		return diff_unmeasured;
	if (!figure_has_range(headline))
		return (struct estimate){ value, { value, value } };
	return (struct estimate){ value, figure_interval(headline, f, z) };
}
