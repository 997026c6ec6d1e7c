/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sort.h - sorting arrays that mostly have few items. qsort() calls the comparison for each pair
 * and, for large items, sorts pointers to them; insertion takes half the time for a few.
 */
#ifndef OJX_SORT_H
#define OJX_SORT_H

#include <stddef.h>
#include <stdlib.h>

#define SORT_FEW 24 /* items up to which insertion is faster */

/* Defines `static void NAME(TYPE *item, size_t n)`, which sorts by `compare` as qsort() does. */
#define SORT_DEFINE(NAME, TYPE, compare)                                           \
	static void NAME(TYPE *item, size_t n)                                     \
	{                                                                          \
		if (n > SORT_FEW) {                                                \
			qsort(item, n, sizeof *item, compare);                     \
			return;                                                    \
		}                                                                  \
		for (size_t next = 1; next < n; next++) {                          \
			TYPE moved = item[next];                                   \
			size_t at = next;                                          \
			for (; at > 0 && compare(&item[at - 1], &moved) > 0; at--) \
				item[at] = item[at - 1];                           \
			if (at < next)                                             \
				item[at] = moved;                                  \
		}                                                                  \
	}

#endif
