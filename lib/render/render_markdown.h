/* SPDX-License-Identifier: Apache-2.0 */
/* render_markdown.h - parts of documents in Markdown that are made of what others write as text. */
#ifndef OJX_RENDER_MARKDOWN_H
#define OJX_RENDER_MARKDOWN_H

#include <stdio.h>

#include "base/memtext.h"
#include "render/checks.h"

/*
 * End a text and write it: the first function as one paragraph, in bold or not. The second writes
 * its lines as they are, but without the '#' of comments; with `summary`, they are folded below it.
 * 0, or -1 if out of memory, also if memtext_begin returned NULL.
 */
int markdown_paragraph(FILE *out, struct memtext *t, bool bold);
int markdown_lines(FILE *out, struct memtext *t, const char *summary);

/* Writes a line for each check, between a heading and the next part. */
int markdown_check(const struct check *check, void *stream);

#endif
