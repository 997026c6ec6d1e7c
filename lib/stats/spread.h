/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spread.h - how the objects of a line are spread over contents: bounds from a few snapshots.
 *
 * Each snapshot has a content and a value v: the bytes (or objects) that it stands for. Shares are
 * shares of v. Bounds are one-sided: from five snapshots on, each is wrong with probability `alpha`
 * at most, for any distribution.
 *
 * What was not seen may weigh more than what was seen. So a *phantom snapshot* of unknown content
 * is added; it weighs as much as the heaviest sample of the line exceeds the mean. With n snapshots
 * and S = sum v, that is e = max(0, v_max - S / n), and the effective number is (S + e)^2 / (sum
 * v^2 + e^2). Lower bounds take the phantom for a content of its own, upper ones for one of the
 * commonest.
 *
 * What few contents hold is bounded by how few snapshots repeat an earlier one. If common contents
 * weigh more than the others, few snapshots carry them, and few repeat. So it is bounded as if all
 * snapshots weighed as much as the heaviest, v_h: by n' = (S + e) / v_h snapshots. v_h is the mean
 * v, by v, of the heaviest snapshots that make SPREAD_QUARTER of S + e: contents that hold as much
 * cannot weigh more on average. For smaller shares it is the largest v. A line that was looked at
 * for long has many light snapshots, which find more and more repeats, while n' does not grow. So
 * the repeats are those of n' snapshots: lighter ones are left out at random until all weigh v_h,
 * and the number is the mean over all such choices. One stays with probability p = min(1, v / v_h);
 * of a content, 1 - prod (1 - p) is the probability that one stays. Pure functions of arrays.
 */
#ifndef OJX_SPREAD_H
#define OJX_SPREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct spread_snapshot {
	uint64_t content; /* equal numbers mean equal contents */
	double v;	  /* > 0 */
};

#define SPREAD_QUARTER 0.25 /* the share of the heaviest snapshots that `as_quarter` is about */
#define SPREAD_FEW     16   /* contents that `few` is about */

/* Shares are of the sum of v, the phantom included. */
struct spread {
	size_t snapshots;
	double n;	 /* effective number of snapshots (Kish), the phantom included; 0: none */
	double contents; /* number of different contents seen */
	double phantom;
	double top;    /* of the commonest content */
	double again;  /* of the commonest content that was seen more than once */
	double equal;  /* share of equal pairs among the pairs: A/n */
	double single; /* of contents seen once */
	/*
	 * The effective number of snapshots if all weighed as much as those of the heaviest quarter
	 * do on average (by v), or as the heaviest one; both as shares of `n`.
	 */
	double as_quarter, as_heaviest;
	/*
	 * Of snapshots that repeat an earlier one, averaged over their order, if lighter ones are
	 * left out at random until all weigh so much.
	 */
	double repeats_quarter, repeats_heaviest;
	double few; /* of the SPREAD_FEW commonest contents */
};

/*
 * Measures `n` snapshots, and sorts them. `largest` is the largest v of any sample of the line,
 * seen or not; 0: of those seen. `design` (>= 1) is the design effect by which the effective number
 * is divided, if snapshots stand for their neighbours.
 */
void spread_measure(struct spread *s, struct spread_snapshot *snapshots, size_t n, double largest,
		    double design);

/*
 * The alpha of a claim: 0.05 from 20 snapshots on, 0.01 below; a tenth of that if the claim is
 * judged repeatedly while snapshots arrive.
 */
double spread_alpha(double n, int live);

/*
 * The lower end of a mean of A/n (for example, over the slots of contents), from an effective
 * number `n`: (Clopper and Pearson's lower limit of x of n)^2, with x = (1 + sqrt(1 + 4 A n (n -
 * 1))) / 2, the one group that would give as many equal pairs.
 */
double spread_equal_low(double equal, double n, double alpha);

/*
 * Share of the commonest content: its least, its most. The least is L with P(Bin(n, L) >= m) / L =
 * alpha, as at most 1 / L contents have a share of L; m = n times the share of the commonest that
 * was seen more than once.
 */
double spread_top_low(const struct spread *s, double alpha);
double spread_top_high(const struct spread *s, double alpha);
/*
 * The most that the SPREAD_FEW commonest contents hold together, if that is SPREAD_QUARTER or more:
 * those of all objects hold no more of the sample than the commonest of the sample do, t. So it is
 * Clopper and Pearson's upper limit of t n' of n'. With hundreds of snapshots that tells more than
 * held_high.
 */
double spread_few_high(const struct spread *s, double alpha);

/* Least share of the contents seen: the part that could be merged, except one object of each. */
double spread_covered_low(const struct spread *s, double alpha);
double spread_covered(const struct spread *s); /* the same, as an estimate (Good and Turing) */

/*
 * Compare a bound with a limit (0..1), much faster than computing it: whether the lower end reaches
 * the limit.
 */
bool spread_equal_reaches(double equal, double n, double limit, double alpha);
bool spread_top_reaches(const struct spread *s, double limit, double alpha);
bool spread_covered_reaches(const struct spread *s, double limit, double alpha);

/*
 * ---- what the few commonest contents of a line hold together, at most, from snapshots. The
 * bound rests on how few snapshots repeat an earlier one. It is one-sided, wrong with
 * probability `alpha` at most for any distribution, and holds if the common contents are the
 * heaviest ones, too. If k contents hold R, fewest repeat if these are equally common and all
 * others are alone. Then H ~ Bin(n', R) snapshots hit one of the k, and the number of different
 * ones among H throws is an occupancy's. R is where as many repeats or fewer have probability
 * alpha, interpolated if there is no whole number of them. Pure functions of a spread.
 */

/*
 * What held_within computes for some number of repeats, for others to go on with: for calls with
 * one k and many numbers of snapshots. All zero: nothing yet. Release with held_work_release.
 */
struct held_work {
	double *hits;
	size_t n, room;
};
void held_work_release(struct held_work *work);

/* The largest share that the `k` commonest contents can hold together; k in 1..64. */
double held_high(const struct spread *s, unsigned k, double alpha);

/*
 * Whether the k contents hold no more than `limit` (0..1); much faster than computing the bound.
 * `work` may be NULL.
 */
bool held_within(const struct spread *s, unsigned k, double limit, double alpha,
		 struct held_work *work);

#endif
