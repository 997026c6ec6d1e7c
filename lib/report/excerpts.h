/* SPDX-License-Identifier: Apache-2.0 */
/*
 * excerpts.h - the lines of source that a report packs into itself: those around each line that a
 * frame names.
 *
 * Lines are asked for first, all of them; then each file is read once, and what was asked for is
 * written. What was asked for first is what remains where there is too much.
 */
#ifndef OJX_EXCERPTS_H
#define OJX_EXCERPTS_H

#include <stdint.h>
#include <stdio.h>

#include "report/sources.h"

#define EXCERPTS_NONE UINT32_MAX
enum {
	EXCERPTS_AROUND = 10,	      /* lines before and behind each */
	EXCERPTS_MAX_BYTES = 8 << 20, /* of text, altogether */
	EXCERPTS_MAX_LINE = 400,      /* bytes of one line; the rest of it is left out */
};

struct excerpts;

/* NULL where memory lacks. Free with excerpts_free; NULL is allowed. */
struct excerpts *excerpts_new(void);
void excerpts_free(struct excerpts *e);

/*
 * Asks for a line of the file of a class; both texts must stay as they are. The file's number, from
 * 0, goes to *id. 0, or -1 where memory lacks.
 */
int excerpts_want(struct excerpts *e, const char *class_name, const char *file, uint32_t line,
		  uint32_t *id);

/*
 * Writes a JSON array, an element for each file by its number: null for one that was not found;
 * otherwise {"name", "origin", "parts": [[first line, ["text", ...]], ...]}, where parts are in
 * order and do not touch; and "left_out": true where there was no room for its text.
 */
void excerpts_put(FILE *out, const struct excerpts *e, const struct sources *s);

#endif
