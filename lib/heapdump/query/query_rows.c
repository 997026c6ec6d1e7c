/* SPDX-License-Identifier: Apache-2.0 */
/* query_rows.c - see heap_findings.h: the rows of problems, each with its holder. */
#include <stdlib.h>

#include "base/memtext.h"
#include "heapdump/heap_findings.h"
#include "heapdump/retained/paths.h"

/* Of whom the class tells enough. */
static bool has_holder(enum query_problem problem)
{
	return problem != QUERY_FINALIZER && problem != QUERY_FINALIZABLE &&
	       problem != QUERY_LOADED_TWICE && problem != QUERY_OUTERS;
}

static const char *holder_of(struct heap_report *r, const struct query_row *row)
{
	struct memtext t;

	if (!has_holder(row->problem))
		return NULL;
	if (row->field == OWNER_ROOT)
		return "(a local variable or another root)";
	if (row->field == HEAP_NONE)
		return "(no field or root that the dump has)";
	paths_put_field(memtext_begin(&t), &r->heap, row->field, false);
	char *text = memtext_end(&t);
	const char *copy = xarena_text(&r->arena, text, t.len);
	free(text);
	return copy;
}

/* Of the problems from `from` to, but not with, `to`. */
static void add(struct heap_report *r, const struct query *q, size_t kind, unsigned from,
		unsigned to)
{
	struct finding *f = heap_add_finding(r, kind);
	struct heap_row *rows = xcalloc(q->n + 1, sizeof *rows);
	size_t n = 0;

	for (size_t i = 0; i < q->n; i++) {
		const struct query_row *row = &q->row[i];
		if (row->problem < from || row->problem >= to)
			continue;
		rows[n] = heap_row_of(r, r->merge.classes[row->group].name);
		rows[n].label = query_problem_name(row->problem);
		rows[n].problem = row->problem;
		rows[n].holder = holder_of(r, row);
		rows[n].row.count = row->objects;
		rows[n].sum.bytes = row->bytes;
		rows[n].sum.example = row->example;
		rows[n++].wasted = row->wasted;
	}
	heap_add_table(f, rows, n, r->merge.total.bytes);
}

void heap_add_problems(struct heap_report *r)
{
	struct query q;

	query_all(&q, &r->heap, &r->merge);
	owners_forget(&r->merge.owners);
	add(r, &q, HEAP_WASTEFUL, 0, QUERY_LITTLE);
	add(r, &q, HEAP_KEPT, QUERY_LITTLE, QUERY_KEPT);
	add(r, &q, HEAP_OUTSIDE, QUERY_KEPT, QUERY_PROBLEMS);
	query_release(&q);
}
