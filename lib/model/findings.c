/* SPDX-License-Identifier: Apache-2.0 */
/* findings.c - see finding.h: makes, sorts, distinguishes and releases findings. */
#define _GNU_SOURCE 1 /* qsort_r */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "model/disambiguate.h"
#include "model/finding.h"

_Static_assert(offsetof(struct finding, own) == 0, "figures reach it by the first pointer");

/* ---- making ------------------------------------------------------------------------------ */

static size_t count_kinds(const struct analysis *a)
{
	size_t n = 0;

	while (a->kinds[n])
		n++;
	return n;
}

static bool finding_begin(struct finding *f, const struct analysis *a,
			  const struct finding_kind *kind, const struct findings_options *options)
{
	*f = (struct finding){ .own = calloc(1, kind->own_size ? kind->own_size : 1),
			       .analysis = a,
			       .kind = kind,
			       .least = options->min_pairs,
			       .z = bounds_z(options->confidence) };
	return f->own;
}

int findings_compute(struct findings *to, const struct model *m,
		     const struct findings_options *options)
{
	size_t n = 0;
	const struct analysis *const *analyses = model_analyses(m);

	*to = (struct findings){ .n = 0 };
	for (int i = 0; analyses[i]; i++)
		n += count_kinds(analyses[i]);
	to->item = calloc(n ? n : 1, sizeof *to->item);
	if (!to->item)
		return -1;
	for (int i = 0; analyses[i]; i++) {
		const struct analysis *a = analyses[i];
		struct finding *first = &to->item[to->n];
		for (size_t k = 0; k < count_kinds(a); k++)
			if (!finding_begin(&to->item[to->n++], a, a->kinds[k], options))
				return -1;
		if (a->find && a->find(first, m, options) < 0)
			return -1;
	}
	return 0;
}

void finding_add_table(struct finding *f, void *rows, size_t n, size_t size)
{
	struct finding_table *t = &f->table[f->ntables];

	*t = (struct finding_table){ .kind = f->kind->tables[f->ntables],
				     .rows = rows,
				     .size = size,
				     .n = n,
				     .chosen = n,
				     .all = n };
	f->ntables++;
	for (size_t i = 0; i < n; i++)
		finding_row(t, i)->kind = f->kind;
}

static void release_row(const struct finding_table *t, struct finding_row *row)
{
	for (size_t i = 0; i < row->npaths; i++)
		callstack_release(&row->paths[i].stack);
	free(row->paths);
	for (int k = 0; k < 2; k++)
		callstack_release(&row->stack[k]);
	if (t->kind->release)
		t->kind->release(row);
}

void findings_release(struct findings *f)
{
	for (size_t i = 0; i < f->n; i++) {
		struct finding *one = &f->item[i];
		for (size_t k = 0; k < one->ntables; k++) {
			for (size_t r = 0; r < one->table[k].all; r++)
				release_row(&one->table[k], finding_row(&one->table[k], r));
			free(one->table[k].rows);
		}
		free(one->own);
	}
	free(f->item);
	*f = (struct findings){ .n = 0 };
}

bool findings_seen(const struct findings *f, bool of_objects)
{
	for (size_t i = 0; f && i < f->n; i++)
		if (f->item[i].count && (!of_objects || f->item[i].kind->tables[0]->of_objects))
			return true;
	return false;
}

/* ---- rows that read the same ------------------------------------------------------------- */

/* Compares what is shown of two rows. */
static uint64_t title_of(const struct finding_table *t, const struct finding_row *row,
			 size_t frames)
{
	const char *aspect = t->kind->aspect ? t->kind->aspect(row) : NULL;
	uint64_t seed = (uint64_t)row->pid * 4 + (uint64_t)(uintptr_t)aspect;

	for (int i = 0; i < 2; i++) {
		struct callstack shown = row->stack[i];
		shown.flags = 0;
		seed = callstack_hash(&shown, frames, seed).low;
	}
	return seed;
}

static int tell_apart(struct finding_table *t, size_t frames, int which)
{
	struct disambiguate_item *items = calloc(t->n ? t->n : 1, sizeof *items);

	if (!items)
		return -1;
	for (size_t i = 0; i < t->n; i++) {
		const struct finding_row *row = finding_row(t, i);
		items[i] = (struct disambiguate_item){ .title = title_of(t, row, frames),
						       .stack = &row->stack[which] };
	}
	int result = disambiguate(items, t->n);
	for (size_t i = 0; i < t->n; i++)
		finding_row(t, i)->via[which] = items[i].via;
	free(items);
	return result;
}

int findings_tell_apart(struct findings *f, size_t frames)
{
	for (size_t i = 0; i < f->n; i++)
		for (size_t k = 0; k < f->item[i].ntables; k++)
			for (int which = 0; which < 2; which++) {
				struct finding_table *t = &f->item[i].table[k];
				if (!t->kind->of_objects && tell_apart(t, frames, which) < 0)
					return -1;
			}
	return 0;
}

/* ---- order ------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b, void *arg)
{
	const struct figure *key = arg;
	double x = figure_of(key, a), y = figure_of(key, b);

	return order_down(x, y)
		       ?: callstack_hash_compare(&((const struct finding_row *)a)->hash,
						 &((const struct finding_row *)b)->hash);
}

void findings_sort(struct findings *f, const struct analysis *a, const struct figure *key)
{
	for (size_t i = 0; i < f->n; i++) {
		struct finding_table *t = &f->item[i].table[0];
		if (f->item[i].analysis == a && f->item[i].ntables && t->all)
			qsort_r(t->rows, t->all, t->size, compare, (void *)(uintptr_t)key);
	}
}
