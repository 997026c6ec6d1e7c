/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_table.c - the table: one line per row of the report.
 *
 * All cells are made first, since a column is as wide as its widest cell. On a terminal that is too
 * narrow, first the columns that the detail blocks repeat are left out, then classes and sites are
 * cut. Without a terminal nothing is: whoever reads a file can scroll, and a program can not guess.
 */
#include <stdlib.h>
#include <string.h>

#include "render.h"

enum {
	MAX_COLUMNS = 24,
	GAP = 2,	 /* blanks between columns */
	LEAST_TAIL = 14, /* columns that a cell which may be cut keeps at least */
	LEAST_HEAD = 20,
	BRIEF_BELOW = 140, /* terminals narrower than this get verdicts in one word */
};

struct table {
	const struct report *report;
	const struct style *style;
	struct cell_context ctx;
	const struct column *column[MAX_COLUMNS];
	size_t width[MAX_COLUMNS];
	size_t ncolumns;
	size_t left_out;
	char **cell; /* line by line; the first line holds the headings */
};

static bool several_jvms(const struct report *r)
{
	return model_njvms(r->recording->model) > 1;
}

static void choose_columns(struct table *t)
{
	for (const struct column *c = columns; c->name && t->ncolumns < MAX_COLUMNS; c++) {
		if ((c->flags & COLUMN_HIDDEN) && c != t->report->key)
			continue;
		if ((c->flags & COLUMN_PIDS) && !several_jvms(t->report))
			continue;
		t->column[t->ncolumns++] = c;
	}
}

/* The text of one cell, allocated; `row` NULL gives the heading. */
static char *make_cell(const struct table *t, const struct column *c, const struct row *row)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return NULL;
	if (row)
		c->print(out, row, &t->ctx);
	else
		column_put_heading(out, c, &t->ctx);
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

static int make_cells(struct table *t)
{
	size_t lines = t->report->shown + 1;

	t->cell = calloc(lines, sizeof(char *[MAX_COLUMNS]));
	if (!t->cell)
		return -1;
	for (size_t line = 0; line < lines; line++) {
		const struct row *row = line ? &t->report->rows->row[line - 1] : NULL;
		t->ctx.rank = line;
		for (size_t i = 0; i < t->ncolumns; i++) {
			char *text = make_cell(t, t->column[i], row);
			if (!text)
				return -1;
			t->cell[line * t->ncolumns + i] = text;
			size_t width = utf8_width(text);
			if (width > t->width[i])
				t->width[i] = width;
		}
	}
	return 0;
}

static void free_cells(struct table *t)
{
	for (size_t i = 0; t->cell && i < (t->report->shown + 1) * t->ncolumns; i++)
		free(t->cell[i]);
	free(t->cell);
}

/* ---- fitting it to the terminal ------------------------------------------------------------ */

static bool may_cut(const struct column *c)
{
	return (c->flags & (COLUMN_HEAD | COLUMN_TAIL)) != 0;
}

/* What a column needs if its cells are cut as far as they may be. */
static size_t least_width(const struct table *t, size_t i)
{
	size_t least = t->column[i]->flags & COLUMN_TAIL ? LEAST_TAIL : LEAST_HEAD;

	return may_cut(t->column[i]) && t->width[i] > least ? least : t->width[i];
}

static size_t line_width(const struct table *t, bool cut)
{
	size_t sum = 0;

	for (size_t i = 0; i < t->ncolumns; i++)
		if (t->width[i] > 0)
			sum += (sum ? GAP : 0) + (cut ? least_width(t, i) : t->width[i]);
	return sum;
}

/* Leaves out the columns that can be spared most; false where none is left. The sort key stays. */
static bool leave_out(struct table *t)
{
	unsigned most = 0;

	for (size_t i = 0; i < t->ncolumns; i++)
		if (t->width[i] > 0 && t->column[i] != t->report->key &&
		    t->column[i]->droppable > most)
			most = t->column[i]->droppable;
	if (most == 0)
		return false;
	for (size_t i = 0; i < t->ncolumns; i++)
		if (t->column[i] != t->report->key && t->column[i]->droppable == most) {
			t->width[i] = 0;
			t->left_out++;
		}
	return true;
}

/* Shares what is missing among the cells that may be cut, the widest first. */
static void cut_cells(struct table *t, size_t width)
{
	while (line_width(t, false) > width) {
		size_t widest = t->ncolumns;
		for (size_t i = 0; i < t->ncolumns; i++)
			if (t->width[i] > least_width(t, i) &&
			    (widest == t->ncolumns || t->width[i] > t->width[widest]))
				widest = i;
		if (widest == t->ncolumns)
			return;
		t->width[widest]--;
	}
}

static void fit(struct table *t)
{
	if (t->style->width == 0)
		return;
	while (line_width(t, true) > t->style->width && leave_out(t))
		;
	cut_cells(t, t->style->width);
}

/* ---- output ------------------------------------------------------------------------------ */

static void put_blanks(FILE *out, size_t n)
{
	fprintf(out, "%*s", (int)n, "");
}

/* The text, or as much of it as the column has room for. Returns the columns it took. */
static size_t put_cut(FILE *out, const struct table *t, const struct column *c, const char *text,
		      size_t room)
{
	const char *ellipsis = style_glyph(t->style, GLYPH_ELLIPSIS);
	size_t width = utf8_width(text), lost = utf8_width(ellipsis);

	if (width <= room || !may_cut(c) || room <= lost) {
		fputs(text, out);
		return width;
	}
	if (c->flags & COLUMN_TAIL) {
		size_t len = utf8_tail(text, room - lost);
		const char *tail = text + strlen(text) - len;
		fprintf(out, "%s%s", ellipsis, tail);
		return lost + utf8_width(tail);
	}
	size_t len = utf8_head(text, room - lost);
	char *head = strndup(text, len);
	fprintf(out, "%s%s", head ? head : "", ellipsis);
	size_t used = lost + (head ? utf8_width(head) : 0);
	free(head);
	return used;
}

static void put_line(FILE *out, const struct table *t, size_t line)
{
	const struct row *row = line ? &t->report->rows->row[line - 1] : NULL;
	size_t owed = 0; /* blanks to print before the next cell: none at the line's end */
	bool first = true;

	for (size_t i = 0; i < t->ncolumns; i++) {
		const struct column *c = t->column[i];
		const char *text = t->cell[line * t->ncolumns + i];
		if (t->width[i] == 0)
			continue;
		size_t width = utf8_width(text);
		size_t lead =
			(c->flags & COLUMN_RIGHT) && width < t->width[i] ? t->width[i] - width : 0;
		enum ink ink = !row ? INK_BOLD : c->ink ? c->ink(row) : INK_PLAIN;
		put_blanks(out, owed + (first ? 0 : GAP) + lead);
		fputs(style_on(t->style, ink), out);
		size_t used = lead + put_cut(out, t, c, text, t->width[i]);
		fputs(style_off(t->style, ink), out);
		owed = used < t->width[i] ? t->width[i] - used : 0;
		first = false;
	}
	putc('\n', out);
}

static void put_rule(FILE *out, const struct table *t)
{
	const char *separator = "";

	fputs(style_on(t->style, INK_DIM), out);
	for (size_t i = 0; i < t->ncolumns; i++) {
		if (t->width[i] == 0)
			continue;
		fputs(separator, out);
		for (size_t k = 0; k < t->width[i]; k++)
			fputs(style_glyph(t->style, GLYPH_RULE), out);
		separator = "  ";
	}
	fprintf(out, "%s\n", style_off(t->style, INK_DIM));
}

int render_table(FILE *out, const struct report *r, const struct style *s)
{
	struct table t = { .report = r, .style = s };
	bool brief = s->width > 0 && s->width < BRIEF_BELOW;

	t.ctx = (struct cell_context){ s, 0, r->min_pairs, r->confidence, brief };
	choose_columns(&t);
	int result = make_cells(&t);
	if (result == 0) {
		fit(&t);
		put_line(out, &t, 0);
		put_rule(out, &t);
		for (size_t line = 1; line <= r->shown; line++)
			put_line(out, &t, line);
		if (t.left_out)
			fprintf(out,
				"\n# %zu of the columns found no room; the blocks below have all\n",
				t.left_out);
	}
	free_cells(&t);
	return result;
}
