/* SPDX-License-Identifier: Apache-2.0 */
/*
 * live_columns.h - columns that only a live table has: bytes allocated per second, how many of them
 * merging would save, and the last minute. They work like those of columns.h; their rates are in
 * cell_context.
 */
#ifndef OJX_LIVE_COLUMNS_H
#define OJX_LIVE_COLUMNS_H

#include "report/columns.h"

/* Ends with name NULL. */
extern const struct column live_columns[];

/* The column with that name, here or in columns.h; NULL if there is none. */
const struct column *live_column_named(const char *name);

#endif
