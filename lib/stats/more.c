/* SPDX-License-Identifier: Apache-2.0 */
/*
 * more.c - see more.h.
 *
 * Contents that were seen once become those that were seen twice. How many do follows from the
 * pairs that are equal and from the snapshots that are in one: of n snapshots, those of groups that
 * hold `each` are alone with probability (1 - each)^(n - 1). With a for the share of equal pairs
 * and c for that of contents seen twice, both without the commonest content, the groups hold the
 * share g that solves g (1 - (1 - a / g)^(n - 1)) = c, each of them a / g. What was seen differs
 * from what is to be expected by chance; this difference stays.
 */
#include "stats/more.h"

#include <math.h>

#include "stats/binomial.h"

#define STEPS 60 /* of a search by halves */

/* The share of the snapshots of groups that are not alone; `grouped` of all, in `equal` pairs. */
static double in_pairs(double grouped, double equal, double n)
{
	double each = fmin(1, equal / grouped);

	return grouped * -expm1((n - 1) * log1p(-fmin(each, 1 - 1e-12)));
}

/* The sum of the squares of the shares, without the phantom. */
static double squares_of(const struct spread *s)
{
	return fmax(1e-12, 1 / s->n - s->phantom * s->phantom);
}

void more_begin(struct more *m, const struct spread *seen, double least)
{
	double sure = 1 - seen->phantom;

	*m = (struct more){ .seen = *seen };
	if (!(seen->n > 1) || !(sure > 0))
		return;
	double n = m->number = sure * sure / squares_of(seen);
	double pairs = sure * sure - squares_of(seen);
	if (!(n > 1))
		return;
	double covered = fmax(0, 1 - seen->single / sure);
	m->common = fmin(seen->again / sure, covered);
	double hits = m->common * n;
	double equal = seen->equal * (1 - 1 / seen->n) / pairs -
		       fmax(0, hits * (hits - 1) / (n * (n - 1)));
	double paired = covered - m->common, low = paired, high = 1 - m->common;
	if (!(paired > 1e-9) || !(equal > 1e-9))
		return;
	if (least > 0)
		high = fmax(low, fmin(high, equal / least));
	for (int i = 0; i < STEPS; i++) {
		double middle = (low + high) / 2;
		if (in_pairs(middle, equal, n) < paired)
			low = middle;
		else
			high = middle;
	}
	m->grouped = high;
	m->each = fmin(1, equal / m->grouped);
}

/* The share of n snapshots whose content is seen once; that repeats an earlier one. */
static double alone_of(const struct more *m, double n)
{
	double groups = m->grouped > 0 ? in_pairs(m->grouped, m->each * m->grouped, n) : 0;

	return fmax(0, 1 - m->common - groups);
}

static double repeats_of(const struct more *m, double n)
{
	double first = m->common > 0 ? 1 : 0;

	if (!(n > 1))
		return 0;
	if (m->grouped > 0)
		first += m->grouped / m->each * -expm1(n * log1p(-fmin(m->each, 1 - 1e-12)));
	first += (1 - m->common - m->grouped) * n;
	return fmax(0, 1 - first / n);
}

/* What was seen, changed as what is to be expected changes: a share of those not yet so. */
static double change(double seen, double expected, double then)
{
	if (then >= expected)
		return expected < 1 ? 1 - (1 - seen) * (1 - then) / (1 - expected) : seen;
	return expected > 0 ? seen * then / expected : seen;
}

/* The effective number, which the phantom, and the share of it, changes. */
static double number_of(const struct spread *s, double times)
{
	double all = times * (1 - s->phantom) + s->phantom;

	return all * all / (times * squares_of(s) + s->phantom * s->phantom);
}

struct spread more_of(const struct more *m, double times)
{
	struct spread s = m->seen;
	double sure = 1 - s.phantom;

	if (!(s.n > 0) || !(sure > 0) || !(times > 1))
		return s;
	s.n = number_of(&m->seen, times);
	s.phantom = s.phantom / (times * sure + s.phantom);
	double scale = (1 - s.phantom) / sure, before = m->seen.n, few = m->common;
	s.single = scale * sure *
		   change(s.single / sure, alone_of(m, m->number), alone_of(m, times * m->number));
	for (int i = 0; i < 2; i++) {
		double *repeats = i ? &s.repeats_heaviest : &s.repeats_quarter;
		double part = i ? s.as_heaviest : s.as_quarter;
		*repeats = scale * sure *
			   change(*repeats / sure, repeats_of(m, part * before),
				  repeats_of(m, part * s.n));
	}
	s.top *= scale;
	s.again *= scale;
	if (m->grouped > 0)
		few += fmin(m->grouped, (SPREAD_FEW - 1) * m->each);
	few = fmin(few, s.few / sure);
	s.few = scale * sure * (few + (s.few / sure - few) * before / s.n);
	return s;
}

double more_covered(const struct more *m)
{
	return m->common + m->grouped;
}

/*
 * Of contents with `least` each, at most (1 - least)^(n - 1) of the snapshots are alone. What was
 * not seen may be alike.
 */
double more_covered_high(const struct spread *seen, double least, double alpha)
{
	double sure = 1 - seen->phantom;

	if (!(seen->n > 1) || !(sure > 0))
		return 1;
	double n = sure * sure / squares_of(seen);
	double covered = 1 - binomial_low(seen->single * seen->n, seen->n, alpha);
	double found = -expm1((n - 1) * log1p(-least));

	return found > 0 ? fmin(1, covered / found) : 1;
}
