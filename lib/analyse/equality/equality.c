/* SPDX-License-Identifier: Apache-2.0 */
/* equality.c - see equality.h: what its figures are called. */
#include "analyse/equality/equality.h"

#include <math.h>
#include <stdlib.h>

#include "analyse/equality/equality_store.h"
#include "base/sort.h"
#include "base/xmalloc.h"
#include "model/context_groups.h"
#include "stats/binomial.h"

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
static void fill_held(struct equality_row *r, const struct equality_group *g, double z)
{
	struct estimate held[1 + EQUALITY_CACHES];
	unsigned n[1 + EQUALITY_CACHES] = { 1 };

	for (int i = 0; i < EQUALITY_CACHES; i++)
		n[1 + i] = equality_caches[i];
	if (recurrence_held(held, n, 1 + EQUALITY_CACHES, g->contents, g->ncontents, &g->sum.all,
			    z) < 0)
		out_of_memory();
	r->largest = held[0];
	for (int i = 0; i < EQUALITY_CACHES; i++)
		r->held[i] = held[1 + i];
}

static void fill_row(struct equality_row *r, const struct model *m, const struct equality_group *g,
		     double z)
{
	const struct model_jvm *jvm = model_jvm(m, g->sum.jvm);
	const struct recurrence_whole *all = &g->sum.all;
	double weight = recurrence_all(all);

	r->row.class_name = g->sum.class->name;
	r->row.jvm = g->sum.jvm;
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
	fill_held(r, g, z);
	fill_conditions(r, g);
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

static void compute(struct equality *e, const struct model *m, const struct equality_store *store,
		    const struct equality_classes *c, const struct findings_options *options)
{
	double z = bounds_z(options->confidence), bytes = 0;

	for (size_t i = 0; i < model_ncontexts(m); i++)
		bytes += model_context(m, i)->bytes;
	e->rows = xcalloc(c->n + 1, sizeof *e->rows);
	for (size_t i = 0; i < c->n; i++) {
		struct equality_row *r = &e->rows[e->nrows];
		if (!c->group[i].wanted)
			continue;
		fill_row(r, m, &c->group[i], z);
		r->row.share = bytes > 0 ? fmin(1, r->bytes / bytes) : 0;
		r->row.range = (struct bounds_range){ r->row.share, r->row.share };
		e->nrows++;
	}
	qsort(e->rows, e->nrows, sizeof *e->rows, compare_rows);
	e->objects = store->objects;
	e->windows = store->windows;
	fill_all(e, c, z);
	equality_lines_make(e, m, store, c, options);
}

void equality_compute(struct equality *e, const struct model *m,
		      const struct findings_options *options)
{
	const struct equality_store *store = equality_store_of(m);
	struct equality_classes classes;

	*e = (struct equality){ .equal = { NAN, { NAN, NAN } } };
	if (!store || !store->windows)
		return;
	if (equality_classes_make(&classes, m, store, options) < 0)
		out_of_memory();
	compute(e, m, store, &classes, options);
	equality_classes_release(&classes);
}

void equality_release(struct equality *e)
{
	for (size_t i = 0; i < e->nlines; i++)
		callstack_release(&e->lines[i].row.stack[0]);
	free(e->lines);
	free(e->rows);
	*e = (struct equality){ .rows = NULL };
}

/*
 * ---- Of the sampled object before a window the line is known. That object is not counted in
 * the window, so an equal one in a window is always another object.
 */

#define NEARLY_ALL 0.9 /* an upper end above it is of no use to a reader */

/* What was counted of a line so far. */
struct counted {
	uint64_t found, unknown, hits[EQUALITY_CACHES];
	uint64_t open[EQUALITY_CACHES]; /* hits that are possible, but not known */
};

struct making {
	struct equality *e;
	const struct model *m;
	const struct equality_store *store;
	const struct equality_classes *classes;
	struct line_groups groups;
	struct counted *counted; /* by line */
	double confidence;
};

static bool has_class(const struct model_context *c, const void *classes)
{
	return equality_classes_of(classes, c) != NULL;
}

/* ---- their sampled objects ----------------------------------------------------------------- */

static void count_own(struct making *k, const struct equality_own *own)
{
	uint32_t line = k->groups.of[own->context->number];

	if (line == LINE_NONE)
		return;
	struct counted *to = &k->counted[line];
	for (uint32_t i = 0; i < own->n; i++) {
		const struct equality_content *c = equality_store_find(k->store, own->hash[i]);
		bool unknown = !own->hash[i];
		bool found = !unknown && c && c->found.clusters > own->near[i];
		/* a content that was not found may be hidden by the addresses in its key */
		bool open = unknown || !c || c->found.local;
		uint32_t rank = found ? k->classes->rank[c - k->store->contents] : UINT32_MAX;
		k->e->lines[line].row.count++;
		to->found += found;
		to->unknown += unknown;
		for (int n = 0; n < EQUALITY_CACHES; n++) {
			to->hits[n] += rank < equality_caches[n];
			to->open[n] += rank >= equality_caches[n] && open;
		}
	}
}

static struct estimate share_of(uint64_t part, uint64_t all, double confidence)
{
	double x = (double)part, n = (double)all, alpha = (1 - confidence) / 2;

	if (!all)
		return (struct estimate){ NAN, { NAN, NAN } };
	return (struct estimate){ x / n,
				  { binomial_low(x, n, alpha), binomial_high(x, n, alpha) } };
}

/* Whether the intervals tell anything: the upper end of `equal` is always 1. */
static bool is_weak(const struct equality_line *l)
{
	const struct bounds_range *hits = &l->hits[EQUALITY_CACHES - 1].range;

	return l->row.count == 0 ||
	       (!(l->equal.range.low > 0) && !(hits->low > 0) && !(hits->high < NEARLY_ALL));
}

static void fill_line(struct making *k, uint32_t line)
{
	struct equality_line *l = &k->e->lines[line];
	const struct counted *n = &k->counted[line];
	const struct line_group *g = &k->groups.line[line];

	l->objects = g->objects;
	l->bytes = g->bytes;
	l->equal = share_of(n->found, l->row.count, k->confidence);
	if (l->row.count)
		l->equal.range.high = 1;
	for (int i = 0; i < EQUALITY_CACHES; i++) {
		uint64_t most = n->hits[i] + n->open[i];
		l->hits[i] = share_of(n->hits[i], l->row.count, k->confidence);
		l->hits[i].range.high = share_of(most, l->row.count, k->confidence).range.high;
		if (n->unknown == l->row.count)
			l->hits[i] = share_of(0, 0, k->confidence);
	}
	if (n->unknown == l->row.count)
		l->equal = share_of(0, 0, k->confidence);
	l->equal_bytes = estimate_scale(l->equal, l->bytes);
	l->row.weak = is_weak(l);
	line_group_begin_row(&l->row, k->m, g);
}

/* By bytes, most first; lines whose intervals tell nothing come last. */
static int compare(const void *a, const void *b)
{
	const struct equality_line *x = a, *y = b;

	int order = ORDER(x->row.weak, y->row.weak) ?: ORDER(y->bytes, x->bytes);

	return order ?: callstack_hash_compare(&x->row.hash, &y->row.hash);
}

static void make(struct making *k)
{
	double bytes = 0;

	k->e->nlines = k->groups.n;
	for (uint32_t i = 0; i < k->store->own.n; i++)
		count_own(k, (const struct equality_own *)k->store->own.entry[i]);
	for (size_t i = 0; i < model_ncontexts(k->m); i++)
		bytes += model_context(k->m, i)->bytes;
	for (uint32_t i = 0; i < k->e->nlines; i++) {
		fill_line(k, i);
		struct finding_row *row = &k->e->lines[i].row;
		row->share = bytes > 0 ? fmin(1, k->e->lines[i].bytes / bytes) : 0;
		row->range = (struct bounds_range){ row->share, row->share };
	}
	qsort(k->e->lines, k->e->nlines, sizeof *k->e->lines, compare);
}

void equality_lines_make(struct equality *e, const struct model *m,
			 const struct equality_store *store, const struct equality_classes *c,
			 const struct findings_options *options)
{
	struct making k = {
		.e = e, .m = m, .store = store, .classes = c, .confidence = options->confidence
	};
	line_groups_make(&k.groups, m, options, has_class, c);
	size_t n = k.groups.n + 1;

	e->lines = xcalloc(n, sizeof *e->lines);
	k.counted = xcalloc(n, sizeof *k.counted);
	make(&k);
	free(k.counted);
	line_groups_release(&k.groups);
}

const unsigned equality_caches[EQUALITY_CACHES] = { 16, 256, 4096 };

const char *equality_condition_name(enum equality_condition c)
{
	static const char *const names[] = {
		[EQUALITY_SAME_CLASS] = "same class",
		[EQUALITY_SAME_FIELDS] = "equal fields",
		[EQUALITY_NO_IDENTITY] = "identity not used",
		[EQUALITY_UNCHANGED] = "never changed",
		[EQUALITY_NO_SIDE_EFFECTS] = "no side effects of creation",
	};

	return names[c];
}

const char *equality_state_name(enum equality_state s)
{
	static const char *const names[] = {
		[EQUALITY_HELD] = "held",
		[EQUALITY_BROKEN] = "broken",
		[EQUALITY_NOT_SEEN] = "not seen",
		[EQUALITY_NOT_OBSERVABLE] = "not observable",
	};

	return names[s];
}
