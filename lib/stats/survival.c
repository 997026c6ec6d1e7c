/* SPDX-License-Identifier: Apache-2.0 */
/*
 * survival.c - see survival.h. The variance of a share is Greenwood's, with Kish's effective number
 * of those at risk. The share's interval is Wilson's for the number of observations that gives this
 * variance (Rothman 1978), so it stays within 0 and 1.
 */
#include "stats/survival.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/xmalloc.h"

struct event {
	double age, weight;
	bool ended;
};

/* By age; ends come before what stops being looked at. */
static int compare(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	return ORDER(x->age, y->age) ?: ORDER(y->ended, x->ended);
}

/* Who is at risk: sums of weights and of their squares. */
struct risk {
	double sum, squares;
};

static void leaves(struct risk *r, double weight)
{
	r->sum = fmax(0, r->sum - weight);
	r->squares = fmax(0, r->squares - weight * weight);
}

/*
 * The effective number that a share is from, after `ended` of those at risk have ended. `variance`
 * is Greenwood's sum so far. A share of 0 has no variance: it is known as well as the share before
 * it by those who were at risk then.
 */
static double number_of(double share, double variance, double before, double at_risk)
{
	if (share > 0 && variance > 0)
		return (1 - share) / (share * variance);
	return at_risk / fmax(before, 1e-9);
}

static void fill(struct survival_curve *c, struct event *events, size_t n)
{
	struct risk risk = { 0, 0 };
	double share = 1, variance = 0, first;

	c->step = xcalloc(n + 1, sizeof *c->step);
	qsort(events, n, sizeof *events, compare);
	for (size_t i = 0; i < n; i++) {
		risk.sum += events[i].weight;
		risk.squares += events[i].weight * events[i].weight;
	}
	first = bounds_effective(risk.sum, risk.squares);
	c->step[c->n++] = (struct survival_step){ 0, 1, first };
	for (size_t i = 0; i < n;) {
		struct risk before = risk;
		double age = events[i].age, ended = 0;
		for (; i < n && events[i].age == age; i++) {
			ended += events[i].ended ? events[i].weight : 0;
			leaves(&risk, events[i].weight);
		}
		c->oldest = age;
		if (ended == 0)
			continue;
		double part = fmin(1, ended / before.sum), last = share;
		double at_risk = bounds_effective(before.sum, before.squares);
		share = part < 1 - 1e-12 ? share * (1 - part) : 0;
		variance += share > 0 ? part / ((1 - part) * at_risk) : 0;
		double number = fmin(first, number_of(share, variance, last, at_risk));
		c->step[c->n++] = (struct survival_step){ age, share, number };
	}
}

void survival_make(struct survival *s, const struct survival_life *lives, size_t n)
{
	struct event *events = xcalloc(n, sizeof *events);

	memset(s, 0, sizeof *s);
	for (int late = 0; late < 2; late++) {
		for (size_t i = 0; i < n; i++) {
			const struct survival_life *l = &lives[i];
			events[i] = (struct event){ late ? l->high : l->low, l->weight, l->ended };
		}
		fill(late ? &s->late : &s->early, events, n);
	}
	free(events);
}

void survival_release(struct survival *s)
{
	free(s->early.step);
	free(s->late.step);
	memset(s, 0, sizeof *s);
}

/* The step in force at an age. */
static const struct survival_step *step_at(const struct survival_curve *c, double age)
{
	size_t low = 0, high = c->n;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (c->step[middle].age <= age)
			low = middle;
		else
			high = middle;
	}
	return &c->step[low];
}

/* Whether some live on beyond what was observed. */
static bool is_beyond(const struct survival_curve *c, double age)
{
	return age > c->oldest && c->step[c->n - 1].share > 0;
}

static double lower(const struct survival_curve *c, double age, double z)
{
	const struct survival_step *s = step_at(c, age);

	return is_beyond(c, age) ? 0 : bounds_wilson(s->share, s->number, z).low;
}

static double upper(const struct survival_curve *c, double age, double z)
{
	const struct survival_step *s = step_at(c, age);

	return bounds_wilson(s->share, s->number, z).high;
}

static double middle(const struct survival *s, double age)
{
	if (is_beyond(&s->early, age) || is_beyond(&s->late, age))
		return NAN;
	return (step_at(&s->early, age)->share + step_at(&s->late, age)->share) / 2;
}

struct survival_point survival_at(const struct survival *s, double age)
{
	struct survival_point p = { .value = NAN };

	if (!s->early.n || !(s->early.step->number > 0))
		return p;
	p.value = middle(s, age);
	p.early = *step_at(&s->early, age);
	p.late = *step_at(&s->late, age);
	if (is_beyond(&s->early, age))
		p.early.share = 0; /* what is left of them may have ended since */
	return p;
}

struct bounds_range survival_range(const struct survival_point *p, double z)
{
	struct bounds_range range = { NAN, NAN };

	if (!(p->late.number > 0))
		return range;
	range.low = p->early.share > 0 ? bounds_wilson(p->early.share, p->early.number, z).low : 0;
	range.high = bounds_wilson(p->late.share, p->late.number, z).high;
	if (range.low > range.high)
		range.low = range.high;
	return range;
}

/* The age of the first step with a figure of at most `share`; INFINITY if there is none. */
static double first_at_most(const struct survival_curve *c, double share, double z,
			    double (*figure)(const struct survival_curve *c, double age, double z))
{
	for (size_t i = 0; i < c->n; i++)
		if (figure(c, c->step[i].age, z) <= share)
			return c->step[i].age;
	return INFINITY;
}

static double share_at(const struct survival_curve *c, double age, double z)
{
	(void)z;
	return step_at(c, age)->share;
}

/* Both curves have steps; the mean falls to the share at one of them. */
static double middle_age(const struct survival *s, double share)
{
	const struct survival_curve *curves[] = { &s->early, &s->late };
	double first = INFINITY;

	for (int k = 0; k < 2; k++)
		for (size_t i = 0; i < curves[k]->n; i++) {
			double age = curves[k]->step[i].age;
			if (age >= first)
				break;
			if (middle(s, age) <= share)
				first = age;
		}
	return isfinite(first) ? first : NAN;
}

struct estimate survival_age(const struct survival *s, double share, double z)
{
	struct estimate e = { NAN, { NAN, NAN } };
	double left = 1 - share;

	if (!s->early.n || !(s->early.step->number > 0))
		return e;
	e.value = middle_age(s, left);
	e.range.low = fmin(first_at_most(&s->early, left, z, lower),
			   first_at_most(&s->early, left, z, share_at));
	e.range.high = first_at_most(&s->late, left, z, upper);
	/* where some live on, the lower limit falls behind the last step */
	if (is_beyond(&s->early, INFINITY))
		e.range.low = fmax(0, fmin(e.range.low, s->early.oldest));
	return e;
}
