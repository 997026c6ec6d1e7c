/* SPDX-License-Identifier: Apache-2.0 */
/*
 * html_columns.c - parts of a report's page (html_page.h): what it begins with, and the figures of
 * rows, one column of numbers each.
 */
#include "render/html/html_page.h"

#include <math.h>
#include <string.h>

#include "base/memtext.h"
#include "render/render_fix.h"

/* ---- Numbers go to the page beside the words, which are the text's. */

static const struct style plain = { .utf8 = true };

static void put_total(struct json_text *t, const struct total *total)
{
	json_text_open(t, "total", '{');
	json_text_short(t, "bytes", total->bytes);
	json_text_short(t, "likely", total->saved);
	json_text_short(t, "low", total->range.low);
	json_text_short(t, "high", total->range.high);
	json_text_short(t, "end", total->end);
	json_text_short(t, "decided", total->decided);
	json_text_close(t, '}');
}

/* A sentence, or several lines, of the text report. */
static void put_words(struct json_text *t, const struct report *r, const char *name,
		      void (*put)(FILE *out, const struct report *r, const struct style *s))
{
	struct memtext text;

	put(memtext_begin(&text), r, &plain);
	json_text_memtext(t, name, &text);
	json_text_break(t);
}

static void put_hint(FILE *out, const struct report *r, const struct style *s)
{
	(void)s;
	render_heap_hint(out, r, "");
}

/* ---- findings ---------------------------------------------------------------------------- */

/* The row that a reader of the finding wants to see; -1: it is not in the table. */
static long row_of(const struct report *r, const struct fix *f)
{
	const struct row *found = fix_first(f)->row;

	for (size_t i = 0; i < r->shown; i++) {
		const struct row *row = rows_at(r->rows, i);
		if (row->row.jvm == found->row.jvm && row->stack_id == found->stack_id &&
		    row->class == found->class)
			return (long)i;
	}
	return -1;
}

typedef void put_fix_fn(FILE *out, const struct report *r, const struct fix *f);

static void put_amounts(FILE *out, const struct report *r, const struct fix *f)
{
	fix_put_amounts(out, r, &plain, f);
}

static void put_problem(FILE *out, const struct report *r, const struct fix *f)
{
	(void)r;
	if (f->rule)
		fix_put_sentence(out, &plain, f, f->rule->problem);
	else
		fix_put_unfixed(out, &plain, f);
}

static void put_change(FILE *out, const struct report *r, const struct fix *f)
{
	(void)r;
	if (f->rule)
		fix_put_sentence(out, &plain, f, f->rule->fix);
}

static void put_made(FILE *out, const struct report *r, const struct fix *f)
{
	(void)r;
	fix_put_made(out, &plain, f);
}

static void put_callers(FILE *out, const struct report *r, const struct fix *f)
{
	fix_put_callers(out, r, &plain, f);
}

/* The sentences of a finding, by the names that the page knows. */
static const struct {
	const char *name;
	put_fix_fn *put;
} sentences[] = { { "amounts", put_amounts },
		  { "problem", put_problem },
		  { "fix", put_change },
		  { "made", put_made },
		  { "callers", put_callers } };

static void put_fix(struct json_text *t, const struct report *r, size_t i)
{
	const struct fix *f = &r->fixes->fix[i];

	json_text_break(t);
	json_text_open(t, NULL, '{');
	json_text_whole(t, "row", row_of(r, f));
	json_text_whole(t, "rank", f->rule ? (int64_t)i + 1 : 0);
	json_text_short(t, "avoidable", f->avoidable.value);
	json_text_short(t, "certain", f->certain.value);
	for (size_t k = 0; k < sizeof sentences / sizeof sentences[0]; k++) {
		struct memtext text;
		sentences[k].put(memtext_begin(&text), r, f);
		json_text_memtext(t, sentences[k].name, &text);
	}
	json_text_close(t, '}');
}

static void put_fixes(struct json_text *t, const struct report *r)
{
	struct memtext text;

	fixes_put_sum(memtext_begin(&text), r, FIXES_FIRST);
	json_text_memtext(t, "fixes_sum", &text);
	json_text_break(t);
	json_text_open(t, "fixes", '[');
	for (size_t i = 0; i < r->fixes->n; i++)
		if (fixes_is_told(r->fixes, i, FIXES_FIRST))
			put_fix(t, r, i);
	json_text_close(t, ']');
}

/* ---- all of it --------------------------------------------------------------------------- */

static void put_others(struct json_text *t, const struct report *r)
{
	struct memtext text;

	if (!r->gains_first) {
		json_text_null(t, "gains");
		json_text_null(t, "others");
		return;
	}
	render_others(memtext_begin(&text), r, &plain, r->gains);
	json_text_whole(t, "gains", (int64_t)r->gains);
	json_text_memtext(t, "others", &text);
}

void html_put_start(struct json_text *t, const struct report *r)
{
	bool known = r->total && r->total->bytes > 0;

	json_text_break(t);
	put_words(t, r, "headline", render_headline);
	if (known) {
		put_total(t, r->total);
		json_text_break(t);
		put_words(t, r, "sum", render_sum);
		put_words(t, r, "heap_hint", put_hint);
	} else {
		json_text_null(t, "total");
		json_text_null(t, "sum");
		json_text_string(t, "heap_hint", "");
		json_text_break(t);
	}
	if (known && r->fixes) {
		put_fixes(t, r);
	} else {
		json_text_null(t, "fixes_sum");
		json_text_break(t);
		json_text_open(t, "fixes", '[');
		json_text_close(t, ']');
	}
	json_text_break(t);
	put_others(t, r);
}

/* The same as in data.js. */
enum row_flags { ROW_CUT = 1, ROW_DEEP = 2, ROW_SAVED_DEEP = 4, ROW_SHORT = 8 };

/* What the page is told of a row besides its figures. */
struct number_column {
	const char *name;
	double (*value)(const struct row *row);
};

/* Whether the page has the interval, too. */
static bool is_ranged(const struct figure *f)
{
	return figure_has_range(f) && figure_is_share(f);
}

/* ---- facts ------------------------------------------------------------------------------- */

static double size_of(const struct row *row, bool largest)
{
	double size = NAN;

	for (size_t i = 0; i < row->ncontexts; i++)
		for (size_t k = 0; k < row->contexts[i]->nstrata; k++) {
			double s = (double)row->contexts[i]->strata[k].size;
			size = largest ? fmax(size, s) : fmin(size, s);
		}
	return size;
}

static double flags_of(const struct row *row)
{
	const struct callstack *all = row_stack(row);
	unsigned stack = row->common == all->n ? all->flags : 0;
	/* the page shows the frame callstack_unread */
	bool cut = (stack & WIRE_STACK_CUT) && !(stack & WIRE_STACK_COUNTED);
	bool deep;

	replica_shown(&row->replica, &deep);
	return (cut ? ROW_CUT : 0) + (stack & WIRE_STACK_SHORT ? ROW_SHORT : 0) +
	       (deep ? ROW_DEEP : 0) + (replica_saved_deep(&row->replica) ? ROW_SAVED_DEEP : 0);
}

static double verdict_of_row(const struct row *row)
{
	bool deep;

	return replica_shown(&row->replica, &deep);
}

#define VALUE(name, expression)                           \
	static double name##_value(const struct row *row) \
	{                                                 \
		const struct replica *x = &row->replica;  \
		(void)x;                                  \
		return (double)(expression);              \
	}

VALUE(pid, row->row.pid)
VALUE(size_min, size_of(row, false))
VALUE(size_max, size_of(row, true))
VALUE(fields_source, row_details(row)->fields_source)
VALUE(verdict, verdict_of_row(row))
VALUE(flags, flags_of(row))
VALUE(uses, row->uses)
VALUE(places, row->ncontexts)
VALUE(share, row->stack_share)
VALUE(common, row->common)
VALUE(end, x->saved_end_bytes)

#define COLUMN(name)                \
	{                           \
#name, name##_value \
	}
static const struct number_column facts[] = {
	COLUMN(pid),	 COLUMN(size_min), COLUMN(size_max), COLUMN(fields_source),
	COLUMN(verdict), COLUMN(flags),	   COLUMN(uses),     COLUMN(places),
	COLUMN(share),	 COLUMN(common),   COLUMN(end),
};

/* ---- rows -------------------------------------------------------------------------------- */

/* Both ends of the interval of a share. */
static void put_ends(struct json_text *t, const struct report *r, const struct figure *f)
{
	static const char *const ends[] = { "low", "high" };
	char name[64];

	for (int k = 0; k < 2; k++) {
		snprintf(name, sizeof name, "%s_%s", figure_key(f), ends[k]);
		json_text_break(t);
		json_text_open(t, name, '[');
		for (size_t i = 0; i < r->shown; i++) {
			struct bounds_range range = figure_interval(f, rows_at(r->rows, i), 0);
			json_text_figure(t, NULL, k ? range.high : range.low);
		}
		json_text_close(t, ']');
	}
}

static void put_figure(struct json_text *t, const struct report *r, const struct figure *f)
{
	json_text_break(t);
	json_text_open(t, figure_key(f), '[');
	for (size_t i = 0; i < r->shown; i++)
		json_text_figure(t, NULL, figure_of(f, rows_at(r->rows, i)));
	json_text_close(t, ']');
	if (is_ranged(f))
		put_ends(t, r, f);
}

void html_put_columns(struct json_text *t, const struct report *r)
{
	for (size_t k = 0; k < sizeof facts / sizeof facts[0]; k++) {
		json_text_break(t);
		json_text_open(t, facts[k].name, '[');
		for (size_t i = 0; i < r->shown; i++)
			json_text_figure(t, NULL, facts[k].value(rows_at(r->rows, i)));
		json_text_close(t, ']');
	}
	for (const struct figure *f = row_figures; f->name; f++)
		if (f->flags & FIGURE_PAGE)
			put_figure(t, r, f);
}

/* ---- columns of the table ---------------------------------------------------------------- */

/* The name of the figure that counts what a share is from; NULL: none. */
static const char *evidence_of(const struct figure *f)
{
	for (const struct figure *of = row_figures; of->name; of++)
		if (f->evidence && of->value == f->evidence)
			return figure_key(of);
	return NULL;
}

/* Whether a table has it only for those who ask for statistics. */
static bool is_statistic(const struct column *c)
{
	return (c->flags & COLUMN_STATS) || c->in[COLUMN_TEXT].show != COLUMN_SHOWN;
}

static void put_column(struct json_text *t, const struct column *c)
{
	const struct figure *f = c->figure;

	json_text_break(t);
	json_text_open(t, NULL, '[');
	json_text_string(t, NULL, column_name(c));
	json_text_string(t, NULL, c->greek ? style_glyph(&plain, c->greek) : column_name(c));
	json_text_string(t, NULL, f->unit);
	json_text_whole(t, NULL, is_ranged(f));
	json_text_string(t, NULL, evidence_of(f));
	json_text_string(t, NULL, f->help);
	json_text_whole(t, NULL, is_statistic(c));
	json_text_close(t, ']');
}

void html_put_column_table(struct json_text *t)
{
	json_text_break(t);
	json_text_open(t, "columns", '[');
	for (const struct column *c = columns; c->figure; c++)
		if ((c->figure->flags & FIGURE_PAGE) && column_is_key(c))
			put_column(t, c);
	json_text_close(t, ']');
}
