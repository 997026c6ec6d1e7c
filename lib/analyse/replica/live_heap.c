/* SPDX-License-Identifier: Apache-2.0 */
/*
 * live_heap.c - see live_heap.h. It copies contexts and replaces the allocated objects by those of
 * the view, and the snapshots by those of the view. Code that measures snapshots then measures the
 * view.
 *
 * Two errors are combined: how much is alive, and how much of it is equal. The lower end of the
 * saving combines both lower ends, which is more careful than necessary.
 */
#include "analyse/replica/live_heap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/replica/dedup.h"
#include "analyse/replica/deep.h"
#include "analyse/replica/observations.h"
#include "base/rng.h"
#include "base/xmalloc.h"
#include "stats/estimate.h"
#include "stats/groups.h"

static const struct bounds_range none = { NAN, NAN };

/* ---- what a view can hold ------------------------------------------------------------------ */

static bool refers(const struct model_class *class)
{
	bool refers = false;

	if (class->is_array) { /* element_size does not distinguish a reference from an int */
		static const char *const plain[] = { "boolean[]", "byte[]", "char[]",  "short[]",
						     "int[]",	  "long[]", "float[]", "double[]" };
		for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
			if (class->name && strcmp(class->name, plain[i]) == 0)
				return false;
		return true;
	}
	for (uint32_t i = 0; i < class->nfields; i++)
		refers |= class->fields[i].type == 'L' || class->fields[i].type == '[';
	return refers;
}

/* Whether the context's objects would have been in the view if they had been alive. */
static bool in_view(const struct model_context *c)
{
	if (!c->view)
		return false;
	if (!c->view->leaves)
		return true;
	for (size_t i = 0; i < c->nstrata; i++)
		if (c->strata[i].size > c->view->leaves)
			return false;
	if (!c->class)
		return false;
	bool string = c->class->name && strcmp(c->class->name, "java.lang.String") == 0;
	return (string && c->view->strings) || !refers(c->class);
}

/* Whether some objects could not be held, so it is unknown whether they are alive. */
static bool is_unheld(const struct model_context *c)
{
	for (size_t i = 0; i < c->nalive; i++)
		if (c->alive[i]->flags & WIRE_UNHELD)
			return true;
	return false;
}

/* ---- contexts with the objects of the view ------------------------------------------------- */

struct viewed {
	struct model_context *context;
	struct model_context **contexts; /* pointers to `context` */
	size_t n;
	double objects_variance, bytes_variance;
	/* objects that one object of the view would stand for; bytes of one */
	double unit, unit_bytes;
	bool unheld; /* nothing is known of some objects */
	bool partly; /* some were not seen, or equal only themselves: the rest is a sample */
};

static void viewed_release(struct viewed *v)
{
	for (size_t i = 0; v->context && i < v->n; i++)
		free(v->context[i].snapshots);
	free(v->context);
	free(v->contexts);
}

/* The number of objects that one object of the view would have stood for. */
static double unit_of(const struct model_context *c)
{
	double size = c->objects > 0 ? c->bytes / c->objects : 0;
	double unit = c->sampled ? c->objects / (double)c->sampled : 1;

	if (c->view->interval > 0 && size > 0)
		unit = fmax(unit, 1 / -expm1(-size / c->view->interval));
	return unit;
}

static void add_context(struct viewed *v, struct live_heap *a, const struct model_context *from)
{
	struct model_context *to = &v->context[v->n];
	double unit = unit_of(from);

	v->contexts[v->n++] = to;
	*to = *from;
	to->objects = to->bytes = 0;
	to->nsnapshots = to->snapshots_seen = 0;
	to->snapshots = xmallocarray(from->nalive, sizeof(struct model_snapshot *));
	for (size_t i = 0; i < from->nalive; i++) {
		struct model_snapshot *l = from->alive[i];
		double bytes = observations_object_bytes(from, l->array_length);
		double more = l->weight * (l->weight - 1);
		to->objects += l->weight;
		to->bytes += l->weight * bytes;
		v->objects_variance += fmax(0, more);
		v->bytes_variance += fmax(0, more) * bytes * bytes;
		v->partly |= more > 0 || (l->flags & (WIRE_UNSEEN | WIRE_HASHED | WIRE_LOCKED));
		if (!(l->flags & WIRE_UNSEEN))
			to->snapshots[to->nsnapshots++] = l;
	}
	a->sampled += from->nalive;
	a->objects += to->objects;
	a->bytes += to->bytes;
	if (unit > v->unit) {
		v->unit = unit;
		v->unit_bytes = from->objects > 0 ? from->bytes / from->objects : 0;
	}
}

static void view_make(struct viewed *v, struct live_heap *a, struct model_context *const *contexts,
		      size_t n)
{
	*v = (struct viewed){
		.context = xcalloc(n, sizeof *v->context),
		.contexts = xcalloc(n, sizeof(struct model_context *)),
	};
	for (size_t i = 0; i < n; i++) {
		v->unheld |= is_unheld(contexts[i]);
		if (in_view(contexts[i]))
			add_context(v, a, contexts[i]);
	}
}

/* ---- measuring ----------------------------------------------------------------------------- */

/*
 * From the lower bound with the fewest bytes that may be alive, to the upper bound with the most.
 */
static struct bounds_range saved_range(const struct live_heap *a, const struct groups *g,
				       bool whole, double most, double unchanged)
{
	struct bounds_range range = { 0, a->bytes_range.high };
	/* fmin ignores NAN: no limit */
	double covered = fmin(whole ? 1 : g->covered_bytes.low, most);

	if (isnan(g->covered_bytes.low)) /* fewer than two were seen */
		return range;
	range.low = fmax(0, a->bytes_range.low * covered * unchanged - g->contents_bytes);
	range.high = fmax(range.low, a->bytes_range.high - g->least_bytes);
	return range;
}

static void measure_dedup(struct live_heap *a, const struct viewed *v,
			  const struct live_heap_options *o)
{
	const struct bounds_range error = {
		a->bytes > 0 ? a->bytes_range.low / a->bytes : 1,
		a->bytes > 0 ? a->bytes_range.high / a->bytes : 1,
	};

	dedup_measure(&a->dedup, v->contexts, v->n, a->objects, &error, o->z, o->seed);
}

static void measure(struct live_heap *a, const struct viewed *v, const struct live_heap_options *o)
{
	struct rng rng = { rng_mix(o->seed + 4) };
	struct deep_options how = { .objects = a->objects, .z = o->z, .seed = o->seed + 5 };
	struct groups groups;
	struct deep deep;

	observations_of_snapshots(&groups, v->contexts, v->n, NULL, a->objects, o->z, &rng);
	deep_measure(&deep, v->contexts, v->n, &how);
	a->saved = saved_range(a, &groups, !v->partly, o->most, o->unchanged);
	a->saved_deep = a->saved;
	if (!deep.same) /* it is unknown whether all references were followed */
		a->saved_deep =
			saved_range(a, &deep.groups, false, o->most_deep, o->stability_deep);
	if (o->strings)
		measure_dedup(a, v, o);
}

void live_heap_measure(struct live_heap *a, struct model_context *const *contexts, size_t n,
		       const struct live_heap_options *options)
{
	struct estimate objects, bytes;
	struct viewed v;

	*a = (struct live_heap){ 0, 0, 0, none, none, none, none, none };
	view_make(&v, a, contexts, n);
	if (v.n == 0 || v.unheld) {
		a->objects = a->bytes = NAN;
	} else {
		objects = estimate_amount(a->objects, v.objects_variance, v.unit, options->z);
		bytes = estimate_amount(a->bytes, v.bytes_variance, v.unit * v.unit_bytes,
					options->z);
		a->objects_range = objects.range;
		a->bytes_range = bytes.range;
		measure(a, &v, options);
	}
	viewed_release(&v);
}
