/* SPDX-License-Identifier: Apache-2.0 */
/*
 * browse_draw.c - draws the screen: a bar, a line about the recording, the page, a line of hints.
 * The renderers of reports make the pages.
 */
#define _GNU_SOURCE 1 /* asprintf */

#include <stdlib.h>
#include <string.h>

#include "base/memtext.h"
#include "base/utf8.h"
#include "base/xmalloc.h"
#include "live/rates.h"
#include "render/annotate/render_annotate.h"
#include "render/export.h"
#include "render/render_findings.h"
#include "screen/browse.h"

/* Lines of a screen that has one for the sum of the findings, all for it, and some for findings. */
enum { SUM_FROM = 12, LONG_SUM_FROM = 20, FIXES_FROM = 16, SUM_MOST = 3 };

struct cell_context browse_cells(const struct browse *b)
{
	return (struct cell_context){
		.style = &b->screen.style,
		.min_pairs = b->source->report.min_pairs,
		.confidence = b->source->report.confidence,
		.rates = b->source->rates,
		.rate = rates_bytes,
	};
}

void browse_take_fixes(struct browse *b)
{
	screen_fixes_take(&b->fixes, &b->source->report, &b->screen.style);
	b->on_fixes = b->on_fixes && browse_fixes_seen(b) > 0;
}

size_t browse_fixes_seen(const struct browse *b)
{
	return b->screen.height >= FIXES_FROM ? screen_fixes_seen(&b->fixes) : 0;
}

/* The sum above the table, in lines. Returns how many of them there is room for. */
static unsigned make_sum(const struct browse *b, struct inked_lines *l)
{
	const bool whole = b->screen.height >= LONG_SUM_FROM;

	*l = (struct inked_lines){ .n = 0 };
	if (!b->fixes.sum || b->screen.height < SUM_FROM)
		return 0;
	inked_take(l, xstrdup(b->fixes.sum));
	if (whole)
		inked_wrap(l, b->screen.style.width);
	return !whole ? 1 : l->n < SUM_MOST ? (unsigned)l->n : SUM_MOST;
}

static unsigned sum_lines(const struct browse *b)
{
	struct inked_lines l;
	const unsigned n = make_sum(b, &l);

	inked_release(&l);
	return n;
}

/* Lines above the page: the bar, the status; above the table what the findings come to, too. */
static unsigned first_line(const struct browse *b)
{
	if (b->page != PAGE_TABLE)
		return 2;
	return 2 + sum_lines(b) + (unsigned)browse_fixes_seen(b);
}

size_t browse_height(const struct browse *b)
{
	size_t around = first_line(b) + 1;

	return b->screen.height > around ? b->screen.height - around : 1;
}

/* ---- around the page ----------------------------------------------------------------------- */

static void put_command(FILE *out, const struct browse *b)
{
	/* there is little room */
	const struct shown_command c = model_command(b->source->model, false);

	for (size_t i = 0; i < c.n; i++) {
		fputs(i ? " " : "  ", out);
		style_put(out, &b->screen.style, c.word[i]);
	}
}

/* Draws the output of `put` as line y. */
static void draw_line(struct browse *b, unsigned y, enum screen_emphasis emphasis,
		      void (*put)(FILE *out, const struct browse *b))
{
	struct memtext text;
	struct inked_lines l;

	put(memtext_begin(&text), b);
	inked_take(&l, memtext_end(&text));
	const struct inked_line empty = { .text = "", .len = 0 };
	screen_line(&b->screen, y, l.n ? &l.line[0] : &empty, 0, emphasis);
	inked_release(&l);
}

static void put_bar(FILE *out, const struct browse *b)
{
	fprintf(out, "%s", b->source->name);
	if (b->paused)
		fputs("  [paused]", out);
	if (b->source->headline) {
		fputs("  ", out);
		render_headline(out, &b->source->report, &b->screen.style);
	} else {
		put_command(out, b);
	}
}

static const char *browse_noun(const struct browse *b)
{
	size_t n = b->source->rows->table.n;

	if (b->source->report.grouping == ROWS_BY_CONTEXT)
		return n == 1 ? "stack" : "stacks";
	return render_rows_noun(&b->source->report, n);
}

/* Leaves out the last items that do not fit: a number cut in two is another number. */
static void fit_items(char *text, const char *dot, unsigned width)
{
	size_t len = strlen(text), step = strlen(dot);

	while (width && utf8_width(text) > width) {
		while (len > 0 && strncmp(text + len, dot, step) != 0)
			len--;
		if (len == 0)
			return;
		text[len--] = '\0';
	}
}

static void put_status(FILE *out, const struct browse *b)
{
	const struct style *s = &b->screen.style;
	char dot[16];
	struct memtext gathered;
	FILE *all = memtext_begin(&gathered);

	snprintf(dot, sizeof dot, " %s ", style_glyph(s, GLYPH_DOT));
	fprintf(all, "%zu %s by %s%s", b->source->rows->table.n, browse_noun(b),
		column_name(b->table.key), dot);
	b->source->put_status(all, b->source, s);
	char *text = memtext_end(&gathered);
	fit_items(text, dot, s->width);
	fputs(text, out);
	free(text);
}

/* What of the findings is above the table, from line `y` on. */
static void draw_fixes(struct browse *b, unsigned y)
{
	struct inked_lines l;
	const unsigned sum = make_sum(b, &l);

	for (unsigned i = 0; i < sum && i < l.n; i++)
		screen_line(&b->screen, y + i, &l.line[i], 0, EMPHASIS_NONE);
	inked_release(&l);
	for (size_t i = 0; i < browse_fixes_seen(b); i++) {
		const size_t at = b->fixes.top + i;
		const bool cursor = b->on_fixes && at == b->fixes.cursor;
		inked_take(&l, xstrdup(b->fixes.fix[at].line));
		if (l.n > 0)
			screen_line(&b->screen, y + sum + (unsigned)i, &l.line[0], 0,
				    cursor ? EMPHASIS_CURSOR : EMPHASIS_NONE);
		inked_release(&l);
	}
}

static void put_hints(FILE *out, const struct browse *b)
{
	const struct style *s = &b->screen.style;
	const struct browse_source *source = b->source;

	if (b->said[0]) {
		style_put(out, s, b->said);
	} else if (b->asking == ASK_QUIT) {
		fputs("quit: q or d detaches, the program runs on; s stops it; any other key stays",
		      out);
	} else if (b->asking == ASK_FILTER) {
		fputs("class or package: ", out);
		style_put(out, s, b->table.filter);
	} else if (b->page != PAGE_TABLE) {
		fprintf(out, "%sq back  arrows scroll", style_on(s, INK_DIM));
		if (b->page == PAGE_FIX)
			fputs("  Enter its lines", out);
		if ((b->page == PAGE_ROW || b->page == PAGE_FIX) && source->report.sources)
			fputs("  s source", out);
		if (b->page == PAGE_FIX)
			fputs("  n next  N previous", out);
		else if (b->page <= PAGE_SOURCE)
			fputs("  n next  N previous  y copies its file:line", out);
		fprintf(out, "  h help%s", style_off(s, INK_DIM));
	} else if (b->narrowed) {
		fprintf(out, "%zu of %zu %s are of finding %zu  Esc shows all", b->table.n,
			source->rows->table.n, browse_noun(b), b->narrowed);
	} else if (b->table.filter[0]) {
		fprintf(out, "%zu of %zu match '", b->table.n, source->rows->table.n);
		style_put(out, s, b->table.filter);
		fputs("'  / changes it  Esc shows all", out);
	} else {
		/* must fit in 80 columns; the help page lists all keys */
		fprintf(out, "%sEnter opens  Tab groups  / filter", style_on(s, INK_DIM));
		fputs(source->interval_ms ? "  p pause  r reset" : "  < > sort  s source  e page",
		      out);
		if (source->output)
			fputs("  u output", out);
		fprintf(out, "  h help  q %s%s", source->detaches ? "detach" : "quit",
			style_off(s, INK_DIM));
	}
}

/* ---- the page --------------------------------------------------------------------------- */

/* Makes the lines of a page, except for the table. */
static int make_page(struct browse *b)
{
	struct memtext gathered;
	FILE *out = memtext_begin(&gathered);

	inked_release(&b->lines);
	int result = browse_put_page(out, b);
	char *text = memtext_end(&gathered);
	if (result < 0) {
		free(text);
		return -1;
	}
	b->stale = false;
	inked_take(&b->lines, text);
	if (b->page != PAGE_SOURCE) /* code is hard to read if it is wrapped */
		inked_wrap(&b->lines, b->screen.style.width);
	return 0;
}

static int draw_page(struct browse *b)
{
	size_t height = browse_height(b);
	/* follow the program's output, unless the user has scrolled up */
	bool at_end = b->page == PAGE_OUTPUT && b->top + height >= b->lines.n;

	if (b->stale && make_page(b) < 0)
		return -1;
	b->top = inked_scroll(b->top, at_end ? (long)b->lines.n : 0, b->lines.n, height);
	for (size_t i = 0; i < height && b->top + i < b->lines.n; i++)
		screen_line(&b->screen, (unsigned)i + first_line(b), &b->lines.line[b->top + i],
			    b->left, EMPHASIS_NONE);
	return 0;
}

static void draw_table(struct browse *b)
{
	struct cell_context ctx = browse_cells(b);
	struct inked_lines l;
	size_t cursor;

	screen_table_lines(&b->table, &ctx, browse_height(b), &l, &cursor);
	for (size_t i = 0; i < l.n; i++)
		screen_line(&b->screen, (unsigned)i + first_line(b), &l.line[i], 0,
			    i == cursor && !b->on_fixes ? EMPHASIS_CURSOR : EMPHASIS_NONE);
	if (b->table.n == 0)
		screen_text(&b->screen, first_line(b) + 2,
			    b->source->rows->table.n ? "  no line matches"
						     : "  no allocation was seen yet",
			    INK_DIM, EMPHASIS_NONE);
	inked_release(&l);
}

int browse_draw(struct browse *b)
{
	screen_begin(&b->screen);
	unsigned last = b->screen.height - 1;
	int result = 0;
	if (b->page == PAGE_TABLE)
		draw_table(b);
	else
		result = draw_page(b);
	draw_line(b, 0, EMPHASIS_BAR, put_bar);
	draw_line(b, 1, EMPHASIS_NONE, put_status);
	if (b->page == PAGE_TABLE)
		draw_fixes(b, 2);
	draw_line(b, last, EMPHASIS_NONE, put_hints);
	if (b->asking == ASK_FILTER)
		screen_caret(
			&b->screen, (int)last,
			(unsigned)(strlen("class or package: ") + utf8_width(b->table.filter)));
	screen_end(&b->screen);
	return result;
}
