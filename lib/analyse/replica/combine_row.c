/* SPDX-License-Identifier: Apache-2.0 */
/* combine_row.c - the figures of a row, and their intervals, from the sums over its cells. */
#include "analyse/replica/combine_private.h"

#include <math.h>

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
