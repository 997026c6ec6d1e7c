/* SPDX-License-Identifier: Apache-2.0 */
/* source_lines.h - splits a source file into lines. */
#ifndef OJX_SOURCE_LINES_H
#define OJX_SOURCE_LINES_H

#include <stddef.h>

#include "report/annotate.h"
#include "report/sources.h"

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

/* Reads the lines of a file; n is 0 if there is no source. 0, or -1 if out of memory. */
int source_lines_read(struct source_lines *l, const struct sources *sources,
		      const struct annotate_file *f);
void source_lines_release(struct source_lines *l);

/* The line of that number; NULL if the source is shorter. */
const char *source_lines_at(const struct source_lines *l, int number);

#endif
