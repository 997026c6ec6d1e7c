/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_retained.c - see heap_report.h: the finding on what objects, fields and classes keep alive,
 * and how roots lead to objects.
 */
#include <stdlib.h>

#include "base/memtext.h"
#include "base/sort.h"
#include "heapdump/heap_findings.h"
#include "heapdump/retained/paths.h"
#include "heapdump/retained/retained_sums.h"

enum { MOST_OBJECTS = 1000, WAY = 32 };

/* ---- rows ---------------------------------------------------------------------------------- */

struct making {
	struct heap_report *report;
	struct retained retained;
	struct retained_sums sums;
	struct paths paths;
};

static const char *keep(struct making *m, struct memtext *t)
{
	char *text = memtext_end(t);
	const char *copy = xarena_text(&m->report->arena, text, t->len);

	free(text);
	return copy;
}

static const char *path_of(struct making *m, uint32_t x)
{
	struct memtext t;

	paths_put(memtext_begin(&t), &m->paths, x);
	return keep(m, &t);
}

/* "class com.acme.Shop" of a class object, otherwise the name of its class. */
static const char *name_of(struct making *m, uint32_t x)
{
	const struct heap *h = &m->report->heap;
	struct hprof_item item;
	struct memtext t;

	if (!heap_is_class_object(h, x))
		return h->class[heap_class_of(h, x)].name;
	heap_item(h, x, &item);
	fprintf(memtext_begin(&t), "class %s", h->class[heap_class_find(h, item.id)].name);
	return keep(m, &t);
}

/* Downwards as long as one object below keeps more than half: where most of it is. */
static const char *most_in(struct making *m, uint32_t x)
{
	uint32_t way[WAY] = { x };
	struct memtext t;
	size_t n = 1;

	while (n < WAY) {
		uint32_t below = retained_largest_below(&m->sums, &m->retained, way[n - 1]);
		if (below == HEAP_NONE ||
		    retained_of(&m->retained, below) <= retained_of(&m->retained, x) / 2)
			break;
		way[n++] = below;
	}
	if (n == 1)
		return NULL;
	paths_put_down(memtext_begin(&t), &m->report->heap, way, n);
	return keep(m, &t);
}

struct top {
	uint64_t bytes;
	uint32_t object;
};

static int compare_tops(const void *a, const void *b)
{
	const struct top *x = a, *y = b;

	return ORDER(y->bytes, x->bytes) ?: ORDER(x->object, y->object);
}

/* Objects right below the roots, allocated, the largest first. */
static struct top *find_tops(const struct making *m, size_t *n)
{
	const struct dominators *d = &m->retained.dominators;

	*n = 0;
	for (uint32_t i = m->sums.first[0]; i; i = m->sums.next[i])
		++*n;
	struct top *top = xcalloc(*n + 1, sizeof *top);
	*n = 0;
	for (uint32_t i = m->sums.first[0]; i; i = m->sums.next[i])
		top[(*n)++] = (struct top){ retained_of(&m->retained, d->object[i]), d->object[i] };
	qsort(top, *n, sizeof *top, compare_tops);
	return top;
}

static void add_objects(struct making *m, struct finding *f)
{
	const struct heap *h = &m->report->heap;
	size_t n;
	struct top *top = find_tops(m, &n);

	n = n < MOST_OBJECTS ? n : MOST_OBJECTS;
	struct heap_row *rows = xcalloc(n + 1, sizeof *rows);
	for (size_t i = 0; i < n; i++) {
		uint32_t x = top[i].object;
		rows[i] = heap_row_of(m->report, h->class[heap_class_of(h, x)].name);
		rows[i].label = name_of(m, x);
		rows[i].path = most_in(m, x);
		rows[i].row.count = 1;
		rows[i].retained = top[i].bytes;
		rows[i].sum.bytes = heap_size(h, x);
		rows[i].sum.example = x;
	}
	free(top);
	heap_add_table(f, rows, n, m->report->merge.total.bytes);
}

static void fill(struct heap_row *row, const struct retained_of *of_it)
{
	row->row.count = of_it->objects;
	row->retained = of_it->bytes;
	row->sum.bytes = of_it->own;
}

static void add_fields(struct making *m, struct finding *f)
{
	const struct heap *h = &m->report->heap;
	struct heap_row *rows = xcalloc(h->nfields + (size_t)1, sizeof *rows);
	struct memtext t;
	size_t n = 0;

	for (uint32_t i = 0; i < h->nfields; i++) {
		if (!m->sums.field[i].objects)
			continue;
		rows[n] = heap_row_of(m->report, h->class[h->field[i].class].name);
		paths_put_field(memtext_begin(&t), h, i, false);
		rows[n].label = keep(m, &t);
		fill(&rows[n++], &m->sums.field[i]);
	}
	heap_add_table(f, rows, n, m->report->merge.total.bytes);
}

static void add_classes(struct making *m, struct finding *f)
{
	const struct merge *all = &m->report->merge;
	struct heap_row *rows = xcalloc(all->nclasses + 1, sizeof *rows);
	size_t n = 0;

	for (size_t i = 0; i < all->nclasses; i++) {
		if (!m->sums.class[i].objects)
			continue;
		rows[n] = heap_row_of(m->report, all->classes[i].name);
		fill(&rows[n++], &m->sums.class[i]);
	}
	heap_add_table(f, rows, n, all->total.bytes);
}

/* ---- all ----------------------------------------------------------------------------------- */

static void add_tables(struct making *m)
{
	struct finding *f = heap_add_finding(m->report, HEAP_RETAINED);

	m->report->held = m->retained.held;
	m->report->weak = m->retained.weak;
	m->report->dead = m->retained.dead;
	retained_sums_make(&m->sums, &m->retained);
	add_objects(m, f);
	add_fields(m, f);
	add_classes(m, f);
	retained_sums_release(&m->sums);
}

/* To the object that stands for each row, of all findings. */
static void add_paths(struct making *m)
{
	paths_make(&m->paths, &m->retained);
	for (size_t i = 0; i < m->report->findings.n; i++) {
		const struct finding *f = &m->report->findings.item[i];
		for (size_t k = 0; k < f->ntables; k++)
			for (size_t r = 0; r < f->table[k].all; r++) {
				struct heap_row *row =
					(struct heap_row *)finding_row(&f->table[k], r);
				if (row->sum.example != HEAP_NONE)
					row->root_path = path_of(m, row->sum.example);
			}
	}
	paths_release(&m->paths);
}

void heap_report_add_retained(struct heap_report *r, const struct heap_retained_options *o,
			      struct progress *progress)
{
	struct making m = { .report = r };

	if (!o->tables && !o->paths)
		return;
	progress_begin(progress, "retained sizes", 0);
	retained_make(&m.retained, &r->heap, &r->merge);
	if (o->tables)
		add_tables(&m);
	if (o->paths)
		add_paths(&m);
	retained_release(&m.retained);
}
