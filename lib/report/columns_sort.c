/* SPDX-License-Identifier: Apache-2.0 */
/* columns_sort.c - sorts rows by a key, and finds those that are too small to be shown. */
#include <math.h>

#include "base/sort.h"
#include "report/columns.h"

/* The value by which a row is sorted; NAN, which is last: not measured. */
static double order_of(const struct column *key, const struct row *row,
		       const struct cell_context *ctx)
{
	return figure_order(key->figure, row, 0, (double)ctx->min_pairs);
}

struct sorting {
	const struct column *key;
	const struct cell_context *ctx;
};

static void keys_of(const struct finding_row *of, double keys[FINDING_KEYS], const void *arg)
{
	const struct row *row = (const struct row *)of;
	const struct sorting *s = arg;

	keys[0] = order_of(s->key, row, s->ctx);
	/* live: lines that still allocate come first */
	keys[1] = s->ctx->rates ? s->ctx->rate(s->ctx->rates, row) : 0;
	/* if nothing is proven for either, the likelier one comes first */
	keys[2] = replica_saved(&row->replica);
	keys[3] = row->replica.saved_end_bytes;
	keys[4] = row->replica.bytes;
}

/* As their first contexts appeared. */
static int compare_age(const struct finding_row *a, const struct finding_row *b)
{
	const struct row *x = (const struct row *)a, *y = (const struct row *)b;

	return ORDER(x->row.jvm, y->row.jvm) ?: ORDER(x->contexts[0]->id, y->contexts[0]->id);
}

void columns_sort(struct rows *rows, const struct column *key, const struct cell_context *ctx)
{
	const struct sorting sorting = { key, ctx };
	const struct finding_order order = { keys_of, compare_age, &sorting };

	finding_table_sort(&rows->table, &order);
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
