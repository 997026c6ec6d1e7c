/* SPDX-License-Identifier: Apache-2.0 */
/*
 * match.h - finds for each row of one recording the same row of another, even if the source was
 * edited in between.
 *
 * Each row is matched at most once, by the first of these ways that finds a partner:
 *
 *	lines    same class, same stack with lines, where linemap.h maps the lines
 *	methods  same class, same methods on the stack; lines may differ if they cannot be mapped.
 *	         Of several rows, by the order of their lines, nearest first
 *	site     same class, same frames down to the first of the program's own; its callers may
 *	         differ. Of several rows, the one with most callers in common
 *
 * JVMs are identified only by their order, since pids differ between recordings.
 */
#ifndef OJX_MATCH_H
#define OJX_MATCH_H

#include "report/rows.h"

enum match_how { MATCH_NONE, MATCH_LINES, MATCH_METHODS, MATCH_SITE };

/* "lines", "methods", "site"; NULL for MATCH_NONE. */
const char *match_name(enum match_how how);

#define MATCH_NO_ROW SIZE_MAX

struct match {
	size_t row; /* of the second recording, or MATCH_NO_ROW */
	enum match_how how;
};

/* matches[i] receives what row i of `from` is in `to`. */
void match_rows(struct match *matches, const struct rows *from, const struct rows *to);

#endif
