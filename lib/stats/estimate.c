/* SPDX-License-Identifier: Apache-2.0 */
/* estimate.c - see estimate.h. */
#include "stats/estimate.h"

#include <math.h>

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
