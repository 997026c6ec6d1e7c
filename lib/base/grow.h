/* SPDX-License-Identifier: Apache-2.0 */
/* grow.h - makes room in an array to which elements are added one by one. */
#ifndef OJX_GROW_H
#define OJX_GROW_H

#include <stdlib.h>

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

#endif
