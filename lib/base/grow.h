/* SPDX-License-Identifier: Apache-2.0 */
/* grow.h - arrays that grow. */
#ifndef OJX_GROW_H
#define OJX_GROW_H

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"

/*
 * Makes room for element `n` in the array `items`, which has room for `room` elements; both are
 * variables. The first array has room for `first`, each later one for twice as many. True, or false
 * if out of memory; then both variables are unchanged. Free the array with free.
 */
#define GROW(items, n, room, first)                                                           \
	({                                                                                    \
		__typeof__(items) grow_items = (items);                                       \
		if ((n) >= (room)) {                                                          \
			__typeof__(room) grow_room = (room) ? 2 * (room) : (first);           \
			grow_items = reallocarray(grow_items, grow_room, sizeof *grow_items); \
			if (grow_items) {                                                     \
				(items) = grow_items;                                         \
				(room) = grow_room;                                           \
			}                                                                     \
		}                                                                             \
		grow_items != NULL;                                                           \
	})

/*
 * Makes the array `items` of `n` elements, both variables, longer if it has no element `i`. New
 * elements are zero. True, or false if out of memory; then both variables are unchanged. Free the
 * array with free.
 */
#define GROW_TO(items, n, i)                                                                      \
	({                                                                                        \
		__typeof__(items) grow_items = (items);                                           \
		if ((i) >= (n)) {                                                                 \
			__typeof__(n) grow_n = 2 * (i) + 1;                                       \
			grow_items = reallocarray(grow_items, grow_n, sizeof *grow_items);        \
			if (grow_items) {                                                         \
				memset(grow_items + (n), 0, (grow_n - (n)) * sizeof *grow_items); \
				(items) = grow_items;                                             \
				(n) = grow_n;                                                     \
			}                                                                         \
		}                                                                                 \
		grow_items != NULL;                                                               \
	})

/* The same for reports (xmalloc.h): there is always room. */
#define XGROW(items, n, room, first)              \
	({                                        \
		if (!GROW(items, n, room, first)) \
			out_of_memory();          \
	})
#define XGROW_TO(items, n, i)              \
	({                                 \
		if (!GROW_TO(items, n, i)) \
			out_of_memory();   \
	})

#endif
