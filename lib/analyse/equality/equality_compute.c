/* SPDX-License-Identifier: Apache-2.0 */
/* equality_compute.c - see equality.h. */
#include "analyse/equality/equality.h"

#include <math.h>
#include <stdlib.h>

#include "analyse/equality/equality_classes.h"
#include "analyse/equality/equality_lines.h"

/* ---- conditions ---------------------------------------------------------------------------- */

static bool all_final(const struct model_class *class)
{
	bool final = class && !class->is_array && class->nfields > 0;

	for (uint32_t i = 0; final && i < class->nfields; i++)
		final = class->fields[i].is_final;
	return final;
}

static void fill_conditions(struct equality_row *r, const struct equality_group *g)
{
	enum equality_state *c = r->condition;

	c[EQUALITY_SAME_CLASS] = EQUALITY_HELD;
	c[EQUALITY_SAME_FIELDS] = r->equal.value > 0   ? EQUALITY_HELD
				  : r->unknown > 0.999 ? EQUALITY_NOT_OBSERVABLE
						       : EQUALITY_NOT_SEEN;
	c[EQUALITY_NO_IDENTITY] = r->hashed || r->locked ? EQUALITY_BROKEN : EQUALITY_NOT_SEEN;
	c[EQUALITY_UNCHANGED] = all_final(g->sum.class) ? EQUALITY_HELD
				: g->changed		? EQUALITY_BROKEN
				: g->looked_twice	? EQUALITY_NOT_SEEN
							: EQUALITY_NOT_OBSERVABLE;
	c[EQUALITY_NO_SIDE_EFFECTS] = EQUALITY_NOT_OBSERVABLE;
}

/* ---- classes ------------------------------------------------------------------------------- */

/* Fills in the shares of the commonest content, and of the contents that caches could hold. */
static int fill_held(struct equality_row *r, const struct equality_group *g, double z)
{
	struct estimate held[1 + EQUALITY_CACHES];
	unsigned n[1 + EQUALITY_CACHES] = { 1 };

	for (int i = 0; i < EQUALITY_CACHES; i++)
		n[1 + i] = equality_caches[i];
	if (recurrence_held(held, n, 1 + EQUALITY_CACHES, g->contents, g->ncontents, &g->sum.all,
			    z) < 0)
		return -1;
	r->largest = held[0];
	for (int i = 0; i < EQUALITY_CACHES; i++)
		r->held[i] = held[1 + i];
	return 0;
}

static int fill_row(struct equality_row *r, const struct model *m, const struct equality_group *g,
		    double z)
{
	const struct model_jvm *jvm = model_jvm(m, g->sum.jvm);
	const struct recurrence_whole *all = &g->sum.all;
	double weight = recurrence_all(all);

	r->row.class_name = g->sum.class->name;
	r->row.pid = jvm ? jvm->info.pid : 0;
	r->row.hash = (struct callstack_hash){ .low = g->key };
	r->row.count = r->looked = all->objects;
	r->windows = g->sum.windows;
	r->row.weak = r->looked < EQUALITY_LEAST_OBJECTS || r->windows < EQUALITY_LEAST_WINDOWS;
	r->objects = g->objects;
	r->bytes = g->bytes;
	r->contents = g->ncontents;
	r->unknown = weight > 0 ? all->unknown / weight : NAN;
	r->addresses = weight > 0 ? g->sum.addresses / weight : NAN;
	r->hashed = g->sum.hashed;
	r->locked = g->sum.locked;
	r->equal = recurrence_elsewhere(g->contents, g->ncontents, all, false, z);
	r->equal_bytes = recurrence_elsewhere(g->contents, g->ncontents, all, true, z);
	r->mergeable = (struct estimate){ r->equal_bytes.value * r->bytes,
					  { r->equal_bytes.range.low * r->bytes, r->bytes } };
	r->pairs = recurrence_pairs(g->contents, g->ncontents, all, z);
	if (fill_held(r, g, z) < 0)
		return -1;
	fill_conditions(r, g);
	return 0;
}

static int compare_rows(const void *a, const void *b)
{
	const struct equality_row *x = a, *y = b;
	double of_x = x->row.weak ? 0 : x->mergeable.range.low;
	double of_y = y->row.weak ? 0 : y->mergeable.range.low;

	if (of_x != of_y)
		return of_x > of_y ? -1 : 1;
	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	return callstack_hash_compare(&x->row.hash, &y->row.hash);
}

/* ---- all ----------------------------------------------------------------------------------- */

static void fill_all(struct equality *e, const struct equality_classes *c, double z)
{
	struct recurrence_whole all = { .objects = 0 };
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++) {
		for (int g = 0; g < RECURRENCE_GROUPS; g++) {
			all.weight[g] += c->group[i].sum.all.weight[g];
			all.bytes[g] += c->group[i].sum.all.bytes[g];
		}
		all.objects += c->group[i].sum.all.objects;
		n += c->group[i].ncontents;
	}
	e->equal = recurrence_elsewhere(c->contents, n, &all, true, z);
}

static int compute(struct equality *e, const struct model *m, const struct equality_store *store,
		   const struct equality_classes *c, const struct findings_options *options)
{
	double z = bounds_z(options->confidence), bytes = 0;

	for (size_t i = 0; i < model_ncontexts(m); i++)
		bytes += model_context(m, i)->bytes;
	e->rows = calloc(c->n + 1, sizeof *e->rows);
	if (!e->rows)
		return -1;
	for (size_t i = 0; i < c->n; i++) {
		struct equality_row *r = &e->rows[e->nrows];
		if (!c->group[i].wanted)
			continue;
		if (fill_row(r, m, &c->group[i], z) < 0)
			return -1;
		r->row.share = bytes > 0 ? fmin(1, r->bytes / bytes) : 0;
		r->row.range = (struct bounds_range){ r->row.share, r->row.share };
		e->nrows++;
	}
	qsort(e->rows, e->nrows, sizeof *e->rows, compare_rows);
	e->objects = store->objects;
	e->windows = store->windows;
	fill_all(e, c, z);
	return equality_lines_make(e, m, store, c, options);
}

int equality_compute(struct equality *e, const struct model *m,
		     const struct findings_options *options)
{
	const struct equality_store *store = equality_store_of(m);
	struct equality_classes classes;

	*e = (struct equality){ .equal = { NAN, { NAN, NAN } } };
	if (!store || !store->windows)
		return 0;
	int result = equality_classes_make(&classes, m, store, options);
	if (result == 0)
		result = compute(e, m, store, &classes, options);
	equality_classes_release(&classes);
	if (result < 0)
		equality_release(e);
	return result;
}

void equality_release(struct equality *e)
{
	for (size_t i = 0; i < e->nlines; i++)
		callstack_release(&e->lines[i].row.stack[0]);
	free(e->lines);
	free(e->rows);
	*e = (struct equality){ .rows = NULL };
}
