/* SPDX-License-Identifier: Apache-2.0 */
/*
 * binomial.h - exact tails and limits of a binomial share, for a real number of observations.
 *
 * Observations of unequal weight count as an effective number of equal ones, so neither `x` nor `n`
 * needs to be an integer. Tails use the regularised incomplete beta function, which equals the
 * binomial tail for integers. Pure functions; errors are below 1e-12.
 */
#ifndef OJX_BINOMIAL_H
#define OJX_BINOMIAL_H

/*
 * The regularised incomplete beta function I_x(a, b), a and b > 0: 0 for x <= 0, 1 for x >= 1. NAN
 * if a or b is not positive.
 */
double binomial_beta(double a, double b, double x);

/* P(X >= x) for the successes X of n trials with probability p. 1 for x <= 0, 0 for x > n. */
double binomial_tail(double x, double n, double p);

/*
 * The same for many p: what does not depend on p is computed once. `exactly` receives P(X = x), for
 * integers 0 < x <= n and 0 < p < 1; else 0.
 */
struct binomial {
	double x, n, errors;
};
void binomial_prepare(struct binomial *b, double x, double n);
double binomial_tail_of(const struct binomial *b, double p, double *exactly);

/*
 * The share p < 1 with P(X >= x) = alpha p, for 1 < x <= n and 0 < alpha < 1: the chance is smaller
 * for smaller shares.
 */
double binomial_least(double x, double n, double alpha);

/*
 * Clopper-Pearson limits of a share, after x of n observations: each is wrong with probability
 * `alpha` at most. 0 <= x <= n, n > 0, 0 < alpha < 1. `low` is 0 at x = 0, `high` is 1 at x = n;
 * they are 0 and 1 if n <= 0.
 */
double binomial_low(double x, double n, double alpha);
double binomial_high(double x, double n, double alpha);

#endif
