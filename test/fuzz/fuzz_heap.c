/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_heap.c - heap dumps of any bytes: read, linked, compared, asked and told, with contents,
 * retained sizes and paths.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "heapdump/heap_report.h"

/* What is told of a row is never NAN, and a text ends. */
static void look_at(const struct finding_table *t)
{
	char room[FIGURE_TEXT_MAX];

	for (size_t i = 0; i < t->all; i++)
		for (const struct figure *f = t->kind->figures; f->name; f++) {
			const void *row = finding_row(t, i);
			if (f->kind == FIGURE_NUMBER && isnan(figure_of(f, row)))
				abort();
			if (f->kind == FIGURE_TEXT && f->text(row, room) &&
			    strlen(f->text(row, room)) > (size_t)INT32_MAX)
				abort();
		}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct heap_report r;
	uint8_t *dump = malloc(size ? size : 1); /* for the sanitizer to see what is behind */

	if (!dump)
		abort();
	memcpy(dump, data, size);
	if (heap_report_memory(&r, dump, size, 0, true) == 0) {
		const struct heap_retained_options all = { true, true };
		heap_report_add_retained(&r, &all, NULL);
		for (size_t i = 0; i < r.findings.n; i++)
			for (size_t k = 0; k < r.findings.item[i].ntables; k++)
				look_at(&r.findings.item[i].table[k]);
	} else if (!r.error[0]) {
		abort();
	}
	heap_report_release(&r);
	free(dump);
	return 0;
}
