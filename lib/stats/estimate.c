/* SPDX-License-Identifier: Apache-2.0 */
/* estimate.c - see estimate.h. */
#include "stats/estimate.h"

#include <math.h>
#include <stdlib.h>

#include "base/xmalloc.h"

/*
 * ---- Equal items at both ends cost nothing and are paired at once. The middles are paired by
 * dynamic programming: best[i][k] is the best pairing of the items from i and from k on.
 */

struct best {
	float cost;
	uint32_t pairs;
};

struct grid {
	size_t from, nfrom, to, nto; /* the middles */
	double (*cost)(size_t i, size_t k, void *arg);
	void *arg;
	struct best *best; /* (nfrom + 1) * (nto + 1) */
};

static struct best *at_grid(const struct grid *g, size_t i, size_t k)
{
	return &g->best[i * (g->nto + 1) + k];
}

static int is_better(const struct best *a, const struct best *b)
{
	return a->pairs > b->pairs || (a->pairs == b->pairs && a->cost < b->cost);
}

/* The result of pairing i and k; worthless if they must not be paired. */
static struct best paired(const struct grid *g, size_t i, size_t k)
{
	double cost = g->cost(g->from + i, g->to + k, g->arg);
	struct best best = *at_grid(g, i + 1, k + 1);

	if (isfinite(cost)) {
		best.pairs++;
		best.cost += (float)cost;
	}
	return best;
}

static void fill(const struct grid *g)
{
	for (size_t i = g->nfrom; i-- > 0;)
		for (size_t k = g->nto; k-- > 0;) {
			struct best best = paired(g, i, k);
			if (is_better(at_grid(g, i + 1, k), &best))
				best = *at_grid(g, i + 1, k);
			if (is_better(at_grid(g, i, k + 1), &best))
				best = *at_grid(g, i, k + 1);
			*at_grid(g, i, k) = best;
		}
}

static int is_same(const struct best *a, const struct best *b)
{
	return !is_better(a, b) && !is_better(b, a);
}

static void walk(const struct grid *g, int32_t *at)
{
	size_t i = 0, k = 0;

	while (i < g->nfrom && k < g->nto) {
		const struct best *best = at_grid(g, i, k);
		struct best pair = paired(g, i, k);
		if (pair.pairs > at_grid(g, i + 1, k + 1)->pairs && is_same(&pair, best))
			at[g->from + i++] = (int32_t)(g->to + k++);
		else if (is_same(at_grid(g, i + 1, k), best))
			i++;
		else
			k++;
	}
}

/*
 * Number of equal items, at most `most`, at the beginning of the sequences or, with `backwards`, at
 * their end.
 */
static size_t common(size_t most, size_t from, size_t to, int backwards,
		     double (*cost)(size_t i, size_t k, void *arg), void *arg)
{
	size_t n = 0;

	while (n < most) {
		size_t step = backwards ? (size_t)0 - 1 - n : n;
		if (cost(from + step, to + step, arg) != 0)
			break;
		n++;
	}
	return n;
}

void align(size_t nfrom, size_t nto, double (*cost)(size_t i, size_t k, void *arg), void *arg,
	   int32_t *at)
{
	size_t shorter = nfrom < nto ? nfrom : nto;
	size_t head = common(shorter, 0, 0, 0, cost, arg);
	size_t tail = common(shorter - head, nfrom, nto, 1, cost, arg);

	for (size_t i = 0; i < nfrom; i++)
		at[i] = i < head ? (int32_t)i : -1;
	for (size_t i = 1; i <= tail; i++)
		at[nfrom - i] = (int32_t)(nto - i);
	struct grid g = { head, nfrom - head - tail, head, nto - head - tail, cost, arg, NULL };
	if (g.nfrom == 0 || g.nto == 0 || g.nfrom > ALIGN_MOST / g.nto)
		return;
	size_t cells = (g.nfrom + 1) * (g.nto + 1);
	g.best = xcalloc(cells, sizeof *g.best);
	fill(&g);
	walk(&g, at);
	free(g.best);
}

struct estimate estimate_amount(double sum, double variance, double unit, double z)
{
	struct estimate e = { sum, { sum, sum } };

	if (sum > 0 && variance <= 0)
		return e;
	double n = sum > 0 ? sum * sum / variance : 0;
	double each = sum > 0 ? sum / n : unit;
	double middle = n + z * z / 2, half = z * sqrt(n + z * z / 4);
	e.range.low = fmax(0, fmin(sum, each * (middle - half)));
	e.range.high = fmax(sum, each * (middle + half));
	return e;
}

struct estimate estimate_scale(struct estimate e, double factor)
{
	e.value *= factor;
	e.range.low *= factor;
	e.range.high *= factor;
	return e;
}

struct estimate estimate_change(const struct estimate *from, const struct estimate *to)
{
	double change = to->value - from->value;
	double below = hypot(to->value - to->range.low, from->range.high - from->value);
	double above = hypot(to->range.high - to->value, from->value - from->range.low);

	return (struct estimate){ change, { change - below, change + above } };
}

enum estimate_verdict estimate_judge(const struct estimate *from, const struct estimate *to,
				     double relative, double absolute)
{
	const struct estimate more = estimate_scale(*from, 1 + relative);
	const struct estimate less = estimate_scale(*from, fmax(0, 1 - relative));
	const struct estimate rise = estimate_change(&more, to);
	const struct estimate fall = estimate_change(&less, to);

	if (isnan(rise.range.low) || isnan(fall.range.high))
		return ESTIMATE_UNKNOWN;
	if (rise.range.low > absolute)
		return ESTIMATE_UP;
	return fall.range.high < -absolute ? ESTIMATE_DOWN : ESTIMATE_SAME;
}

double estimate_level(double confidence, double n)
{
	return n > 1 ? 1 - (1 - confidence) / n : confidence;
}

const char *estimate_verdict_name(enum estimate_verdict v)
{
	static const char *const names[] = {
		[ESTIMATE_SAME] = "no", [ESTIMATE_UP] = "up", [ESTIMATE_DOWN] = "down"
	};

	return names[v];
}
