/* SPDX-License-Identifier: Apache-2.0 */
/* view.c - see view.h. */
#define _GNU_SOURCE 1 /* strcasestr */
#include "view.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "live_columns.h"
#include "rates.h"
#include "render.h"
#include "table.h"

/* Screens narrower than these get verdicts in one word, shares without intervals, short trends. */
enum { BRIEF_BELOW = 140, POINTS_BELOW = 132, WIDE_TREND_FROM = 160 };
enum { SHORT_TREND = 10, LONG_TREND = 20 };

const struct view_column view_live[] = {
	{ "pid", 0, 8, false },		{ "saved/s", 's', 0, false }, { "bytes/s", 'b', 0, false },
	{ "objects/s", 'o', 5, false }, { "trend", 0, 2, false },     { "saved", 'S', 8, true },
	{ "bytes", 'B', 8, true },	{ "objects", 'O', 8, true },  { "theta", 't', 0, false },
	{ "omega", 'm', 4, false },	{ "group", 'g', 6, false },   { "deep", 'd', 6, true },
	{ "pairs", 'n', 8, true },	{ "verdict", 0, 7, false },   { "class", 0, 0, false },
	{ "site", 0, 0, false },	{ NULL, 0, 0, false },
};

const struct view_column view_static[] = {
	{ "#", 0, 3, false },	       { "pid", 0, 5, false },	     { "saved", 's', 0, false },
	{ "bytes", 'b', 0, false },    { "objects", 'o', 4, false }, { "theta", 't', 0, false },
	{ "alpha", 'a', 9, true },     { "omega", 'm', 2, false },   { "gamma", 'y', 9, true },
	{ "identical", 'e', 9, true }, { "group", 'g', 5, false },   { "deep", 'd', 7, false },
	{ "pairs", 'n', 8, false },    { "verdict", 0, 6, false },   { "class", 0, 0, false },
	{ "site", 0, 0, false },       { NULL, 0, 0, false },
};

void view_begin(struct view *v, const struct view_column *shown, const struct column *key)
{
	*v = (struct view){ .columns = shown, .key = key };
}

void view_release(struct view *v)
{
	free(v->match);
	v->match = NULL;
	v->n = v->room = 0;
	v->rows = NULL;
}

/* ---- the filter ---------------------------------------------------------------------------- */

static bool has_capital(const char *text)
{
	for (; *text; text++)
		if (isupper((unsigned char)*text))
			return true;
	return false;
}

static bool holds(const char *text, const char *part)
{
	if (!text)
		return false;
	return has_capital(part) ? strstr(text, part) != NULL : strcasestr(text, part) != NULL;
}

/* A frame matches by its class, or by class and method. */
static bool frame_holds(const struct model_frame *f, const char *part)
{
	char name[512];

	if (!f->class_name || !f->method)
		return holds(f->class_name, part);
	if (strlen(f->class_name) + strlen(f->method) + 2 > sizeof name)
		return holds(f->class_name, part) || holds(f->method, part);
	stpcpy(stpcpy(stpcpy(name, f->class_name), "."), f->method);
	return holds(name, part);
}

static int need_stack(const struct view *v, struct row *row)
{
	if (row->stack.frames || !v->model)
		return 0;
	return callstack_resolve(&row->stack, v->model, row->jvm, row->stack_id);
}

/* Whether the filter takes the row; -1 where memory lacks. */
static int takes(const struct view *v, struct row *row)
{
	if (!v->filter[0] || holds(row_class(row), v->filter))
		return 1;
	if (need_stack(v, row) < 0)
		return -1;
	size_t own = callstack_application(&row->stack);
	if (row->stack.n > 0 && frame_holds(&row->stack.frames[0], v->filter))
		return true;
	return own < row->stack.n && frame_holds(&row->stack.frames[own], v->filter);
}

static void note_selected(struct view *v)
{
	const struct row *row = view_row(v);

	v->has_selected = row != NULL;
	v->selected = row ? rates_key(row) : 0;
}

/* Finds the matches, and among them the row that was selected. */
static int match_rows(struct view *v)
{
	size_t all = v->rows ? v->rows->n : 0;
	bool found = false;

	if (all > v->room) {
		size_t *more = realloc(v->match, all * sizeof *more);
		if (!more)
			return -1;
		v->match = more;
		v->room = all;
	}
	v->n = 0;
	for (size_t i = 0; i < all; i++) {
		int taken = takes(v, &v->rows->row[i]);
		if (taken < 0)
			return -1;
		if (!taken)
			continue;
		if (v->has_selected && !found && rates_key(&v->rows->row[i]) == v->selected) {
			v->cursor = v->n;
			found = true;
		}
		v->match[v->n++] = i;
	}
	if (v->cursor >= v->n)
		v->cursor = v->n ? v->n - 1 : 0;
	if (!found)
		note_selected(v);
	return 0;
}

int view_set_filter(struct view *v, const char *text)
{
	size_t len = strnlen(text, VIEW_FILTER - 1);

	memmove(v->filter, text, len);
	v->filter[len] = '\0';
	return match_rows(v);
}

/* ---- order --------------------------------------------------------------------------------- */

int view_set_rows(struct view *v, struct rows *rows, const struct model *model,
		  const struct cell_context *ctx)
{
	/* who has not left the first line wants to see what leads, not what led */
	bool at_top = v->cursor == 0;

	v->rows = rows;
	v->model = model;
	if (rows)
		columns_sort(rows, v->key, ctx);
	if (at_top)
		v->has_selected = false;
	return match_rows(v);
}

static const struct column *key_of(const struct view_column *c)
{
	const struct column *key = c->letter ? live_column_named(c->name) : NULL;

	return key && key->value ? key : NULL;
}

const struct column *view_key_of(const struct view *v, char letter)
{
	for (const struct view_column *c = v->columns; c->name; c++)
		if (c->letter && c->letter == letter)
			return key_of(c);
	return NULL;
}

const struct column *view_key_beside(const struct view *v, int step)
{
	const struct view_column *c = v->columns;

	while (c->name && key_of(c) != v->key)
		c++;
	if (!c->name)
		return NULL;
	for (;;) {
		if (step < 0 && c == v->columns)
			return NULL;
		c += step < 0 ? -1 : 1;
		if (!c->name)
			return NULL;
		if (key_of(c))
			return key_of(c);
	}
}

int view_sort(struct view *v, const struct column *key, const struct cell_context *ctx)
{
	v->key = key;
	v->cursor = v->top = 0;
	return view_set_rows(v, v->rows, v->model, ctx);
}

/* ---- the cursor ---------------------------------------------------------------------------- */

void view_move(struct view *v, long lines)
{
	if (lines < 0)
		v->cursor = (size_t)-lines > v->cursor ? 0 : v->cursor - (size_t)-lines;
	else
		v->cursor += (size_t)lines;
	if (v->cursor >= v->n)
		v->cursor = v->n ? v->n - 1 : 0;
	note_selected(v);
}

struct row *view_row(const struct view *v)
{
	return v->cursor < v->n ? &v->rows->row[v->match[v->cursor]] : NULL;
}

/* ---- lines --------------------------------------------------------------------------------- */

static bool several_jvms(const struct view *v)
{
	for (size_t i = 1; v->rows && i < v->rows->n; i++)
		if (v->rows->row[i].jvm != v->rows->row[0].jvm)
			return true;
	return false;
}

static void choose_columns(const struct view *v, const struct cell_context *ctx, struct table *t,
			   const struct column **chosen)
{
	for (const struct view_column *c = v->columns; c->name; c++) {
		const struct column *column = live_column_named(c->name);
		bool is_key = column == v->key;
		if (!column || (c->hidden && !is_key))
			continue;
		if ((column->flags & COLUMN_PIDS) && !several_jvms(v))
			continue;
		/* a share without its interval is a figure as any other */
		bool right = ctx->points && (column->flags & COLUMN_RANGE);
		chosen[t->ncolumns] = column;
		table_add_column(t, column->flags | (right ? COLUMN_RIGHT : 0),
				 is_key ? 0 : c->droppable);
	}
}

static void mark_key(const struct view *v, struct table *t, const struct column *const *chosen)
{
	for (size_t i = 0; i < t->ncolumns && i < t->n; i++)
		if (chosen[i] == v->key)
			t->cell[i].ink = INK_YELLOW;
}

/* Columns of figures get no narrower while one scrolls: the table would jump. */
static void keep_widths(struct view *v, struct table *t, unsigned screen)
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

/* The part of the table that is seen, from v->top on. */
static int put_table(struct view *v, const struct cell_context *given, size_t height, FILE *out)
{
	const struct column *chosen[TABLE_COLUMNS];
	struct cell_context ctx = *given;
	struct table t = TABLE_INIT;
	unsigned width = ctx.style->width;

	ctx.brief = width > 0 && width < BRIEF_BELOW;
	ctx.points = width > 0 && width < POINTS_BELOW;
	ctx.trend = width > 0 && width < WIDE_TREND_FROM ? SHORT_TREND : LONG_TREND;
	choose_columns(v, &ctx, &t, chosen);
	render_table_line(&t, NULL, chosen, t.ncolumns, &ctx);
	mark_key(v, &t, chosen);
	for (size_t i = v->top; i < v->n && i < v->top + height; i++) {
		struct row *row = &v->rows->row[v->match[i]];
		ctx.rank = v->match[i] + 1;
		if (need_stack(v, row) < 0)
			t.failed = true;
		else
			render_table_line(&t, row, chosen, t.ncolumns, &ctx);
	}
	keep_widths(v, &t, width);
	int result = table_put(&t, out, ctx.style);
	table_release(&t);
	return result;
}

/* The rule below the headings is left out: a line more for rows. */
static int drop_rule(struct lines *l)
{
	if (l->n > 1) {
		memmove(&l->line[1], &l->line[2], (l->n - 2) * sizeof *l->line);
		l->n--;
	}
	return 0;
}

int view_lines(struct view *v, const struct cell_context *ctx, size_t height, struct lines *lines,
	       size_t *cursor_line)
{
	size_t room = height > 1 ? height - 1 : 1, len;
	char *text = NULL;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return -1;
	if (v->cursor < v->top)
		v->top = v->cursor;
	if (v->cursor >= v->top + room)
		v->top = v->cursor - room + 1;
	if (v->top + room > v->n)
		v->top = v->n > room ? v->n - room : 0;
	*cursor_line = 1 + v->cursor - v->top;
	int result = put_table(v, ctx, room, out);
	if (fclose(out) != 0 || result < 0) {
		free(text);
		return -1;
	}
	return lines_take(lines, text) < 0 ? -1 : drop_rule(lines);
}
