/* SPDX-License-Identifier: Apache-2.0 */
/* gain.c - see gain.h. */
#include "fix/gain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/xmalloc.h"
#include "fix/advice.h"

/* ---- one row ----------------------------------------------------------------------------- */

/* The rule that names something to change there, or NULL. */
static const struct advice_rule *find_fix(const struct row *row)
{
	const struct advice *advice = row_advice(row);

	return advice && !(advice->rule->verdicts & ADVICE_NOTHING) ? advice->rule : NULL;
}

enum gain row_gain(const struct row *row)
{
	bool deep;

	if (replica_saved(&row->replica) > 0)
		return GAIN_SAVE;
	if (find_fix(row))
		return GAIN_FIX;
	return replica_shown(&row->replica, &deep) == VERDICT_UNKNOWN ? GAIN_UNKNOWN : GAIN_NOTHING;
}

double row_seconds_missing(const struct row *row, double recorded_s)
{
	const struct replica *x = &row->replica;
	double missing = replica_decided(x)->missing, rate = (double)x->own.scanned / recorded_s;
	bool deep;

	if (replica_shown(x, &deep) != VERDICT_UNKNOWN || !(missing >= 1) || !isfinite(missing))
		return NAN;
	return rate > 0 && isfinite(rate) ? missing / rate : NAN;
}

/* ---- which come first -------------------------------------------------------------------- */

/* Puts the rows in this order, which points at all of them. */
static void reorder(struct rows *rows, const struct row *const *order)
{
	struct row *moved = xmallocarray(rows->table.n, sizeof *moved);

	for (size_t i = 0; i < rows->table.n; i++)
		moved[i] = *order[i];
	memcpy(rows->table.rows, moved, rows->table.n * sizeof *moved);
	free(moved);
}

size_t rows_put_gains_first(struct rows *rows)
{
	const struct row **order = xmallocarray(rows->table.n, sizeof(struct row *));
	size_t n = 0, others = rows->table.n;

	for (size_t i = 0; i < rows->table.n; i++) {
		enum gain gain = row_gain(rows_at(rows, i));
		if (gain == GAIN_FIX || gain == GAIN_SAVE)
			order[n++] = rows_at(rows, i);
		else
			order[--others] = rows_at(rows, i);
	}
	/* the others were collected in reverse order */
	for (size_t i = n, k = rows->table.n; i + 1 < k; i++) {
		const struct row *swap = order[i];
		order[i] = order[--k];
		order[k] = swap;
	}
	reorder(rows, order);
	free(order);
	return n;
}

/* Bytes of the objects that were seen to be equal to others, proven or not; 0: none. */
static double promise_of(const struct row *row)
{
	const struct replica *x = &row->replica;
	double share = fmax(fmax(x->identical, x->own.largest), x->deep.largest);

	return x->saved_end_bytes > 0 ? x->saved_end_bytes : share > 0 ? share * x->bytes : 0;
}

static int compare_promises(const void *a, const void *b)
{
	const struct row *const *x = a, *const *y = b;
	double left = promise_of(*x), right = promise_of(*y);

	if (left == right) {
		left = (*x)->replica.bytes;
		right = (*y)->replica.bytes;
	}
	return ORDER(right, left);
}

void rows_put_likeliest_first(struct rows *rows)
{
	const struct row **order = xmallocarray(rows->table.n, sizeof(struct row *));

	for (size_t i = 0; i < rows->table.n; i++)
		order[i] = rows_at(rows, i);
	qsort(order, rows->table.n, sizeof *order, compare_promises);
	reorder(rows, order);
	free(order);
}

/* ---- the others -------------------------------------------------------------------------- */

struct wait {
	double seconds, bytes;
};

static int compare_waits(const void *a, const void *b)
{
	const struct wait *x = a, *y = b;

	return ORDER(x->seconds, y->seconds);
}

/* The time after which half of `bytes` are decided; NAN: never, at this rate. */
static double half_of(struct wait *wait, size_t n, double bytes)
{
	double sum = 0;

	qsort(wait, n, sizeof *wait, compare_waits);
	for (size_t i = 0; i < n; i++) {
		sum += wait[i].bytes;
		if (sum >= bytes / 2)
			return wait[i].seconds;
	}
	return NAN;
}

static void keep_largest(struct rest *rest, const struct row *row)
{
	size_t at = rest->nlargest;

	while (at > 0 && rest->largest[at - 1]->replica.bytes < row->replica.bytes)
		at--;
	if (at == REST_NAMED)
		return;
	if (rest->nlargest < REST_NAMED)
		rest->nlargest++;
	for (size_t i = rest->nlargest - 1; i > at; i--)
		rest->largest[i] = rest->largest[i - 1];
	rest->largest[at] = row;
}

static void add_unknown(struct rest *rest, const struct row *row, double seconds)
{
	rest->unknown++;
	rest->untold += isinf(replica_decided(&row->replica)->missing) != 0;
	rest->bytes += row->replica.bytes;
	if (seconds <= REST_PATIENCE)
		keep_largest(rest, row);
}

void rows_rest(struct rest *rest, const struct rows *rows, size_t first, double recorded_s)
{
	struct wait *wait = xmallocarray(rows->table.n, sizeof *wait);
	size_t n = 0;

	*rest = (struct rest){ .seconds = NAN };
	for (size_t i = first; i < rows->table.n; i++) {
		const struct row *row = rows_at(rows, i);
		double seconds = row_seconds_missing(row, recorded_s);
		enum gain gain = row_gain(row);
		if (row_is_other(row)) {
			rest->other += row->replica.bytes;
			continue;
		}
		rest->nothing += gain == GAIN_NOTHING;
		if (gain != GAIN_UNKNOWN)
			continue;
		add_unknown(rest, row, seconds);
		if (!isnan(seconds))
			wait[n++] = (struct wait){ seconds, row->replica.bytes };
	}
	rest->seconds = half_of(wait, n, rest->bytes);
	free(wait);
}
