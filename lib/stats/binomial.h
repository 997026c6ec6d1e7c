/* SPDX-License-Identifier: Apache-2.0 */
/*
 * binomial.h - exact tails and limits of a binomial share, for real numbers of observations.
 *
 * Observations of unequal weight count as a real number of equal ones, so neither `x` nor `n` has
 * to be whole: tails go through the regularised incomplete beta function, which the binomial's are
 * where both are. Pure functions; errors are below 1e-12.
 */
#ifndef OJX_BINOMIAL_H
#define OJX_BINOMIAL_H

/*
 * The regularised incomplete beta function I_x(a, b), a and b > 0: 0 at x <= 0, 1 at x >= 1. NAN
 * where a or b is not positive.
 */
double binomial_beta(double a, double b, double x);

/* The derivative of that by x: the density of the beta distribution. 0 outside of 0 < x < 1. */
double binomial_density(double a, double b, double x);

/* P(X >= x) for X of n trials with probability p. 1 for x <= 0, 0 for x > n. */
double binomial_tail(double x, double n, double p);

/*
 * Clopper-Pearson's limits of a share of which x of n observations were: each is wrong with a
 * probability of `alpha` at most. 0 <= x <= n, n > 0, 0 < alpha < 1. `low` is 0 at x = 0, `high` 1
 * at x = n; 0 and 1 where n <= 0.
 */
double binomial_low(double x, double n, double alpha);
double binomial_high(double x, double n, double alpha);

#endif
