/* SPDX-License-Identifier: Apache-2.0 */
/* bounds.c - see bounds.h. */
#include "stats/bounds.h"

#include <math.h>

static double clamp(double x)
{
	return x < 0 ? 0 : x > 1 ? 1 : x;
}

double bounds_tail(double z)
{
	return erfc(z / M_SQRT2) / 2;
}

double bounds_z(double confidence)
{
	double tail = (1 - confidence) / 2;

	if (!(tail > 0 && tail < 0.5))
		return NAN;
	/* Abramowitz and Stegun 26.2.23 has an error of at most 4.5e-4; Newton steps remove it */
	double t = sqrt(-2 * log(tail));
	double z = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
			       (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
	for (int i = 0; i < 3; i++) {
		double density = exp(-z * z / 2) / sqrt(2 * M_PI);
		if (density <= 0)
			break;
		z += (bounds_tail(z) - tail) / density;
	}
	return z;
}

double bounds_effective(double sum, double squares)
{
	return squares > 0 ? sum * sum / squares : 0;
}

double bounds_effective_share(double share, double sum, double squares, double squares_in)
{
	double alike = bounds_effective(sum, squares);
	double spread = (1 - 2 * share) * squares_in + share * share * squares;

	if (!(share > 0 && share < 1 && spread > 0))
		return alike;
	return fmin(alike, share * (1 - share) * sum * sum / spread);
}

struct bounds_range bounds_wilson(double share, double n, double z)
{
	struct bounds_range range = { NAN, NAN };

	if (!(n > 0) || isnan(share))
		return range;
	double zz = z * z / n;
	double middle = (share + zz / 2) / (1 + zz);
	double half = z / (1 + zz) * sqrt(share * (1 - share) / n + zz / (4 * n));
	/* at 0 and 1 the sum is exact only on paper */
	range.low = share <= 0 ? 0 : clamp(middle - half);
	range.high = share >= 1 ? 1 : clamp(middle + half);
	return range;
}

double bounds_alpha(double b, double c)
{
	return b + c > 0 ? b / (b + c) : NAN;
}

double bounds_omega(double a, double b, double c)
{
	double alpha = bounds_alpha(b, c);

	return isnan(alpha) ? clamp(a) : clamp(a + b - alpha);
}

double bounds_gamma(double a, double objects)
{
	if (!(objects >= 2) || isnan(a))
		return NAN;
	double t = 1 / (objects - 1);
	double closed = t / 2 + sqrt(t * t / 4 + a);
	/* the positive root of (t + 1) s^2 - t s = a */
	double exact = (t + sqrt(t * t + 4 * (1 + t) * a)) / (2 * (1 + t));
	return clamp(fmin(closed, exact));
}

struct bounds_range bounds_coverage(double singles, double doubles, double n, double z)
{
	struct bounds_range range = { NAN, NAN };

	if (!(n > 0) || isnan(singles))
		return range;
	double more = n + z * z;
	double missing = (singles * n + z * z / 2) / more;
	double half = z * sqrt((missing * (1 - missing) + doubles) / more);
	range.low = clamp(1 - missing - half);
	range.high = clamp(1 - missing + half);
	return range;
}

/* An end of the interval of a Poisson variable's mean, by the variance-stabilising square root. */
static double poisson_end(double count, double z)
{
	double root = sqrt(z < 0 ? count : count + 1) + z / 2;

	return root > 0 ? root * root : 0;
}

double bounds_unseen(double singles, double doubles, double sampled, double z)
{
	if (!(sampled < 1) || !(singles > 0))
		return 0;
	double once = poisson_end(singles, -z), odds = fmax(sampled, 0) / (1 - sampled);

	double mean = once * once / (2 * poisson_end(doubles, z) + odds * poisson_end(singles, z));
	/* the number itself varies about that mean; it is an integer */
	return floor(poisson_end(mean, -z));
}
