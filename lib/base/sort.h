/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sort.h - sorting arrays that mostly have few items, and searching them. qsort() calls the
 * comparison for each pair and, for large items, sorts pointers to them. Here the comparison is
 * compiled in: a few items are sorted by insertion, more of them by merging such runs.
 */
#ifndef OJX_SORT_H
#define OJX_SORT_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define SORT_FEW 24 /* items up to which insertion is faster */

/*
 * Defines `static void NAME(TYPE *item, size_t n)`, which sorts by `compare` as qsort() does. Equal
 * items keep their order.
 */
#define SORT_DEFINE(NAME, TYPE, compare)                                                           \
	static void NAME##_few(TYPE *item, size_t n)                                               \
	{                                                                                          \
		for (size_t next = 1; next < n; next++) {                                          \
			TYPE moved = item[next];                                                   \
			size_t at = next;                                                          \
			for (; at > 0 && compare(&item[at - 1], &moved) > 0; at--)                 \
				item[at] = item[at - 1];                                           \
			if (at < next)                                                             \
				item[at] = moved;                                                  \
		}                                                                                  \
	}                                                                                          \
                                                                                                   \
	/* Merges each two runs of `width` items. */                                               \
	static void NAME##_merge(TYPE *to, const TYPE *from, size_t n, size_t width)               \
	{                                                                                          \
		for (size_t at = 0; at < n; at += 2 * width) {                                     \
			size_t left = at, middle = n - at < width ? n : at + width;                \
			size_t right = middle, end = n - middle < width ? n : middle + width;      \
			for (size_t k = at; k < end; k++) {                                        \
				bool is_left =                                                     \
					right == end || (left < middle &&                          \
							 compare(&from[left], &from[right]) <= 0); \
				to[k] = from[is_left ? left++ : right++];                          \
			}                                                                          \
		}                                                                                  \
	}                                                                                          \
                                                                                                   \
	static void NAME(TYPE *item, size_t n)                                                     \
	{                                                                                          \
		TYPE *other = n > SORT_FEW ? malloc(n * sizeof *item) : NULL, *from = item;        \
                                                                                                   \
		if (n > SORT_FEW && !other) { /* out of memory */                                  \
			qsort(item, n, sizeof *item, compare);                                     \
			return;                                                                    \
		}                                                                                  \
		for (size_t at = 0; at < n; at += SORT_FEW)                                        \
			NAME##_few(item + at, n - at < SORT_FEW ? n - at : SORT_FEW);              \
		for (size_t width = SORT_FEW; width < n; width *= 2) {                             \
			TYPE *to = from == item ? other : item;                                    \
			NAME##_merge(to, from, n, width);                                          \
			from = to;                                                                 \
		}                                                                                  \
		if (from != item)                                                                  \
			memcpy(item, other, n * sizeof *item);                                     \
		free(other);                                                                       \
	}

/*
 * The first number from `from` on to which `is_before`, a condition on the number `i`, does not
 * apply; `to` if there is none: `SEARCH(i, 0, n, item[i].key < key)`.
 */
#define SEARCH(i, from, to, is_before)                                 \
	({                                                             \
		size_t i##_low = (from), i##_high = (to);              \
		while (i##_low < i##_high) {                           \
			size_t i = i##_low + (i##_high - i##_low) / 2; \
			if (is_before)                                 \
				i##_low = i + 1;                       \
			else                                           \
				i##_high = i;                          \
		}                                                      \
		i##_low;                                               \
	})

/* ---- what a comparison returns that qsort() takes, for numbers. */

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
