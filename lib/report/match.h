/* SPDX-License-Identifier: Apache-2.0 */
/*
 * match.h - which row of one recording is which row of another, also when the source was edited in
 *between.
 *
 * Each row is matched at most once, by the first of these that finds it a partner:
 *
 *	lines    same class, same stack with lines, where lines are followed as linemap.h tells
 *	methods  same class, same methods on the stack; lines differ where nobody can tell where
 *they went. Of several, in the order of their lines, and those nearest to each other. site     same
 *class, same frames down to the first of the program's own; whoever called that may differ. Of
 *several, those with the most callers in common.
 *
 * JVMs are told apart by their order alone, as their pids mean nothing.
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

/* matches[i] receives what row i of `from` is in `to`. 0, or -1 where memory lacks. */
int match_rows(struct match *matches, const struct rows *from, const struct rows *to);

#endif
