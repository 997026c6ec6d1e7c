/* SPDX-License-Identifier: Apache-2.0 */
/*
 * epochs.c - see epochs.h.
 *
 * If k contents hold a share h_e of an epoch, at least h_e^2 / k of its pairs are equal; averaged
 * over the epochs, that is at least h^2 / k, where h is the mean of h_e. Pairs of n snapshots of
 * one epoch hang together: if k contents are equally common and all others are distinct, the number
 * of equal pairs varies by the factor 1 + 2 (n - 2) h (1 - h) / k more than that of as many
 * independent ones. So there are fewer by this factor.
 *
 * Over all epochs there are N independent pairs, 1 / N = the sum of W^2 / p: W is the v of an epoch
 * as a share of that of all epochs with a pair, p its independent pairs. The bound is sqrt(k A),
 * with Clopper and Pearson's upper limit of A of N for A, the mean of the epochs' shares of equal
 * pairs, by v.
 */
#include "stats/epochs.h"

#include <math.h>

#include "base/sort.h"
#include "stats/binomial.h"

static int compare(const void *a, const void *b)
{
	const struct epoch_snapshot *x = a, *y = b;

	return ORDER(x->epoch, y->epoch) ?: ORDER(x->content, y->content);
}

#define CONTENTS 16.0 /* that are equally common, and what they hold, for the factor above */
#define HELD	 0.25

SORT_DEFINE(sort_snapshots, struct epoch_snapshot, compare)

/* Sums over an epoch. */
struct sums {
	double v, squares, largest, equal;
};

static struct sums add_epoch(const struct epoch_snapshot *s, size_t n)
{
	struct sums sums = { 0 };

	for (size_t first = 0, next; first < n; first = next) {
		double v = 0, squares = 0;
		for (next = first; next < n && s[next].content == s[first].content; next++) {
			v += s[next].v;
			squares += s[next].v * s[next].v;
			sums.largest = fmax(sums.largest, s[next].v);
		}
		sums.v += v;
		sums.squares += squares;
		sums.equal += next - first > 1 ? v * v - squares : 0;
	}
	return sums;
}

/* The number of independent pairs that tell as much as those of so many snapshots of one epoch. */
static double independent_pairs(double number)
{
	double together = 1 + 2 * (number - 2) * HELD * (1 - HELD) / CONTENTS;

	return number * (number - 1) / 2 / together;
}

void epochs_measure(struct epoch_pairs *e, struct epoch_snapshot *snapshots, size_t n,
		    double largest, double design)
{
	double all = 0, paired = 0, equal = 0, variance = 0;

	*e = (struct epoch_pairs){ .alone = 1 };
	sort_snapshots(snapshots, n);
	for (size_t first = 0, next; first < n; first = next) {
		for (next = first; next < n && snapshots[next].epoch == snapshots[first].epoch;)
			next++;
		struct sums s = add_epoch(snapshots + first, next - first);
		/* common contents may be those of the heaviest snapshots; then fewer carry them */
		double number = s.v / s.largest;
		all += s.v;
		largest = fmax(largest, s.largest);
		if (number < 2)
			continue;
		paired += s.v;
		equal += s.v * s.equal / (s.v * s.v - s.squares);
		variance += s.v * s.v / independent_pairs(number);
	}
	if (!(paired > 0))
		return;
	double unseen = fmax(0, largest - all / (double)n);
	e->pairs = paired * paired / variance / fmax(1, design);
	e->equal = fmin(1, equal / paired);
	e->alone = 1 - paired / (all + unseen);
}

double epochs_high(const struct epoch_pairs *e, unsigned k, double alpha)
{
	if (!(e->pairs > 1))
		return 1;
	double equal = binomial_high(e->pairs * e->equal, e->pairs, alpha);
	/* of what is in no pair, all may be of these contents */
	return e->alone + (1 - e->alone) * fmin(1, sqrt(k * equal));
}

/* Such contents hold c, and make c `least` of the pairs equal or more; there are few of them. */
static double covered_by(const struct epoch_pairs *e, double equal, double least)
{
	return e->alone + (1 - e->alone) * fmin(1, equal / least);
}

double epochs_covered(const struct epoch_pairs *e, double least)
{
	return e->pairs > 1 ? covered_by(e, e->equal, least) : 1;
}

double epochs_covered_high(const struct epoch_pairs *e, double least, double alpha)
{
	if (!(e->pairs > 1))
		return 1;
	return covered_by(e, binomial_high(e->pairs * e->equal, e->pairs, alpha), least);
}

struct epoch_pairs epochs_more(const struct epoch_pairs *e, double times)
{
	struct epoch_pairs more = *e;

	more.pairs *= times;
	more.alone /= e->pairs > 0 ? times : 1;
	return more;
}
