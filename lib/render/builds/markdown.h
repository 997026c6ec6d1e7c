/* SPDX-License-Identifier: Apache-2.0 */
/* markdown.h - parts of documents in Markdown that are made of what others write as text. */
#ifndef OJX_MARKDOWN_H
#define OJX_MARKDOWN_H

#include <stdbool.h>
#include <stdio.h>

#include "base/memtext.h"
#include "fix/other_findings.h"

/*
 * End a text and write it: the first function as one paragraph, in bold or not. The second writes
 * its lines as they are, but without the '#' of comments; with `summary`, they are folded below it.
 */
void markdown_paragraph(FILE *out, struct memtext *t, bool bold);
void markdown_lines(FILE *out, struct memtext *t, const char *summary);

/* What is to be done about a finding: lists, with the first `most` of each section. */
void markdown_others(FILE *out, const struct others *all, const struct finding *f, size_t most);

#endif
