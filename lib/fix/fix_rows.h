/* SPDX-License-Identifier: Apache-2.0 */
/* fix_rows.h - what fixes (fix.h) avoid of the rows of a report, and rows that were sorted. */
#ifndef OJX_FIX_ROWS_H
#define OJX_FIX_ROWS_H

#include "fix/fix.h"

/*
 * Bytes that fixes avoid of each context, by its number in the model. The caller frees the array.
 * Those that are accepted do not count.
 */
double *fixes_avoided(const struct fixes *fixes, const struct model *m);

/* Fills `avoidable` and `possible` of rows of any grouping, with the contexts of the fixes. */
void fixes_tell_rows(const struct fixes *fixes, const struct model *m, struct rows *rows);

/* Points the fixes at the rows that they were found in, after these were sorted. */
void fixes_follow_rows(struct fixes *fixes, const struct rows *lines, const struct model *m);

#endif
