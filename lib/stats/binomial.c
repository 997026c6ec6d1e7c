/* SPDX-License-Identifier: Apache-2.0 */
/*
 * binomial.c - see binomial.h.
 *
 * I_x(a, b) is x^a (1 - x)^b / (a B(a, b)) times a continued fraction (DLMF 8.17.22), which
 * converges fast for x below the mean; beyond it the other tail is computed. The factor in front
 * loses precision: for large a and b its logarithm is a small difference of large numbers. So it is
 * computed from Stirling's errors and deviances, which are small themselves.
 */
#include "stats/binomial.h"

#include <math.h>
#include <stdbool.h>

#define TERMS	  10000 /* of the continued fraction, which needs about sqrt(a + b) */
#define PRECISION 1e-15 /* below this, rounding can keep the fraction from converging */
#define TINY	  1e-300
#define SETTLED	  1e-10 /* the last Newton step in x; the error left is about its square */
#define STEPS	  200	/* most steps of a root search, which needs only a few */

/* log(Gamma(z + 1)) minus Stirling's formula for it; z > 0. */
static double stirling_error(double z)
{
	const double half_log_tau = 0.91893853320467274178; /* log(2 pi) / 2 */
	double s = 1 / (z * z);

	if (z < 12)
		return lgamma(z + 1) - (z + 0.5) * log(z) + z - half_log_tau;
	return (1.0 / 12 -
		s * (1.0 / 360 -
		     s * (1.0 / 1260 - s * (1.0 / 1680 - s * (1.0 / 1188 - s * 691.0 / 360360))))) /
	       z;
}

/* x log(x / m) + m - x. It is small near x = m, where its series is used. */
static double deviance(double x, double m)
{
	double d = x - m, sum = x + m;

	if (!(fabs(d) < 0.1 * sum))
		return x * log(x / m) + m - x;
	double v = d / sum, term = 2 * x * v, result = d * v;
	for (int k = 3; k < 200; k += 2) {
		double before = result;
		term *= v * v;
		result += term / k;
		if (result == before)
			break;
	}
	return result;
}

/*
 * log of 1 / B(a, b), without the deviances. A root search uses it for many x with the same a and
 * b.
 */
static double errors_of(double a, double b)
{
	return stirling_error(a + b) - stirling_error(a) - stirling_error(b);
}

/* x^a (1 - x)^b / B(a, b), y being 1 - x. */
static double front(double a, double b, double x, double y, double errors)
{
	double n = a + b;
	double exponent = errors - deviance(a, n * x) - deviance(b, n * y);

	return exp(exponent) * sqrt(a * b / (2 * M_PI * n));
}

static double not_zero(double x)
{
	return fabs(x) < TINY ? TINY : x;
}

/* The continued fraction, by Lentz's method. */
static double fraction(double a, double b, double x)
{
	double c = 1, d = 1 / not_zero(1 - (a + b) * x / (a + 1)), value = d;

	for (int m = 1; m <= TERMS; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		d = 1 / not_zero(1 + even * d);
		c = not_zero(1 + even / c);
		value *= d * c;
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		d = 1 / not_zero(1 + odd * d);
		c = not_zero(1 + odd / c);
		value *= d * c;
		if (fabs(d * c - 1) < PRECISION)
			break;
	}
	return value;
}

/* I_x(a, b) for 0 < x < 1; `before` is the result of front(). */
static double beta(double a, double b, double x, double before)
{
	if (x < (a + 1) / (a + b + 2))
		return fmin(1, before * fraction(a, b, x) / a);
	return fmax(0, 1 - before * fraction(b, a, 1 - x) / b);
}

double binomial_beta(double a, double b, double x)
{
	if (!(a > 0 && b > 0) || isnan(x))
		return NAN;
	if (x <= 0)
		return 0;
	if (x >= 1)
		return 1;
	return beta(a, b, x, front(a, b, x, 1 - x, errors_of(a, b)));
}

void binomial_prepare(struct binomial *b, double x, double n)
{
	*b = (struct binomial){ .x = x, .n = n };
	if (x > 0 && x <= n)
		b->errors = errors_of(x, n - x + 1);
}

double binomial_tail_of(const struct binomial *b, double p, double *exactly)
{
	double more = b->n - b->x + 1;

	*exactly = 0;
	if (!(b->x > 0))
		return 1;
	if (b->x > b->n || !(p > 0))
		return 0;
	if (p >= 1)
		return 1;
	double before = front(b->x, more, p, 1 - p, b->errors);
	*exactly = before / (b->x * (1 - p));
	return beta(b->x, more, p, before);
}

/* A search for the root of a rising function by Newton's method, between `low` and `high`. */
struct search {
	double x, low, high;
	int steps;
	bool settled;
};

static bool searching(const struct search *s, double precision)
{
	return !s->settled && s->steps < STEPS && s->high - s->low > precision * s->high;
}

/*
 * A step: the function is `off` at x, and Newton's method goes to `next`. Bisects where the slope
 * is none, where the step leaves the known interval, or if there are too many steps.
 */
static void search_step(struct search *s, double off, double slope, double next)
{
	if (off < 0)
		s->low = s->x;
	else
		s->high = s->x;
	bool inside = slope > 0 && next > s->low && next < s->high;
	s->settled = inside && fabs(next - s->x) < SETTLED * s->x;
	inside &= s->settled || s->steps < STEPS / 4;
	s->x = inside ? next : (s->low + s->high) / 2;
	s->steps++;
}

double binomial_least(double x, double n, double alpha)
{
	double more = n - x + 1, errors = errors_of(x, more);
	struct search s = { .x = fmin(x / n, 0.5), .high = 1 };

	while (searching(&s, SETTLED * 1e-3)) {
		double before = front(x, more, s.x, 1 - s.x, errors);
		double tail = beta(x, more, s.x, before);
		/* of the logarithms, which are nearly straight against that of the share */
		double off = log(tail) - log(alpha * s.x), slope = before / ((1 - s.x) * tail) - 1;
		search_step(&s, off, slope, s.x * exp(-off / slope));
	}
	return s.x;
}

double binomial_tail(double x, double n, double p)
{
	struct binomial b;
	double exactly;

	binomial_prepare(&b, x, n);
	return binomial_tail_of(&b, p, &exactly);
}

/* The x where I_x(a, b) is `want`. */
static double quantile(double a, double b, double want)
{
	double errors = errors_of(a, b);
	struct search s = { .x = a / (a + b), .high = 1 };

	while (searching(&s, 1e-16)) {
		double before = front(a, b, s.x, 1 - s.x, errors);
		double off = beta(a, b, s.x, before) - want, slope = before / (s.x * (1 - s.x));
		search_step(&s, off, slope, s.x - off / slope);
	}
	return s.x;
}

double binomial_low(double x, double n, double alpha)
{
	if (!(x > 0 && n > 0))
		return 0;
	if (x >= n)
		return pow(alpha, 1 / n);
	return quantile(x, n - x + 1, alpha);
}

double binomial_high(double x, double n, double alpha)
{
	if (!(x < n && n > 0))
		return 1;
	if (x <= 0)
		return 1 - pow(alpha, 1 / n);
	return quantile(x + 1, n - x, 1 - alpha);
}
