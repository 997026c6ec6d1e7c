/* SPDX-License-Identifier: Apache-2.0 */
/* markdown_put.h - parts of documents in Markdown that are made of what others write as text. */
#ifndef OJX_MARKDOWN_PUT_H
#define OJX_MARKDOWN_PUT_H

#include <stdio.h>

#include "render/checks.h"

/* Begins a text; NULL if out of memory. */
struct markdown_text {
	FILE *in;
	char *text;
	size_t len;
};
FILE *markdown_begin(struct markdown_text *t);
/*
 * End it and write it: as one paragraph, in bold or not; or its lines as they are, without the '#'
 * that begins comments, folded below `summary` or, with NULL, not. 0, or -1 if out of memory, as if
 * markdown_begin was NULL.
 */
int markdown_paragraph(FILE *out, struct markdown_text *t, bool bold);
int markdown_lines(FILE *out, struct markdown_text *t, const char *summary);

/* Writes a line for each check, between a heading and the next part. */
int markdown_check(const struct check *check, void *stream);

#endif
