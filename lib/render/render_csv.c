/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_csv.c - the contexts as a table for spreadsheets and data frames (RFC 4180). A context is
 * a line; columns have the names of the JSON report (docs/json.md). An interval is two columns, a
 * stack is one. Numbers have no units; a value that was not measured is empty.
 */
#include "render/render_csv.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_text.h"
#include "base/utf8.h"
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
static int csv_put_frame(FILE *out, const struct model_frame *f)
{
	if (f->folded > 0) {
		fprintf(out, "[recursion of %d frame%s]", f->folded, f->folded == 1 ? "" : "s");
		return 0;
	}
	put_inside(out, f->class_name, true);
	putc('.', out);
	put_inside(out, f->method, true);
	putc('(', out);
	put_inside(out, f->file ? f->file : "Unknown Source", true);
	if (f->file && f->line > 0)
		fprintf(out, ":%d", f->line);
	putc(')', out);
	return 0;
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

/*
 * ---- the rows of an analysis as a table for spreadsheets. A file has one table, which
 * --metric chooses. Stacks come last.
 */

static bool is_column(const struct figure *f, bool stacks)
{
	bool fits = f->kind == FIGURE_NUMBER || f->kind == FIGURE_TEXT || f->kind == FIGURE_STACK;

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

static void put_cell(FILE *out, const struct figure *f, const struct finding_row *row, double z)
{
	char room[FIGURE_TEXT_MAX];

	if (f->kind == FIGURE_STACK) {
		csv_put_stack(out, &row->stack[f->at], row->stack[f->at].n);
		return;
	}
	if (f->kind == FIGURE_TEXT) {
		const char *text = f->text(row, room);
		if (f->text == finding_row_kind) /* a word, which needs no quotes */
			fputs(text, out);
		else
			csv_put_text(out, text);
		return;
	}
	csv_put_figure(out, f, row, z);
}

static void put_cells(FILE *out, const struct finding_table *t, const struct finding_row *row,
		      double z, bool stacks, const char **comma)
{
	for (const struct figure *f = t->kind->figures; f->name; f++) {
		if (!is_column(f, stacks))
			continue;
		fputs(*comma, out);
		put_cell(out, f, row, z);
		*comma = ",";
	}
}

static void put_row(FILE *out, const struct finding *f, const struct finding_row *row)
{
	const char *comma = "";

	put_cells(out, &f->table[0], row, f->z, false, &comma);
	put_cells(out, &f->table[0], row, f->z, true, &comma);
	fputs("\r\n", out);
}

static void put_heading(FILE *out, const struct figure *figures)
{
	const char *comma = "";

	put_names(out, figures, false, &comma);
	put_names(out, figures, true, &comma);
	fputs("\r\n", out);
}

void render_csv_findings(FILE *out, const struct report *r)
{
	const struct analysis *a = r->metric->analysis;

	put_heading(out, a->kinds[0]->tables[0]->figures);
	for (size_t i = 0; r->findings && i < r->findings->n; i++) {
		const struct finding *f = &r->findings->item[i];
		for (size_t k = 0; f->analysis == a && f->ntables && k < f->table[0].n; k++)
			if (metric_of_row(r->metric, f, finding_row(&f->table[0], k)))
				put_row(out, f, finding_row(&f->table[0], k));
	}
}

void render_csv_finding(FILE *out, const struct finding *f)
{
	put_heading(out, f->table[0].kind->figures);
	for (size_t i = 0; i < f->table[0].n; i++)
		put_row(out, f, finding_row(&f->table[0], i));
}

static bool is_csv(const struct figure *f)
{
	return f->flags & FIGURE_CSV;
}

static void put_header(FILE *out)
{
	fputs("class,pid,verdict,verdict_deep,source", out);
	for (const struct figure *f = row_figures; f->name; f++) {
		if (is_csv(f)) {
			putc(',', out);
			csv_put_heading(out, f);
		}
	}
	fputs(",alloc_stack_cut,alloc_stack\r\n", out);
}

static void put_line(FILE *out, const struct report *r, const struct row *row,
		     const struct frame_texts *texts)
{
	const struct model *m = r->recording->model;
	const struct replica *x = &row->replica;
	const uint32_t *numbers;
	unsigned flags;
	size_t frames = callstack_numbers(m, row->jvm, row->stack_id, &numbers, &flags);
	bool cut = row->common == frames && (flags & WIRE_STACK_CUT);

	csv_put_text(out, row_class(row));
	fprintf(out, ",%d,", row->row.pid);
	csv_put_text(out, replica_verdict_name(x->verdict));
	putc(',', out);
	csv_put_text(out, x->deep_scanned ? replica_verdict_name(x->verdict_deep) : NULL);
	putc(',', out);
	csv_put_text(out, replica_source_name(x->source));
	for (const struct figure *f = row_figures; f->name; f++)
		if (is_csv(f)) {
			putc(',', out);
			csv_put_figure(out, f, row, 0);
		}
	fprintf(out, ",%s,", cut && frames > 0 ? "true" : "false");
	csv_put_numbered_stack(out, texts, row->jvm, numbers, row->common);
	fputs("\r\n", out);
}

static int put_contexts(FILE *out, const struct report *r)
{
	struct frame_texts texts;
	int result = frame_texts_make(&texts, r->recording->model, csv_put_frame);

	put_header(out);
	for (size_t i = 0; i < r->shown && !ferror(out) && result == 0; i++)
		put_line(out, r, rows_at(r->rows, i), &texts);
	frame_texts_release(&texts);
	return result;
}

int render_csv(FILE *out, const struct report *r)
{
	if (r->metric->analysis)
		render_csv_findings(out, r);
	else if (put_contexts(out, r) < 0)
		return -1;
	return ferror(out) ? -1 : 0;
}
