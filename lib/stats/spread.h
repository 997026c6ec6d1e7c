/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spread.h - how the objects of a line are spread over contents, from a few looks: what is certain,
 * and how sure.
 *
 * Each look has a content and a value v, of which the shares are: the bytes (or objects) that it
 * stands for. Bounds are one-sided: wrong with a probability of `alpha` at most, from five looks
 * on, for any spread. docs/method.md derives them.
 *
 * What was not seen may weigh more than what was. So a *phantom look* of unknown content stands
 * beside the looks, which weighs what the heaviest sample of the line does beyond the mean. Pure
 * functions of arrays.
 */
#ifndef OJX_SPREAD_H
#define OJX_SPREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/bounds.h"

struct spread_snapshot {
	uint64_t content; /* equal numbers: equal contents */
	double v;	  /* > 0 */
};

/* Shares are of all v, the phantom's included. */
struct spread {
	size_t snapshots;
	double n; /* as many looks of equal v would tell as much (Kish), the phantom counted; 0:
		     none */
	double contents; /* different ones that were seen */
	double phantom;
	double top;	/* of the commonest content */
	double again;	/* of the commonest of those that were seen more than once */
	double equal;	/* of the pairs, those of equal content: A/n */
	double single;	/* of contents that were seen once */
	double repeats; /* of looks that have an equal one before them, on average over their order
			 */
	double equal_most; /* A/n if the phantom is of the commonest content */
};

/*
 * Measures `n` looks, which it sorts. `largest` is the largest v of any sample of the line, seen or
 * not; 0: of those seen. `design` divides the effective number of looks, where looks stand for
 * their neighbours: their design effect, >= 1.
 */
void spread_measure(struct spread *s, struct spread_snapshot *snapshots, size_t n, double largest,
		    double design);

/* Of a claim: 0.05 from 20 looks on, 0.01 below; a tenth of it if it is judged again and again
 * while looks come in. */
double spread_alpha(double n, int live);

/* A/n, both ends. */
struct bounds_range spread_equal_range(const struct spread *s, double alpha);
/* The lower end for a mean of A/n, as over the slots of contents, of `n` effective looks. */
double spread_equal_low(double equal, double n, double alpha);

/* Share of the commonest content: at least, at most. */
double spread_top_low(const struct spread *s, double alpha);
double spread_top_high(const struct spread *s, double alpha);

/* Share whose contents are among those seen, at least: what could be merged with something, but for
 * one object of each. */
double spread_covered_low(const struct spread *s, double alpha);
double spread_covered(const struct spread *s); /* the same, estimated (Good and Turing) */

/* What the `k` commonest contents hold together, at most; k in 1..64. */
double spread_held_high(const struct spread *s, unsigned k, double alpha);

/* The same of a limit, 0..1, with much less work: whether the lower end reaches it, whether the k
 * contents hold no more. */
bool spread_top_reaches(const struct spread *s, double limit, double alpha);
bool spread_covered_reaches(const struct spread *s, double limit, double alpha);
bool spread_held_within(const struct spread *s, unsigned k, double limit, double alpha);

#endif
