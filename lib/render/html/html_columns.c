/* SPDX-License-Identifier: Apache-2.0 */
/* html_columns.c - see html_columns.h. */
#include "render/html/html_columns.h"

#include <math.h>

#include "base/json_put.h"

/* The same as in data.js. */
enum row_flags { ROW_CUT = 1, ROW_DEEP = 2, ROW_SAVED_DEEP = 4 };

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
	bool cut = row->common == row->stack.n && (row->stack.flags & WIRE_STACK_CUT);
	bool deep;

	replica_shown(&row->replica, &deep);
	return (cut ? ROW_CUT : 0) + (deep ? ROW_DEEP : 0) +
	       (replica_saved_deep(&row->replica) ? ROW_SAVED_DEEP : 0);
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

VALUE(pid, row->pid)
VALUE(size_min, size_of(row, false))
VALUE(size_max, size_of(row, true))
VALUE(fields_source, x->fields_source)
VALUE(verdict, verdict_of_row(row))
VALUE(flags, flags_of(row))
VALUE(uses, row->uses)
VALUE(places, row->ncontexts)
VALUE(share, row->stack_share)
VALUE(common, row->common)
VALUE(at, row->line)
VALUE(end, x->saved_end_bytes)

#define COLUMN(name)                \
	{                           \
#name, name##_value \
	}
static const struct number_column facts[] = {
	COLUMN(pid),	 COLUMN(size_min), COLUMN(size_max), COLUMN(fields_source),
	COLUMN(verdict), COLUMN(flags),	   COLUMN(uses),     COLUMN(places),
	COLUMN(share),	 COLUMN(common),   COLUMN(at),	     COLUMN(end),
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
			struct bounds_range range = figure_interval(f, &r->rows->row[i], 0);
			put(out, i, k ? range.high : range.low);
		}
		putc(']', out);
	}
}

static void put_figure(FILE *out, const struct report *r, const struct figure *f)
{
	begin(out, figure_key(f), "");
	for (size_t i = 0; i < r->shown; i++)
		put(out, i, figure_of(f, &r->rows->row[i]));
	putc(']', out);
	if (is_ranged(f))
		put_ends(out, r, f);
}

void html_put_columns(FILE *out, const struct report *r)
{
	for (size_t k = 0; k < sizeof facts / sizeof facts[0]; k++) {
		begin(out, facts[k].name, "");
		for (size_t i = 0; i < r->shown; i++)
			put(out, i, facts[k].value(&r->rows->row[i]));
		putc(']', out);
	}
	for (const struct column *c = columns; c->figure.name; c++)
		if (c->figure.flags & FIGURE_PAGE)
			put_figure(out, r, &c->figure);
}

/* ---- columns of the table ---------------------------------------------------------------- */

/* The name of the figure that counts what a share is from; NULL: none. */
static const char *evidence_of(const struct figure *f)
{
	for (const struct column *c = columns; c->figure.name; c++)
		if (f->evidence && c->figure.value == f->evidence)
			return figure_key(&c->figure);
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
	const struct figure *f = &c->figure;

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

	for (const struct column *c = columns; c->figure.name; c++) {
		if (!(c->figure.flags & FIGURE_PAGE) || !column_is_key(c))
			continue;
		fputs(before, out);
		put_column(out, c);
		before = ",\n";
	}
	putc(']', out);
}
