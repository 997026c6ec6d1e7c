/* SPDX-License-Identifier: Apache-2.0 */
/*
 * source_snippets.h - the source lines that a report includes: those around each line that a frame
 * names.
 *
 * First all lines are requested; then each file is read once, and the requested lines are written.
 * If there are too many, those requested first are written.
 */
#ifndef OJX_SOURCE_SNIPPETS_H
#define OJX_SOURCE_SNIPPETS_H

#include <stddef.h>
#include <stdint.h>

#include "base/json_text.h"
#include "source/annotate.h"
#include "source/sources.h"

#define SNIPPET_NONE UINT32_MAX
enum {
	SNIPPET_AROUND = 10,	     /* lines before and after each */
	SNIPPET_MAX_BYTES = 8 << 20, /* of text, in total */
	SNIPPET_MAX_LINE = 400,	     /* bytes of one line; the rest is cut */
};

struct source_snippets;

/* Free with source_snippets_free; NULL is allowed. */
struct source_snippets *source_snippets_new(void);
void source_snippets_free(struct source_snippets *e);

/*
 * Requests a line of the file of a class; both texts must stay unchanged. Returns the file's
 * number, from 0.
 */
uint32_t source_snippets_want(struct source_snippets *e, const char *class_name, const char *file,
			      uint32_t line);

/*
 * Adds an array with an element for each file, by number: null if the file was not found;
 * otherwise {"name", "origin", "parts": [[first line, ["text", ...]], ...]}. Parts are in order and
 * not adjacent. "left_out": true means that there was no room for its text.
 */
void source_snippets_put(struct json_text *t, const char *name, const struct source_snippets *e,
			 const struct sources *s);

/* ---- splits a source file into lines. */

/*
 * The lines of a source file, by number from 1. `text` comes from sources_read and is changed: each
 * line ends with a NUL.
 */
struct source_lines {
	char *text;
	char **line; /* line[0] is number 1 */
	size_t n;
	struct source_place where;
};

/* Reads the lines of a file; n is 0 if there is no source. */
void source_lines_read(struct source_lines *l, const struct sources *sources,
		       const struct annotate_file *f);
void source_lines_release(struct source_lines *l);

/* The line of that number; NULL if the source is shorter. */
const char *source_lines_at(const struct source_lines *l, int number);

#endif
