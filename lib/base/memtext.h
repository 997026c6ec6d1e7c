/* SPDX-License-Identifier: Apache-2.0 */
/* memtext.h - a text that is written to a stream in memory; it ends as xmalloc.h says. */
#ifndef OJX_MEMTEXT_H
#define OJX_MEMTEXT_H

#include <stddef.h>
#include <stdio.h>

#include "base/utf8.h"

struct memtext {
	FILE *in; /* what is written here becomes the text */
	char *text;
	size_t len; /* bytes of the text, once it has ended */
};

/* Begins a text. Returns `in`. */
FILE *memtext_begin(struct memtext *t);

/* Ends the text and returns it; the caller frees it. */
char *memtext_end(struct memtext *t);

/* What utf8_put writes, as a text that the caller frees. */
char *memtext_clean(const char *text, size_t len, enum utf8_mode mode);

#endif
