/* SPDX-License-Identifier: Apache-2.0 */
/*
 * live_columns.h - the columns that only a live table has: what is allocated per second, of that
 * what merging would save, and the last minute. They are columns as those of columns.h;
 * cell_context has the rates they come from.
 */
#ifndef OJX_LIVE_COLUMNS_H
#define OJX_LIVE_COLUMNS_H

#include "report/columns.h"

/* Ends with name NULL. */
extern const struct column live_columns[];

/* The column of that name, of these or of columns.h; NULL: none. */
const struct column *live_column_named(const char *name);

#endif
