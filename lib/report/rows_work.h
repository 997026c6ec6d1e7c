/* SPDX-License-Identifier: Apache-2.0 */
/* rows_work.h - part of rows.c: makes rows with all processors. */
#ifndef OJX_ROWS_WORK_H
#define OJX_ROWS_WORK_H

#include "base/progress.h"
#include "report/row.h"
#include <stddef.h>

struct rows_work {
	size_t n;
	int (*make)(void *arg, size_t i); /* makes row i; 0, or -1 if out of memory */
	void *arg;
	struct progress *progress; /* counts rows; NULL: nowhere */
};

/* Calls `make` for each row, from several threads. 0, or -1 with errno. */
int rows_work_do(const struct rows_work *w);

#endif
