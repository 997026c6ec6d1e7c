/* SPDX-License-Identifier: Apache-2.0 */
/* rows_disambiguate.c - part of rows.h: distinguishes rows whose class and site read the same. */
#include <stdlib.h>

#include "model/disambiguate.h"
#include "report/rows.h"

/* Equal if class and site are equal. */
static uint64_t title_of(const struct row *row)
{
	size_t application = callstack_application(&row->stack);
	struct model_frame frames[2] = { row->stack.frames[0] };
	struct callstack site = { .frames = frames, .n = 1 };
	uint64_t seed = (uint64_t)row->pid;

	for (const char *c = row_class(row); *c; c++)
		seed = seed * 31 + (unsigned char)*c;
	if (application > 0 && application < row->stack.n)
		frames[site.n++] = row->stack.frames[application];
	return callstack_hash(&site, SIZE_MAX, seed).low;
}

int rows_tell_apart_some(struct row *const *list, size_t n)
{
	struct disambiguate_item *items = calloc(n ? n : 1, sizeof *items);
	size_t used = 0;

	if (!items)
		return -1;
	for (size_t i = 0; i < n; i++) {
		struct row *row = list[i];
		row->via = 0;
		if (row->stack.n > 0 && row->common > 0)
			items[used++] = (struct disambiguate_item){ .title = title_of(row),
								    .stack = &row->stack };
	}
	int result = disambiguate(items, used);
	used = 0;
	for (size_t i = 0; i < n; i++)
		if (list[i]->stack.n > 0 && list[i]->common > 0)
			list[i]->via = items[used++].via;
	free(items);
	return result;
}

int rows_tell_apart(struct rows *rows, size_t n)
{
	n = n < rows->n ? n : rows->n;
	struct row **list = malloc((n + 1) * sizeof(struct row *));

	if (!list)
		return -1;
	for (size_t i = 0; i < n; i++)
		list[i] = &rows->row[i];
	int result = rows_tell_apart_some(list, n);
	free(list);
	return result;
}
