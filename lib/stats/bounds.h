/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bounds.h - formulas of the replica analysis: pure functions of numbers.
 *
 * "Paper" is OJXPerf: Featherlight Object Replica Detection for Java Programs (ICSE 2022), section
 * 6; its equations are named at each function. docs/method.md says what the figures are for.
 *
 * Shares are in 0..1. A value that does not exist is NAN. A, B and C are shares of pairs. A: equal
 * content. B: an equal value, but unequal content. C: an unequal value.
 */
#ifndef OJX_BOUNDS_H
#define OJX_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>

struct bounds_range {
	double low, high;
};

/*
 * The z for which a standard normal variable lies in -z..z with probability `confidence` (0 <
 * confidence < 1): 1.96 for 0.95.
 */
double bounds_z(double confidence);

/* The probability that a standard normal variable is above z: 0.025 for 1.96. */
double bounds_tail(double z);

/*
 * Effective number of observations (Kish 1965), from the sum of their weights and the sum of the
 * squares: that many observations of equal weight give the same precision. 0 without observations.
 */
double bounds_effective(double sum, double squares);

/*
 * Effective number for a share whose observations may have other weights than the rest, for example
 * because one phase of a program was sampled more rarely. `squares` is the sum of the squares of
 * all weights, `squares_in` that of the observations inside the share. Uses the linearised variance
 * of a ratio, sum of w^2 (y - p)^2 (Woodruff 1971), in Wilson's interval as p (1 - p) / variance
 * (Korn and Graubard 1998). This needs some observations inside and outside. Never more than Kish's
 * number.
 */
double bounds_effective_share(double share, double sum, double squares, double squares_in);

/*
 * Wilson's score interval (1927) of a share measured on `n` (effective) observations. It stays
 * within 0..1 and is right for shares of 0 and 1 and for few observations. NAN for n <= 0.
 */
struct bounds_range bounds_wilson(double share, double n, double z);

/* alpha = B / (B + C), the paper's equation 3. NAN if no pair is unequal. */
double bounds_alpha(double b, double c);

/*
 * omega = theta - alpha, with theta = A + B: the lower bound of X_N/X, the paper's definition 6.2.
 * If alpha is NAN, every pair is equal and A itself is the bound. At least 0. It is a lower bound
 * since B / (B + C) >= B, so that omega <= A <= X_N/X.
 */
double bounds_omega(double a, double b, double c);

/*
 * gamma, the upper bound of X_N/X: the closed form of the paper's equation 17 or the exact solution
 * of equation 13, whichever is tighter. `objects` is X; NAN if it is below 2. The pairs within the
 * largest group are some of the equal ones. With s = X_N/X and t = 1 / (X - 1) that is (1 + t) s^2
 * - t s <= A, whose root is an upper bound. That of equation 17, s^2 - t s <= A, is never smaller.
 */
double bounds_gamma(double a, double objects);

/*
 * Good-Turing coverage as an interval: the share of all objects whose content is among those seen.
 * `singles` and `doubles` are the shares of observations whose content was seen once and twice; `n`
 * is the (effective) number of observations. The variance is Esty's (1983), centred like Agresti
 * and Coull's (1998), so that it does not vanish at 0 and 1. NAN for n <= 0.
 */
struct bounds_range bounds_coverage(double singles, double doubles, double n, double z);

/*
 * The least number of contents that exist and were not seen: Chao's bound f1^2 / 2 f2, with the
 * ends of the counts' intervals that make it least. `singles` and `doubles` are the numbers of
 * contents seen once and twice. `sampled` is the sampled share of all objects: if all were sampled,
 * nothing is unseen (Chao and Lin 2012, sampling without replacement): f1^2 / (2 f2 + f1 q / (1 -
 * q)), with q for `sampled`. Each of f1, f2 and the result is taken at the end of its Poisson
 * interval that makes it least.
 */
double bounds_unseen(double singles, double doubles, double sampled, double z);

#endif
