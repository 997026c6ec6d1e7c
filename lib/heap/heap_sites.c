/* SPDX-License-Identifier: Apache-2.0 */
/* heap_sites.c - see heap_report.h: the table of the lines that allocate what has copies. */
#include <stdlib.h>
#include <string.h>

#include "heap/heap_report.h"
#include "heap/heap_rows.h"

/* The row of the class, among those of the table of classes; NULL: it has no copies. */
static const struct heap_row *row_of_name(const struct finding_table *t, const char *class)
{
	for (size_t i = 0; i < t->all; i++) {
		const struct heap_row *row = (const struct heap_row *)finding_row(t, i);
		if (strcmp(row->row.class_name, class) == 0)
			return row->sum.freed ? row : NULL;
	}
	return NULL;
}

static int compare_sites(const void *a, const void *b)
{
	const struct heap_site *x = a, *y = b;

	return strcmp(x->class_name, y->class_name);
}

/* Adds rows for the `n` sites of one class. Returns their number, -1 if out of memory. */
static int add_sites_of(struct heap_report *r, struct heap_row *to, const struct heap_site *made,
			size_t n)
{
	const struct finding_table *classes_made = &r->findings.item[HEAP_EQUAL].table[0];
	const struct heap_row *class = row_of_name(classes_made, made->class_name);
	double all = 0;

	for (size_t i = 0; i < n; i++)
		all += made[i].bytes;
	for (size_t i = 0; class && i < n; i++) {
		to[i] = heap_row_of(r, class->row.class_name);
		to[i].label = arena_text(&r->arena, made[i].line, strlen(made[i].line));
		to[i].made = made[i].bytes;
		to[i].of_class = made[i].bytes / all;
		to[i].sum.freed = (uint64_t)((double)class->sum.freed * to[i].of_class);
		if (!to[i].label)
			return -1;
	}
	return class ? (int)n : 0;
}

int heap_report_add_sites(struct heap_report *r, struct heap_site *made, size_t n)
{
	struct heap_row *rows = calloc(n + 1, sizeof *rows);
	size_t have = 0;
	int added = rows ? 0 : -1;

	qsort(made, n, sizeof *made, compare_sites);
	for (size_t first = 0, next; added >= 0 && first < n; first = next) {
		for (next = first + 1; next < n && compare_sites(&made[first], &made[next]) == 0;)
			next++;
		added = add_sites_of(r, rows + have, made + first, next - first);
		have += added > 0 ? (size_t)added : 0;
	}
	if (added < 0) {
		free(rows);
		return -1;
	}
	heap_add_table(&r->findings.item[HEAP_EQUAL], rows, have, r->merge.total.bytes);
	return 0;
}
