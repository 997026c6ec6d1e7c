/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pool.h - shares of lines with little evidence, estimated from their own and from that of other
 * lines of their class and kind. Pure functions of arrays.
 */
#ifndef OJX_POOL_H
#define OJX_POOL_H

#include <stddef.h>

struct pool_line {
	size_t line;	   /* whose it is */
	const char *class; /* equal pointers mean equal classes */
	unsigned kind;
	double share;  /* as the line's own evidence has it; anything if there is none */
	double number; /* of observations behind it; 0: none; INFINITY: it is known */

	/* results */
	double estimate;
	double lent; /* the part of the estimate that other lines have given */
};

/*
 * Estimates the shares; reorders the lines. Returns the standard error of what is lent, as far as
 * lines differ; NAN if no line has any evidence, and then estimates are 0.
 */
double pool_estimate(struct pool_line *lines, size_t n);

#endif
