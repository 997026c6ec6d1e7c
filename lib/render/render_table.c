/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_table.c - the table: one line per row of the report. On a narrow terminal, columns that
 * the blocks repeat are left out first; the sort key stays.
 */

#include "base/memtext.h"
#include "base/table.h"
#include "render/render.h"

enum { BRIEF_BELOW = 140 /* narrower terminals get verdicts in one word */ };

static bool several_jvms(const struct report *r)
{
	return model_njvms(r->recording->model) > 1;
}

/* Whether the table has a column that was not requested by name. */
static bool is_wanted(const struct report *r, const struct column *c)
{
	bool by_line = r->grouping == ROWS_BY_LINE;

	if (c == r->key)
		return true;
	if (c->in[COLUMN_TEXT].show != COLUMN_SHOWN)
		return false;
	if ((c->flags & COLUMN_STATS) && !r->stats)
		return false;
	if ((c->flags & COLUMN_PIDS) && !several_jvms(r))
		return false;
	return !(c->flags & (by_line ? COLUMN_SITE : COLUMN_LINE));
}

static size_t choose_columns(const struct report *r, const struct column **chosen)
{
	size_t n = 0;

	for (; n < r->ncolumns && n < TABLE_COLUMNS; n++)
		chosen[n] = r->columns[n];
	if (n > 0)
		return n;
	for (const struct column *c = columns; c->figure.name && n < TABLE_COLUMNS; c++)
		if (is_wanted(r, c))
			chosen[n++] = c;
	return n;
}

/* Returns the text of one cell, allocated; `row` NULL gives the heading. */
static char *make_cell(const struct column *c, const struct row *row,
		       const struct cell_context *ctx)
{
	struct memtext text;
	FILE *out = memtext_begin(&text);

	if (!out)
		return NULL;
	if (row)
		column_put_cell(out, c, row, ctx);
	else
		column_put_heading(out, c, ctx);
	return memtext_end(&text);
}

/* Where the row's line of code can be opened; NULL: nowhere. */
static const char *address_of(const struct row *row, const struct style *s)
{
	const struct model_frame *frame = s->links ? row_line(row) : NULL;

	if (!frame || !frame->class_name || !frame->file || frame->line <= 0)
		return NULL;
	return s->links->address(s->links, frame->class_name, frame->file, frame->line);
}

void render_table_line(struct table *t, const struct row *row, const struct column *const *chosen,
		       size_t n, const struct cell_context *ctx)
{
	struct cell_context plain = *ctx;
	struct style unlinked = *ctx->style;

	unlinked.links = NULL; /* a cell is linked as a whole: it may be cut */
	plain.style = &unlinked;
	for (size_t i = 0; i < n; i++) {
		const struct column *c = chosen[i];
		enum ink ink = !row ? INK_BOLD : c->ink ? c->ink(row) : INK_PLAIN;
		table_add(t, make_cell(c, row, &plain), ink);
		if (row && c->flags & (COLUMN_LINE | COLUMN_SITE))
			table_link(t, address_of(row, ctx->style));
	}
}

int render_table(FILE *out, const struct report *r, const struct style *s)
{
	bool summary = s->width > 0 && s->width < BRIEF_BELOW;
	struct cell_context ctx = { .style = s,
				    .min_pairs = r->min_pairs,
				    .confidence = r->confidence,
				    .bytes = r->total ? r->total->bytes : 0,
				    .brief = !r->stats && r->ncolumns == 0,
				    .summary = summary };
	const struct column *chosen[TABLE_COLUMNS];
	size_t n = choose_columns(r, chosen);
	struct table t = TABLE_INIT;

	for (size_t i = 0; i < n; i++)
		table_add_column(&t, column_table_flags(chosen[i], &ctx),
				 chosen[i] == r->key || r->ncolumns
					 ? 0
					 : chosen[i]->in[COLUMN_TEXT].droppable);
	for (size_t line = 0; line <= r->shown; line++) {
		ctx.rank = line;
		render_table_line(&t, line ? &r->rows->row[line - 1] : NULL, chosen, n, &ctx);
	}
	int result = table_put(&t, out, s);
	if (result == 0 && t.left_out)
		fprintf(out, "\n# no room for %zu of the columns; the blocks below have all\n",
			t.left_out);
	table_release(&t);
	return result;
}
