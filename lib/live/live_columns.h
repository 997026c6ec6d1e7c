/* SPDX-License-Identifier: Apache-2.0 */
/*
 * live_columns.h - columns that only a live table has: bytes allocated per second, how many of them
 * merging would save, and the last minute. They work like those of columns.h. Their figures are in
 * the row's rate (rates.h).
 */
#ifndef OJX_LIVE_COLUMNS_H
#define OJX_LIVE_COLUMNS_H

#include "report/columns.h"

/*
 * Lists the columns of a table in their order, those that are shown only as the sort key among
 * them; COLUMN_TOP has also these here. Returns how many they are.
 */
size_t live_columns_list(const struct column *list[TABLE_COLUMNS], enum column_table table);

/* The sort key of that name in that table, or NULL. */
const struct column *live_column_find(const char *name, enum column_table table);

#endif
