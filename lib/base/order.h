/* SPDX-License-Identifier: Apache-2.0 */
/* order.h - what a comparison returns that qsort() takes, for numbers. */
#ifndef OJX_ORDER_H
#define OJX_ORDER_H

#include <math.h>

/* The smaller first. By one number, then by others: `ORDER(x->a, y->a) ?: ORDER(x->b, y->b)`. */
#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/* The larger first; what is not a number is last. */
static inline int order_down(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b);
	return ORDER(b, a);
}

#endif
