/* SPDX-License-Identifier: Apache-2.0 */
/* source_lines.h - a source file cut into lines. */
#ifndef OJX_SOURCE_LINES_H
#define OJX_SOURCE_LINES_H

#include <stddef.h>

#include "report/annotate.h"
#include "report/sources.h"

/*
 * The lines of a source file, by number from 1. `text` is as sources_read gives it and is changed:
 * each line ends with a NUL.
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

#endif
