/* SPDX-License-Identifier: Apache-2.0 */
/* weighed.h - a share of weighted observations, and its interval. */
#ifndef OJX_WEIGHED_H
#define OJX_WEIGHED_H

#include <math.h>
#include <stdbool.h>

#include "stats/binomial.h"
#include "stats/bounds.h"

/* Sums of weights: of all observations, of the squares, of the observations that are `so`. */
struct weighed {
	double all, squares, so;
};

static inline void weighed_add(struct weighed *w, double weight, bool so)
{
	w->all += weight;
	w->squares += weight * weight;
	w->so += so ? weight : 0;
}

/* Effective number of observations; 0 without any. */
static inline double weighed_number(const struct weighed *w)
{
	return bounds_effective(w->all, w->squares);
}

/* 0..1; NAN without observations. */
static inline double weighed_share(const struct weighed *w)
{
	return w->all > 0 ? fmin(1, w->so / w->all) : NAN;
}

/* Wilson's interval of the share; z: its quantile. NAN without observations. */
static inline struct bounds_range weighed_range(const struct weighed *w, double z)
{
	return bounds_wilson(weighed_share(w), weighed_number(w), z);
}

/* Clopper-Pearson's interval, which is right for a few observations, too. */
static inline struct bounds_range weighed_exact(const struct weighed *w, double z)
{
	struct bounds_range none = { NAN, NAN };
	double n = weighed_number(w), x = n > 0 ? weighed_share(w) * n : 0;
	double alpha = bounds_tail(z);

	if (!(n > 0))
		return none;
	return (struct bounds_range){ binomial_low(x, n, alpha), binomial_high(x, n, alpha) };
}

#endif
