/* SPDX-License-Identifier: Apache-2.0 */
/* browse_pages.c - part of browse.h: what pages other than the table say. */
#define _GNU_SOURCE 1 /* asprintf */

#include <stdlib.h>
#include <string.h>

#include "render/annotate/render_annotate.h"
#include "render/export.h"
#include "render/render_findings.h"
#include "screen/browse.h"

/* ---- the line of code of the row at the cursor: its source, and its name. */

enum { AROUND = 15 /* lines of source above and below */ };

/* The objects of a class are made at many lines. */
static bool groups_classes(const struct browse *b)
{
	return b->source->report.grouping == ROWS_BY_CLASS;
}

const struct model_frame *browse_line(const struct browse *b)
{
	const struct screen_fix *fix = b->on_fixes ? screen_fixes_at(&b->fixes) : NULL;
	const struct row *row = groups_classes(b) ? NULL : screen_table_row(&b->table);
	const struct model_frame *frame = fix ? &fix->made : row ? row_line(row) : NULL;

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

static void know_lines(struct browse *b)
{
	const struct report *r = &b->source->report;
	const struct rows_options *how = b->source->how;
	const struct findings_options options = { .confidence = r->confidence,
						  .min_pairs = r->min_pairs };
	struct browse_lines *known = &b->known;

	if (known->made)
		return;
	findings_compute(&known->findings, b->source->model, &options);
	annotate_make(&known->annotate, b->source->model, &known->findings, &how->filter,
		      &how->replica, NULL);
	known->made = true;
}

/* Why there is no line of code. */
static const char *no_line(const struct browse *b)
{
	return groups_classes(b) && !b->on_fixes
		       ? "a class is made at many lines: press Tab until rows are lines"
		       : "of this line no source file is known";
}

static int put_source(FILE *out, struct browse *b)
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
	know_lines(b);
	if (asprintf(&word, "%s:%d", path, frame->line) > 0) {
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

/* ---- the pages -------------------------------------------------------------------------- */

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

	fputs("  Enter        opens the finding: problem, fix, classes, callers; Enter there:\n"
	      "               only its lines; Esc: all\n"
	      "               or the line: verdict, stack, fields, uses, sampled accesses\n"
	      "  Tab          groups by line, by class, by stack\n"
	      "  q Esc Left   back; in the table q quits\n"
	      "  arrows j k   move; PgUp PgDn Home End likewise\n"
	      "  f            the first finding, above the table\n"
	      "  n N          in an opened finding or line: the next, the previous one\n"
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
		fputs("  q            asks whether to detach, so that the program runs on, or to\n"
		      "               stop it; q q detaches\n"
		      "  Ctrl-C       interrupts the program, as without ojx\n",
		      out);
	else if (source->detaches)
		fputs("  q            detaches: the recording ends, the program runs on\n", out);
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
		render_findings(out, &r, &b->screen.style);
	findings_release(&found);
	return result;
}

static void put_row(FILE *out, const struct browse *b, struct row *row)
{
	const struct report *r = &b->source->report;
	const struct style *s = &b->screen.style;

	render_detail_of(out, r, s, row, screen_table_rank(&b->table));
	render_findings_of(out, r, s, row);
}

int browse_put_page(FILE *out, struct browse *b)
{
	char *text;

	switch (b->page) {
	case PAGE_HELP:
		put_help(out, b);
		return 0;
	case PAGE_INFO:
		return put_info(out, b);
	case PAGE_SOURCE:
		return put_source(out, b);
	case PAGE_FIX:
		fputs(screen_fixes_at(&b->fixes) ? screen_fixes_at(&b->fixes)->page
						 : "(no finding is left)",
		      out);
		return 0;
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
	put_row(out, b, row);
	return 0;
}
