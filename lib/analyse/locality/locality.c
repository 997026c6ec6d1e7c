/* SPDX-License-Identifier: Apache-2.0 */
/*
 * locality.c - see locality.h. Each entry of the model gets two hashes of what a reader sees: of
 * the accessed objects, and of the stack of the access. Entries are sorted by both, and equal
 * neighbours are added up.
 */
#include "analyse/locality/locality.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/sort.h"
#include "base/xmalloc.h"
#include "stats/estimate.h"

/* Contexts whose objects are wanted. */
struct wanted {
	struct model_context *const *contexts; /* NULL: all, and objects that are not followed */
	size_t n;
};

static bool is_wanted(const struct wanted *w, const struct model_context *c)
{
	size_t i = 0;

	while (w->contexts && i < w->n && w->contexts[i] != c)
		i++;
	return !w->contexts || i < w->n;
}

/* An entry of the model, with its hashes. */
struct item {
	const struct model_access *access;
	struct callstack_hash object, stack;
};

static enum locality_metric metric_of(const struct model_access *a)
{
	return a->flags & WIRE_ACCESS_TIME    ? LOCALITY_TIME
	       : a->flags & WIRE_ACCESS_FAULT ? LOCALITY_FAULT
					      : LOCALITY_ACCESS;
}

static const struct model_class *class_of(const struct model_access *a)
{
	return a->context && a->context->class ? a->context->class : a->class;
}

/* ---- hashes ------------------------------------------------------------------------------ */

static void hash_stack(struct callstack_hash *to, const struct model *m, uint32_t jvm, uint32_t id,
		       uint64_t seed)
{
	struct callstack stack;

	xcallstack_resolve(&stack, m, jvm, id);
	*to = callstack_hash(&stack, SIZE_MAX, seed);
	callstack_release(&stack);
}

static void hash_object(struct callstack_hash *to, const struct model *m,
			const struct model_access *a)
{
	const struct model_class *class = class_of(a);
	const char *name = class && class->name ? class->name : "";
	uint64_t seed = XXH3_64bits_withSeed(name, strlen(name), a->jvm);

	if (a->context)
		hash_stack(to, m, a->jvm, a->context->stack_id, seed);
	else
		*to = (struct callstack_hash){ seed, 0 };
}

static int compare_items(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	int order = !x->access->context - !y->access->context;

	if (!order)
		order = callstack_hash_compare(&x->object, &y->object);
	if (!order)
		order = callstack_hash_compare(&x->stack, &y->stack);
	return order;
}

static bool same_object(const struct item *x, const struct item *y)
{
	return !x->access->context == !y->access->context &&
	       callstack_hash_compare(&x->object, &y->object) == 0;
}

/* The number of samples that the event's own rate would have given. */
static double times_of(const struct file_access_sums *s)
{
	return (double)s->count + s->left_out;
}

/* The samples of one metric whose objects are known, sorted. */
static struct item *sorted_items(struct locality *l, const struct model *m,
				 const struct wanted *wanted, size_t *n)
{
	struct item *items = xcalloc(model_naccesses(m) + 1, sizeof *items);

	*n = 0;
	for (size_t i = 0; i < model_naccesses(m); i++) {
		const struct model_access *a = model_access(m, i);
		struct item *item = &items[*n];
		if (metric_of(a) != l->metric)
			continue;
		if (a->flags & WIRE_ACCESS_UNPLACED) {
			l->unplaced += a->sums.count;
			continue;
		}
		l->samples += a->sums.count;
		l->times += times_of(&a->sums);
		l->squares += (double)a->sums.count + a->sums.squares;
		if (!is_wanted(wanted, a->context))
			continue;
		item->access = a;
		hash_object(&item->object, m, a);
		hash_stack(&item->stack, m, a->jvm, a->stack, 0);
		(*n)++;
	}
	qsort(items, *n, sizeof *items, compare_items);
	return items;
}

/* ---- sums -------------------------------------------------------------------------------- */

static int compare_paths(const void *a, const void *b)
{
	const struct finding_path *x = a, *y = b;

	return ORDER(y->share, x->share) ?: callstack_hash_compare(&x->hash, &y->hash);
}

/* Adds the path of an item: to the last path if both are equal, else as a new one. */
static void add_path(struct finding_row *row, const struct model *m, const struct item *item,
		     bool is_new)
{
	const struct model_access *from = item->access;

	if (is_new) {
		struct finding_path *p = &row->paths[row->npaths];
		xcallstack_resolve(&p->stack, m, from->jvm, from->stack);
		p->hash = item->stack;
		row->npaths++;
	}
	struct finding_path *p = &row->paths[row->npaths - 1];
	p->count += from->sums.count;
	p->weight += from->sums.weight;
	p->share += times_of(&from->sums);
}

/* The stacks of `n` items of one object. */
static void fill_paths(struct locality_object *o, const struct model *m, const struct item *items,
		       size_t n)
{
	struct finding_row *row = &o->row;
	bool weighed = o->sums.weight > 0;
	double all = weighed ? o->sums.weight : times_of(&o->sums);

	row->paths = xcalloc(n, sizeof *row->paths);
	for (size_t i = 0; i < n; i++) {
		bool same =
			i > 0 && callstack_hash_compare(&items[i - 1].stack, &items[i].stack) == 0;
		add_path(row, m, &items[i], !same);
	}
	for (size_t i = 0; i < row->npaths; i++) {
		struct finding_path *p = &row->paths[i];
		p->share = (weighed ? p->weight : p->share) / all;
	}
	qsort(row->paths, row->npaths, sizeof *row->paths, compare_paths);
}

static int compare_pointers(const void *a, const void *b)
{
	const uintptr_t x = *(const uintptr_t *)a, y = *(const uintptr_t *)b;

	return ORDER(x, y);
}

/* What the contexts of `n` items allocated, each context once. */
static void count_allocated(struct locality_object *o, const struct item *items, size_t n)
{
	uintptr_t *contexts = xcalloc(n, sizeof *contexts);

	for (size_t i = 0; i < n; i++)
		contexts[i] = (uintptr_t)items[i].access->context;
	qsort(contexts, n, sizeof *contexts, compare_pointers);
	for (size_t i = 0; i < n; i++) {
		const struct model_context *c = (const struct model_context *)contexts[i];
		if (i > 0 && contexts[i - 1] == contexts[i])
			continue;
		o->objects += c->objects;
		o->bytes += c->bytes;
	}
	free(contexts);
}

/*
 * The interval of a share of all samples that was estimated as `sum`, with a variance. The
 * effective number of samples (of weight 1) gives a binomial share.
 */
static struct bounds_range range_of(const struct locality *l, double sum, double variance, double z)
{
	double share = sum / l->times, samples = l->times * l->times / l->squares;
	double spread = variance / (l->times * l->times) - share * share / samples;
	double n = share < 1 && spread > 0 ? share * (1 - share) / spread : samples;

	if (share < 1)
		return bounds_wilson(share, fmin(n, samples), z);
	struct estimate e = estimate_amount(sum, variance, 1, z);
	return (struct bounds_range){ fmin(1, e.range.low / l->times), 1 };
}

static void fill_object(struct locality_object *o, const struct locality *l, const struct model *m,
			const struct item *items, size_t n, double z)
{
	const struct model_access *first = items->access;
	const struct model_jvm *jvm = model_jvm(m, first->jvm);

	const struct model_class *class = class_of(first);

	o->row.hash = items->object;
	o->row.class_name = class ? class->name : NULL;
	o->row.jvm = first->jvm;
	o->row.pid = jvm ? jvm->info.pid : 0;
	o->objects = o->bytes = first->context ? 0 : NAN;
	for (size_t i = 0; i < n; i++) {
		const struct model_access *a = items[i].access;
		model_add_sums(&o->sums, &a->sums);
		o->loads += a->flags & WIRE_ACCESS_LOAD ? a->sums.count : 0;
		o->stores += a->flags & WIRE_ACCESS_STORE ? a->sums.count : 0;
	}
	o->row.count = o->sums.count;
	double sum = first->context ? o->sums.weight : times_of(&o->sums);
	double variance =
		first->context ? o->sums.variance : (double)o->sums.count + o->sums.squares;
	o->row.share = fmin(1, sum / l->times);
	o->row.range = range_of(l, sum, variance, z);
	o->effective = variance > 0 ? sum * sum / variance : 0;
	o->row.weak = o->effective < LOCALITY_LEAST;
	if (o->row.weak)
		o->row.range.low = 0; /* a few samples always hit some context: no proof */
	if (first->context) {
		count_allocated(o, items, n);
		xcallstack_resolve(&o->row.stack[0], m, first->jvm, first->context->stack_id);
	}
	fill_paths(o, m, items, n);
}

static int compare_objects(const void *a, const void *b)
{
	const struct locality_object *x = a, *y = b;

	if (x->row.range.low != y->row.range.low)
		return x->row.range.low > y->row.range.low ? -1 : 1;
	if (x->sums.count != y->sums.count)
		return x->sums.count > y->sums.count ? -1 : 1;
	return callstack_hash_compare(&x->row.hash, &y->row.hash);
}

static void fill(struct locality *l, const struct model *m, const struct item *items, size_t n,
		 double z)
{
	double sum = 0;

	l->objects = xcalloc(n + 1, sizeof *l->objects);
	l->others = xcalloc(n + 1, sizeof *l->others);
	for (size_t first = 0, next; first < n; first = next) {
		next = first + 1;
		while (next < n && same_object(&items[first], &items[next]))
			next++;
		bool followed = items[first].access->context;
		struct locality_object *o =
			followed ? &l->objects[l->nobjects++] : &l->others[l->nothers++];
		fill_object(o, l, m, items + first, next - first, z);
		sum += o->sums.weight;
		l->local += o->sums.local;
		l->remote += o->sums.remote;
	}
	l->followed = l->samples ? fmin(1, sum / l->times) : 0;
	qsort(l->objects, l->nobjects, sizeof *l->objects, compare_objects);
	qsort(l->others, l->nothers, sizeof *l->others, compare_objects);
}

static void compute_metric(struct locality *l, const struct model *m, double z,
			   const struct wanted *wanted)
{
	size_t n;
	struct item *items = sorted_items(l, m, wanted, &n);

	fill(l, m, items, n, z);
	free(items);
}

static void compute(struct locality l[LOCALITY_METRICS], const struct model *m, double confidence,
		    const struct wanted *wanted)
{
	double z = bounds_z(confidence);

	memset(l, 0, LOCALITY_METRICS * sizeof *l);
	for (int k = 0; k < LOCALITY_METRICS; k++) {
		l[k].metric = (enum locality_metric)k;
		compute_metric(&l[k], m, z, wanted);
	}
}

void locality_compute(struct locality l[LOCALITY_METRICS], const struct model *m, double confidence)
{
	const struct wanted all = { NULL, 0 };

	compute(l, m, confidence, &all);
}

void locality_compute_of(struct locality l[LOCALITY_METRICS], const struct model *m,
			 double confidence, struct model_context *const *contexts, size_t n)
{
	const struct wanted wanted = { contexts, n };

	compute(l, m, confidence, &wanted);
}

/* ---- the end ----------------------------------------------------------------------------- */

static void release_object(struct locality_object *o)
{
	for (size_t i = 0; i < o->row.npaths; i++)
		callstack_release(&o->row.paths[i].stack);
	free(o->row.paths);
	callstack_release(&o->row.stack[0]);
}

static void release_objects(struct locality_object *objects, size_t n)
{
	for (size_t i = 0; i < n; i++)
		release_object(&objects[i]);
	free(objects);
}

void locality_release(struct locality l[LOCALITY_METRICS])
{
	for (int k = 0; k < LOCALITY_METRICS; k++) {
		release_objects(l[k].objects, l[k].nobjects);
		release_objects(l[k].others, l[k].nothers);
	}
	memset(l, 0, LOCALITY_METRICS * sizeof *l);
}

const char *locality_metric_name(enum locality_metric metric)
{
	static const char *const names[LOCALITY_METRICS] = { "time", "access", "page-fault" };

	return names[metric];
}
