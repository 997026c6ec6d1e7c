/* SPDX-License-Identifier: Apache-2.0 */
/* spread.c - see spread.h. */
#include "stats/spread.h"

#include <math.h>

#include "base/order.h"
#include "base/sort.h"
#include "stats/binomial.h"

#define ENOUGH 20 /* snapshots from which on the usual level is used */

static int compare(const void *a, const void *b)
{
	const struct spread_snapshot *x = a, *y = b;

	return ORDER(x->content, y->content) ?: ORDER(x->v, y->v);
}

SORT_DEFINE(sort_snapshots, struct spread_snapshot, compare)

static int compare_heavy(const void *a, const void *b)
{
	const struct spread_snapshot *x = a, *y = b;

	return (x->v < y->v) - (x->v > y->v);
}

SORT_DEFINE(sort_heavy, struct spread_snapshot, compare_heavy)

/* Sums over the snapshots, content by content. */
struct sums {
	double all, squares, largest; /* of v */
	double top, again, equal, single, first;
};

static void add_content(struct sums *s, const struct spread_snapshot *snapshots, size_t n)
{
	double v = 0, squares = 0;

	for (size_t i = 0; i < n; i++) {
		v += snapshots[i].v;
		squares += snapshots[i].v * snapshots[i].v;
		s->largest = fmax(s->largest, snapshots[i].v);
	}
	s->all += v;
	s->squares += squares;
	s->top = fmax(s->top, v);
	s->again = fmax(s->again, n > 1 ? v : 0);
	s->equal += n > 1 ? v * v - squares : 0;
	s->single += n == 1 ? v : 0;
	s->first += v / (double)n;
}

/*
 * The mean of v, by v, in the heaviest snapshots that hold a quarter of `all`, the phantom
 * included. Sorts them by v.
 */
static double mean_of_quarter(struct spread_snapshot *snapshots, size_t n, double phantom,
			      double all)
{
	double left = SPREAD_QUARTER * all, sum = 0;
	bool counted = !(phantom > 0); /* the phantom */

	sort_heavy(snapshots, n);
	for (size_t i = 0; i < n && left > 0;) {
		bool next = !counted && phantom >= snapshots[i].v;
		double v = next ? phantom : snapshots[i++].v, part = fmin(v, left);
		counted |= next;
		sum += part * v;
		left -= part;
	}
	return sum / (SPREAD_QUARTER * all - fmax(0, left));
}

void spread_measure(struct spread *s, struct spread_snapshot *snapshots, size_t n, double largest,
		    double design)
{
	struct sums sums = { .all = 0 };

	*s = (struct spread){ .snapshots = n };
	sort_snapshots(snapshots, n);
	for (size_t first = 0, next; first < n; first = next) {
		for (next = first + 1;
		     next < n && snapshots[next].content == snapshots[first].content;)
			next++;
		add_content(&sums, snapshots + first, next - first);
		s->contents++;
	}
	if (!(sums.all > 0))
		return;
	double e = fmax(0, fmax(largest, sums.largest) - sums.all / (double)n);
	double all = sums.all + e, squares = sums.squares + e * e;
	double pairs = all * all - squares; /* of different snapshots, the phantom included */
	s->n = all * all / squares / fmax(1, design);
	double mean = squares / all, quarter = mean_of_quarter(snapshots, n, e, all);
	s->as_quarter = mean / fmax(mean, quarter);
	s->as_heaviest = mean / fmax(mean, fmax(largest, sums.largest));
	s->phantom = e / all;
	s->top = sums.top / all;
	s->again = sums.again / all;
	s->equal = pairs > 0 ? fmin(1, sums.equal / pairs) : 0;
	s->single = sums.single / all;
	s->repeats = fmax(0, sums.all - sums.first) / all;
}

double spread_alpha(double n, int live)
{
	return (n >= ENOUGH ? 0.05 : 0.01) / (live ? 10 : 1);
}

/* ---- pairs ----------------------------------------------------------------------------- */

/*
 * The size of the group that would have this share of equal pairs if all other snapshots were
 * distinct.
 */
static double one_group(double equal, double n)
{
	return fmin(n, (1 + sqrt(1 + 4 * fmax(0, equal) * n * (n - 1))) / 2);
}

double spread_equal_low(double equal, double n, double alpha)
{
	if (!(n > 1) || !(equal > 1e-12))
		return 0;
	double low = binomial_low(one_group(equal, n), n, alpha);
	return low * low;
}

bool spread_equal_reaches(double equal, double n, double limit, double alpha)
{
	if (!(n > 1) || !(equal > 1e-12))
		return limit <= 0;
	return binomial_tail(one_group(equal, n), n, sqrt(limit)) <= alpha;
}

/* ---- the commonest content --------------------------------------------------------------- */

/*
 * At most 1/L contents have a share of L or more. Each is seen m times or more with probability
 * P(Bin(n, L) >= m) at most; so for all together it is at most P(Bin(n, L) >= m) / L.
 */
double spread_top_low(const struct spread *s, double alpha)
{
	double m = s->n * s->again;

	return m > 1 + 1e-9 ? binomial_least(m, fmax(s->n, m), alpha) : 0;
}

bool spread_top_reaches(const struct spread *s, double limit, double alpha)
{
	double m = s->n * s->again;

	return m > 1 + 1e-9 && binomial_tail(m, fmax(s->n, m), limit) < alpha * limit;
}

double spread_top_high(const struct spread *s, double alpha)
{
	return binomial_high(s->n * fmin(1, s->top + s->phantom), s->n, alpha);
}

/* ---- coverage ---------------------------------------------------------------------------- */

double spread_covered_low(const struct spread *s, double alpha)
{
	return 1 - binomial_high(s->n * fmin(1, s->single + s->phantom), s->n, alpha);
}

bool spread_covered_reaches(const struct spread *s, double limit, double alpha)
{
	double alone = s->n * fmin(1, s->single + s->phantom);

	if (!(alone < s->n) || limit > 1)
		return limit <= 0;
	return binomial_beta(alone + 1, s->n - alone, 1 - limit) >= 1 - alpha;
}

double spread_covered(const struct spread *s)
{
	return s->n > 0 ? fmax(0, 1 - s->single - s->phantom) : 0;
}
