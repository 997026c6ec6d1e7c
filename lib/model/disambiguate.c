/* SPDX-License-Identifier: Apache-2.0 */
/*
 * disambiguate.c - see disambiguate.h. Sorted by title and frames, the stack with most frames in
 * common is a neighbour.
 */
#include "model/disambiguate.h"

#include <stdlib.h>

#include "base/sort.h"
#include "base/xmalloc.h"
#include "model/callstack.h"

/* Number of innermost frames in common. */
static size_t common(const struct callstack *a, const struct callstack *b)
{
	size_t n = a->n < b->n ? a->n : b->n, i = 0;

	while (i < n && frame_compare(&a->frames[i], &b->frames[i]) == 0)
		i++;
	return i;
}

static int compare(const void *a, const void *b)
{
	const struct disambiguate_item *x = *(struct disambiguate_item *const *)a,
				       *y = *(struct disambiguate_item *const *)b;

	if (x->title != y->title)
		return x->title > y->title ? 1 : -1;
	size_t i = common(x->stack, y->stack);
	if (i < x->stack->n && i < y->stack->n)
		return frame_compare(&x->stack->frames[i], &y->stack->frames[i]);
	return ORDER(x->stack->n, y->stack->n);
}

/* The frame at `at`, or the next one with a name; 0 if there is none. */
static size_t named(const struct callstack *stack, size_t at)
{
	while (at < stack->n && stack->frames[at].folded)
		at++;
	return at < stack->n ? at : 0;
}

/* Frames in common of two stacks of the same title; 0 for others. */
static size_t in_common(struct disambiguate_item *const *items, size_t n, size_t i, size_t k)
{
	if (k >= n || items[i]->title != items[k]->title)
		return 0;
	return common(items[i]->stack, items[k]->stack);
}

void disambiguate(struct disambiguate_item *items, size_t n)
{
	struct disambiguate_item **sorted = xcalloc(n, sizeof(struct disambiguate_item *));

	for (size_t i = 0; i < n; i++)
		sorted[i] = &items[i];
	if (n)
		qsort(sorted, n, sizeof(struct disambiguate_item *), compare);
	/* runs of equal stacks, which nothing distinguishes */
	for (size_t first = 0, next; first < n; first = next) {
		next = first + 1;
		while (next < n && compare(&sorted[first], &sorted[next]) == 0)
			next++;
		size_t before = first ? in_common(sorted, n, first, first - 1) : 0;
		size_t after = in_common(sorted, n, first, next);
		size_t most = before > after ? before : after;
		for (size_t i = first; i < next; i++)
			sorted[i]->via = most ? named(sorted[i]->stack, most) : 0;
	}
	free(sorted);
}
