/* SPDX-License-Identifier: Apache-2.0 */
/* spread.c - see spread.h. */
#include "stats/spread.h"

#include <math.h>
#include <stdlib.h>

#include "stats/binomial.h"

#define ENOUGH	     20	  /* snapshots from which on the usual level is used */
#define MOST_CONTENT 64	  /* largest k of spread_held_high */
#define MOST_REPEATS 2000 /* beyond this, the distribution among few contents does not matter */
#define STEPS	     40	  /* bisections of an interval */

static int compare(const void *a, const void *b)
{
	const struct spread_snapshot *x = a, *y = b;

	if (x->content != y->content)
		return x->content < y->content ? -1 : 1;
	return (x->v > y->v) - (x->v < y->v);
}

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

void spread_measure(struct spread *s, struct spread_snapshot *snapshots, size_t n, double largest,
		    double design)
{
	struct sums sums = { .all = 0 };

	*s = (struct spread){ .snapshots = n };
	qsort(snapshots, n, sizeof *snapshots, compare);
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
	double m = s->n * s->again, low = 0, high = 1;

	if (!(m > 1 + 1e-9))
		return 0;
	for (int i = 0; i < STEPS; i++) {
		double share = (low + high) / 2;
		if (binomial_tail(m, fmax(s->n, m), share) < alpha * share)
			low = share;
		else
			high = share;
	}
	return low;
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

/* ---- what few contents hold -------------------------------------------------------------- */

/*
 * Each throw hits one of k contents at random. probability[i], i < k, receives the probability that
 * r + 1 + i throws have at most r repeats.
 */
static void few_repeats(double *probability, unsigned k, unsigned r)
{
	double hit[MOST_CONTENT + 1] = { 1 }; /* [j]: the probability that j contents are hit */

	for (unsigned throws = 1; throws <= r + k; throws++) {
		for (unsigned j = throws < k ? throws : k; j > 0; j--)
			hit[j] = hit[j] * j / k + hit[j - 1] * (k - j + 1) / k;
		hit[0] = 0;
		if (throws <= r)
			continue;
		probability[throws - r - 1] = 0;
		for (unsigned j = throws - r; j <= k; j++)
			probability[throws - r - 1] += hit[j];
	}
}

/*
 * Among all distributions in which k contents hold a given share, fewest snapshots repeat if the k
 * are equally common and all others are distinct: the number of different contents is Schur-concave
 * in their shares. So the observed repeats are compared with this distribution.
 */
struct held {
	double n, repeats;
	unsigned k;
	bool ready;			  /* whether `probability` is set */
	double probability[MOST_CONTENT]; /* from few_repeats */
};

/* False: too few snapshots to tell anything. */
static bool held_begin(struct held *h, const struct spread *s, unsigned k)
{
	h->n = floor(s->n + 1e-9);
	h->repeats = ceil(s->n * fmin(1, s->repeats + s->phantom) - 1e-9);
	h->k = k;
	h->ready = false;
	return h->repeats + 1 < h->n;
}

/*
 * The probability that so few snapshots repeat an earlier one, if the k contents hold `share`.
 * `sum` is the part of it that has no more hits of the k contents than repeats.
 */
static double so_few(struct held *h, double share, double sum)
{
	double hits = h->repeats + 1;
	/* the probability of that many hits; the next ones follow from it */
	double exactly = binomial_density(hits + 1, h->n - hits + 1, share) / (h->n + 1);

	if (!h->ready)
		few_repeats(h->probability, h->k, (unsigned)h->repeats);
	h->ready = true;
	for (unsigned i = 0; i < h->k && hits <= h->n; i++) {
		sum += h->probability[i] * exactly;
		exactly *= (h->n - hits) / (hits + 1) * share / (1 - share);
		hits++;
	}
	return sum;
}

/*
 * Whether so few repeats are improbable if the k contents hold that share and all others are
 * distinct. As many hits as repeats, or fewer, cannot repeat more often; that alone may be too
 * probable already.
 */
static bool held_excludes(struct held *h, double share, double alpha)
{
	bool exact = h->repeats <= MOST_REPEATS;
	double few_hits = 1 - binomial_tail(h->repeats + 1 + (exact ? 0 : h->k), h->n, share);

	if (!exact || few_hits > alpha)
		return few_hits <= alpha;
	return so_few(h, share, few_hits) <= alpha;
}

bool spread_held_within(const struct spread *s, unsigned k, double limit, double alpha)
{
	struct held h = { .n = 0 };

	return held_begin(&h, s, k) && held_excludes(&h, limit, alpha);
}

double spread_held_high(const struct spread *s, unsigned k, double alpha)
{
	double low = 0, high = 1;
	struct held h = { .n = 0 };

	if (!held_begin(&h, s, k))
		return 1;
	for (int i = 0; i < STEPS; i++) {
		double share = (low + high) / 2;
		if (held_excludes(&h, share, alpha))
			high = share;
		else
			low = share;
	}
	return high;
}
