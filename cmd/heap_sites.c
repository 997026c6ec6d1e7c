/* SPDX-License-Identifier: Apache-2.0 */
/* heap_sites.c - see heap_sites.h. */
#include "heap_sites.h"

#include <stdlib.h>

#include "load.h"
#include "report/rows.h"
#include "say.h"

enum { CONFIDENCE_PERCENT = 95 };

/* 0, or -1 if out of memory. */
static int add_rows(struct heap_report *r, const struct rows *rows)
{
	struct heap_site *sites = calloc(rows->n + 1, sizeof *sites);
	size_t n = 0;
	int result = sites ? 0 : -1;

	for (size_t i = 0; result == 0 && i < rows->n; i++) {
		const struct row *row = &rows->row[i];
		char *line = row_place_text(row, row_put_line);
		if (!line)
			result = -1;
		else if (row->replica.bytes > 0)
			sites[n++] = (struct heap_site){ row_class(row), line, row->replica.bytes };
		else
			free(line);
	}
	if (result == 0)
		result = heap_report_add_sites(r, sites, n);
	for (size_t i = 0; i < n; i++)
		free((char *)sites[i].line);
	free(sites);
	return result;
}

int heap_sites_add(struct heap_report *r, const char *recording)
{
	const struct rows_options how = { .grouping = ROWS_BY_LINE,
					  .replica.confidence = CONFIDENCE_PERCENT / 100.0 };
	struct loaded loaded = { .model = NULL };
	struct rows rows = { .n = 0 };
	int result = load_recording(&loaded, recording, NULL);

	if (result == 0 && loaded.nothing)
		result = load_say_nothing(&loaded, recording);
	if (result == 0 && (rows_make(&rows, loaded.model, &how) < 0 || add_rows(r, &rows) < 0))
		result = say_error("out of memory");
	rows_release(&rows);
	model_free(loaded.model);
	return result;
}
