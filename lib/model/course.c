/* SPDX-License-Identifier: Apache-2.0 */
/* course.c - see course.h. */
#include "model/course.h"

#include <math.h>

#define SHORTEST 0.25 /* seconds: no course needs shorter times at first */

/* Times twice as long. */
static void double_length(struct course *c)
{
	for (size_t i = 0; i < COURSE_TIMES; i++)
		c->amount[i] = 2 * i < COURSE_TIMES ? c->amount[2 * i] + c->amount[2 * i + 1] : 0;
	c->length *= 2;
}

/* The part of `from`..`to` that lies in `low`..`high`; of a moment, whether it does. */
static double part_within(double from, double to, double low, double high)
{
	if (!(to > from))
		return from >= low && from < high;
	return fmax(0, fmin(to, high) - fmax(from, low)) / (to - from);
}

void course_add(struct course *c, double from, double to, double amount)
{
	if (!(c->length > 0)) {
		c->begin = from;
		c->length = SHORTEST;
	}
	from = fmax(from, c->begin);
	to = fmax(from, to);
	while (to >= c->begin + COURSE_TIMES * c->length)
		double_length(c);
	c->end = fmax(c->end, to);
	for (size_t i = (size_t)((from - c->begin) / c->length); i < COURSE_TIMES; i++) {
		double low = c->begin + (double)i * c->length, high = low + c->length;
		c->amount[i] += (float)(amount * part_within(from, to, low, high));
		if (high > to)
			break;
	}
}

void course_spread(const struct course *c, double from, double to, double *sums, size_t n)
{
	const double each = (to - from) / (double)n;

	for (size_t i = 0; i < COURSE_TIMES; i++) {
		double low = c->begin + (double)i * c->length;
		double high = fmin(low + c->length, c->end);
		if (!(c->amount[i] > 0))
			continue;
		for (size_t k = 0; k < n; k++) {
			double first = from + (double)k * each;
			/* what came at the very end is of the last one */
			double last = k + 1 < n || low < to ? first + each : INFINITY;
			sums[k] += c->amount[i] * part_within(low, high, first, last);
		}
	}
}
