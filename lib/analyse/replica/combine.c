/* SPDX-License-Identifier: Apache-2.0 */
/*
 * combine.c - see combine.h.
 *
 * For a size, k is estimated as the sum of products of the weights of different samples, divided by
 * the same sum for the context: (O_s^2 - O_s^2 / n_s) / (O^2 - sum O_s^2 / n_s) with n_s samples
 * that stand for O_s objects. The square of the share would count each sample as a pair with
 * itself. For a thousand lengths and a hundred samples it would give 1/100 instead of 1/1000.
 */
#include "analyse/replica/combine.h"

#include <math.h>
#include <stdlib.h>

#include "base/xmalloc.h"
#include "stats/weighed.h"

/* ---- the figures of a row, and their intervals, from the sums over its cells. */

static double sum_paired(const struct combine *sum)
{
	double share = 0;

	for (int i = 0; i < PAIR_KINDS; i++)
		share += sum->kind[i].paired;
	return share;
}

/* Effective numbers of pairs behind equal contents, and behind equal values. */
static double content_pairs(const struct combine *sum)
{
	double variance = 0;

	for (int i = 0; i < PAIR_KINDS; i++)
		variance += sum->kind[i].variance;
	return bounds_effective(sum_paired(sum), variance);
}

static double value_pairs(const struct combine *sum)
{
	double variance = 0;

	for (int i = 0; i < PAIR_KINDS; i++)
		variance += sum->kind[i].value_variance;
	return bounds_effective(sum_paired(sum), variance);
}

static double positive(double x)
{
	return x > 0 ? x : 0;
}

/* Estimates A, B and C. Cells without pairs count like the others of their kind. */
static void estimate(const struct combine *sum, struct combined *to)
{
	double all = 0, rest = sum->added - sum->unseen;

	for (int i = 0; i < PAIR_KINDS; i++)
		all += sum->kind[i].all;
	to->a = to->b = to->c = 0;
	for (int i = 0; i < PAIR_KINDS; i++) {
		const struct combine_kind *k = &sum->kind[i];
		double share = all > 0 ? k->all + sum->unseen * (k->all / all) : 0;
		rest -= k->all;
		if (k->paired > 0) {
			double scale = share / k->paired;
			to->a += scale * k->equal;
			to->b += scale * positive(k->values - k->equal);
			to->c += scale * positive(k->paired - k->values);
		} else {
			to->c += share;
		}
	}
	/* unequal sizes, MODEL_OTHER_SIZES included; anything less is rounding */
	if (rest > 1e-9)
		to->c += rest;
}

/*
 * The interval of a share of pairs: `least` are known to count, `most` may count, and no pair tells
 * about `unknown`. `n` is the effective number of pairs. The error of the sizes' shares is added as
 * an independent error.
 */
static struct bounds_range pair_range(const struct combine *sum, double least, double most,
				      double unknown, double n, double sizes_variance, double z)
{
	double paired = sum_paired(sum), error = z * sqrt(sizes_variance);
	struct bounds_range range = { NAN, NAN };

	if (!(paired > 0))
		return range;
	double low = paired * bounds_wilson(fmin(least / paired, 1), n, z).low;
	double high = paired * bounds_wilson(fmin(most / paired, 1), n, z).high;
	range.low = positive(least - hypot(least - low, error));
	range.high = fmin(1, most + hypot(high - most, error) + unknown);
	return range;
}

/* Equal values among pairs of the same size and unequal content. */
static struct bounds_range alpha_range(const struct combine *sum, double z)
{
	double paired = sum_paired(sum), equal = combine_sum_equal(sum), unequal = paired - equal;
	struct bounds_range none = { NAN, NAN };

	if (!(unequal > 1e-12))
		return none;
	double n = value_pairs(sum) * (unequal / paired);
	return bounds_wilson(fmin(positive(combine_sum_values(sum) - equal) / unequal, 1), n, z);
}

void combine_finish(const struct combine *sum, double z, struct combined *to)
{
	double equal = combine_sum_equal(sum), values = combine_sum_values(sum), unproven = 0;
	double unknown = sum->other + sum->unseen;
	const struct bounds_range none = { NAN, NAN };

	*to = (struct combined){ NAN, NAN, NAN, none, none, NAN, none };
	if (!sum->pairs)
		return;
	estimate(sum, to);
	for (int i = 0; i < PAIR_KINDS; i++) {
		const struct combine_kind *k = &sum->kind[i];
		unproven += k->unproven;
		if (i != PAIR_MIXED)
			unknown += k->all - k->paired;
	}
	double mixed = sum->kind[PAIR_MIXED].all - sum->kind[PAIR_MIXED].paired;
	to->a_range = pair_range(sum, equal, equal + unproven, positive(unknown),
				 content_pairs(sum), sum->equal_variance, z);
	to->theta_range = pair_range(sum, values, values, positive(unknown + mixed),
				     value_pairs(sum), sum->value_variance, z);
	to->alpha_within = alpha_range(sum, z);
	if (sum->added > 0)
		to->gamma = fmin(1, sum->gamma / sum->added);
}

/* Objects of one size, as allocated. */
struct size {
	uint32_t array_length;
	double objects, samples;
};

/* ---- sizes --------------------------------------------------------------------------------- */

/* Lists the sizes from the allocation counts, or from the observations if there are none. */
static struct size *list_sizes(const struct model_context *c, const struct pairs *pairs, size_t *n)
{
	*n = c->nstrata ? c->nstrata : pairs->nsizes;
	struct size *sizes = xcalloc(*n, sizeof *sizes);

	for (size_t i = 0; i < *n; i++) {
		if (c->nstrata)
			sizes[i] = (struct size){ c->strata[i].array_length, c->strata[i].objects,
						  (double)c->strata[i].sampled };
		else
			sizes[i] =
				(struct size){ pairs->sizes[i].array_length, pairs->sizes[i].weight,
					       pairs->sizes[i].observed };
	}
	return sizes;
}

/* Sums over the sizes. */
struct size_sums {
	double objects; /* O */
	double self;	/* sum of O_s^2 / n_s: samples paired with themselves */
};

static struct size_sums sum_sizes(const struct size *sizes, size_t n)
{
	struct size_sums t = { 0 };

	for (size_t i = 0; i < n; i++) {
		t.objects += sizes[i].objects;
		if (sizes[i].samples > 0)
			t.self += sizes[i].objects * sizes[i].objects / sizes[i].samples;
	}
	return t;
}

static double pair_share(const struct size *s, const struct size_sums *t)
{
	double all = t->objects * t->objects - t->self;
	double square = s->objects * s->objects;

	if (!(all > 0))
		return t->objects > 0 ? square / (t->objects * t->objects) : 0;
	return s->samples > 0 ? (square - square / s->samples) / all : 0;
}

/*
 * Sums over sizes of w p, w^2 p^2, w^3 p^2, where w is the share of objects and p that of equal
 * pairs. The variance of sum w^2 p, a U-statistic of the samples' sizes (Hoeffding 1948), needs
 * them.
 */
struct size_moments {
	double mean, two, three;
};

static void add_moment(struct size_moments *m, double objects, double share, double equal)
{
	double p = share > 0 ? fmin(1, equal / share) : 0;

	m->mean += objects * objects * p;
	m->two += objects * objects * p * p;
	m->three += objects * objects * objects * p * p;
}

/* `n` is the effective number of samples. With a single size there is nothing to estimate. */
static double moment_variance(const struct size_moments *m, double n, size_t sizes)
{
	if (sizes <= 1)
		return 0;
	if (n <= 2)
		return 1;
	double square = m->mean * m->mean;
	return fmax(0, (4 * (n - 2) * (m->three - square) + 2 * (m->two - square)) / (n * (n - 1)));
}

/* ---- cells --------------------------------------------------------------------------------- */

/*
 * Effective number of pairs behind a share of equal values. If positions are a sample, pairs of one
 * position are correlated, so the linearised variance is summed over positions (cluster sampling;
 * Kish 1965, section 6.3): sum_pos (sum w (y - p))^2 / (sum w)^2 * s / (s - 1), for s positions.
 */
static double effective_values(const struct weighed *all, const struct pair *pairs, size_t n)
{
	double alike = weighed_number(all), share = weighed_share(all);
	double spread = 0, spots = 0;

	if (!pairs[0].spot || !(share > 0 && share < 1))
		return alike;
	for (size_t first = 0, next; first < n; first = next) {
		double here = 0;
		for (next = first; next < n && pairs[next].spot == pairs[first].spot; next++)
			here += pairs[next].value_weight *
				((pairs[next].outcome != PAIR_DIFFERENT) - share);
		spread += here * here;
		spots++;
	}
	if (spots < 2)
		return 1;
	return fmin(alike,
		    share * (1 - share) * all->all * all->all * (spots - 1) / (spread * spots));
}

static void add_cell(struct combine_kind *to, double share, const struct pair *pairs, size_t n)
{
	struct weighed contents = { 0 }, values = { 0 };
	double by[4] = { 0 };

	to->all += share;
	for (size_t i = 0; i < n; i++) {
		by[pairs[i].outcome] += pairs[i].weight;
		weighed_add(&contents, pairs[i].weight, false);
		weighed_add(&values, pairs[i].value_weight, pairs[i].outcome != PAIR_DIFFERENT);
	}
	double sum = contents.all;
	if (!(sum > 0))
		return;
	double known = (by[PAIR_EQUAL] + by[PAIR_UNPROVEN]) / sum;
	to->paired += share;
	to->equal += share * (by[PAIR_EQUAL] / sum);
	to->unproven += share * (by[PAIR_UNPROVEN] / sum);
	/* equal contents have equal values; the two different weightings could contradict this */
	to->values += share * fmax(known, weighed_share(&values));
	to->variance += share * share / weighed_number(&contents);
	to->value_variance += share * share / effective_values(&values, pairs, n);
}

double combine_sum_equal(const struct combine *sum)
{
	double share = 0;

	for (int i = 0; i < PAIR_KINDS; i++)
		share += sum->kind[i].equal;
	return share;
}

double combine_sum_values(const struct combine *sum)
{
	double share = 0;

	for (int i = 0; i < PAIR_KINDS; i++)
		share += sum->kind[i].values;
	return share;
}

/* Adds the cells of one size; `pairs` are the pairs of this size. */
static void add_size(struct combine *sum, double share, const struct pair_size *size,
		     const struct pair *pairs, size_t n)
{
	for (size_t kind = 0, first = 0; kind < PAIR_KINDS; kind++) {
		size_t next = first;
		while (next < n && pairs[next].kind == kind)
			next++;
		if (size->share[kind] > 0)
			add_cell(&sum->kind[kind], share * size->share[kind], pairs + first,
				 next - first);
		first = next;
	}
}

/* Adds one size, whose evidence begins at *seen and *first, and advances both. */
static void take_size(struct combine *sum, const struct size *s, double share,
		      const struct pairs *pairs, size_t *seen, size_t *first)
{
	while (*seen < pairs->nsizes && pairs->sizes[*seen].array_length < s->array_length)
		++*seen;
	while (*first < pairs->n && pairs->pair[*first].array_length < s->array_length)
		++*first;
	size_t next = *first;
	while (next < pairs->n && pairs->pair[next].array_length == s->array_length)
		next++;
	if (s->array_length == MODEL_OTHER_SIZES) {
		sum->other += share;
	} else if (*seen < pairs->nsizes && pairs->sizes[*seen].array_length == s->array_length) {
		add_size(sum, share, &pairs->sizes[*seen], pairs->pair + *first, next - *first);
	} else {
		sum->unseen += share;
	}
	*first = next;
}

static void add_sizes(struct combine *sum, const struct size *sizes, size_t n,
		      const struct pairs *pairs)
{
	struct size_sums total = sum_sizes(sizes, n);
	struct size_moments equal = { 0 }, values = { 0 };
	double samples = total.self > 0 ? total.objects * total.objects / total.self : 0;
	size_t seen = 0, first = 0;

	for (size_t i = 0; i < n; i++) {
		double share = pair_share(&sizes[i], &total);
		double objects = total.objects > 0 ? sizes[i].objects / total.objects : 0;
		double equal_before = combine_sum_equal(sum),
		       values_before = combine_sum_values(sum);
		take_size(sum, &sizes[i], share, pairs, &seen, &first);
		add_moment(&equal, objects, share, combine_sum_equal(sum) - equal_before);
		add_moment(&values, objects, share, combine_sum_values(sum) - values_before);
	}
	sum->equal_variance = moment_variance(&equal, samples, n);
	sum->value_variance = moment_variance(&values, samples, n);
	sum->nsizes = n;
}

/* ---- contexts ------------------------------------------------------------------------------ */

/* Share of pairs that are not known to be unequal. */
static double maybe_equal(const struct combine *sum)
{
	double share = sum->other + sum->unseen;

	for (int i = 0; i < PAIR_KINDS; i++) {
		const struct combine_kind *k = &sum->kind[i];
		share += k->equal + k->unproven;
		if (i != PAIR_MIXED)
			share += k->all - k->paired;
	}
	return fmin(share, 1);
}

static void merge_kind(struct combine_kind *to, const struct combine_kind *k, double share)
{
	to->all += share * k->all;
	to->paired += share * k->paired;
	to->equal += share * k->equal;
	to->unproven += share * k->unproven;
	to->values += share * k->values;
	to->variance += share * share * k->variance;
	to->value_variance += share * share * k->value_variance;
}

void combine_add(struct combine *sum, const struct model_context *c, double share,
		 const struct pairs *pairs)
{
	struct combine own = { .added = 0 };
	size_t n;
	struct size *sizes = list_sizes(c, pairs, &n);

	add_sizes(&own, sizes, n, pairs);
	free(sizes);
	for (int i = 0; i < PAIR_KINDS; i++)
		merge_kind(&sum->kind[i], &own.kind[i], share);
	double gamma = bounds_gamma(maybe_equal(&own), c->objects);
	sum->gamma += share * (isnan(gamma) ? 1 : gamma);
	sum->other += share * own.other;
	sum->unseen += share * own.unseen;
	sum->equal_variance += share * share * own.equal_variance;
	sum->value_variance += share * share * own.value_variance;
	sum->added += share;
	sum->nsizes += own.nsizes;
	sum->pairs += pairs->n;
	for (size_t i = 0; i < pairs->n; i++) {
		enum pair_outcome outcome = pairs->pair[i].outcome;
		sum->a += outcome == PAIR_EQUAL;
		sum->b += outcome == PAIR_ALIKE || outcome == PAIR_UNPROVEN;
		sum->c += outcome == PAIR_DIFFERENT;
	}
}
