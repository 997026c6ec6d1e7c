/* SPDX-License-Identifier: Apache-2.0 */
/* memtext.h - a text that is written to a stream in memory. */
#ifndef OJX_MEMTEXT_H
#define OJX_MEMTEXT_H

#include <stddef.h>
#include <stdio.h>

struct memtext {
	FILE *in; /* what is written here becomes the text */
	char *text;
	size_t len; /* bytes of the text, once it has ended */
};

/* Begins a text. Returns `in`; NULL if out of memory. */
FILE *memtext_begin(struct memtext *t);

/*
 * Ends the text and returns it; the caller frees it. NULL if out of memory, also if memtext_begin
 * returned NULL; then nothing is left to free.
 */
char *memtext_end(struct memtext *t);

#endif
