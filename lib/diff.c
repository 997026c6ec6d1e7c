/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diff.c - see diff.h. Rows are matched first, then counted: the level of each interval depends on how many
 * comparisons there are. Shares and savings are computed again at that level, as no interval can be stretched
 * to another level without knowing what it came from.
 */
#include "diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fewer samples on both sides together cannot tell one from the other at any useful level. */
#define LEAST_SAMPLES 20

static const char *const measure_names[] = { "saved", "bytes", "objects", "identical", "theta" };

const struct column *diff_column(enum diff_measure m)
{
	return column_find(measure_names[m]);
}

bool diff_is_share(enum diff_measure m)
{
	return m == DIFF_IDENTICAL || m == DIFF_THETA;
}

const char *diff_state_name(enum diff_state s)
{
	static const char *const names[] = { "same", "few", "worse", "better", "new", "gone" };

	return names[s];
}

const struct row *diff_shown(const struct diff_row *row)
{
	return row->to ? row->to : row->from;
}

/* ---- samples ----------------------------------------------------------------------------- */

/* Of sums of weights: objects, or bytes. */
struct variances {
	double objects, bytes;
};

/* Each sample counts itself without error, and 1/p - 1 others with the variance of its being drawn. */
static struct variances row_variances(const struct row *row)
{
	struct variances v = { 0, 0 };

	for (size_t i = 0; row && i < row->ncontexts; i++) {
		const struct model_context *c = row->contexts[i];
		for (size_t k = 0; k < c->nstrata; k++) {
			const struct model_stratum *s = &c->strata[k];
			double variance = fmax(0, s->squares - s->objects), size = (double)s->size;
			v.objects += variance;
			v.bytes += variance * size * size;
		}
	}
	return v;
}

static double samples(const struct row *row)
{
	return row ? (double)row->replica.sampled : 0;
}

/* Bytes that a sample of a side stands for, on average. */
static double bytes_per_sample(const struct diff_side *side)
{
	double bytes = 0, n = 0;

	for (size_t i = 0; i < side->rows->n; i++) {
		bytes += side->rows->row[i].replica.bytes;
		n += samples(&side->rows->row[i]);
	}
	return n > 0 ? bytes / n : 0;
}

/* ---- estimates --------------------------------------------------------------------------- */

struct estimates {
	struct noise_estimate of[DIFF_MEASURES];
	struct noise_estimate alike; /* largest group of objects equal with what they refer to */
};

static const struct noise_estimate unmeasured = { NAN, { NAN, NAN } };

static struct noise_estimate share(double value, const struct replica_interval *ci)
{
	struct noise_estimate e = { value, { fmin(value, ci->low), fmax(value, ci->high) } };

	return isnan(ci->low) || isnan(ci->high) ? unmeasured : e;
}

static double saved_bytes(const struct replica *r, bool deep)
{
	return deep ? r->saved_deep_bytes : r->saved_bytes;
}

static double saved_high(const struct replica *r, bool deep)
{
	return deep ? r->saved_deep_bytes_high : r->saved_bytes_high;
}

/* What is saved: the error of what the contents tell, and that of the bytes. */
static struct noise_estimate saved(double value, const struct replica *strict, bool deep,
				   const struct noise_estimate *bytes)
{
	double part = bytes->value > 0 ? value / bytes->value : 0;
	double low = fmin(value, saved_bytes(strict, deep));
	double high = fmax(value, saved_high(strict, deep));

	if (isnan(value) || isnan(saved_bytes(strict, deep)))
		return unmeasured;
	low = value - hypot(value - low, part * (bytes->value - bytes->range.low));
	high = value + hypot(high - value, part * (bytes->range.high - bytes->value));
	return (struct noise_estimate){ value, { fmax(0, low), high } };
}

/*
 * A side that has no such row has no objects of it. One sample would have stood for as many as on the other side,
 * times `ratio`.
 */
static void estimate_none(const struct diff *d, struct estimates *e, const struct row *other,
			  double ratio)
{
	double each = ratio / fmax(1, samples(other));

	e->of[DIFF_OBJECTS] = noise_amount(0, 0, other->replica.objects * each, d->z);
	e->of[DIFF_BYTES] = noise_amount(0, 0, other->replica.bytes * each, d->z);
	e->of[DIFF_SAVED] = e->of[DIFF_BYTES];
	e->of[DIFF_IDENTICAL] = e->of[DIFF_THETA] = e->alike = unmeasured;
}

/* A row's estimates at the level of the comparison. */
static int estimate(const struct diff *d, struct estimates *e, const struct row *row, bool deep)
{
	struct replica_options options = d->options.replica;
	struct replica strict;
	struct variances v = row_variances(row);
	const struct replica *r = &row->replica;

	options.confidence = noise_level(options.confidence, d->comparisons);
	if (replica_compute(&strict, row->contexts, row->ncontexts, &options) < 0)
		return -1;
	e->of[DIFF_OBJECTS] = noise_amount(r->objects, v.objects, 0, d->z);
	e->of[DIFF_BYTES] = noise_amount(r->bytes, v.bytes, 0, d->z);
	e->of[DIFF_SAVED] = saved(saved_bytes(r, deep), &strict, deep, &e->of[DIFF_BYTES]);
	e->of[DIFF_IDENTICAL] = share(r->identical, &strict.identical_ci);
	e->of[DIFF_THETA] = share(r->theta, &strict.theta_ci);
	e->alike = share(r->largest_deep, &strict.largest_deep_ci);
	replica_release(&strict);
	return 0;
}

/* Both sides' estimates; one of them has the row at least. */
static int estimate_both(const struct diff *d, const struct diff_row *row, double ratio,
			 struct estimates *from, struct estimates *to)
{
	const struct row *old = row->from, *new = row->to;

	if ((old && estimate(d, from, old, row->deep) < 0) ||
	    (new &&estimate(d, to, new, row->deep) < 0))
		return -1;
	if (!old && new)
		estimate_none(d, from, new, ratio);
	else if (old && !new)
		estimate_none(d, to, old, 1 / ratio);
	return 0;
}

/* ---- judging ----------------------------------------------------------------------------- */

static double rate(const struct diff *d, const struct diff_side *side)
{
	double duration = side->recording->duration_s;

	return d->options.per_second && duration > 0 ? 1 / duration : 1;
}

static struct diff_change change_of(const struct diff *d, enum diff_measure m,
				    struct noise_estimate from, struct noise_estimate to)
{
	bool is_share = diff_is_share(m);

	if (!is_share) {
		from = noise_scale(from, rate(d, &d->from));
		to = noise_scale(to, rate(d, &d->to));
	}
	double threshold = d->options.threshold;
	enum noise_verdict verdict =
		noise_judge(&from, &to, is_share ? 0 : threshold, is_share ? threshold : 0);
	return (struct diff_change){ from.value, to.value, noise_change(&from, &to).range,
				     verdict };
}

static bool can_tell(const struct diff_row *row)
{
	return samples(row->from) + samples(row->to) >= LEAST_SAMPLES;
}

static bool is_certain(enum noise_verdict v)
{
	return v == NOISE_UP || v == NOISE_DOWN;
}

static enum diff_state state_of(const struct diff_row *row)
{
	if (!can_tell(row))
		return DIFF_FEW;
	for (int m = 0; m < DIFF_MEASURES; m++) {
		enum noise_verdict v = row->change[m].verdict;
		if (!is_certain(v))
			continue;
		if (!row->from)
			return DIFF_NEW;
		if (!row->to)
			return DIFF_GONE;
		return v == NOISE_UP ? DIFF_WORSE : DIFF_BETTER;
	}
	return row->from && row->to ? DIFF_SAME : DIFF_FEW;
}

/* Whether a report calls it a replica; *deep: with what its objects refer to. */
static bool is_replica(const struct row *row, bool *deep)
{
	return replica_shown(&row->replica, deep) == VERDICT_REPLICA;
}

static bool is_new_replica(const struct diff_row *row, const struct estimates *from,
			   const struct estimates *to)
{
	bool deep, old_deep;

	if (!row->to || !is_replica(row->to, &deep))
		return false;
	if (!row->from)
		return row->state == DIFF_NEW;
	if (is_replica(row->from, &old_deep))
		return false;
	return deep ? noise_judge(&from->alike, &to->alike, 0, 0) == NOISE_UP
		    : row->change[DIFF_IDENTICAL].verdict == NOISE_UP;
}

/* Both sides are told of in the same way: deep ones where these say more, if both sides know them. */
static bool is_deep(const struct diff_row *row)
{
	const struct replica *from = row->from ? &row->from->replica : NULL;
	const struct replica *to = row->to ? &row->to->replica : NULL;

	if ((from && isnan(from->saved_deep_bytes)) || (to && isnan(to->saved_deep_bytes)))
		return false;
	return (from && replica_saved_deep(from)) || (to && replica_saved_deep(to));
}

static int judge(const struct diff *d, struct diff_row *row, double ratio)
{
	struct estimates from = { .alike = unmeasured }, to = from;

	row->deep = is_deep(row);
	row->sources_differ =
		row->from && row->to && row->from->replica.source != row->to->replica.source;
	if (estimate_both(d, row, ratio, &from, &to) < 0)
		return -1;
	for (int m = 0; m < DIFF_MEASURES; m++) {
		row->change[m] = change_of(d, m, from.of[m], to.of[m]);
		if (!can_tell(row) || (row->sources_differ && diff_is_share(m)))
			row->change[m].verdict = NOISE_UNKNOWN;
	}
	row->state = state_of(row);
	row->new_replica = is_new_replica(row, &from, &to);
	return 0;
}

/* ---- totals ------------------------------------------------------------------------------ */

/* The sum of one side, its error put together from those of the rows, which are independent. */
static struct noise_estimate total_of(const struct diff *d, enum diff_measure m, bool to)
{
	struct noise_estimate sum = { 0, { 0, 0 } };
	double variance = 0, spread = 0;

	for (size_t i = 0; i < d->n; i++) {
		const struct row *row = to ? d->row[i].to : d->row[i].from;
		if (!row)
			continue;
		const struct replica *r = &row->replica;
		struct variances v = row_variances(row);
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

static bool is_measured(const struct diff_side *side, int kind)
{
	return side->waste && side->waste[kind].bytes;
}

static struct noise_estimate waste_of(const struct diff_side *side, int kind, double z)
{
	if (!is_measured(side, kind))
		return unmeasured;
	return (struct noise_estimate){ side->waste[kind].fraction,
					waste_range(&side->waste[kind], z) };
}

static void judge_totals(struct diff *d)
{
	double threshold = d->options.threshold;

	for (int m = 0; m < DIFF_MEASURES; m++) {
		if (diff_is_share(m))
			d->total[m] = change_of(d, m, unmeasured, unmeasured);
		else
			d->total[m] = change_of(d, m, total_of(d, m, false), total_of(d, m, true));
	}
	for (int k = 0; k < WASTE_KINDS; k++) {
		struct noise_estimate from = waste_of(&d->from, k, d->z);
		struct noise_estimate to = waste_of(&d->to, k, d->z);
		d->waste[k] =
			(struct diff_change){ from.value, to.value, noise_change(&from, &to).range,
					      noise_judge(&from, &to, 0, threshold) };
	}
}

/* ---- rows -------------------------------------------------------------------------------- */

/* Every matched pair, then what is new. */
static int list_rows(struct diff *d)
{
	size_t nfrom = d->from.rows->n, nto = d->to.rows->n;
	struct match *matches = calloc(nfrom + 1, sizeof *matches);
	bool *known = calloc(nto + 1, sizeof *known);
	int result = -1;

	d->row = calloc(nfrom + nto + 1, sizeof *d->row);
	if (matches && known && d->row && match_rows(matches, d->from.rows, d->to.rows) == 0) {
		for (size_t i = 0; i < nfrom; i++) {
			struct diff_row *row = &d->row[d->n++];
			row->from = &d->from.rows->row[i];
			row->how = matches[i].how;
			if (matches[i].row == MATCH_NO_ROW)
				continue;
			row->to = &d->to.rows->row[matches[i].row];
			known[matches[i].row] = true;
		}
		for (size_t k = 0; k < nto; k++)
			if (!known[k])
				d->row[d->n++].to = &d->to.rows->row[k];
		result = 0;
	}
	free(matches);
	free(known);
	return result;
}

static double magnitude(const struct diff_change *c)
{
	double from = isnan(c->from) ? 0 : c->from, to = isnan(c->to) ? 0 : c->to;

	return fabs(to - from);
}

static int compare_rows(const void *a, const void *b)
{
	const struct diff_row *x = a, *y = b;

	for (int m = DIFF_SAVED; m <= DIFF_BYTES; m++) {
		double left = magnitude(&x->change[m]), right = magnitude(&y->change[m]);
		if (left != right)
			return left > right ? -1 : 1;
	}
	const struct row *p = diff_shown(x), *q = diff_shown(y);
	if (p->jvm != q->jvm)
		return p->jvm < q->jvm ? -1 : 1;
	return p->contexts[0]->id < q->contexts[0]->id ? -1
						       : p->contexts[0]->id > q->contexts[0]->id;
}

static int judge_rows(struct diff *d)
{
	double from = bytes_per_sample(&d->from), to = bytes_per_sample(&d->to);
	double ratio = from > 0 && to > 0 ? from / to : 1;

	for (size_t i = 0; i < d->n; i++)
		d->comparisons += can_tell(&d->row[i]) ? DIFF_MEASURES : 0;
	for (int k = 0; k < WASTE_KINDS; k++)
		d->comparisons += is_measured(&d->from, k) && is_measured(&d->to, k);
	d->z = bounds_z(noise_level(d->options.replica.confidence, d->comparisons));
	for (size_t i = 0; i < d->n; i++) {
		if (judge(d, &d->row[i], ratio) < 0)
			return -1;
		d->states[d->row[i].state]++;
	}
	return 0;
}

int diff_make(struct diff *d, const struct diff_side *from, const struct diff_side *to,
	      const struct diff_options *options)
{
	*d = (struct diff){ .from = *from, .to = *to, .options = *options };
	if (list_rows(d) < 0 || judge_rows(d) < 0) {
		diff_release(d);
		return -1;
	}
	judge_totals(d);
	if (d->n > 0)
		qsort(d->row, d->n, sizeof *d->row, compare_rows);
	return 0;
}

void diff_release(struct diff *d)
{
	free(d->row);
	*d = (struct diff){ 0 };
}
