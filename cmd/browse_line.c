/* SPDX-License-Identifier: Apache-2.0 */
/* browse_line.c - the line of code of the row at the cursor: its source, and its name. */
#define _GNU_SOURCE 1 /* asprintf */
#include <stdlib.h>
#include <string.h>

#include "browse_private.h"
#include "render/render_annotate.h"
#include "render/source_path.h"

enum { AROUND = 15 /* lines of source above and below */ };

/* The objects of a class are made at many lines. */
static bool groups_classes(const struct browse *b)
{
	return b->source->report.grouping == ROWS_BY_CLASS;
}

const struct model_frame *browse_line(const struct browse *b)
{
	const struct row *row = groups_classes(b) ? NULL : view_row(&b->view);
	const struct model_frame *frame = row && row->stack.frames ? row_line(row) : NULL;

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
	if (findings_compute(&known->findings, b->source->model, &options) < 0 ||
	    annotate_make(&known->annotate, b->source->model, &known->findings, &how->filter,
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
	char *path = NULL, *word = NULL;
	int result = -1;

	if (!frame) {
		fputs(no_line(b), out);
		return 0;
	}
	if (source_path_of(&path, NULL, frame) < 0)
		return -1;
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
