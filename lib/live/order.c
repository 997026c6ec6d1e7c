/* SPDX-License-Identifier: Apache-2.0 */
/* order.c - see order.h. */
#define _GNU_SOURCE 1 /* qsort_r */
#include "live/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * What decides most comparisons, side by side in memory: places of a hundred thousand rows are all over it. In the order of
 * columns_compare_places.
 */
struct sorted {
	double value, rate;
	uint32_t row;
};

static int compare_down(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b);
	return a > b ? -1 : a < b;
}

static int compare(const void *a, const void *b, void *arg)
{
	const struct sorted *x = a, *y = b;
	const struct row_place *place = arg;
	int order = compare_down(x->value, y->value);

	if (!order)
		order = compare_down(x->rate, y->rate);
	return order ? order : columns_compare_places(&place[x->row], &place[y->row]);
}

/* Sorts n rows that have their places. 0, or -1 where memory lacks. */
static int sort(const struct order *o, uint32_t *rows, size_t n)
{
	struct sorted *list = malloc((n + 1) * sizeof *list);

	if (!list)
		return -1;
	for (size_t i = 0; i < n; i++) {
		const struct row_place *p = &o->place[rows[i]];
		list[i] = (struct sorted){ p->value, p->rate, rows[i] };
	}
	if (n)
		qsort_r(list, n, sizeof *list, compare, o->place);
	for (size_t i = 0; i < n; i++)
		rows[i] = list[i].row;
	free(list);
	return 0;
}

static int make_room(struct order *o, size_t n)
{
	size_t room = o->room ? o->room : 64;

	if (n <= o->room)
		return 0;
	while (room < n)
		room *= 2;
	struct row_place *place = realloc(o->place, room * sizeof *place);
	if (!place)
		return -1;
	o->place = place;
	uint32_t *at = realloc(o->at, room * sizeof *at);
	if (!at)
		return -1;
	o->at = at;
	o->room = room;
	return 0;
}

static void find_place(struct order *o, const struct rows *rows, size_t i,
		       const struct cell_context *ctx)
{
	o->place[i] = columns_place(o->key, &rows->row[i], ctx);
	o->place[i].row = i;
	o->several |= o->place[i].jvm != o->place[0].jvm;
}

int order_all(struct order *o, const struct rows *rows, const struct column *key,
	      const struct cell_context *ctx)
{
	if (make_room(o, rows->n) < 0)
		return -1;
	o->key = key;
	o->n = rows->n;
	o->several = false;
	for (size_t i = 0; i < o->n; i++) {
		find_place(o, rows, i, ctx);
		o->at[i] = (uint32_t)i;
	}
	return sort(o, o->at, o->n);
}

static bool comes_before(const struct order *o, uint32_t row, uint32_t other)
{
	return columns_compare_places(&o->place[row], &o->place[other]) < 0;
}

/* How many of the first `n` rows in order come before this one: mostly all but a few. */
static size_t before(const struct order *o, size_t n, uint32_t row)
{
	size_t step = 1, low = 0;

	while (step <= n && !comes_before(o, o->at[n - step], row)) {
		n -= step;
		step *= 2;
	}
	if (step <= n)
		low = n - step + 1;
	while (low < n) {
		size_t middle = low + (n - low) / 2;
		if (comes_before(o, o->at[middle], row))
			low = middle + 1;
		else
			n = middle;
	}
	return low;
}

/* Puts the rows that moved, sorted, among the first `left`, which are. */
static void merge(struct order *o, size_t left)
{
	for (size_t k = o->moved.n; k > 0; k--) {
		uint32_t row = o->moved.item[k - 1];
		size_t at = before(o, left, row);
		/* those behind it have their place when the k rows up to this one are before them */
		memmove(o->at + at + k, o->at + at, (left - at) * sizeof *o->at);
		o->at[at + k - 1] = row;
		left = at;
	}
}

static int note_moved(struct order *o, size_t n, const struct numset *changed)
{
	numset_clear(&o->moved);
	for (size_t i = 0; i < changed->n; i++)
		if (changed->item[i] < n && numset_add(&o->moved, changed->item[i]) < 0)
			return -1;
	for (size_t i = o->n; i < n; i++)
		if (numset_add(&o->moved, (uint32_t)i) < 0)
			return -1;
	return 0;
}

int order_some(struct order *o, const struct rows *rows, const struct numset *changed,
	       const struct cell_context *ctx)
{
	size_t left = 0;

	if (make_room(o, rows->n) < 0 || note_moved(o, rows->n, changed) < 0)
		return -1;
	for (size_t i = 0; i < o->n; i++)
		if (!numset_has(&o->moved, o->at[i]))
			o->at[left++] = o->at[i];
	for (size_t i = 0; i < o->moved.n; i++)
		find_place(o, rows, o->moved.item[i], ctx);
	if (sort(o, o->moved.item, o->moved.n) < 0)
		return -1;
	o->n = rows->n;
	merge(o, left);
	return 0;
}

void order_release(struct order *o)
{
	free(o->place);
	free(o->at);
	numset_release(&o->moved);
	*o = (struct order){ .n = 0 };
}
