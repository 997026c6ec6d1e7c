/* SPDX-License-Identifier: Apache-2.0 */
/* waste_effective.c - see waste_effective.h. */
#include "analyse/waste/waste_effective.h"

#include <stdlib.h>

#include "base/order.h"

/* Pairs whose first access is of one instruction. */
struct place {
	uint32_t jvm, stack, place;
	double bytes, wasted, squares;
};

static int compare(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return ORDER(x->jvm, y->jvm) ?: ORDER(x->stack, y->stack) ?: ORDER(x->place, y->place);
}

/* Merges rows of one instruction. Returns the number of places. */
static size_t merge(struct place *p, size_t n)
{
	size_t kept = 0;

	if (n)
		qsort(p, n, sizeof *p, compare);
	for (size_t i = 0; i < n; i++) {
		if (!kept || compare(&p[kept - 1], &p[i]) != 0) {
			p[kept++] = p[i];
			continue;
		}
		p[kept - 1].bytes += p[i].bytes;
		p[kept - 1].wasted += p[i].wasted;
		p[kept - 1].squares += p[i].squares;
	}
	return kept;
}

/* The variance of pairs, as seen within places that have two pairs at least; NAN if none has. */
static double variance_within(const struct place *p, size_t n)
{
	double sum = 0, bytes = 0;

	for (size_t i = 0; i < n; i++) {
		double pairs = p[i].bytes * p[i].bytes / p[i].squares;
		double f = p[i].wasted / p[i].bytes;
		if (pairs < 1.5)
			continue;
		sum += p[i].bytes * f * (1 - f) * pairs / (pairs - 1);
		bytes += p[i].bytes;
	}
	return sum / bytes;
}

/*
 * The sum of squares of the weights, in which pairs of one place count as one to the extent that
 * they are alike (the correlation within clusters). They count as alike by 1/n at least if n places
 * were seen: another one may differ.
 */
static double squares_of(const struct place *p, size_t n)
{
	double bytes = 0, wasted = 0, single = 0, whole = 0;

	for (size_t i = 0; i < n; i++) {
		bytes += p[i].bytes;
		wasted += p[i].wasted;
		single += p[i].squares;
		whole += p[i].bytes * p[i].bytes;
	}
	if (!n)
		return 0;
	double f = wasted / bytes, alike = whole / (bytes * bytes);
	double seen = 1 - variance_within(p, n) / (f * (1 - f));
	if (seen > alike)
		alike = seen;
	return alike * whole + (1 - alike) * single;
}

double waste_effective(const struct model *m, enum wire_waste_kind kind, bool content)
{
	struct place *p = calloc(model_nwastes(m) + 1, sizeof *p);
	double bytes = 0, squares = 0;
	size_t n = 0;

	if (!p)
		return -1;
	for (size_t i = 0; i < model_nwastes(m); i++) {
		const struct model_waste *w = model_waste(m, i);
		if (w->kind != kind || !w->bytes || (content && w->part != WIRE_PART_CONTENT))
			continue;
		bytes += (double)w->bytes;
		if (w->place)
			p[n++] = (struct place){ w->jvm,
						 w->stack[0],
						 w->place,
						 (double)w->bytes,
						 (double)w->wasted_bytes,
						 (double)w->squares };
		else
			squares += (double)w->squares;
	}
	squares += squares_of(p, merge(p, n));
	free(p);
	return squares > 0 ? bytes * bytes / squares : 0;
}
