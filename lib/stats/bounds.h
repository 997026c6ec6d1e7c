/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bounds.h - formulas of the replica analysis: pure functions of numbers.
 *
 * "Paper" is OJXPerf: Featherlight Object Replica Detection for Java Programs (ICSE 2022),
 * section 6; its equations are named at each function. docs/method.md derives what differs.
 *
 * Shares are in 0..1. A value that does not exist is NAN. A, B and C are the shares of pairs with
 * equal content; with an equal value but unequal content; with an unequal value.
 */
#ifndef OJX_BOUNDS_H
#define OJX_BOUNDS_H

struct bounds_range {
	double low, high;
};

/*
 * The quantile z for which a standard normal variable lies within -z..z with probability
 * `confidence` (0 < confidence < 1): 1.96 for 0.95.
 */
double bounds_z(double confidence);

/*
 * Effective number of observations whose weights have this sum and this sum of squares (Kish 1965):
 * as many of equal weight would tell as much. 0 where there are none.
 */
double bounds_effective(double sum, double squares);

/*
 * The same of a share whose observations may weigh otherwise than the others, as where one phase of
 * a program was looked at more rarely: `squares` is the sum of the squares of all weights,
 * `squares_in` that of those that make the share up. By the linearised variance of a ratio, sum of
 * w^2 (y - p)^2 (Woodruff 1971), put in Wilson's interval as p (1 - p) over it (Korn and Graubard
 * 1998), which needs some observations on both sides; never more than Kish's.
 */
double bounds_effective_share(double share, double sum, double squares, double squares_in);

/*
 * Wilson's score interval (1927) of a share that was measured on `n` (effective) observations.
 * It stays within 0..1 and is right for shares of 0 and 1 and for few observations. NAN for n <= 0.
 */
struct bounds_range bounds_wilson(double share, double n, double z);

/*
 * The lower end of the share of equal ones among all pairs of objects, A = sum of s_i^2 over groups
 * of the shares s_i. Observed were `n` (effective) objects; `squares` and `cubes` are the sums of
 * the groups' shares of them, to the second and to the third power. 0..1; NAN for n <= 1.
 */
double bounds_equal(double squares, double cubes, double n, double z);

/* alpha = B / (B + C), paper's equation 3: NAN where no pair was unequal. */
double bounds_alpha(double b, double c);

/*
 * omega = theta - alpha, paper's definition 6.2, the lower bound of X_N/X, theta = A + B. Where
 * alpha is NAN, every pair was equal and A is the bound itself. Not below 0.
 */
double bounds_omega(double a, double b, double c);

/*
 * gamma, the upper bound of X_N/X: the closed form of paper's equation 17 or the exact solution of
 * equation 13, whichever is tighter. `objects` is X; NAN where it is below 2.
 */
double bounds_gamma(double a, double objects);

/*
 * Good-Turing coverage: the share of all objects whose content is among those seen, as an interval.
 * `singles` and `doubles` are the shares of observations whose content was seen once and twice, `n`
 * the (effective) number of observations. The variance is that of Esty (1983), centred as Agresti
 * and Coull (1998) do, so that it does not vanish at the ends. NAN for n <= 0.
 */
struct bounds_range bounds_coverage(double singles, double doubles, double n, double z);

/*
 * How many contents exist, at least, that were not seen: Chao's bound f1^2 / 2 f2 at the ends of
 * the counts' intervals that make it least. `singles` and `doubles` are numbers of contents that
 * were seen once and twice in a sample of which `sampled` is the share of all objects: of a whole
 * population nothing is unseen (Chao and Lin 2012, sampling without replacement).
 */
double bounds_unseen(double singles, double doubles, double sampled, double z);

#endif
