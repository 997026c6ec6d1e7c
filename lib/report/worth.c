/* SPDX-License-Identifier: Apache-2.0 */
/* worth.c - see worth.h. */
#include "report/worth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "report/advice.h"

enum { TRIED_MOST = 50 /* rows without proof of which the advice is looked up */ };

/* ---- one row ----------------------------------------------------------------------------- */

/* The rule that names something to change there, or NULL. 0, or -1 if out of memory. */
static int find_fix(const struct row *row, const struct advice_rule **rule)
{
	struct advice_facts facts;

	*rule = NULL;
	if (!advice_is_possible(row))
		return 0;
	if (advice_facts_collect(&facts, row) < 0)
		return -1;
	const struct advice_rule *found = advice_find(&facts);
	advice_facts_release(&facts);
	if (found && !(found->verdicts & ADVICE_NOTHING))
		*rule = found;
	return 0;
}

int rows_prepare_worth(struct rows *rows, const struct model *m)
{
	for (size_t i = 0; i < rows->table.n; i++)
		if (advice_is_possible(rows_at(rows, i)) && row_add_stack(rows_at(rows, i), m) < 0)
			return -1;
	return 0;
}

int row_worth(const struct row *row)
{
	const struct advice_rule *rule;
	bool deep;

	if (replica_saved(&row->replica) > 0)
		return WORTH_SAVE;
	if (find_fix(row, &rule) < 0)
		return -1;
	if (rule)
		return WORTH_FIX;
	return replica_shown(&row->replica, &deep) == VERDICT_UNKNOWN ? WORTH_UNKNOWN
								      : WORTH_NOTHING;
}

double row_seconds_missing(const struct row *row, double recorded_s)
{
	const struct replica *x = &row->replica;
	double missing = replica_decided(x)->missing, rate = (double)x->scanned / recorded_s;
	bool deep;

	if (replica_shown(x, &deep) != VERDICT_UNKNOWN || !(missing >= 1) || !isfinite(missing))
		return NAN;
	return rate > 0 && isfinite(rate) ? missing / rate : NAN;
}

/* ---- which come first -------------------------------------------------------------------- */

/* Puts the rows in this order, which points at all of them. */
static bool reorder(struct rows *rows, const struct row *const *order)
{
	struct row *moved = malloc((rows->table.n + 1) * sizeof *moved);

	for (size_t i = 0; moved && i < rows->table.n; i++)
		moved[i] = *order[i];
	if (moved)
		memcpy(rows->table.rows, moved, rows->table.n * sizeof *moved);
	free(moved);
	return moved != NULL;
}

size_t rows_put_worth_first(struct rows *rows)
{
	const struct row **order = malloc((rows->table.n + 1) * sizeof(struct row *));
	size_t n = 0, others = rows->table.n;
	bool done = order != NULL;

	for (size_t i = 0; done && i < rows->table.n; i++) {
		int worth = row_worth(rows_at(rows, i));
		done = worth >= 0;
		if (worth == WORTH_FIX || worth == WORTH_SAVE)
			order[n++] = rows_at(rows, i);
		else
			order[--others] = rows_at(rows, i);
	}
	/* the others were collected in reverse order */
	for (size_t i = n, k = rows->table.n; done && i + 1 < k; i++) {
		const struct row *swap = order[i];
		order[i] = order[--k];
		order[k] = swap;
	}
	done = done && reorder(rows, order);
	free(order);
	return done ? n : SIZE_MAX;
}

/* Bytes of the objects that were seen to be equal to others, proven or not; 0: none. */
static double promise_of(const struct row *row)
{
	const struct replica *x = &row->replica;
	double share = fmax(fmax(x->identical, x->largest_group), x->largest_deep);

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

bool rows_put_likeliest_first(struct rows *rows)
{
	const struct row **order = malloc((rows->table.n + 1) * sizeof(struct row *));

	for (size_t i = 0; order && i < rows->table.n; i++)
		order[i] = rows_at(rows, i);
	if (order)
		qsort(order, rows->table.n, sizeof *order, compare_promises);
	bool done = order && reorder(rows, order);
	free(order);
	return done;
}

/* ---- findings ---------------------------------------------------------------------------- */

/*
 * Whether a verdict says that there is something to save or to fix, or something is saved without a
 * verdict.
 */
static bool may_be_finding(const struct row *row)
{
	bool deep;
	enum replica_verdict v = replica_shown(&row->replica, &deep);

	return v != VERDICT_DISTINCT && (v != VERDICT_UNKNOWN || replica_saved(&row->replica) > 0);
}

/* First the proven ones, by what they save; then the others, by what they would save. */
static int compare_findings(const void *a, const void *b)
{
	const struct row *const *x = a, *const *y = b;
	const struct replica *p = &(*x)->replica, *q = &(*y)->replica;
	bool left = replica_saved(p) > 0, right = replica_saved(q) > 0;

	if (left != right)
		return left ? -1 : 1;
	if (!left)
		return compare_promises(a, b);
	return ORDER(replica_likely(q), replica_likely(p));
}

static bool is_same_line(const struct row *a, const struct row *b)
{
	const struct model_frame *x = &a->row.stack[0].frames[a->line],
				 *y = &b->row.stack[0].frames[b->line];

	if (a->line >= a->row.stack[0].n || b->line >= b->row.stack[0].n || !x->class_name ||
	    !y->class_name)
		return false;
	return x->line == y->line && strcmp(x->class_name, y->class_name) == 0 &&
	       strcmp(x->method, y->method) == 0;
}

/* Adds a row, unless nothing can be changed there, or a row of its line says the same already. */
static int try_finding(struct best *best, const struct advice_rule **rules, const struct row *row)
{
	const struct advice_rule *rule;

	if (find_fix(row, &rule) < 0)
		return -1;
	for (size_t i = 0; i < best->n && rule; i++)
		if (rules[i] == rule && is_same_line(best->row[i], row))
			return 0;
	if (!rule)
		return 0;
	rules[best->n] = rule;
	best->row[best->n++] = row;
	return 0;
}

/* Whether the row, which may have no stack, is of a finding's line. */
static bool is_of_line(const struct row *row, const struct row *found, const struct model *m)
{
	const struct model_frame *line = &found->row.stack[0].frames[found->line];
	const uint32_t *numbers;
	unsigned flags;

	if (row->row.stack[0].frames)
		return is_same_line(row, found);
	if (found->line >= found->row.stack[0].n || !line->class_name)
		return false;
	size_t n = model_stack_frames(m, row->jvm, row->stack_id, &numbers, &flags);
	if (row->line >= n)
		return false;
	struct model_frame frame = model_frame(m, row->jvm, numbers[row->line]);
	return frame.line == line->line && frame.class_name &&
	       strcmp(frame.class_name, line->class_name) == 0 &&
	       strcmp(frame.method, line->method) == 0;
}

/* Adds the row to a finding if its rule holds for it, too. 0, or -1 if out of memory. */
static int try_also(struct best_also *also, const struct advice_rule *wanted, struct row *row,
		    const struct model *m, const struct rows_options *options)
{
	const struct advice_rule *rule;

	if (row_complete(row, m, options) < 0 || find_fix(row, &rule) < 0)
		return -1;
	if (rule != wanted)
		return 0;
	if (!also->largest || row->replica.bytes > also->largest->replica.bytes)
		also->largest = row;
	also->bytes += row->replica.bytes;
	also->n++;
	return 0;
}

static int find_also(struct best *best, const struct advice_rule **rules, struct row *row,
		     const struct model *m, const struct rows_options *options)
{
	int result = 0;

	for (size_t i = 0; i < best->n; i++) /* two findings may be of one line */
		if (row == best->row[i])
			return 0;
	for (size_t i = 0; i < best->n && !result; i++)
		if (is_of_line(row, best->row[i], m))
			result = try_also(&best->also[i], rules[i], row, m, options);
	return result;
}

int rows_find_best(struct best *best, const struct rows *rows, const struct model *m,
		   const struct rows_options *options)
{
	const struct advice_rule *rules[FINDINGS_MOST] = { NULL };
	struct row **order = malloc((rows->table.n + 1) * sizeof(struct row *));
	size_t n = 0;
	int result = order ? 0 : -1;

	*best = (struct best){ .n = 0 };
	for (size_t i = 0; order && i < rows->table.n; i++)
		if (may_be_finding(rows_at(rows, i)))
			order[n++] = rows_at(rows, i);
	if (order)
		qsort(order, n, sizeof(struct row *), compare_findings);
	for (size_t i = 0; i < n && i < TRIED_MOST && best->n < FINDINGS_MOST && !result; i++) {
		result = row_complete(order[i], m, options);
		if (!result)
			result = try_finding(best, rules, order[i]);
	}
	for (size_t i = 0; i < n && !result; i++)
		result = find_also(best, rules, order[i], m, options);
	free(order);
	return result;
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

int rows_rest(struct rest *rest, const struct rows *rows, size_t first, double recorded_s)
{
	struct wait *wait = malloc((rows->table.n + 1) * sizeof *wait);
	size_t n = 0;

	*rest = (struct rest){ .seconds = NAN };
	if (!wait)
		return -1;
	for (size_t i = first; i < rows->table.n; i++) {
		const struct row *row = rows_at(rows, i);
		double seconds = row_seconds_missing(row, recorded_s);
		int worth = row_worth(row);
		if (worth < 0) {
			free(wait);
			return -1;
		}
		if (row_is_other(row)) {
			rest->other += row->replica.bytes;
			continue;
		}
		rest->nothing += worth == WORTH_NOTHING;
		if (worth != WORTH_UNKNOWN)
			continue;
		add_unknown(rest, row, seconds);
		if (!isnan(seconds))
			wait[n++] = (struct wait){ seconds, row->replica.bytes };
	}
	rest->seconds = half_of(wait, n, rest->bytes);
	free(wait);
	return 0;
}
