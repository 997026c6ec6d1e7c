/* SPDX-License-Identifier: Apache-2.0 */
/*
 * source_snippets.h - the lines of source that a report packs into itself: those around each line
 * that a frame names.
 *
 * Lines are asked for first, all of them; then each file is read once, and what was asked for is
 * written. What was asked for first is what remains where there is too much.
 */
#ifndef OJX_SOURCE_SNIPPETS_H
#define OJX_SOURCE_SNIPPETS_H

#include <stdint.h>
#include <stdio.h>

#include "report/sources.h"

#define SNIPPET_NONE UINT32_MAX
enum {
	SNIPPET_AROUND = 10,	     /* lines before and behind each */
	SNIPPET_MAX_BYTES = 8 << 20, /* of text, altogether */
	SNIPPET_MAX_LINE = 400,	     /* bytes of one line; the rest of it is left out */
};

struct source_snippets;

/* NULL where memory lacks. Free with source_snippets_free; NULL is allowed. */
struct source_snippets *source_snippets_new(void);
void source_snippets_free(struct source_snippets *e);

/*
 * Asks for a line of the file of a class; both texts must stay as they are. The file's number, from
 * 0, goes to *id. 0, or -1 where memory lacks.
 */
int source_snippets_want(struct source_snippets *e, const char *class_name, const char *file,
			 uint32_t line, uint32_t *id);

/*
 * Writes a JSON array, an element for each file by its number: null for one that was not found;
 * otherwise {"name", "origin", "parts": [[first line, ["text", ...]], ...]}, where parts are in
 * order and do not touch; and "left_out": true where there was no room for its text.
 */
void source_snippets_put(FILE *out, const struct source_snippets *e, const struct sources *s);

#endif
