/* SPDX-License-Identifier: Apache-2.0 */
/*
 * align.h - pairs the items of two sequences in order. It pairs as many as possible and, among all
 * such pairings, chooses the cheapest.
 */
#ifndef OJX_ALIGN_H
#define OJX_ALIGN_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define ALIGN_NEVER INFINITY /* the cost of a forbidden pair */

/*
 * at[i] receives the index in the second sequence of the partner of item i of the first, or -1.
 * `cost` (>= 0) is called for any two items, in no particular order. If the middles of both
 * sequences have more than ALIGN_MOST pairs, they are left unpaired. 0, or -1 if out of memory.
 */
int align(size_t nfrom, size_t nto, double (*cost)(size_t i, size_t k, void *arg), void *arg,
	  int32_t *at);

#define ALIGN_MOST 4000000u

#endif
