/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_annotate.h - an annotation on its way out. As render.h's renderers these write to a stream and nothing
 * else, and return 0, or -1 with errno.
 */
#ifndef OJX_RENDER_ANNOTATE_H
#define OJX_RENDER_ANNOTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/style.h"
#include "report/annotate.h"
#include "report/recording.h"
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
	bool assembly; /* instructions of wasted operations */
	bool jdk;      /* its lines are listed, too */
};

/* Whether a file is one of those asked for; all are where none was. *line: which line, 0: all. */
bool render_annotate_wants(const struct annotate_report *r, const struct annotate_file *f,
			   int *line);

/* The hottest lines of all files; the files that were asked for, with their sources; both for programs. */
int render_annotate_list(FILE *out, const struct annotate_report *r, const struct style *s);
int render_annotate_files(FILE *out, const struct annotate_report *r, const struct style *s);
int render_annotate_json(FILE *out, const struct annotate_report *r);

/* Parts of render_annotate_files: the beginning of a line below a source line; its wasteful operations. */
void render_annotate_note(FILE *out, const struct annotate_report *r, const struct style *s);
void render_annotate_waste(FILE *out, const struct annotate_report *r, const struct style *s,
			   const struct annotate_line *line);

/*
 * The lines of a source file, by number from 1. `text` is as sources_read gives it and is changed: each line
 * ends with a NUL.
 */
struct source_lines {
	char *text;
	char **line; /* line[0] is number 1 */
	size_t n;
	struct source_place where;
};

/* The file's lines; n is 0 where there is no source. 0, or -1 where memory lacks. */
int source_lines_read(struct source_lines *l, const struct sources *sources,
		      const struct annotate_file *f);
void source_lines_release(struct source_lines *l);

/* The line of that number; NULL where the source does not go so far. */
const char *source_lines_at(const struct source_lines *l, int number);

/* "com/acme/Shop.java" */
void render_annotate_path(FILE *out, const struct annotate_file *f);

#endif
