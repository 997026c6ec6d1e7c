/* SPDX-License-Identifier: Apache-2.0 */
/* maths.c - see maths.h. */
#include "core/maths.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* ln 2 in two parts: the first has zeros at its end, so that its multiples are exact. */
#define LN2_HIGH 0x1.62e42fee00000p-1
#define LN2_LOW	 0x1.a39ef35793c76p-33

#define MOST_EXP    709.782712893384 /* above it, exp is infinite */
#define LEAST_EXPM1 (-40.0)	     /* below it, expm1 is -1 */
#define LEAST_EXP   (-708.39)	     /* below it, exp is less than a normal number */

/* [handler] */
static double two_to(int power)
{
	uint64_t bits = (uint64_t)(power + 1023) << 52;
	double value;

	memcpy(&value, &bits, sizeof value);
	return value;
}

/* [handler] x = power * ln 2 + the result, which is 0.35 at most */
static double reduce(double x, int *power)
{
	double n = x / (LN2_HIGH + LN2_LOW);

	*power = (int)(n < 0 ? n - 0.5 : n + 0.5);
	return x - *power * LN2_HIGH - *power * LN2_LOW;
}

/* [handler] expm1 of what reduce returns: x + x^2/2! + x^3/3! and so on */
static double expm1_of_small(double x)
{
	double sum = 0;

	for (int i = 14; i >= 1; i--)
		sum = (1 + sum) * x / i;
	return sum;
}

double maths_exp(double x)
{
	int power;

	if (isnan(x))
		return x;
	if (x > MOST_EXP)
		return INFINITY;
	if (x < LEAST_EXP)
		return 0;
	double less_1 = expm1_of_small(reduce(x, &power));
	/* 2 to the power of 1024 is no number */
	return two_to(power / 2) * (1 + less_1) * two_to(power - power / 2);
}

double maths_expm1(double x)
{
	int power;

	if (isnan(x) || x == 0)
		return x;
	if (x < LEAST_EXPM1)
		return -1;
	if (x > -LEAST_EXPM1)
		return maths_exp(x);
	double less_1 = expm1_of_small(reduce(x, &power)), times = two_to(power);

	return times * less_1 + (times - 1);
}

/*
 * [handler] m = 2^power * m', where 0.7 < m' < 1.42. ln m' = 2 (s + s^3/3 + s^5/5 and so on), where
 * s = (m' - 1) / (m' + 1).
 */
static double log_of(double m)
{
	uint64_t bits;
	double sum = 0;

	memcpy(&bits, &m, sizeof bits);
	int power = (int)(bits >> 52) - 1023;
	bits = (bits & ((1ull << 52) - 1)) | 1023ull << 52;
	memcpy(&m, &bits, sizeof m);
	if (m > 1.4142135623730951) {
		m /= 2;
		power++;
	}
	double s = (m - 1) / (m + 1);
	for (int i = 23; i >= 1; i -= 2)
		sum = sum * s * s + 1.0 / i;
	return power * LN2_HIGH + (2 * s * sum + power * LN2_LOW);
}

double maths_log1p(double x)
{
	double m = 1 + x;

	if (isnan(x) || m == 1)
		return x;
	if (x <= -1)
		return x == -1 ? -INFINITY : NAN;
	if (isinf(m))
		return m;
	/* what rounding took from m is put right to the first order */
	return log_of(m) * (x / (m - 1));
}
