/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_text.c - the report as text: the headline, the findings and the sum, the table, the
 * rows left out, what was recorded, what else was found. With details, there is a block for each
 * line of the table. Lines that are no results begin with '#'.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "base/units.h"
#include "render/render.h"
#include "render/render_findings.h"

/*
 * ---- the table: one line per row of the report. On a narrow terminal, columns that the
 * blocks repeat are left out first; the sort key stays.
 */

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
	for (const struct column *c = columns; c->figure && n < TABLE_COLUMNS; c++)
		if (is_wanted(r, c))
			chosen[n++] = c;
	return n;
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
		FILE *out = table_cell(t, ink);
		if (row)
			column_put_cell(out, c, row, &plain);
		else
			column_put_heading(out, c, &plain);
		if (row && c->flags & (COLUMN_LINE | COLUMN_SITE))
			table_link(t, address_of(row, ctx->style));
	}
}

void render_table(FILE *out, const struct report *r, const struct style *s)
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
		render_table_line(&t, line ? rows_at(r->rows, line - 1) : NULL, chosen, n, &ctx);
	}
	table_put(&t, out, s);
	if (t.left_out)
		fprintf(out, "\n# no room for %zu of the columns; %s have all\n", t.left_out,
			r->details ? "the blocks below" : "--details");
	table_release(&t);
}

enum { LEGEND_WIDTH = 110 /* columns of the legend, unless the terminal is narrower */ };

/* ---- around the table ---------------------------------------------------------------------- */

/*
 * Writes an item of the legend, on a new line if there is no room; *column is the current column.
 */
static void put_item(FILE *out, const struct style *s, const char *item, size_t *column)
{
	size_t limit = s->width && s->width < LEGEND_WIDTH ? s->width : LEGEND_WIDTH;
	size_t width = utf8_width(item);

	if (*column && *column + 3 + width > limit) {
		putc('\n', out);
		*column = 0;
	}
	if (*column == 0)
		*column = (size_t)fprintf(out, "# ") + width;
	else
		*column += (size_t)(fprintf(out, " %s ", style_glyph(s, GLYPH_DOT)), 3) + width;
	fputs(item, out);
}

static void put_statistics(FILE *out, const struct report *r, const struct style *s, size_t *column)
{
	const char *theta = style_glyph(s, GLYPH_THETA), *alpha = style_glyph(s, GLYPH_ALPHA);
	const char *omega = style_glyph(s, GLYPH_OMEGA), *gamma = style_glyph(s, GLYPH_GAMMA);
	const char *le = style_glyph(s, GLYPH_LE);
	char item[128];

	snprintf(item, sizeof item, "%s pairs equal in a random value", theta);
	put_item(out, s, item, column);
	snprintf(item, sizeof item, "%s the same of pairs unequal as a whole", alpha);
	put_item(out, s, item, column);
	snprintf(item, sizeof item, "%s %s largest identical group %s %s", omega, le, le, gamma);
	put_item(out, s, item, column);
	put_item(out, s, "group: that group as scanned", column);
	put_item(out, s, "deep: equal with what they refer to", column);
	snprintf(item, sizeof item, "[%.4g %% interval]", r->confidence * 100);
	put_item(out, s, item, column);
}

static void put_legend(FILE *out, const struct report *r, const struct style *s)
{
	char item[128];
	size_t column = 0;

	fputs(style_on(s, INK_DIM), out);
	put_item(out, s, "saved: what merging saves at least", &column);
	put_item(out, s, "likely: as estimated", &column);
	put_item(out, s,
		 r->partial ? "share: of the bytes that are selected" : "share: of all bytes",
		 &column);
	if (r->stats)
		put_statistics(out, r, s, &column);
	snprintf(item, sizeof item, "%s not measured", style_glyph(s, GLYPH_DASH));
	put_item(out, s, item, &column);
	fprintf(out, "%s\n", style_off(s, INK_DIM));
}

static bool by_saved(const struct report *r)
{
	return strcmp(column_name(r->key), "saved") == 0 ||
	       strcmp(column_name(r->key), "likely") == 0;
}

/*
 * Whether anything is known of the key by which the lines are sorted. If not, *why tells why. The
 * first line has the largest value.
 */
static bool has_key(const struct report *r, const char **why)
{
	double largest = figure_order(r->key->figure, rows_at(r->rows, 0), 0, (double)r->min_pairs);

	*why = isnan(largest) ? "no line has enough evidence for it" : "nothing to save is known";
	return !isnan(largest) && (largest > 0 || !by_saved(r));
}

/* The number of shown lines with too little evidence for a verdict. */
static size_t count_unknown(const struct report *r)
{
	size_t n = 0;
	bool deep;

	for (size_t i = 0; i < r->shown; i++)
		n += replica_shown(&rows_at(r->rows, i)->replica, &deep) == VERDICT_UNKNOWN;
	return n;
}

/* Writes what to do if there is little evidence. */
static void put_advice(FILE *out, const struct report *r)
{
	size_t unknown = count_unknown(r);
	const char *why;

	if (!has_key(r, &why))
		fprintf(out, "# %s, sorted by bytes", why);
	else if (unknown > r->shown / 2)
		fprintf(out, "# too little evidence for a verdict on %zu of these %zu", unknown,
			r->shown);
	else
		return;
	fprintf(out, ": record longer, with a higher --budget%s\n",
		r->grouping == ROWS_BY_CONTEXT ? ", or see --group-by=site" : "");
}

static void put_title(FILE *out, const struct report *r, const struct style *s)
{
	size_t n = r->rows->table.n;
	const char *noun = render_rows_noun(r, n);

	fprintf(out, "# %s", style_on(s, INK_BOLD));
	if (!r->only_gains)
		fprintf(out, "%zu %s%s%s, sorted by %s: %s\n", n,
			r->grouping == ROWS_BY_CLASS ? "" : "allocation ", noun,
			style_off(s, INK_BOLD), column_name(r->key), r->key->figure->help);
	else if (r->gains == 0)
		fprintf(out, "the likeliest of %zu %s%s; nothing is proven of any\n", n, noun,
			style_off(s, INK_BOLD));
	else
		fprintf(out, "%zu of %zu %s with something to save or to fix%s, sorted by %s\n",
			r->gains, n, noun, style_off(s, INK_BOLD), column_name(r->key));
	if (!r->only_gains)
		put_advice(out, r);
	render_heap_hint(out, r, "# ");
	put_legend(out, r, s);
	putc('\n', out);
}

/* Writes how many rows of the same kind the table leaves out. */
static void put_more(FILE *out, const struct report *r)
{
	size_t more = (r->only_gains ? r->gains : r->rows->table.n) - r->below - r->shown;
	const char *which = r->only_gains ? " with something to save or to fix" : "";

	if (r->only_gains && r->gains == 0)
		return;
	if (more > 0)
		fprintf(out, "\n# %zu more %s%s; --limit 0 shows all\n", more,
			render_rows_noun(r, more), which);
	if (r->below > 0)
		fprintf(out, "\n# %zu %s below --percent-limit\n", r->below,
			render_rows_noun(r, r->below));
}

/* Writes how to see more of a line, and names the first one with a place. */
static void put_how(FILE *out, const struct report *r)
{
	const struct style plain = { .utf8 = true };

	for (size_t i = 0; i < r->shown && !r->details; i++) {
		const struct row *row = rows_at(r->rows, i);
		const struct model_frame *line = row_line(row);
		if (!line || !line->class_name || line->line <= 0)
			continue;
		fputs("\n# all that is known of a line: the same command with ", out);
		row_put_line(out, &plain, row);
		fputs("; of each of these: with --details\n", out);
		return;
	}
}

/* Whether contents were not recorded, so that there can be no replicas. */
static bool only_others(const struct report *r)
{
	if (!findings_seen(r->findings, true) || r->ncolumns > 0 || !by_saved(r))
		return false;
	return !r->rows->seen;
}

static void put_findings(FILE *out, const struct report *r, const struct style *s)
{
	render_findings(out, r, s);
	if (!r->details && (findings_seen(r->findings, true) || findings_seen(r->findings, false)))
		fputs("\n# --details shows more of these, with their stacks\n", out);
}

/* The table, what it leaves out, and what was recorded; then the blocks. */
static void put_rows(FILE *out, const struct report *r, const struct style *s)
{
	put_title(out, r, s);
	render_table(out, r, s);
	put_more(out, r);
	if (r->only_gains)
		render_rest(out, r, s);
	if (r->ncolumns == 0)
		put_how(out, r);
	putc('\n', out);
	render_header(out, r, s);
	for (size_t i = 0; r->details && r->ncolumns == 0 && i < r->shown; i++)
		render_detail(out, r, s, i);
}

int render_text(FILE *out, const struct report *r, const struct style *s)
{
	if (r->ncolumns == 0)
		render_start(out, r, s);
	if (r->rows->table.n == 0 || only_others(r)) {
		render_header(out, r, s);
		if (!findings_seen(r->findings, false))
			fputs("#\n"
			      "# no allocation context was selected: see --class, --method, "
			      "--site, --access, and the line that is named\n",
			      out);
		put_findings(out, r, s);
	} else {
		put_rows(out, r, s);
		if (r->ncolumns == 0)
			put_findings(out, r, s);
	}
	return ferror(out) ? -1 : 0;
}
