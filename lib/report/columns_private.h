/* SPDX-License-Identifier: Apache-2.0 */
/*
 * columns_private.h - shared by columns.c and columns_cells.c: cells that are not just a number
 * with its unit, and inks.
 */
#ifndef OJX_COLUMNS_PRIVATE_H
#define OJX_COLUMNS_PRIVATE_H

#include "report/columns.h"

typedef void column_print_fn(FILE *out, const struct row *row, const struct cell_context *ctx);
typedef enum ink column_ink_fn(const struct row *row);

column_print_fn column_print_rank, column_print_pid, column_print_saved, column_print_share,
	column_print_verdict, column_print_line, column_print_class, column_print_site;
column_ink_fn column_ink_rank, column_ink_saved, column_ink_verdict;

#endif
