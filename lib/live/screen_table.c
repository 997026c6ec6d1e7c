/* SPDX-License-Identifier: Apache-2.0 */
/* screen_table.c - see screen_table.h. */
#define _GNU_SOURCE 1 /* strcasestr */
#include "live/screen_table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memtext.h"
#include "base/sort.h"
#include "base/table.h"
#include "base/xmalloc.h"
#include "live/rates.h"
#include "render/render.h"

/*
 * Widths of a screen, in columns. Below them: verdicts in one word; shares without intervals;
 * savings of deep contents without a mark; short trends.
 */
enum { BRIEF_BELOW = 140, DEEP_BELOW = 100, POINTS_BELOW = 132, WIDE_TREND_FROM = 160 };
enum { SHORT_TREND = 10, LONG_TREND = 20 };
/* Of rows that are lines the site is the first column to go: the line is beside it. */
enum { SITE_DROPPABLE = 100 };

void screen_table_begin(struct screen_table *v, enum column_table table, const struct column *key)
{
	*v = (struct screen_table){ .table = table, .key = key, .grouping = ROWS_BY_LINE };
	v->ncolumns = live_columns_list(v->column, table);
}

void screen_table_release(struct screen_table *v)
{
	free(v->taken);
	free(v->of);
	v->taken = NULL;
	v->of = NULL;
	v->nof = 0;
	v->n = 0;
	v->rows = NULL;
}

/* ---- which rows are shown ------------------------------------------------------------------ */

static bool selects(const struct screen_table *v)
{
	return v->filter[0] || v->nof > 0;
}

/* Index, in the order of all rows, of the i-th row that is shown. */
static size_t position(const struct screen_table *v, size_t i)
{
	return selects(v) ? v->taken[i] : i;
}

static struct row *shown_row(const struct screen_table *v, size_t i)
{
	return rows_at(v->rows, position(v, i));
}

static void note_selected(struct screen_table *v)
{
	const struct row *row = screen_table_row(v);

	v->has_selected = row != NULL;
	v->selected = row ? rates_key(row) : 0;
}

static bool has_capital(const char *text)
{
	while (*text && !isupper((unsigned char)*text))
		text++;
	return *text != '\0';
}

static bool holds(const char *text, const char *part)
{
	return has_capital(part) ? strstr(text, part) != NULL : strcasestr(text, part) != NULL;
}

/* Whether the frame's class and method match. */
static bool frame_holds(const struct callstack *stack, size_t i, const char *part)
{
	char name[1024];

	if (i >= stack->n)
		return false;
	snprintf(name, sizeof name, "%s.%s", stack->frames[i].class_name, stack->frames[i].method);
	return holds(name, part);
}

/* Whether "Shop.java:12" matches, as the table shows it. */
static bool line_holds(const struct row *row, const char *part)
{
	const struct model_frame *frame = row_line(row);
	char name[256];

	if (!frame || !frame->file || frame->line <= 0)
		return false;
	snprintf(name, sizeof name, "%s:%d", frame->file, frame->line);
	return holds(name, part);
}

uint64_t screen_table_context(const struct model_context *context)
{
	return (uint64_t)context->jvm << 32 | context->id;
}

static int compare_contexts(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return ORDER(*x, *y);
}

static bool has_context(const struct screen_table *v, const struct row *row)
{
	for (size_t i = 0; i < row->ncontexts; i++) {
		uint64_t context = screen_table_context(row->contexts[i]);
		if (bsearch(&context, v->of, v->nof, sizeof context, compare_contexts))
			return true;
	}
	return false;
}

/*
 * Whether the filter accepts the row: its class, its line, its site, or the program's code that
 * asked for it.
 */
static int takes(const struct screen_table *v, struct row *row)
{
	if (v->nof > 0 && !has_context(v, row))
		return 0;
	if (!v->filter[0])
		return 1;
	if (holds(row_class(row), v->filter))
		return 1;
	return line_holds(row, v->filter) || frame_holds(row_stack(row), 0, v->filter) ||
	       frame_holds(row_stack(row), callstack_line(row_stack(row)), v->filter);
}

/* Finds the matches, in order. */
static int list_matches(struct screen_table *v)
{
	size_t rows = v->rows ? v->rows->table.n : 0;

	v->n = rows;
	if (!selects(v))
		return 0;
	v->n = 0;
	uint32_t *taken = realloc(v->taken, (rows + 1) * sizeof *taken);
	if (!taken)
		return -1;
	v->taken = taken;
	for (size_t i = 0; i < rows; i++) {
		int match = takes(v, rows_at(v->rows, i));
		if (match < 0)
			return -1;
		if (match)
			v->taken[v->n++] = (uint32_t)i;
	}
	return 0;
}

/* Finds the matches and, among them, the selected row. */
static int match_rows(struct screen_table *v)
{
	size_t at = 0;

	if (list_matches(v) < 0)
		return -1;
	while (v->has_selected && at < v->n && rates_key(shown_row(v, at)) != v->selected)
		at++;
	bool found = v->has_selected && at < v->n;
	if (found)
		v->cursor = at;
	if (v->cursor >= v->n)
		v->cursor = v->n ? v->n - 1 : 0;
	if (!found)
		note_selected(v);
	return 0;
}

int screen_table_set_filter(struct screen_table *v, const char *text)
{
	size_t len = strnlen(text, SCREEN_TABLE_FILTER - 1);

	memmove(v->filter, text, len);
	v->filter[len] = '\0';
	return match_rows(v);
}

int screen_table_set_contexts(struct screen_table *v, const uint64_t *contexts, size_t n)
{
	free(v->of);
	v->of = NULL;
	v->nof = n;
	if (n > 0) {
		v->of = xmallocarray(n, sizeof *v->of);
		memcpy(v->of, contexts, n * sizeof *v->of);
		qsort(v->of, n, sizeof *v->of, compare_contexts);
	}
	return match_rows(v);
}

/* ---- order --------------------------------------------------------------------------------- */

int screen_table_set_rows(struct screen_table *v, struct rows *rows, const struct cell_context *ctx)
{
	v->rows = rows;
	v->several = false;
	/* a user who has not left the first line wants to see the row that leads now */
	if (v->cursor == 0 || !rows)
		v->has_selected = false;
	for (size_t i = 1; rows && i < rows->table.n; i++)
		v->several |= rows_at(rows, i)->row.jvm != rows_at(rows, 0)->row.jvm;
	if (rows)
		columns_sort(rows, v->key, ctx);
	return match_rows(v);
}

/* The key that sorts by a column; 0: none. */
static char letter_of(const struct screen_table *v, const struct column *c)
{
	return column_is_key(c) ? c->in[v->table].letter : 0;
}

const struct column *screen_table_key_of(const struct screen_table *v, char letter)
{
	for (size_t i = 0; i < v->ncolumns; i++)
		if (letter && letter_of(v, v->column[i]) == letter)
			return v->column[i];
	return NULL;
}

const struct column *screen_table_key_beside(const struct screen_table *v, int step)
{
	size_t i = 0;

	while (i < v->ncolumns && v->column[i] != v->key)
		i++;
	if (i == v->ncolumns)
		return NULL;
	do { /* left of the first column is a large number */
		i += (size_t)(step < 0 ? -1 : 1);
	} while (i < v->ncolumns && !letter_of(v, v->column[i]));
	return i < v->ncolumns ? v->column[i] : NULL;
}

int screen_table_sort(struct screen_table *v, const struct column *key,
		      const struct cell_context *ctx)
{
	v->key = key;
	v->cursor = v->top = 0;
	v->has_selected = false;
	if (v->rows)
		columns_sort(v->rows, key, ctx);
	return match_rows(v);
}

/* ---- the cursor ---------------------------------------------------------------------------- */

void screen_table_move(struct screen_table *v, long lines)
{
	if (lines < 0)
		v->cursor = (size_t)-lines > v->cursor ? 0 : v->cursor - (size_t)-lines;
	else
		v->cursor += (size_t)lines;
	if (v->cursor >= v->n)
		v->cursor = v->n ? v->n - 1 : 0;
	note_selected(v);
}

struct row *screen_table_row(const struct screen_table *v)
{
	return v->cursor < v->n ? shown_row(v, v->cursor) : NULL;
}

size_t screen_table_rank(const struct screen_table *v)
{
	return v->cursor < v->n ? position(v, v->cursor) + 1 : 0;
}

/* ---- lines --------------------------------------------------------------------------------- */

static void choose_columns(const struct screen_table *v, const struct cell_context *ctx,
			   struct table *t, const struct column **chosen)
{
	bool by_line = v->grouping == ROWS_BY_LINE;

	for (size_t i = 0; i < v->ncolumns; i++) {
		const struct column *c = v->column[i];
		const struct column_place *place = &c->in[v->table];
		bool is_key = c == v->key;
		unsigned droppable = is_key ? 0 : place->droppable;
		if (place->show != COLUMN_SHOWN && !is_key)
			continue;
		if ((c->flags & COLUMN_PIDS) && !v->several)
			continue;
		if ((c->flags & COLUMN_SITE) && v->grouping == ROWS_BY_CLASS)
			continue;
		if ((c->flags & COLUMN_LINE) && !by_line)
			continue;
		if ((c->flags & COLUMN_SITE) && by_line)
			droppable = SITE_DROPPABLE;
		chosen[t->ncolumns] = c;
		table_add_column(t, column_table_flags(c, ctx), droppable);
	}
}

static void mark_key(const struct screen_table *v, struct table *t,
		     const struct column *const *chosen)
{
	for (size_t i = 0; i < t->ncolumns && i < t->n; i++)
		if (chosen[i] == v->key)
			t->cell[i].ink = INK_YELLOW;
}

/* Columns of figures never become narrower while one scrolls: the table would jump. */
static void keep_widths(struct screen_table *v, struct table *t, unsigned screen)
{
	if (v->widths_of != screen || v->widths_key != v->key)
		memset(v->widths, 0, sizeof v->widths);
	v->widths_of = screen;
	v->widths_key = v->key;
	for (size_t i = 0; i < t->ncolumns; i++) {
		if (t->flags[i] & (COLUMN_HEAD | COLUMN_TAIL))
			continue;
		if (t->width[i] < v->widths[i])
			t->width[i] = v->widths[i];
		v->widths[i] = t->width[i];
	}
}

/* Finds what distinguishes visible rows. */
static void prepare_rows(const struct screen_table *v, size_t end)
{
	struct row **list = xmallocarray(end - v->top + 1, sizeof(struct row *));

	for (size_t i = v->top; i < end; i++)
		list[i - v->top] = shown_row(v, i);
	rows_tell_apart_some(list, end - v->top);
	free(list);
}

/* Writes the visible part of the table, from v->top on. */
static void put_table(struct screen_table *v, const struct cell_context *given, size_t height,
		      FILE *out)
{
	const struct column *chosen[TABLE_COLUMNS];
	struct cell_context ctx = *given;
	struct table t = TABLE_INIT;
	unsigned width = ctx.style->width;

	ctx.summary = width > 0 && width < BRIEF_BELOW;
	ctx.brief = width > 0 && width < DEEP_BELOW;
	ctx.points = width > 0 && width < POINTS_BELOW;
	ctx.trend = width > 0 && width < WIDE_TREND_FROM ? SHORT_TREND : LONG_TREND;
	choose_columns(v, &ctx, &t, chosen);
	render_table_line(&t, NULL, chosen, t.ncolumns, &ctx);
	mark_key(v, &t, chosen);
	size_t end = height < v->n - v->top ? v->top + height : v->n;
	prepare_rows(v, end);
	for (size_t i = v->top; i < end; i++) {
		ctx.rank = position(v, i) + 1;
		render_table_line(&t, shown_row(v, i), chosen, t.ncolumns, &ctx);
	}
	table_complete(&t);
	keep_widths(v, &t, width);
	table_put(&t, out, ctx.style);
	table_release(&t);
}

/* Removes the rule below the headings: one more line for rows. */
static void drop_rule(struct inked_lines *l)
{
	if (l->n > 1) {
		memmove(&l->line[1], &l->line[2], (l->n - 2) * sizeof *l->line);
		l->n--;
	}
}

void screen_table_lines(struct screen_table *v, const struct cell_context *ctx, size_t height,
			struct inked_lines *lines, size_t *cursor_line)
{
	size_t room = height > 1 ? height - 1 : 1;
	struct memtext gathered;
	FILE *out = memtext_begin(&gathered);

	if (v->cursor < v->top)
		v->top = v->cursor;
	if (v->cursor >= v->top + room)
		v->top = v->cursor - room + 1;
	if (v->top + room > v->n)
		v->top = v->n > room ? v->n - room : 0;
	*cursor_line = 1 + v->cursor - v->top;
	put_table(v, ctx, room, out);
	inked_take(lines, memtext_end(&gathered));
	drop_rule(lines);
}
