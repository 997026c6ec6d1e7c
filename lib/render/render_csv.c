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

#include "base/grow.h"
#include "base/json_text.h"
#include "base/utf8.h"
#include "fix/fix_figures.h"
#include "model/labels.h"
#include "render/metrics.h"
#include "render/render_findings.h"

enum { FIRST_LABELS = 16 };

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

/* ---- labels: the last columns, one for each that a JVM has. */

struct label_columns {
	const struct recording *recording; /* NULL: none */
	const char **name;
	uint32_t n, room;
	uint32_t jvm; /* of which `values` are */
	struct label_list values;
};

static const char *find_label(const struct label_list *values, const char *name)
{
	for (size_t i = 0; i < values->n; i++)
		if (strcmp(values->item[i].name, name) == 0)
			return values->item[i].value;
	return NULL;
}

static void find_labels(struct label_columns *l, const struct recording *r)
{
	*l = (struct label_columns){ .recording = r };
	for (uint32_t jvm = 0; jvm <= model_njvms(r->model); jvm++) {
		labels_of(&l->values, r->model, jvm, r->full);
		for (size_t i = 0; i < l->values.n; i++) {
			uint32_t k = 0;
			while (k < l->n && strcmp(l->name[k], l->values.item[i].name) != 0)
				k++;
			if (k < l->n)
				continue;
			XGROW(l->name, l->n, l->room, FIRST_LABELS);
			l->name[l->n++] = l->values.item[i].name;
		}
		l->jvm = jvm;
	}
}

static void put_label_names(FILE *out, const struct label_columns *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		fprintf(out, ",label_%s", l->name[i]);
}

static void put_label_values(FILE *out, struct label_columns *l, uint32_t jvm)
{
	if (l->n > 0 && jvm != l->jvm) {
		labels_of(&l->values, l->recording->model, jvm, l->recording->full);
		l->jvm = jvm;
	}
	for (uint32_t i = 0; i < l->n; i++) {
		putc(',', out);
		csv_put_text(out, find_label(&l->values, l->name[i]));
	}
}

/* ---- tables, of which a file has one: --metric chooses it. Stacks come last. */

struct csv {
	FILE *out;
	const struct finding_table *table;
	double z;			  /* the quantile of the intervals */
	const struct frame_texts *frames; /* of tables whose rows have numbers of frames */
	struct label_columns *labels;
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
	if (c->labels->n > 0)
		put_label_values(c->out, c->labels, row->jvm);
	fputs("\r\n", c->out);
}

static void put_heading(FILE *out, const struct figure *figures, const struct label_columns *labels)
{
	const char *comma = "";

	put_names(out, figures, false, &comma);
	put_names(out, figures, true, &comma);
	put_label_names(out, labels);
	fputs("\r\n", out);
}

/* The rows of an analysis that its metric counts. */
static void put_findings(FILE *out, const struct report *r, struct label_columns *labels)
{
	const struct analysis *a = r->metric->analysis;

	put_heading(out, a->kinds[0]->tables[0]->figures, labels);
	for (size_t i = 0; r->findings && i < r->findings->n; i++) {
		const struct finding *f = &r->findings->item[i];
		const struct csv c = { out, &f->table[0], f->z, NULL, labels };
		for (size_t k = 0; f->analysis == a && f->ntables && k < c.table->n; k++)
			if (metric_of_row(r->metric, f, finding_row(c.table, k)))
				put_row(&c, finding_row(c.table, k));
	}
}

static void put_fix(FILE *out, const struct fix *f, struct label_columns *labels)
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
	put_label_values(out, labels, fix_jvm(f));
	fputs("\r\n", out);
}

/* What the report ranks. */
static void put_fixes(FILE *out, const struct report *r, struct label_columns *labels)
{
	const char *comma = "";

	put_names(out, fix_figures, false, &comma);
	for (const struct fix_text *x = fix_texts; x->name; x++)
		fprintf(out, ",%s", x->name);
	put_label_names(out, labels);
	fputs("\r\n", out);
	for (size_t i = 0; r->fixes && i < r->fixes->n; i++)
		if (export_has_fix(r, i))
			put_fix(out, &r->fixes->fix[i], labels);
}

void render_csv_finding(FILE *out, const struct finding *f)
{
	struct label_columns none = { .n = 0 };
	const struct csv c = { out, &f->table[0], f->z, NULL, &none };

	put_heading(out, c.table->kind->figures, &none);
	for (size_t i = 0; i < c.table->n; i++)
		put_row(&c, finding_row(c.table, i));
}

/* The rows of replicas that are shown. */
static void put_replicas(FILE *out, const struct report *r, struct label_columns *labels)
{
	struct frame_texts frames;
	const struct csv c = { out, &r->rows->table, 0, &frames, labels };

	frame_texts_make(&frames, r->recording->model, csv_put_frame);
	put_heading(out, c.table->kind->figures, labels);
	for (size_t i = 0; i < r->shown && !ferror(out); i++)
		put_row(&c, finding_row(c.table, i));
	frame_texts_release(&frames);
}

int render_csv(FILE *out, const struct report *r)
{
	struct label_columns labels;

	find_labels(&labels, r->recording);
	if (r->metric->analysis)
		put_findings(out, r, &labels);
	else if (r->metric->source == EXPORT_FIXES)
		put_fixes(out, r, &labels);
	else
		put_replicas(out, r, &labels);
	free(labels.name);
	return ferror(out) ? -1 : 0;
}
