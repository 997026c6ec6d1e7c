/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_annotate.h - an annotation on its way out. As render.h's renderers these write to a stream
 * and nothing else, and return 0, or -1 with errno.
 */
#ifndef OJX_RENDER_ANNOTATE_H
#define OJX_RENDER_ANNOTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/style.h"
#include "report/annotate.h"
#include "report/recording.h"
#include "report/source_lines.h"
#include "report/sources.h"

#define ANNOTATE_WHOLE SIZE_MAX /* context: the whole file */

struct annotate_report {
	const char *version; /* of ojx */
	const struct recording *recording;
	const struct annotate *annotate;
	const struct sources *sources;
	const char *const *words; /* what files were asked for; none: the hottest lines of all */
	size_t nwords;
	enum annotate_key key;
	size_t limit;	/* of lines in the list; SIZE_MAX: none */
	size_t context; /* lines around each that is known */
	uint64_t min_pairs;
	bool assembly; /* instructions of accesses */
	bool jdk;      /* its lines are listed, too */
};

/* Whether a file is one of those asked for; all are where none was. *line: which line, 0: all. */
bool render_annotate_wants(const struct annotate_report *r, const struct annotate_file *f,
			   int *line);

/* The hottest lines of all files; the files that were asked for, with their sources; both for
 * programs. */
int render_annotate_list(FILE *out, const struct annotate_report *r, const struct style *s);
int render_annotate_files(FILE *out, const struct annotate_report *r, const struct style *s);
int render_annotate_json(FILE *out, const struct annotate_report *r);

/* Parts of render_annotate_files: the columns that a line's figures take; these and their headings;
 * NULL: blanks. */
size_t render_annotate_gutter(const struct annotate *a);
void render_annotate_headings(FILE *out, const struct annotate_report *r, const struct style *s);
void render_annotate_figures(FILE *out, const struct annotate_report *r, const struct style *s,
			     const struct annotate_line *line);
/* The beginning of a line below a source line; what else was found there. */
void render_annotate_note(FILE *out, const struct annotate_report *r, const struct style *s);
void render_annotate_findings(FILE *out, const struct annotate_report *r, const struct style *s,
			      const struct annotate_line *line);

/* "com/acme/Shop.java" */
void render_annotate_path(FILE *out, const struct annotate_file *f);

#endif
