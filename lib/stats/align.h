/* SPDX-License-Identifier: Apache-2.0 */
/*
 * align.h - pairs the items of two sequences in order: as many as possible, and of all ways to do
 * that, the one that costs least.
 */
#ifndef OJX_ALIGN_H
#define OJX_ALIGN_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define ALIGN_NEVER INFINITY /* the cost of what must not be paired */

/*
 * at[i] receives the item of the second sequence that item i of the first is paired with, or -1.
 * `cost` (>= 0) is asked for each two items, in no particular order. Where the middles of both
 * sequences are too long to be compared each with each (ALIGN_MOST pairs), they are left unpaired.
 * 0, or -1 where memory lacks.
 */
int align(size_t nfrom, size_t nto, double (*cost)(size_t i, size_t k, void *arg), void *arg,
	  int32_t *at);

#define ALIGN_MOST 4000000u

#endif
