/* SPDX-License-Identifier: Apache-2.0 */
/*
 * columns.c - see columns.h. Where a share has an interval, its lower end is what counts: a
 * context with one lucky pair must not lead. Shares without one (alpha, omega, gamma) count from
 * min_pairs on.
 */
#define _GNU_SOURCE 1 /* qsort_r */
#include "columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "units.h"

/* ---- values ------------------------------------------------------------------------------ */

static double enough_pairs(const struct row *row, const struct cell_context *ctx, double value)
{
	return row->replica.pairs < ctx->min_pairs ? NAN : value;
}

/* Samples of accesses that all its objects would have had; NAN where there are none. */
static double row_accesses(const struct row *row)
{
	double sum = 0;

	for (size_t i = 0; i < row->ncontexts; i++)
		sum += row->contexts[i]->accesses;
	return sum > 0 ? sum : NAN;
}

#define VALUE(name, expression)                                                           \
	static double name##_value(const struct row *row, const struct cell_context *ctx) \
	{                                                                                 \
		(void)ctx;                                                                \
		return expression;                                                        \
	}

VALUE(saved, replica_saved(&row->replica))
VALUE(bytes, row->replica.bytes)
VALUE(objects, row->replica.objects)
VALUE(pairs, (double)row->replica.pairs)
VALUE(accesses, row_accesses(row))
VALUE(theta, row->replica.theta_ci.low)
VALUE(identical, row->replica.identical_ci.low)
VALUE(group, row->replica.largest_group_ci.low)
VALUE(deep, row->replica.largest_deep_ci.low)
VALUE(omega, enough_pairs(row, ctx, row->replica.omega))
VALUE(alpha, enough_pairs(row, ctx, row->replica.alpha))
VALUE(gamma, enough_pairs(row, ctx, row->replica.gamma))

/* ---- cells ------------------------------------------------------------------------------- */

static void put_number(FILE *out, const struct cell_context *ctx, const char *text)
{
	fputs(strcmp(text, "-") == 0 ? style_glyph(ctx->style, GLYPH_DASH) : text, out);
}

/* A share and its interval, which is rounded outwards; always of one width. */
static void put_range(FILE *out, const struct cell_context *ctx, double value,
		      const struct replica_interval *ci, uint64_t evidence)
{
	char text[UNITS_TEXT];

	if (ctx->points) {
		put_number(out, ctx, units_percent(text, evidence < ctx->min_pairs ? NAN : value));
		return;
	}
	if (isnan(value) || evidence < ctx->min_pairs) {
		fprintf(out, "    %s          ", style_glyph(ctx->style, GLYPH_DASH));
		return;
	}
	fprintf(out, "%5s ", units_percent(text, value));
	if (isnan(ci->low) || isnan(ci->high))
		fprintf(out, "%9s", "");
	else
		fprintf(out, "[%3.0f%s%3.0f]", floor(ci->low * 100),
			style_glyph(ctx->style, GLYPH_DASH), ceil(ci->high * 100));
}

/* Says so where it is of objects that are equal with what they refer to, and not as such. */
static void put_saved(FILE *out, const struct cell_context *ctx, const struct replica *r)
{
	char text[UNITS_TEXT];

	if (replica_saved_deep(r) && replica_saved(r) > 0)
		fputs("deep ", out);
	put_number(out, ctx, units_bytes(text, replica_saved(r)));
}

#define PRINT(name, statement)                                                                     \
	static void name##_print(FILE *out, const struct row *row, const struct cell_context *ctx) \
	{                                                                                          \
		const struct replica *r = &row->replica;                                           \
		char text[UNITS_TEXT];                                                             \
		(void)r;                                                                           \
		(void)ctx;                                                                         \
		(void)text;                                                                        \
		statement;                                                                         \
	}

PRINT(rank, fprintf(out, "%zu", ctx->rank))
PRINT(pid, fprintf(out, "%d", row->pid))
PRINT(saved, put_saved(out, ctx, r))
PRINT(bytes, put_number(out, ctx, units_bytes(text, r->bytes)))
PRINT(objects, put_number(out, ctx, units_count(text, r->objects)))
PRINT(pairs, put_number(out, ctx, units_count(text, (double)r->pairs)))
PRINT(accesses, put_number(out, ctx, units_count(text, accesses_value(row, ctx))))
PRINT(theta, put_range(out, ctx, r->theta, &r->theta_ci, r->pairs))
PRINT(identical, put_range(out, ctx, r->identical, &r->identical_ci, r->pairs))
PRINT(group, put_range(out, ctx, r->largest_group, &r->largest_group_ci, r->scanned))
PRINT(deep, put_range(out, ctx, r->largest_deep, &r->largest_deep_ci, r->deep_scanned))
PRINT(alpha, put_number(out, ctx, units_percent(text, alpha_value(row, ctx))))
PRINT(omega, put_number(out, ctx, units_percent(text, omega_value(row, ctx))))
PRINT(gamma, put_number(out, ctx, units_percent(text, gamma_value(row, ctx))))
PRINT(class, style_put(out, ctx->style, row_class(row)))

static void verdict_print(FILE *out, const struct row *row, const struct cell_context *ctx)
{
	const struct replica *r = &row->replica;
	bool deep;
	enum replica_verdict verdict = replica_shown(r, &deep);

	if (verdict == VERDICT_UNKNOWN && r->pairs < ctx->min_pairs && !ctx->brief)
		fprintf(out, "too few pairs (%llu < %llu)", (unsigned long long)r->pairs,
			(unsigned long long)ctx->min_pairs);
	else
		fprintf(out, "%s%s", replica_verdict_name(verdict), deep ? " (deep)" : "");
}

static void site_print(FILE *out, const struct row *row, const struct cell_context *ctx)
{
	row_put_site(out, ctx->style, row);
}

/* ---- inks -------------------------------------------------------------------------------- */

static enum ink bold(const struct row *row)
{
	return replica_saved(&row->replica) > 0 ? INK_BOLD : INK_PLAIN;
}

static enum ink dim(const struct row *row)
{
	(void)row;
	return INK_DIM;
}

static enum ink verdict_ink(const struct row *row)
{
	bool deep;

	switch (replica_shown(&row->replica, &deep)) {
	case VERDICT_REPLICA:
		return INK_RED;
	case VERDICT_FEW_VALUES:
		return INK_YELLOW;
	case VERDICT_PARTIAL:
		return INK_CYAN;
	case VERDICT_DISTINCT:
		return INK_GREEN;
	default:
		return INK_DIM;
	}
}

/* ---- the table --------------------------------------------------------------------------- */

enum {
	RIGHT = COLUMN_RIGHT,
	BYTES = COLUMN_RIGHT | COLUMN_BYTES,
	COUNT = COLUMN_RIGHT | COLUMN_COUNT,
	PERCENT = COLUMN_RIGHT | COLUMN_PERCENT,
	RANGE = COLUMN_PERCENT | COLUMN_RANGE,
	NO_GREEK = -1,
};

const struct column columns[] = {
	{ "#", RIGHT, 0, NO_GREEK, NULL, rank_print, dim, "the line's number" },
	{ "pid", RIGHT | COLUMN_PIDS, 5, NO_GREEK, NULL, pid_print, NULL,
	  "the JVM's process id; shown where there are several" },
	{ "saved", BYTES, 0, NO_GREEK, saved_value, saved_print, bold,
	  "bytes that merging equal objects, as such or deep, would at least save" },
	{ "bytes", BYTES, 4, NO_GREEK, bytes_value, bytes_print, NULL, "bytes allocated" },
	{ "objects", COUNT, 7, NO_GREEK, objects_value, objects_print, NULL, "objects allocated" },
	{ "theta", RANGE, 0, GLYPH_THETA, theta_value, theta_print, NULL,
	  "pairs with an equal value, by the lower end of the interval" },
	{ "alpha", PERCENT, 9, GLYPH_ALPHA, alpha_value, alpha_print, NULL,
	  "the same among pairs of unequal content" },
	{ "omega", PERCENT, 8, GLYPH_OMEGA, omega_value, omega_print, NULL,
	  "lower bound of the largest group of identical objects" },
	{ "gamma", PERCENT, 8, GLYPH_GAMMA, gamma_value, gamma_print, NULL, "its upper bound" },
	{ "identical", RANGE | COLUMN_HIDDEN, 2, NO_GREEK, identical_value, identical_print, NULL,
	  "pairs with equal content, by the lower end" },
	{ "group", RANGE, 3, NO_GREEK, group_value, group_print, NULL,
	  "the largest group as scanned, by the lower end" },
	{ "deep", RANGE, 3, NO_GREEK, deep_value, deep_print, NULL,
	  "the largest group of objects that are equal with what they refer to, by the lower end" },
	{ "pairs", COUNT, 6, NO_GREEK, pairs_value, pairs_print, NULL, "pairs compared" },
	{ "accesses", COUNT | COLUMN_HIDDEN, 5, NO_GREEK, accesses_value, accesses_print, NULL,
	  "samples of accesses to the objects, with --event=locality" },
	{ "verdict", 0, 0, NO_GREEK, NULL, verdict_print, verdict_ink,
	  "what the evidence comes to" },
	{ "class", COLUMN_TAIL, 0, NO_GREEK, NULL, class_print, NULL, "class of the objects" },
	{ "site", COLUMN_HEAD, 0, NO_GREEK, NULL, site_print, NULL, "where they are allocated" },
	{ NULL, 0, 0, NO_GREEK, NULL, NULL, NULL, NULL },
};

const struct column *column_find(const char *name)
{
	for (const struct column *c = columns; c->name; c++)
		if (c->value && strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

const struct column *column_named(const char *name)
{
	for (const struct column *c = columns; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

struct bounds_range column_range(const struct column *c, const struct row *row,
				 const struct cell_context *ctx)
{
	const struct replica *r = &row->replica;
	double value = c->value(row, ctx);

	if (c->value == theta_value)
		return (struct bounds_range){ value, r->theta_ci.high };
	if (c->value == identical_value)
		return (struct bounds_range){ value, r->identical_ci.high };
	if (c->value == group_value)
		return (struct bounds_range){ value, r->largest_group_ci.high };
	return (struct bounds_range){ value, value };
}

static void put_names(FILE *out, bool with_help, bool keys_only)
{
	const char *separator = "";

	for (const struct column *c = columns; c->name; c++) {
		if (keys_only && !c->value)
			continue;
		if (with_help)
			fprintf(out, "\n- %s: %s", c->name, c->help);
		else
			fprintf(out, "%s%s", separator, c->name);
		separator = ", ";
	}
}

void columns_put_keys(FILE *out, bool with_help)
{
	put_names(out, with_help, true);
}

void columns_put_names(FILE *out, bool with_help)
{
	put_names(out, with_help, false);
}

void column_put_heading(FILE *out, const struct column *c, const struct cell_context *ctx)
{
	fputs(c->greek == NO_GREEK ? c->name : style_glyph(ctx->style, (enum glyph)c->greek), out);
	if (c->flags & COLUMN_PERCENT)
		fputs(" %", out);
	if ((c->flags & COLUMN_RANGE) && !ctx->points)
		fprintf(out, " [%.4g %%]", ctx->confidence * 100);
}

/* ---- sorting ----------------------------------------------------------------------------- */

struct sorting {
	const struct column *key;
	const struct cell_context *ctx;
};

static int compare_down(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b);
	return a > b ? -1 : a < b;
}

/* What of a row its place depends on; rows are large, and this is not. */
struct place {
	double value, saved, bytes;
	uint32_t jvm, id;
	size_t row;
};

static struct place place_of(const struct row *row, const struct sorting *s)
{
	return (struct place){ .value = s->key->value(row, s->ctx),
			       .saved = replica_saved(&row->replica),
			       .bytes = row->replica.bytes,
			       .jvm = row->jvm,
			       .id = row->contexts[0]->id };
}

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int order = compare_down(x->value, y->value);

	if (!order)
		order = compare_down(x->saved, y->saved);
	if (!order)
		order = compare_down(x->bytes, y->bytes);
	if (!order && x->jvm != y->jvm)
		order = x->jvm < y->jvm ? -1 : 1;
	if (!order)
		order = x->id < y->id ? -1 : x->id > y->id;
	return order;
}

static int compare_rows(const void *a, const void *b, void *arg)
{
	struct place x = place_of(a, arg), y = place_of(b, arg);

	return compare_places(&x, &y);
}

/* Puts row[place[i].row] where row[i] is, for all i. */
static void permute(struct row *row, struct place *place, size_t n)
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
	struct place *place = calloc(rows->n ? rows->n : 1, sizeof *place);

	if (!place) {
		qsort_r(rows->row, rows->n, sizeof *rows->row, compare_rows, &sorting);
		return;
	}
	for (size_t i = 0; i < rows->n; i++) {
		place[i] = place_of(&rows->row[i], &sorting);
		place[i].row = i;
	}
	qsort(place, rows->n, sizeof *place, compare_places);
	permute(rows->row, place, rows->n);
	free(place);
}

/* ---- limits ------------------------------------------------------------------------------ */

size_t columns_above(const struct column *key, const struct rows *rows,
		     const struct cell_context *ctx, double share)
{
	double least = share, sum = 0;
	size_t n = 0;

	if (share <= 0)
		return rows->n;
	for (size_t i = 0; i < rows->n; i++) {
		double value = key->value(&rows->row[i], ctx);
		sum += isnan(value) ? 0 : value;
	}
	if (key->flags & (COLUMN_BYTES | COLUMN_COUNT))
		least *= sum;
	/* a NAN is not above anything, and what is 0 is no part of a sum of 0 */
	while (n < rows->n && key->value(&rows->row[n], ctx) >= least && least > 0)
		n++;
	return n;
}
