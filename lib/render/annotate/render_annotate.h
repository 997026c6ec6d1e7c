/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_annotate.h - writes an annotation. Like the renderers of render.h, these functions only
 * write to a stream, and return 0, or -1 with errno if it failed.
 */
#ifndef OJX_RENDER_ANNOTATE_H
#define OJX_RENDER_ANNOTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/style.h"
#include "report/recording.h"
#include "source/annotate.h"
#include "source/source_snippets.h"
#include "source/sources.h"

#define ANNOTATE_WHOLE SIZE_MAX /* context: the whole file */

struct annotate_report {
	const char *version; /* of ojx */
	const struct recording *recording;
	const struct annotate *annotate;
	const struct sources *sources;
	const char *const *words; /* the requested files; none: the hottest lines of all files */
	size_t nwords;
	enum annotate_key key;
	size_t limit;	/* of lines in the list; SIZE_MAX: none */
	size_t context; /* lines around each that is known */
	uint64_t min_pairs;
	double confidence; /* of the intervals */
	bool assembly;	   /* instructions of accesses */
	bool jdk;	   /* its lines are listed, too */
};

/*
 * Whether a file was requested; if none was, all are. *line receives the requested line, or 0 for
 * all.
 */
bool render_annotate_wants(const struct annotate_report *r, const struct annotate_file *f,
			   int *line);

/*
 * Write: the hottest lines of all files; the requested files with their sources; either of them as
 * JSON.
 */
int render_annotate_list(FILE *out, const struct annotate_report *r, const struct style *s);
int render_annotate_files(FILE *out, const struct annotate_report *r, const struct style *s);
int render_annotate_json(FILE *out, const struct annotate_report *r);

/* Columns of the figures to the left of a line. */
enum {
	ANNOTATE_AMOUNT = 9, /* of a size, with the gap before it */
	ANNOTATE_COUNT = 8,  /* of a count */
	ANNOTATE_SHARE = 7,  /* of theta */
};

/*
 * Parts of render_annotate_files: whether these figures are few, and their width; what stands below
 * a line, more if it is shown alone.
 */
bool render_annotate_is_brief(const struct annotate *a, const struct style *s);
size_t render_annotate_gutter(const struct annotate *a, const struct style *s);
void render_annotate_notes(FILE *out, const struct annotate_report *r, const struct style *s,
			   const struct annotate_line *line, bool alone);

/* "com/acme/Shop.java", which the caller frees. */
char *render_annotate_path(const struct annotate_file *f);

#endif
