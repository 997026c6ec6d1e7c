/* SPDX-License-Identifier: Apache-2.0 */
/* columns_sort.c - sorts rows by a key, and finds those that are too small to be shown. */
#define _GNU_SOURCE 1 /* qsort_r */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "report/columns.h"

/* What determines the place of a row in the order; rows themselves are large. */
struct row_place {
	double value, rate, saved, saved_end, bytes;
	uint32_t jvm, id;
	size_t row; /* index of the row; set by the caller */
};

/* The value by which a row is sorted; NAN, which is last: not measured. */
static double order_of(const struct column *key, const struct row *row,
		       const struct cell_context *ctx)
{
	return figure_order(key->figure, row, 0, (double)ctx->min_pairs);
}

static struct row_place place_of(const struct column *key, const struct row *row,
				 const struct cell_context *ctx)
{
	return (struct row_place){ .value = order_of(key, row, ctx),
				   .rate = ctx->rates ? ctx->rate(ctx->rates, row) : 0,
				   .saved = replica_saved(&row->replica),
				   .saved_end = row->replica.saved_end_bytes,
				   .bytes = row->replica.bytes,
				   .jvm = row->jvm,
				   .id = row->contexts[0]->id };
}

/* For qsort: the order of columns_sort. */
static int compare_places(const void *a, const void *b)
{
	const struct row_place *x = a, *y = b;
	int order = order_down(x->value, y->value);

	if (!order) /* live: lines that still allocate come first */
		order = order_down(x->rate, y->rate);
	if (!order) /* if nothing is proven for either, the likelier one comes first */
		order = order_down(x->saved, y->saved) ?: order_down(x->saved_end, y->saved_end);
	if (!order)
		order = order_down(x->bytes, y->bytes);
	return order ?: ORDER(x->jvm, y->jvm) ?: ORDER(x->id, y->id);
}

struct sorting {
	const struct column *key;
	const struct cell_context *ctx;
};

static int compare_rows(const void *a, const void *b, void *arg)
{
	const struct sorting *s = arg;
	struct row_place x = place_of(s->key, a, s->ctx);
	struct row_place y = place_of(s->key, b, s->ctx);

	return compare_places(&x, &y);
}

/* Puts row[place[i].row] at row[i], for all i. */
static void permute(struct row *row, struct row_place *place, size_t n)
{
	for (size_t first = 0; first < n; first++) {
		struct row moved = row[first];
		size_t at = first;
		while (place[at].row != first) {
			size_t from = place[at].row;
			row[at] = row[from];
			place[at].row = at;
			at = from;
		}
		row[at] = moved;
		place[at].row = at;
	}
}

void columns_sort(struct rows *rows, const struct column *key, const struct cell_context *ctx)
{
	struct sorting sorting = { key, ctx };
	struct row_place *place = calloc(rows->table.n ? rows->table.n : 1, sizeof *place);

	if (!place) {
		qsort_r(rows->table.rows, rows->table.n, rows->table.size, compare_rows, &sorting);
		return;
	}
	for (size_t i = 0; i < rows->table.n; i++) {
		place[i] = place_of(key, rows_at(rows, i), ctx);
		place[i].row = i;
	}
	qsort(place, rows->table.n, sizeof *place, compare_places);
	permute(rows->table.rows, place, rows->table.n);
	free(place);
}

/* ---- limits ------------------------------------------------------------------------------ */

/* The least value that reaches the share. */
static double least_value(const struct column *key, double share, double sum)
{
	return figure_is_amount(key->figure) ? share * sum : share;
}

/* A NAN does not reach anything, and 0 is not a part of a sum of 0. */
static bool reaches(double value, double least)
{
	return value >= least && least > 0;
}

size_t columns_above(const struct column *key, const struct rows *rows,
		     const struct cell_context *ctx, double share)
{
	double sum = 0;
	size_t n = 0;

	if (share <= 0)
		return rows->table.n;
	for (size_t i = 0; i < rows->table.n; i++) {
		double value = order_of(key, rows_at(rows, i), ctx);
		sum += isnan(value) ? 0 : value;
	}
	double least = least_value(key, share, sum);
	while (n < rows->table.n && reaches(order_of(key, rows_at(rows, n), ctx), least))
		n++;
	return n;
}
