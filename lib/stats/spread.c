/* SPDX-License-Identifier: Apache-2.0 */
/* spread.c - see spread.h. */
#include "stats/spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "stats/binomial.h"

#define MOST_CONTENT 64	   /* largest k of held_high */
#define MOST_REPEATS 2000  /* beyond this, the distribution among few contents does not matter */
#define STEPS	     100   /* most steps of a root search, which needs only a few */
#define SETTLED	     1e-13 /* the interval that is left of it */
#define NEAR	     1e-12 /* a logarithm of a ratio that is as good as 0 */

/*
 * Each throw hits one of k contents at random. hit[j], j <= k, is the probability that j contents
 * are hit; again[j] that a throw hits one of these j again. Changes `hit` to that after this throw.
 */
static void throw_once(double *hit, const double *again, unsigned k, unsigned throws)
{
	for (unsigned j = throws < k ? throws : k; j > 0; j--)
		hit[j] = hit[j] * again[j] + hit[j - 1] * again[k - j + 1];
	hit[0] = 0;
}

/* Whether `hit` of up to so many throws is in `work`, one after the other. */
static bool keep_throws(struct held_work *work, const double *again, unsigned k, unsigned throws)
{
	size_t size = k + 1;

	if (throws >= work->room) {
		size_t room = 2 * (size_t)throws + 1;
		double *hits = reallocarray(work->hits, room, size * sizeof *hits);
		if (!hits)
			return false;
		work->hits = hits;
		work->room = room;
	}
	for (; work->n <= throws; work->n++) {
		double *hit = work->hits + work->n * size;
		if (work->n > 0)
			memcpy(hit, hit - size, size * sizeof *hit);
		else
			memset(hit, 0, size * sizeof *hit);
		if (work->n > 0)
			throw_once(hit, again, k, (unsigned)work->n);
		else
			hit[0] = 1;
	}
	return true;
}

/*
 * probability[i], i < k, receives the probability that r + 1 + i throws have at most r repeats.
 * `work` may be NULL.
 */
static void few_repeats(double *probability, unsigned k, unsigned r, struct held_work *work)
{
	double own[MOST_CONTENT + 1] = { 1 }, again[MOST_CONTENT + 1];

	for (unsigned j = 0; j <= k; j++)
		again[j] = (double)j / k;
	bool kept = work && keep_throws(work, again, k, r + k);
	for (unsigned throws = kept ? r + 1 : 1; throws <= r + k; throws++) {
		const double *hit = kept ? work->hits + throws * (k + 1) : own;
		if (!kept)
			throw_once(own, again, k, throws);
		if (throws <= r)
			continue;
		probability[throws - r - 1] = 0;
		for (unsigned j = throws - r; j <= k; j++)
			probability[throws - r - 1] += hit[j];
	}
}

void held_work_release(struct held_work *work)
{
	free(work->hits);
	*work = (struct held_work){ .n = 0 };
}

/*
 * The common contents may be those of the heaviest snapshots. Then fewer snapshots carry them, and
 * fewer repeat: as if all snapshots weighed as much as these. If the contents hold a quarter or
 * more, their snapshots weigh at most as much as the heaviest quarter, on average.
 */
static double number_for(const struct spread *s, double share)
{
	return s->n * (share >= SPREAD_QUARTER ? s->as_quarter : s->as_heaviest);
}

/* How many of these repeat an earlier one. What was not seen may do so, too. */
static double repeats_for(const struct spread *s, double share)
{
	double repeats = share >= SPREAD_QUARTER ? s->repeats_quarter : s->repeats_heaviest;

	return number_for(s, share) * fmin(1, repeats + s->phantom);
}

/*
 * Among all distributions in which k contents hold a given share, fewest snapshots repeat if the k
 * are equally common and all others are distinct: the number of different contents is Schur-concave
 * in their shares. So the observed repeats are compared with this distribution.
 */
struct held {
	double n, repeats;
	unsigned k;
	bool exact;			  /* `probability` is worth its computing */
	struct binomial few;		  /* P(hits > repeats); > repeats + k if not exact */
	bool ready;			  /* whether `probability` is set */
	struct held_work *work;		  /* NULL: none */
	double probability[MOST_CONTENT]; /* from few_repeats */
};

/* False: too few snapshots to tell anything. */
static bool held_set(struct held *h, double n, double repeats, unsigned k, struct held_work *work)
{
	h->n = n;
	h->repeats = repeats;
	h->k = k;
	h->exact = h->repeats <= MOST_REPEATS;
	h->ready = false;
	h->work = work;
	if (!(h->repeats + 1 < h->n))
		return false;
	binomial_prepare(&h->few, h->repeats + 1 + (h->exact ? 0 : k), h->n);
	return true;
}

/*
 * The probability that so few snapshots repeat an earlier one, if the k contents hold `share` and
 * all others are distinct. As many hits as repeats, or fewer, cannot repeat more often; if that
 * alone is more probable than `enough`, the rest is left out.
 */
static double so_few(struct held *h, double share, double enough)
{
	double hits = h->repeats + 1, exactly;
	double sum = 1 - binomial_tail_of(&h->few, share, &exactly);

	if (!h->exact || sum > enough)
		return sum;
	if (!h->ready)
		few_repeats(h->probability, h->k, (unsigned)h->repeats, h->work);
	h->ready = true;
	/* the probability of one hit more follows from that of `hits` */
	for (unsigned i = 0; i < h->k && hits <= h->n; i++) {
		sum += h->probability[i] * exactly;
		exactly *= (h->n - hits) / (hits + 1) * share / (1 - share);
		hits++;
	}
	return sum;
}

/*
 * Snapshots of unequal weight have no whole number of repeats: between two numbers the probability
 * is interpolated.
 */
struct held_between {
	struct held less, more;
	double part; /* of `more` */
};

static bool held_begin(struct held_between *h, double number, double repeats, unsigned k,
		       struct held_work *work)
{
	double n = floor(number + 1e-9);
	double whole = floor(repeats + 1e-9);

	h->part = fmax(0, repeats - whole);
	return held_set(&h->less, n, whole, k, work) && held_set(&h->more, n, whole + 1, k, work);
}

static double so_few_between(struct held_between *h, double share, double enough)
{
	double less = so_few(&h->less, share, enough);

	return less > enough ? less : less + h->part * (so_few(&h->more, share, enough) - less);
}

bool held_within(const struct spread *s, unsigned k, double limit, double alpha,
		 struct held_work *work)
{
	struct held_between h;

	return held_begin(&h, number_for(s, limit), repeats_for(s, limit), k, work) &&
	       so_few_between(&h, limit, alpha) <= alpha;
}

/* The share, from `low` to `high`, where that is alpha: Illinois' rule, of logarithms. */
static double held_root(struct held_between *h, double low, double high, double alpha)
{
	double at_low = log(so_few_between(h, low, 1) / alpha),
	       at_high = log(so_few_between(h, high, 1) / alpha);
	int side = 0;

	for (int i = 0; i < STEPS && high - low > SETTLED; i++) {
		double share = (low * at_high - high * at_low) / (at_high - at_low);
		if (!(share > low && share < high))
			share = (low + high) / 2;
		double at = log(so_few_between(h, share, 1) / alpha);
		if (fabs(at) < NEAR)
			return share;
		int now = at > 0 ? 1 : -1;
		if (at > 0) {
			low = share;
			at_low = at;
			at_high /= side == now ? 2 : 1;
		} else {
			high = share;
			at_high = at;
			at_low /= side == now ? 2 : 1;
		}
		side = now;
	}
	return high;
}

/* The most that the k contents hold, if that is `about` so much. */
static double high_from(const struct spread *s, double about, unsigned k, double alpha)
{
	const double nearly_all = 1 - 1e-12;
	struct held_between h;

	if (!held_begin(&h, number_for(s, about), repeats_for(s, about), k, NULL))
		return 1;
	/* with that many hits or more there are more repeats, whichever of the k are hit */
	double high = binomial_high(fmin(h.more.repeats + k, h.more.n), h.more.n, alpha);
	if (!h.more.exact)
		return high;
	bool ends = high < nearly_all; /* else it may be that no share is too much */
	high = fmin(high, nearly_all);
	if (so_few_between(&h, high, 1) > alpha)
		return ends ? high : 1;
	return held_root(&h, binomial_high(h.less.repeats, h.less.n, alpha), high, alpha);
}

double held_high(const struct spread *s, unsigned k, double alpha)
{
	double high = high_from(s, SPREAD_QUARTER, k, alpha);

	if (high >= SPREAD_QUARTER)
		return high;
	return fmin(SPREAD_QUARTER, fmax(high, high_from(s, 0, k, alpha)));
}

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
	double top, again, equal, single;
	double few[SPREAD_FEW]; /* the largest of v of a content, the largest first */
};

static void add_few(double few[SPREAD_FEW], double v)
{
	for (unsigned k = SPREAD_FEW; k > 0 && v > few[k - 1]; k--) {
		if (k < SPREAD_FEW)
			few[k] = few[k - 1];
		few[k - 1] = v;
	}
}

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
	add_few(s->few, v);
	s->again = fmax(s->again, n > 1 ? v : 0);
	s->equal += n > 1 ? v * v - squares : 0;
	s->single += n == 1 ? v : 0;
}

/*
 * The weight of the first snapshot of each content, as a share of `all`, on average over their
 * order, if a snapshot stays with probability v / weight and then weighs as much.
 */
static double first_of_all(const struct spread_snapshot *snapshots, size_t n, double weight)
{
	double sum = 0;

	for (size_t first = 0, next; first < n; first = next) {
		double v = 0, stay = 0, none = 1;
		for (next = first; next < n && snapshots[next].content == snapshots[first].content;
		     next++) {
			double p = fmin(1, snapshots[next].v / weight);
			v += snapshots[next].v;
			stay += p;
			none *= 1 - p;
		}
		sum += v / stay * (1 - none);
	}
	return sum;
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
	double mean = squares / all, heaviest = fmax(mean, fmax(largest, sums.largest));
	double quarter = fmax(mean, mean_of_quarter(snapshots, n, e, all));
	sort_snapshots(snapshots, n);
	s->as_quarter = mean / quarter;
	s->as_heaviest = mean / heaviest;
	s->repeats_quarter = fmax(0, sums.all - first_of_all(snapshots, n, quarter)) / all;
	s->repeats_heaviest = fmax(0, sums.all - first_of_all(snapshots, n, heaviest)) / all;
	s->phantom = e / all;
	s->top = sums.top / all;
	for (unsigned k = 0; k < SPREAD_FEW; k++)
		s->few += sums.few[k] / all;
	s->again = sums.again / all;
	s->equal = pairs > 0 ? fmin(1, sums.equal / pairs) : 0;
	s->single = sums.single / all;
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

double spread_few_high(const struct spread *s, double alpha)
{
	double number = number_for(s, SPREAD_QUARTER);

	return number > 0 ? binomial_high(number * fmin(1, s->few + s->phantom), number, alpha) : 1;
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
