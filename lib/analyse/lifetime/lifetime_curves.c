/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lifetime_curves.c - see lifetime_curves.h. Lives of one line range from milliseconds to hours, so
 * ages have equal ratios. They begin at the least age at which a life may have ended, and go on to
 * the oldest object.
 */
#include "analyse/lifetime/lifetime_curves.h"

#include <math.h>

#include "analyse/lifetime/lifetime_growth.h"

#define YOUNGEST 0.01 /* share of the oldest age at which a curve begins if no life has ended */

/* The first age above 0 at which a share changes; INFINITY if there is none. */
static double first_age(const struct survival_curve *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->step[i].age > 0)
			return c->step[i].age;
	return INFINITY;
}

static struct figure_point point_of(double x, double value, const struct bounds_range *range)
{
	return (struct figure_point){ (float)x, (float)value, (float)range->low,
				      (float)range->high };
}

void lifetime_curve_ages(struct lifetime_curves *c, const struct survival *survival, double z)
{
	double from = fmin(first_age(&survival->early), first_age(&survival->late));
	double to = survival->late.oldest;

	c->nages = 0;
	if (!isfinite(from))
		from = YOUNGEST * to;
	if (!(from < to))
		return;
	for (int i = 0; i < LIFETIME_AGES; i++) {
		double age = from * pow(to / from, (double)i / (LIFETIME_AGES - 1));
		struct survival_point p = survival_at(survival, i < LIFETIME_AGES - 1 ? age : to);
		struct bounds_range range = survival_range(&p, z);
		c->age[c->nages++] = point_of(age, p.value, &range);
	}
}

void lifetime_curve_times(struct lifetime_curves *c, const struct lifetime_known *known, size_t n,
			  uint64_t end, uint64_t looked, double z)
{
	struct estimate alive[LIFETIME_TIMES];
	uint64_t step = end / LIFETIME_TIMES;

	c->ntimes = 0;
	if (!step)
		return;
	lifetime_alive_over(alive, known, n, step, z);
	for (int i = 0; i < LIFETIME_TIMES; i++) {
		uint64_t at = (uint64_t)(i + 1) * step;
		c->time[c->ntimes++] = point_of(
			(double)at / 1e9, at <= looked ? alive[i].value : NAN, &alive[i].range);
	}
}
