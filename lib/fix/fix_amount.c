/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fix_amount.c - see fix_amount.h.
 *
 * Errors of the amount that was allocated come from the sampling of allocations, those of a share
 * from the snapshots that tell it. They are independent, so their squares add up. The samples of
 * all parts are those of one Poisson number, whose interval is not symmetric if it is small: so
 * first their variances are added, and then there is one interval.
 *
 * What a fix itself makes may be less than what it replaces: a compiler eliminates a StringBuilder
 * that nobody else sees. So the interval also holds all of these bytes.
 */
#include "fix/fix_amount.h"

#include <math.h>
#include <string.h>

#include "analyse/replica/observations.h"
#include "fix/fix_part.h"
#include "stats/binomial.h"

struct fix_share fix_share_of(double k, double n, double z)
{
	struct fix_share s = { .value = n > 0 ? k / n : NAN, .range = { 0, 1 } };
	double alpha = bounds_tail(z); /* of one side */

	if (n > 0)
		s.range = (struct bounds_range){ binomial_low(k, n, alpha),
						 binomial_high(k, n, alpha) };
	return s;
}

static struct fix_sum bytes_of(struct model_context *const *contexts, size_t n)
{
	struct fix_sum sum = { .variance = observations_variances(contexts, n).bytes };

	for (size_t i = 0; i < n; i++)
		sum.value += contexts[i]->bytes;
	return sum;
}

static double square(double x)
{
	return x * x;
}

struct fix_sum fix_part_of(const struct fix_sum *amount, const struct fix_share *share)
{
	double v = amount->value, s = share->value;

	if (isnan(s))
		return (struct fix_sum){ 0 };
	return (struct fix_sum){
		.value = v * s,
		.variance = square(s) * amount->variance,
		.below = square(s) * amount->below + square(v * (s - share->range.low)),
		.above = square(s) * amount->above + square(v * (share->range.high - s)),
	};
}

struct fix_sum fix_part_of_all(const struct fix_sum *amount, const struct fix_sum *all,
			       const struct fix_share *share)
{
	struct fix_sum avoided = fix_part_of(all, share), own = fix_part_of(amount, share);
	double ratio = all->value > 0 ? amount->value / all->value : 0;

	own.below = avoided.below * ratio;
	own.above = avoided.above * ratio;
	return own;
}

struct fix_share fix_ratio(const struct fix_sum *amount, const struct fix_sum *of)
{
	double s = amount->value / of->value;

	return (struct fix_share){ s,
				   { fmax(0, s - sqrt(amount->below) / of->value),
				     fmin(1, s + sqrt(amount->above) / of->value) } };
}

void fix_sum_add(struct fix_sum *sum, const struct fix_sum *amount)
{
	sum->value += amount->value;
	sum->variance += amount->variance;
	sum->below += amount->below;
	sum->above += amount->above;
}

struct estimate fix_estimate(const struct fix_sum *sum, double z)
{
	struct estimate e = estimate_amount(sum->value, sum->variance, 0, z);

	e.range.low = fmax(0, e.value - hypot(e.value - e.range.low, sqrt(sum->below)));
	e.range.high = e.value + hypot(e.range.high - e.value, sqrt(sum->above));
	return e;
}

void fix_add(struct estimate *sum, const struct estimate *amount)
{
	double low = hypot(sum->value - sum->range.low, amount->value - amount->range.low);
	double high = hypot(sum->range.high - sum->value, amount->range.high - amount->value);

	sum->value += amount->value;
	sum->range.low = sum->value - low;
	sum->range.high = sum->value + high;
}

void fix_add_same(struct estimate *sum, const struct estimate *amount)
{
	sum->value += amount->value;
	sum->range.low += amount->range.low;
	sum->range.high += amount->range.high;
}

struct estimate fix_estimate_to(const struct fix_sum *sum, const struct fix_sum *others, double z)
{
	struct estimate e = fix_estimate(sum, z);
	struct fix_sum both = *sum;

	fix_sum_add(&both, others);
	e.range.high = fix_estimate(&both, z).range.high;
	return e;
}

/* ---- objects that are equal -------------------------------------------------------------- */

static double at_least_0(double value)
{
	return value > 0 ? value : 0;
}

/* What merging saves, from what is sure to what equality at the end of life allows. */
static struct bounds_range mergeable(const struct fix_part *part, const struct fix_level *level)
{
	const struct replica *x = &part->row->replica;
	struct replica other = { .sampled = 0 };

	if (level->options) {
		struct replica_options options = *level->options;
		options.interval = part->row->how->interval;
		replica_compute(&other, part->contexts, part->ncontexts, &options);
		x = &other;
	}
	struct bounds_range range = { replica_saved(x),
				      fmax(replica_likely_end(x), replica_saved_high(x)) };
	if (level->options)
		replica_release(&other);
	return range;
}

/* Merging: the interval is that of what merging saves. */
static struct estimate estimate_equal(const struct fix_part *part, const struct fix_level *level)
{
	const struct replica *x = &part->row->replica;
	double likely = fmax(at_least_0(replica_saved(x)), replica_likely(x));
	double share = part->bytes > 0 ? fmin(1, likely / part->bytes) : 0;
	struct estimate e = { 0 };

	if (isnan(replica_likely(x)) || !(likely > 0))
		return e;
	struct estimate bytes = fix_estimate(&part->all, level->z);
	struct bounds_range range = mergeable(part, level);
	e.value = fmin(likely, part->bytes);
	e.range.low = fmin(at_least_0(range.low), e.value);
	e.range.high = fmax(e.value, fmin(at_least_0(range.high), part->bytes)) +
		       share * (bytes.range.high - bytes.value);
	return e;
}

static void measure_equal(struct fix_part *part, const struct fix_level *level)
{
	const struct estimate e = estimate_equal(part, level);
	const struct replica *x = &part->row->replica;
	/* as if no object changed; what is not known is 0 */
	double end = fmax(at_least_0(x->saved_end_bytes), at_least_0(replica_likely_end(x)));
	double most = fmin(end, part->bytes);

	if (e.value > 0 && !fix_may_be_restored(part))
		part->likely = e;
	part->possible = at_least_0(fmax(most, e.value) - part->likely.value);
	if (part->possible > 0)
		fix_weigh(part);
}

/* A share of each object, or of the objects, which holds if they stay as they were last seen. */
static void measure_seen(struct fix_part *part, double share)
{
	if (isnan(share))
		return;
	part->possible = share * part->bytes;
	if (part->rule->removes == REMOVES_UNFILLED)
		fix_weigh_unfilled(part);
	else
		fix_weigh(part);
}

/* ---- collections that never held anything --------------------------------------------------- */

/*
 * The share of objects that had never held anything when a collection found them dead, of those
 * of which a collection told whether they were: what was empty in between may be filled later.
 */
static struct fix_share ended_empty(const struct fix_part *part, double z)
{
	double all = 0, squares = 0, empty = 0;
	size_t n = 0;

	for (size_t i = 0; i < part->ncontexts; i++)
		for (size_t k = 0; k < part->contexts[i]->nsnapshots; k++) {
			const struct model_snapshot *l = part->contexts[i]->snapshots[k];
			const struct wire_fill *fill = model_snapshot_fill(l);
			if (!fill || !(fill->flags & (WIRE_FILL_DIED | WIRE_FILL_SURVIVED)))
				continue;
			all += l->weight;
			squares += l->weight * l->weight;
			n++;
			if (fill->flags & WIRE_FILL_DIED && fill->flags & WIRE_FILL_NEVER)
				empty += l->weight;
		}
	if (n < REPLICA_MIN_PAIRS || !(all > 0))
		return (struct fix_share){ .value = NAN, .range = { 0, 1 } };
	double effective = all * all / squares;
	return fix_share_of(empty / all * effective, effective, z);
}

/* Bytes of what was alive at the last view, and had never held anything. */
static struct fix_sum alive_empty(const struct fix_part *part)
{
	struct fix_sum sum = { 0 };

	for (size_t i = 0; i < part->ncontexts; i++)
		for (size_t k = 0; k < part->contexts[i]->nalive; k++) {
			const struct model_context *c = part->contexts[i];
			const struct wire_fill *fill = model_snapshot_fill(c->alive[k]);
			if (!fill || !(fill->flags & WIRE_FILL_NEVER) || !(c->objects > 0))
				continue;
			double bytes = c->alive[k]->weight * c->bytes / c->objects;
			sum.value += bytes;
			sum.variance += square(bytes);
		}
	return sum;
}

/* Those that died, and those that live on, are different ones. The others may be filled later. */
static void measure_empty(struct fix_part *part, const struct fix_level *level)
{
	double seen = at_least_0(part->advice->facts.empty) * part->bytes;
	struct fix_share share = ended_empty(part, level->z);
	struct fix_sum alive = alive_empty(part);

	part->certain = fix_part_of(&part->all, &share);
	if (part->certain.value + alive.value <= part->all.value)
		fix_sum_add(&part->certain, &alive);
	part->possible = at_least_0(seen - part->certain.value);
	if (part->possible > 0)
		fix_weigh(part);
}

/* Of arrays whose length is not in the program, no capacity is named. */
static double unfilled_share(const struct fix_part *part)
{
	const struct capacity *c = &part->advice->facts.capacity;

	return strstr(part->rule->fix, "{needs}") ? capacity_avoids(c) : c->unfilled;
}

/* ---- arrays of length 0 ------------------------------------------------------------------- */

/*
 * Arrays of length 0 are most of the arrays of their line, but may be few of its bytes. Each
 * sampled one has its length, which cannot change.
 */
static struct fix_sum lengthless_bytes(const struct fix_part *part)
{
	struct fix_sum sum = { 0 };

	for (size_t i = 0; i < part->ncontexts; i++)
		for (size_t k = 0; k < part->contexts[i]->nstrata; k++) {
			const struct model_stratum *s = &part->contexts[i]->strata[k];
			if (s->array_length != 0)
				continue;
			sum.value += s->objects * (double)s->size;
			sum.variance += observations_variances_of(s).bytes;
		}
	return sum;
}

/* ---- all of them ------------------------------------------------------------------------- */

double fix_mergeable_most(const struct fix_part *part, const struct fix_level *level)
{
	double all = fix_estimate(&part->all, level->z).range.high;
	double most = mergeable(part, level).high;

	return isnan(most) ? all : fmin(all, at_least_0(most));
}

void fix_measure(struct fix_part *part, const struct fix_level *level)
{
	part->all = bytes_of(part->contexts, part->ncontexts);
	if (!part->rule || part->remains)
		return;
	switch (part->rule->removes) {
	case REMOVES_NOTHING:
		break;
	case REMOVES_ALL:
		if (part->rule->kind == ADVICE_CERTAIN)
			part->certain = part->all;
		else if (part->rule->kind == ADVICE_LIKELY)
			part->likely = fix_estimate(&part->all, level->z);
		else
			part->possible = part->bytes;
		break;
	case REMOVES_EQUAL:
		measure_equal(part, level);
		break;
	case REMOVES_UNREAD: /* its weight is 0: a watch looks at one place for a millisecond */
		part->possible = part->bytes;
		break;
	case REMOVES_EMPTY:
		measure_empty(part, level);
		break;
	case REMOVES_LENGTHLESS:
		part->certain = lengthless_bytes(part);
		break;
	case REMOVES_UNFILLED:
		measure_seen(part, unfilled_share(part));
		break;
	}
}
