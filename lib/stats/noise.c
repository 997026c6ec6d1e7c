/* SPDX-License-Identifier: Apache-2.0 */
/* noise.c - see noise.h. */
#include "stats/noise.h"

#include <math.h>

struct noise_estimate noise_amount(double sum, double variance, double unit, double z)
{
	struct noise_estimate e = { sum, { sum, sum } };

	if (sum > 0 && variance <= 0)
		return e;
	double n = sum > 0 ? sum * sum / variance : 0;
	double each = sum > 0 ? sum / n : unit;
	double middle = n + z * z / 2, half = z * sqrt(n + z * z / 4);
	e.range.low = fmax(0, fmin(sum, each * (middle - half)));
	e.range.high = fmax(sum, each * (middle + half));
	return e;
}

struct noise_estimate noise_scale(struct noise_estimate e, double factor)
{
	e.value *= factor;
	e.range.low *= factor;
	e.range.high *= factor;
	return e;
}

struct noise_estimate noise_change(const struct noise_estimate *from,
				   const struct noise_estimate *to)
{
	double change = to->value - from->value;
	double below = hypot(to->value - to->range.low, from->range.high - from->value);
	double above = hypot(to->range.high - to->value, from->value - from->range.low);

	return (struct noise_estimate){ change, { change - below, change + above } };
}

enum noise_verdict noise_judge(const struct noise_estimate *from, const struct noise_estimate *to,
			       double relative, double absolute)
{
	const struct noise_estimate more = noise_scale(*from, 1 + relative);
	const struct noise_estimate less = noise_scale(*from, fmax(0, 1 - relative));
	const struct noise_estimate rise = noise_change(&more, to);
	const struct noise_estimate fall = noise_change(&less, to);

	if (isnan(rise.range.low) || isnan(fall.range.high))
		return NOISE_UNKNOWN;
	if (rise.range.low > absolute)
		return NOISE_UP;
	return fall.range.high < -absolute ? NOISE_DOWN : NOISE_SAME;
}

double noise_level(double confidence, double n)
{
	return n > 1 ? 1 - (1 - confidence) / n : confidence;
}
