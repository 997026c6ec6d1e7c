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
#include "browse.h"
#include "live/rates.h"
#include "render/export.h"
#include "render/render_annotate.h"
#include "render/render_findings.h"

/* ---- the line of code of the row at the cursor: its source, and its name. */

enum { AROUND = 15 /* lines of source above and below */ };

/* The objects of a class are made at many lines. */
static bool groups_classes(const struct browse *b)
{
	return b->source->report.grouping == ROWS_BY_CLASS;
}

const struct model_frame *browse_line(const struct browse *b)
{
	const struct row *row = groups_classes(b) ? NULL : screen_table_row(&b->table);
	const struct model_frame *frame = row ? row_line(row) : NULL;

	return frame && frame->class_name && frame->file && frame->line > 0 ? frame : NULL;
}

void browse_forget_lines(struct browse *b)
{
	if (!b->known.made)
		return;
	annotate_release(&b->known.annotate);
	findings_release(&b->known.findings);
	b->known.made = false;
}

static int know_lines(struct browse *b)
{
	const struct report *r = &b->source->report;
	const struct rows_options *how = b->source->how;
	const struct findings_options options = { .confidence = r->confidence,
						  .min_pairs = r->min_pairs };
	struct browse_lines *known = &b->known;

	if (known->made)
		return 0;
	findings_compute(&known->findings, b->source->model, &options);
	if (annotate_make(&known->annotate, b->source->model, &known->findings, &how->filter,
			  &how->replica, NULL) < 0) {
		findings_release(&known->findings);
		return -1;
	}
	known->made = true;
	return 0;
}

/* Why there is no line of code. */
static const char *no_line(const struct browse *b)
{
	return groups_classes(b) ? "a class is made at many lines: press Tab until rows are lines"
				 : "of this line no source file is known";
}

int browse_put_source(FILE *out, struct browse *b)
{
	const struct report *r = &b->source->report;
	const struct model_frame *frame = browse_line(b);
	char *word = NULL;
	int result = -1;

	if (!frame) {
		fputs(no_line(b), out);
		return 0;
	}
	char *path = source_path_of(NULL, frame);
	if (!path) { /* a name that is none of a file in the folder of its package */
		fputs(no_line(b), out);
		return 0;
	}
	if (know_lines(b) == 0 && asprintf(&word, "%s:%d", path, frame->line) > 0) {
		const char *const words[] = { word };
		const struct annotate_report report = {
			.version = r->version,
			.recording = r->recording,
			.annotate = &b->known.annotate,
			.sources = r->sources,
			.words = words,
			.nwords = 1,
			.limit = SIZE_MAX,
			.context = AROUND,
			.min_pairs = r->min_pairs,
		};
		result = render_annotate_files(out, &report, &b->screen.style);
		free(word);
	}
	free(path);
	return result;
}

void browse_copy_line(struct browse *b)
{
	const struct model_frame *frame = browse_line(b);
	char text[BROWSE_SAID / 2];

	if (!frame) {
		snprintf(b->said, sizeof b->said, "%s", no_line(b));
		return;
	}
	snprintf(text, sizeof text, "%s:%d", frame->file, frame->line);
	if (screen_copy(&b->screen, text) == 0)
		snprintf(b->said, sizeof b->said, "%s was sent to the terminal's clipboard", text);
	else
		snprintf(b->said, sizeof b->said, "the terminal takes no text");
}

enum { SUM_FROM = 12 /* lines of a screen that has one for the sum */ };

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

/* Lines above the page: the bar, the status, the sum where there is room. */
static unsigned first_line(const struct browse *b)
{
	return 2 + (b->source->put_sum && b->screen.height >= SUM_FROM);
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
	put_command(out, b);
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

static void put_sum(FILE *out, const struct browse *b)
{
	b->source->put_sum(out, b->source, &b->screen.style);
}

static void put_hints(FILE *out, const struct browse *b)
{
	const struct style *s = &b->screen.style;
	const struct browse_source *source = b->source;

	if (b->said[0]) {
		style_put(out, s, b->said);
	} else if (b->asking == ASK_QUIT) {
		fputs("quit: l leaves the program running, s stops it, any other key stays", out);
	} else if (b->asking == ASK_FILTER) {
		fputs("class or package: ", out);
		style_put(out, s, b->table.filter);
	} else if (b->page != PAGE_TABLE) {
		fprintf(out, "%sq back  arrows scroll", style_on(s, INK_DIM));
		if (b->page == PAGE_ROW && source->report.sources)
			fputs("  s source", out);
		if (b->page <= PAGE_SOURCE)
			fputs("  n next  N previous  y copies its file:line", out);
		fprintf(out, "  h help%s", style_off(s, INK_DIM));
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
		fprintf(out, "  h help  q quit%s", style_off(s, INK_DIM));
	}
}

/* ---- pages ---------------------------------------------------------------------------------- */

static void put_keys(FILE *out, const struct browse *b)
{
	fputs("\n  Sorting by one letter:\n\n", out);
	for (size_t i = 0; i < b->table.ncolumns; i++) {
		const struct column *c = b->table.column[i];
		char letter = c->in[b->table.table].letter;
		if (letter)
			fprintf(out, "    %c          %s: %s\n", letter, column_name(c),
				c->figure->help);
	}
	fputs("    < >        the column to the left or right\n", out);
}

static void put_help(FILE *out, const struct browse *b)
{
	const struct browse_source *source = b->source;

	fputs("  Enter        opens the line: verdict, stack, fields, uses, sampled accesses\n"
	      "  Tab          groups by line, by class, by stack\n"
	      "  q Esc Left   back; in the table q quits\n"
	      "  arrows j k   move; PgUp PgDn Home End likewise\n"
	      "  n N          in an opened line: the next, the previous one\n"
	      "  /            shows only lines of a class or package, as you type; Esc: all\n"
	      "  i            the recording, and what else was found, if recorded\n"
	      "  y            copies the line as file:line, if the terminal takes it\n",
	      out);
	if (source->report.sources)
		fputs("  s            shows the source around the line, as 'ojx annotate' does\n",
		      out);
	if (source->page)
		fputs("  e            writes a page for a browser, to a new file\n", out);
	if (source->interval_ms)
		fputs("  p Space      pauses, and goes on\n"
		      "  r            resets: counts from now on\n"
		      "  w            writes a recording of everything so far\n",
		      out);
	if (source->output)
		fputs("  u            the end of the program's output\n", out);
	fputs("  Ctrl-L       draws the screen again\n", out);
	if (source->can_stop)
		fputs("  q            asks whether to leave the program running or to stop it\n"
		      "  Ctrl-C       interrupts the program, as without ojx\n",
		      out);
	put_keys(out, b);
}

static int put_info(FILE *out, const struct browse *b)
{
	struct report r = b->source->report;
	const struct findings_options how = { .confidence = r.confidence,
					      .min_pairs = r.min_pairs };
	struct findings found = { .n = 0 };
	int result = 0;

	r.details = true;
	if (!r.findings) { /* of what goes on */
		findings_compute(&found, b->source->model, &how);
		r.findings = &found;
	}
	render_header(out, &r, &b->screen.style);
	if (result == 0)
		result = render_findings(out, &r, &b->screen.style);
	findings_release(&found);
	return result;
}

static int put_row(FILE *out, const struct browse *b, struct row *row)
{
	const struct report *r = &b->source->report;
	const struct style *s = &b->screen.style;

	if (render_detail_of(out, r, s, row, screen_table_rank(&b->table)) < 0)
		return -1;
	return render_findings_of(out, r, s, row);
}

static int put_page(FILE *out, struct browse *b)
{
	char *text;

	switch (b->page) {
	case PAGE_HELP:
		put_help(out, b);
		return 0;
	case PAGE_INFO:
		return put_info(out, b);
	case PAGE_SOURCE:
		return browse_put_source(out, b);
	case PAGE_OUTPUT:
		text = b->source->output(b->source, &b->screen.style);
		fputs(text && *text ? text : "(nothing was written yet)", out);
		free(text);
		return 0;
	default:
		break;
	}
	struct row *row = screen_table_row(&b->table);
	if (!row) {
		fputs("(no line is left)", out);
		return 0;
	}
	return put_row(out, b, row);
}

/* Makes the lines of a page, except for the table. */
static int make_page(struct browse *b)
{
	struct memtext gathered;
	FILE *out = memtext_begin(&gathered);

	inked_release(&b->lines);
	int result = put_page(out, b);
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

static int draw_table(struct browse *b)
{
	struct cell_context ctx = browse_cells(b);
	struct inked_lines l;
	size_t cursor;

	if (screen_table_lines(&b->table, &ctx, browse_height(b), &l, &cursor) < 0)
		return -1;
	for (size_t i = 0; i < l.n; i++)
		screen_line(&b->screen, (unsigned)i + first_line(b), &l.line[i], 0,
			    i == cursor ? EMPHASIS_CURSOR : EMPHASIS_NONE);
	if (b->table.n == 0)
		screen_text(&b->screen, first_line(b) + 2,
			    b->source->rows->table.n ? "  no line matches"
						     : "  no allocation was seen yet",
			    INK_DIM, EMPHASIS_NONE);
	inked_release(&l);
	return 0;
}

int browse_draw(struct browse *b)
{
	screen_begin(&b->screen);
	unsigned last = b->screen.height - 1;
	int result = b->page == PAGE_TABLE ? draw_table(b) : draw_page(b);
	draw_line(b, 0, EMPHASIS_BAR, put_bar);
	draw_line(b, 1, EMPHASIS_NONE, put_status);
	if (first_line(b) > 2)
		draw_line(b, 2, EMPHASIS_NONE, put_sum);
	draw_line(b, last, EMPHASIS_NONE, put_hints);
	if (b->asking == ASK_FILTER)
		screen_caret(
			&b->screen, (int)last,
			(unsigned)(strlen("class or package: ") + utf8_width(b->table.filter)));
	screen_end(&b->screen);
	return result;
}
