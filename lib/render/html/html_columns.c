/* SPDX-License-Identifier: Apache-2.0 */
/* html_columns.c - see html_columns.h. */
#include "render/html/html_columns.h"
#include "render/render_fix.h"

#include <math.h>
#include <string.h>

#include "base/json_text.h"
#include "base/memtext.h"
#include "report/advice.h"

/* ---- Numbers go to the page beside the words, which are the text's. */

static const struct style plain = { .utf8 = true };

static void put_number(FILE *out, const char *before, const char *name, double value)
{
	fprintf(out, "%s\"%s\":", before, name);
	json_put_number(out, value);
}

static void put_total(FILE *out, const struct total *t)
{
	fputs(",\n\"total\":", out);
	put_number(out, "{", "bytes", t->bytes);
	put_number(out, ",", "likely", t->saved);
	put_number(out, ",", "low", t->range.low);
	put_number(out, ",", "high", t->range.high);
	put_number(out, ",", "end", t->end);
	put_number(out, ",", "decided", t->decided);
	putc('}', out);
}

static void put_hint(FILE *out, const struct report *r, const struct style *s)
{
	(void)s;
	render_heap_hint(out, r, "");
}

/* A sentence, or several lines, of the text report. */
static int put_words(FILE *out, const struct report *r, const char *name,
		     void (*put)(FILE *out, const struct report *r, const struct style *s))
{
	struct memtext text;

	fprintf(out, ",\n\"%s\":", name);
	if (!memtext_begin(&text))
		return -1;
	put(text.in, r, &plain);
	return json_put_memtext(out, &text);
}

/* ---- findings ---------------------------------------------------------------------------- */

/* The row that a reader of the finding wants to see; -1: it is not in the table. */
static long row_of(const struct report *r, const struct fix *f)
{
	const struct row *found = fix_first(f)->row;

	for (size_t i = 0; i < r->shown; i++) {
		const struct row *row = rows_at(r->rows, i);
		if (row->jvm == found->jvm && row->stack_id == found->stack_id &&
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

/* The sentences of a finding, by the names that the page knows. */
static const struct {
	const char *name;
	put_fix_fn *put;
} sentences[] = { { "amounts", put_amounts },
		  { "problem", put_problem },
		  { "fix", put_change },
		  { "made", put_made } };

static void put_fix(FILE *out, const struct report *r, size_t i)
{
	const struct fix *f = &r->fixes->fix[i];

	fprintf(out, "{\"row\":%ld,\"rank\":%zu", row_of(r, f), f->rule ? i + 1 : 0);
	put_number(out, ",", "avoidable", f->avoidable.value);
	put_number(out, ",", "certain", f->certain.value);
	for (size_t k = 0; k < sizeof sentences / sizeof sentences[0]; k++) {
		struct memtext text;
		memtext_begin(&text);
		sentences[k].put(text.in, r, f);
		fprintf(out, ",\"%s\":", sentences[k].name);
		json_put_memtext(out, &text);
	}
	putc('}', out);
}

static void put_fixes(FILE *out, const struct report *r)
{
	size_t n = 0;
	struct memtext text;

	memtext_begin(&text);
	fixes_put_sum(text.in, r, FIXES_FIRST);
	fputs(",\n\"fixes_sum\":", out);
	json_put_memtext(out, &text);
	fputs(",\n\"fixes\":[", out);
	for (size_t i = 0; i < r->fixes->n; i++)
		if (fixes_is_told(r->fixes, i, FIXES_FIRST)) {
			fputs(n++ ? ",\n" : "\n", out);
			put_fix(out, r, i);
		}
	putc(']', out);
}

/* ---- all of it --------------------------------------------------------------------------- */

static int put_others(FILE *out, const struct report *r)
{
	struct memtext text;

	fprintf(out, ",\n\"worth\":%zu,\"others\":", r->worth);
	if (!memtext_begin(&text))
		return -1;
	int result = render_others(text.in, r, &plain, r->worth);
	return json_put_memtext(out, &text) < 0 || result < 0 ? -1 : 0;
}

int html_put_best(FILE *out, const struct report *r)
{
	bool known = r->total && r->total->bytes > 0;

	if (put_words(out, r, "headline", render_headline) < 0)
		return -1;
	if (known) {
		put_total(out, r->total);
		if (put_words(out, r, "sum", render_sum) < 0 ||
		    put_words(out, r, "heap_hint", put_hint) < 0)
			return -1;
	} else {
		fputs(",\n\"total\":null,\"sum\":null,\"heap_hint\":\"\"", out);
	}
	if (known && r->fixes)
		put_fixes(out, r);
	else
		fputs(",\n\"fixes_sum\":null,\n\"fixes\":[]", out);
	if (r->worth_first)
		return put_others(out, r);
	fputs(",\n\"worth\":null,\"others\":null", out);
	return 0;
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
	bool whole = row->common == row->row.stack[0].n;
	unsigned stack = whole ? row->row.stack[0].flags : 0;
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
VALUE(fields_source, x->fields_source)
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

static void begin(FILE *out, const char *name, const char *end)
{
	fprintf(out, ",\n\"%s%s\":[", name, end);
}

static void put(FILE *out, size_t i, double value)
{
	if (i > 0)
		putc(',', out);
	json_put_figure(out, value);
}

/* Both ends of the interval of a share. */
static void put_ends(FILE *out, const struct report *r, const struct figure *f)
{
	static const char *const ends[] = { "_low", "_high" };

	for (int k = 0; k < 2; k++) {
		begin(out, figure_key(f), ends[k]);
		for (size_t i = 0; i < r->shown; i++) {
			struct bounds_range range = figure_interval(f, rows_at(r->rows, i), 0);
			put(out, i, k ? range.high : range.low);
		}
		putc(']', out);
	}
}

static void put_figure(FILE *out, const struct report *r, const struct figure *f)
{
	begin(out, figure_key(f), "");
	for (size_t i = 0; i < r->shown; i++)
		put(out, i, figure_of(f, rows_at(r->rows, i)));
	putc(']', out);
	if (is_ranged(f))
		put_ends(out, r, f);
}

void html_put_columns(FILE *out, const struct report *r)
{
	for (size_t k = 0; k < sizeof facts / sizeof facts[0]; k++) {
		begin(out, facts[k].name, "");
		for (size_t i = 0; i < r->shown; i++)
			put(out, i, facts[k].value(rows_at(r->rows, i)));
		putc(']', out);
	}
	for (const struct figure *f = row_figures; f->name; f++)
		if (f->flags & FIGURE_PAGE)
			put_figure(out, r, f);
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

static void put_column(FILE *out, const struct column *c)
{
	const struct style style = { .utf8 = true };
	const struct figure *f = c->figure;

	fputs("[", out);
	json_put_text(out, column_name(c));
	putc(',', out);
	json_put_text(out, c->greek ? style_glyph(&style, c->greek) : column_name(c));
	putc(',', out);
	json_put_text(out, f->unit);
	fprintf(out, ",%d,", is_ranged(f));
	json_put_text(out, evidence_of(f));
	putc(',', out);
	json_put_text(out, f->help);
	fprintf(out, ",%d]", is_statistic(c));
}

void html_put_column_table(FILE *out)
{
	const char *before = ",\n\"columns\":[\n";

	for (const struct column *c = columns; c->figure; c++) {
		if (!(c->figure->flags & FIGURE_PAGE) || !column_is_key(c))
			continue;
		fputs(before, out);
		put_column(out, c);
		before = ",\n";
	}
	putc(']', out);
}
