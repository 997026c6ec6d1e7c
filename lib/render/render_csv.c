/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_csv.c - a table of rows for spreadsheets and data frames (RFC 4180). A row is a line;
 * columns have the names of the JSON report (docs/json.md). An interval is two columns, a
 * stack is one. Numbers have no units; a value that was not measured is empty.
 */
#include "render/export.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_text.h"
#include "base/utf8.h"
#include "fix/fix_figures.h"
#include "render/metrics.h"
#include "render/render_findings.h"

static void put_real(FILE *out, double value)
{
	char text[JSON_NUMBER_MAX];

	if (!isfinite(value))
		return;
	size_t len = json_number_text(text, value);
	fwrite(text, 1, len, out);
}

/* Writes the heading; two more cells if the figure has an interval. */
static void csv_put_heading(FILE *out, const struct figure *f)
{
	fputs(f->name, out);
	if (figure_has_range(f))
		fprintf(out, ",%s_low,%s_high", f->range_name, f->range_name);
}

/*
 * Writes the figure's value, with at most nine decimals (json_number_text). Then both ends of the
 * interval with the quantile `z`, if it has one. A value that is not finite gives an empty cell.
 */
static void csv_put_figure(FILE *out, const struct figure *f, const void *of, double z)
{
	put_real(out, figure_of(f, of));
	if (!figure_has_range(f))
		return;
	struct bounds_range range = figure_range(f, of, z);
	putc(',', out);
	put_real(out, range.low);
	putc(',', out);
	put_real(out, range.high);
}

/* Writes a piece of a quoted text. In a stack, ';' would end a frame, so it becomes '|'. */
static void put_inside(FILE *out, const char *text, bool stack)
{
	const char *special = stack ? "\";" : "\"";

	text = text ? text : "?";
	for (;;) {
		size_t n = strcspn(text, special);
		utf8_put(out, text, n, UTF8_TERMINAL);
		text += n;
		if (*text == '\0')
			return;
		fputs(*text++ == '"' ? "\"\"" : "|", out);
	}
}

/* Begins a quoted text that starts with `first`. */
static void open_text(FILE *out, const char *first)
{
	putc('"', out);
	if (first && *first && strchr("=+-@", *first))
		putc('\'', out);
}

/*
 * Writes a text in quotes; nothing for NULL. A spreadsheet takes a text that begins with '=', '+',
 * '-' or '@' for a formula; such a text gets an apostrophe in front. No ordinary name in a Java
 * program begins so.
 */
static void csv_put_text(FILE *out, const char *text)
{
	if (!text)
		return;
	open_text(out, text);
	put_inside(out, text, false);
	putc('"', out);
}

/*
 * One frame of such a text (a frame_text_fn); and a whole stack, by the numbers of its frames
 * (callstack.h).
 */
static void csv_put_frame(FILE *out, const struct model_frame *f)
{
	if (f->folded > 0) {
		fprintf(out, "[recursion of %d frame%s]", f->folded, f->folded == 1 ? "" : "s");
		return;
	}
	put_inside(out, f->class_name, true);
	putc('.', out);
	put_inside(out, f->method, true);
	putc('(', out);
	put_inside(out, f->file ? f->file : "Unknown Source", true);
	if (f->file && f->line > 0)
		fprintf(out, ":%d", f->line);
	putc(')', out);
}

static void csv_put_numbered_stack(FILE *out, const struct frame_texts *texts, uint32_t jvm,
				   const uint32_t *numbers, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t len;
		const char *text = frame_texts_at(texts, jvm, numbers[i], &len);
		if (i > 0)
			putc(';', out);
		else
			open_text(out, text);
		fwrite(text, 1, len, out);
	}
	if (n > 0)
		putc('"', out);
}

void csv_put_stack(FILE *out, const struct callstack *stack, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct model_frame *f = &stack->frames[i];
		if (i > 0)
			putc(';', out);
		else
			open_text(out, f->folded > 0 ? NULL : f->class_name);
		csv_put_frame(out, f);
	}
	if (n > 0)
		putc('"', out);
}

/* ---- tables, of which a file has one: --metric chooses it. Stacks come last. */

struct csv {
	FILE *out;
	const struct finding_table *table;
	double z;			  /* the quantile of the intervals */
	const struct frame_texts *frames; /* of tables whose rows have numbers of frames */
};

static bool is_column(const struct figure *f, bool stacks)
{
	bool fits = f->kind != FIGURE_PARTS && f->kind != FIGURE_PATHS && f->kind != FIGURE_CURVE;

	return (f->flags & FIGURE_CSV) && fits && (f->kind == FIGURE_STACK) == stacks;
}

static void put_names(FILE *out, const struct figure *figures, bool stacks, const char **comma)
{
	for (const struct figure *f = figures; f->name; f++) {
		if (!is_column(f, stacks))
			continue;
		fputs(*comma, out);
		*comma = ",";
		csv_put_heading(out, f);
	}
}

static void put_text(FILE *out, const struct figure *f, const struct finding_row *row)
{
	char room[FIGURE_TEXT_MAX];
	const char *text = f->text(row, room);

	if (f->text == finding_row_kind) /* a word, which needs no quotes */
		fputs(text, out);
	else
		csv_put_text(out, text);
}

static void put_stack(const struct csv *c, const struct figure *f, const struct finding_row *row)
{
	const struct callstack *stack = &row->stack[f->at];
	const uint32_t *numbers;
	uint32_t jvm;

	if (!c->frames) {
		csv_put_stack(c->out, stack, stack->n);
		return;
	}
	size_t n = c->table->kind->frames(row, &jvm, &numbers);
	csv_put_numbered_stack(c->out, c->frames, jvm, numbers, n);
}

static void put_cell(const struct csv *c, const struct figure *f, const struct finding_row *row)
{
	switch (f->kind) {
	case FIGURE_STACK:
		put_stack(c, f, row);
		break;
	case FIGURE_TEXT:
		put_text(c->out, f, row);
		break;
	case FIGURE_BOOL:
		fputs(figure_of(f, row) != 0 ? "true" : "false", c->out);
		break;
	default:
		csv_put_figure(c->out, f, row, c->z);
	}
}

static void put_cells(const struct csv *c, const struct finding_row *row, bool stacks,
		      const char **comma)
{
	for (const struct figure *f = c->table->kind->figures; f->name; f++) {
		if (!is_column(f, stacks))
			continue;
		fputs(*comma, c->out);
		put_cell(c, f, row);
		*comma = ",";
	}
}

static void put_row(const struct csv *c, const struct finding_row *row)
{
	const char *comma = "";

	put_cells(c, row, false, &comma);
	put_cells(c, row, true, &comma);
	fputs("\r\n", c->out);
}

static void put_heading(FILE *out, const struct figure *figures)
{
	const char *comma = "";

	put_names(out, figures, false, &comma);
	put_names(out, figures, true, &comma);
	fputs("\r\n", out);
}

/* The rows of an analysis that its metric counts. */
static void put_findings(FILE *out, const struct report *r)
{
	const struct analysis *a = r->metric->analysis;

	put_heading(out, a->kinds[0]->tables[0]->figures);
	for (size_t i = 0; r->findings && i < r->findings->n; i++) {
		const struct finding *f = &r->findings->item[i];
		const struct csv c = { out, &f->table[0], f->z, NULL };
		for (size_t k = 0; f->analysis == a && f->ntables && k < c.table->n; k++)
			if (metric_of_row(r->metric, f, finding_row(c.table, k)))
				put_row(&c, finding_row(c.table, k));
	}
}

static void put_fix(FILE *out, const struct fix *f)
{
	const char *comma = "";
	char room[FIGURE_TEXT_MAX];
	struct memtext text;

	for (const struct figure *x = fix_figures; x->name; x++) {
		if (!is_column(x, false))
			continue;
		fputs(comma, out);
		comma = ",";
		if (x->kind == FIGURE_TEXT)
			csv_put_text(out, x->text(f, room));
		else
			csv_put_figure(out, x, f, 0);
	}
	for (const struct fix_text *x = fix_texts; x->name; x++) {
		x->put(memtext_begin(&text), f);
		memtext_end(&text);
		putc(',', out);
		csv_put_text(out, text.len > 0 ? text.text : NULL);
		free(text.text);
	}
	fputs("\r\n", out);
}

/* What the report ranks. */
static void put_fixes(FILE *out, const struct report *r)
{
	const char *comma = "";

	put_names(out, fix_figures, false, &comma);
	for (const struct fix_text *x = fix_texts; x->name; x++)
		fprintf(out, ",%s", x->name);
	fputs("\r\n", out);
	for (size_t i = 0; r->fixes && i < r->fixes->n; i++)
		if (export_has_fix(r, i))
			put_fix(out, &r->fixes->fix[i]);
}

void render_csv_finding(FILE *out, const struct finding *f)
{
	const struct csv c = { out, &f->table[0], f->z, NULL };

	put_heading(out, c.table->kind->figures);
	for (size_t i = 0; i < c.table->n; i++)
		put_row(&c, finding_row(c.table, i));
}

/* The rows of replicas that are shown. */
static void put_replicas(FILE *out, const struct report *r)
{
	struct frame_texts frames;
	const struct csv c = { out, &r->rows->table, 0, &frames };

	frame_texts_make(&frames, r->recording->model, csv_put_frame);
	put_heading(out, c.table->kind->figures);
	for (size_t i = 0; i < r->shown && !ferror(out); i++)
		put_row(&c, finding_row(c.table, i));
	frame_texts_release(&frames);
}

int render_csv(FILE *out, const struct report *r)
{
	if (r->metric->analysis)
		put_findings(out, r);
	else if (r->metric->source == EXPORT_FIXES)
		put_fixes(out, r);
	else
		put_replicas(out, r);
	return ferror(out) ? -1 : 0;
}
