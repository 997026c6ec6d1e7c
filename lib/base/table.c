/* SPDX-License-Identifier: Apache-2.0 */
/* table.c - see table.h. */
#include "base/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/grow.h"
#include "base/javaname.h"
#include "base/utf8.h"
#include "base/xmalloc.h"

enum {
	GAP = 2,	 /* blanks between columns */
	LEAST_TAIL = 14, /* columns that remain of a cell that is cut */
	LEAST_HEAD = 20,
	LEAST_HEAD_WIDE = 32, /* the same if the line has at least WIDE columns */
	WIDE = 110,
	LEAST_LEAD = 4, /* fewest columns of a site worth showing before the arrow */
};

void table_add_column(struct table *t, unsigned flags, unsigned droppable)
{
	if (t->ncolumns == TABLE_COLUMNS)
		return;
	t->flags[t->ncolumns] = flags;
	t->droppable[t->ncolumns++] = droppable;
}

FILE *table_cell(struct table *t, enum ink ink)
{
	if (t->n == 0)
		memtext_begin(&t->text);
	else
		putc('\0', t->text.in);
	XGROW(t->cell, t->n, t->room, 64);
	t->cell[t->n++] = (struct table_cell){ .at = (size_t)ftell(t->text.in), .ink = ink };
	return t->text.in;
}

void table_add(struct table *t, const char *text, enum ink ink)
{
	fputs(text, table_cell(t, ink));
}

void table_link(struct table *t, const char *address)
{
	if (address)
		t->cell[t->n - 1].link = xstrdup(address);
}

void table_complete(struct table *t)
{
	if (t->complete)
		return;
	t->complete = true;
	if (t->n > 0)
		memtext_end(&t->text);
	for (size_t i = 0; i < t->n; i++) {
		t->cell[i].text = t->text.text + t->cell[i].at;
		size_t width = utf8_width(t->cell[i].text), column = i % t->ncolumns;
		if (width > t->width[column])
			t->width[column] = width;
	}
}

void table_release(struct table *t)
{
	table_complete(t);
	for (size_t i = 0; i < t->n; i++)
		free(t->cell[i].link);
	free(t->cell);
	free(t->text.text);
	*t = (struct table)TABLE_INIT;
}

/* ---- fitting it to the terminal ------------------------------------------------------------ */

static bool may_cut(const struct table *t, size_t i)
{
	return (t->flags[i] & (TABLE_HEAD | TABLE_TAIL)) != 0;
}

/* The width of a column whose cells are cut as far as possible. */
static size_t least_width(const struct table *t, size_t i)
{
	size_t head = t->wide ? LEAST_HEAD_WIDE : LEAST_HEAD;
	size_t least = t->flags[i] & TABLE_TAIL ? LEAST_TAIL : head;

	return may_cut(t, i) && t->width[i] > least ? least : t->width[i];
}

static size_t line_width(const struct table *t, bool cut)
{
	size_t sum = 0;

	for (size_t i = 0; i < t->ncolumns; i++)
		if (t->width[i] > 0)
			sum += (sum ? GAP : 0) + (cut ? least_width(t, i) : t->width[i]);
	return sum;
}

/* Leaves out the most droppable columns; false if there are none left. */
static bool leave_out(struct table *t)
{
	unsigned most = 0;

	for (size_t i = 0; i < t->ncolumns; i++)
		if (t->width[i] > 0 && t->droppable[i] > most)
			most = t->droppable[i];
	if (most == 0)
		return false;
	for (size_t i = 0; i < t->ncolumns; i++)
		if (t->droppable[i] == most) {
			t->width[i] = 0;
			t->left_out++;
		}
	return true;
}

/* Distributes the missing columns over the cells that may be cut, widest first. */
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

/* Drops the packages in all cells of such a column, so that the cells look alike. */
static void drop_packages(struct table *t)
{
	for (size_t i = 0; i < t->ncolumns; i++)
		if (t->flags[i] & TABLE_CLASS)
			t->width[i] = 0;
	for (size_t i = 0; i < t->n; i++) {
		size_t column = i % t->ncolumns;
		char *text = t->cell[i].text;
		if (!(t->flags[column] & TABLE_CLASS))
			continue;
		const char *simple = names_short(text);
		memmove(text, simple, strlen(simple) + 1);
		size_t width = utf8_width(text);
		if (width > t->width[column])
			t->width[column] = width;
	}
}

static void fit(struct table *t, size_t width)
{
	if (width == 0)
		return;
	if (line_width(t, false) > width)
		drop_packages(t);
	t->wide = width >= WIDE;
	while (line_width(t, true) > width && leave_out(t))
		;
	cut_cells(t, width);
}

/* ---- output ------------------------------------------------------------------------------ */

static void put_blanks(FILE *out, size_t n)
{
	fprintf(out, "%*s", (int)n, "");
}

/* Write the end, or the beginning, of a text that is too long. Return the columns used. */
static size_t put_tail(FILE *out, const char *ellipsis, const char *text, size_t room)
{
	const char *tail = text + strlen(text) - utf8_tail(text, room - utf8_width(ellipsis));

	fprintf(out, "%s%s", ellipsis, tail);
	return utf8_width(ellipsis) + utf8_width(tail);
}

/*
 * Length of the ":12" that ends the first word, 0 if there is none; *word receives the word's
 * length.
 */
static size_t line_number(const char *text, size_t *word)
{
	size_t digits = 0;

	*word = strcspn(text, " ");
	while (digits < *word && strchr("0123456789", text[*word - digits - 1]))
		digits++;
	return digits && digits < *word && text[*word - digits - 1] == ':' ? digits + 1 : 0;
}

static size_t put_head(FILE *out, const char *ellipsis, const char *text, size_t room)
{
	size_t word, number = line_number(text, &word), lost = utf8_width(ellipsis);

	if (number && utf8_columns(text, word) + lost > room && room > number + lost) {
		size_t len = utf8_columns(text, word) <= room
				     ? word - number
				     : utf8_head(text, room - number - lost);
		bool whole = len == word - number;
		fprintf(out, "%.*s%s%.*s", (int)len, text, whole ? "" : ellipsis, (int)number,
			text + word - number);
		return utf8_columns(text, len) + (whole ? 0 : lost) + number;
	}
	size_t len = utf8_head(text, room - lost);

	fprintf(out, "%.*s%s", (int)len, text, ellipsis);
	return utf8_columns(text, len) + lost;
}

/*
 * Cuts a site "in the JDK <- in the program". The reader knows the program's part, so that part
 * stays, and as much of the JDK's part as fits. `own` begins with the blank before the arrow.
 */
static size_t put_site(FILE *out, const char *ellipsis, const char *text, const char *own,
		       size_t room)
{
	size_t width = utf8_width(own), used = 0;

	if (width - 1 > room) {
		const char *name = strchr(own + 1, ' ');
		size_t arrow = name ? utf8_columns(own + 1, (size_t)(name - own)) : 0;
		if (!name || arrow >= room)
			return put_head(out, ellipsis, own + 1, room);
		fprintf(out, "%.*s", (int)(name - own), own + 1);
		return arrow + put_head(out, ellipsis, name + 1, room - arrow);
	}
	if (width + LEAST_LEAD <= room)
		used = put_head(out, ellipsis, text, room - width);
	else
		width--;
	fputs(used ? own : own + 1, out);
	return used + width;
}

/* Writes as much of the text as the column has room for. Returns the columns used. */
static size_t put_cut(FILE *out, const struct table *t, const struct style *s, size_t column,
		      const char *text)
{
	const char *ellipsis = style_glyph(s, GLYPH_ELLIPSIS);
	size_t width = utf8_width(text), lost = utf8_width(ellipsis), room = t->width[column];

	if (width <= room || !may_cut(t, column) || room <= lost) {
		fputs(text, out);
		return width;
	}
	if (t->flags[column] & TABLE_TAIL)
		return put_tail(out, ellipsis, text, room);
	const char *own = strstr(text, style_glyph(s, GLYPH_ARROW));
	while (own && (own == text || own[-1] != ' '))
		own = strstr(own + 1, style_glyph(s, GLYPH_ARROW));
	return own ? put_site(out, ellipsis, text, own - 1, room)
		   : put_head(out, ellipsis, text, room);
}

static void put_line(FILE *out, const struct table *t, const struct style *s, size_t first)
{
	/* blanks before the next cell, written late so that no line ends in blanks */
	size_t owed = 0;
	bool begun = false;

	for (size_t i = 0; i < t->ncolumns; i++) {
		const struct table_cell *cell = &t->cell[first + i];
		if (t->width[i] == 0)
			continue;
		size_t width = utf8_width(cell->text);
		size_t lead = (t->flags[i] & TABLE_RIGHT) && width < t->width[i]
				      ? t->width[i] - width
				      : 0;
		put_blanks(out, owed + (begun ? GAP : 0) + lead);
		fputs(style_on(s, cell->ink), out);
		bool linked = style_link_to(out, cell->link);
		size_t used = lead + put_cut(out, t, s, i, cell->text);
		style_link_off(out, linked);
		fputs(style_off(s, cell->ink), out);
		owed = used < t->width[i] ? t->width[i] - used : 0;
		begun = true;
	}
	putc('\n', out);
}

static void put_rule(FILE *out, const struct table *t, const struct style *s)
{
	const char *separator = "";

	fputs(style_on(s, INK_DIM), out);
	for (size_t i = 0; i < t->ncolumns; i++) {
		if (t->width[i] == 0)
			continue;
		fputs(separator, out);
		for (size_t k = 0; k < t->width[i]; k++)
			fputs(style_glyph(s, GLYPH_RULE), out);
		separator = "  ";
	}
	fprintf(out, "%s\n", style_off(s, INK_DIM));
}

/* ---- Markdown ------------------------------------------------------------------------------ */

static void put_markdown_line(FILE *out, const struct table *t, size_t first)
{
	for (size_t i = 0; i < t->ncolumns; i++) {
		const char *text = t->cell[first + i].text;
		bool name = first > 0 && (t->flags[i] & (TABLE_CLASS | TABLE_HEAD | TABLE_TAIL));
		if (t->width[i] == 0)
			continue;
		fputs("| ", out);
		if (name && *text)
			escape_markdown_code(out, text);
		else
			escape_markdown(out, text);
		putc(' ', out);
	}
	fputs("|\n", out);
}

static void put_markdown(FILE *out, const struct table *t)
{
	for (size_t first = 0; first + t->ncolumns <= t->n; first += t->ncolumns) {
		put_markdown_line(out, t, first);
		if (first > 0)
			continue;
		for (size_t i = 0; i < t->ncolumns; i++)
			if (t->width[i] > 0)
				fputs(t->flags[i] & TABLE_RIGHT ? "| ---: " : "| --- ", out);
		fputs("|\n", out);
	}
}

void table_put(struct table *t, FILE *out, const struct style *s)
{
	table_complete(t);
	if (s->markdown) {
		put_markdown(out, t);
		return;
	}
	fit(t, s->width);
	for (size_t first = 0; first + t->ncolumns <= t->n; first += t->ncolumns) {
		put_line(out, t, s, first);
		if (first == 0)
			put_rule(out, t, s);
	}
}
