/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deep.c - see deep.h. It copies contexts and replaces the hash and the flags of the content by
 * those of the deep content. Code that measures contents then measures deep contents.
 */
#include "analyse/replica/deep.h"

#include <math.h>
#include <stdlib.h>

#include "analyse/replica/observations.h"
#include "analyse/replica/pairing.h"
#include "base/rng.h"

/* Contexts whose contents are replaced by deep contents. */
struct view {
	struct model_context *context;
	struct model_context **contexts; /* pointers to `context` */
	void **memory;			 /* of their snapshots */
	size_t n;
};

static void view_release(struct view *v)
{
	for (size_t i = 0; v->memory && i < v->n; i++)
		free(v->memory[i]);
	for (size_t i = 0; v->context && i < v->n; i++)
		free(v->context[i].snapshots);
	free(v->memory);
	free(v->contexts);
	free(v->context);
}

/* One slot, so that unequal contents differ in a slot. */
static void fill_snapshot(struct model_snapshot *to, const struct model_snapshot *from)
{
	unsigned flags = from->flags & ~(unsigned)(WIRE_REFS | WIRE_PARTIAL);

	*to = *from;
	to->content = from->deep;
	to->flags = (uint16_t)(flags | (from->flags & WIRE_DEEP_REFS ? WIRE_REFS : 0u) |
			       (from->flags & WIRE_DEEP_CUT ? WIRE_PARTIAL : 0u));
	to->nslots = 1;
	to->zeros = 0;
	to->slot[0] = (uint32_t)from->deep;
}

/* Copies context i, with those of its snapshots that have deep contents. */
static int fill_context(struct view *v, size_t i, const struct model_context *from)
{
	struct model_context *to = &v->context[i];
	size_t size = (sizeof(struct model_snapshot) + sizeof(uint32_t) + 7) / 8 * 8;
	size_t n = from->nsnapshots ? from->nsnapshots : 1;

	*to = *from;
	v->contexts[i] = to;
	to->nsnapshots = 0;
	to->snapshots = malloc(n * sizeof(struct model_snapshot *));
	unsigned char *memory = v->memory[i] = malloc(n * size);
	if (!to->snapshots || !memory)
		return -1;
	for (size_t k = 0; k < from->nsnapshots; k++) {
		if (!(from->snapshots[k]->flags & WIRE_DEEP))
			continue;
		struct model_snapshot *snapshot =
			(struct model_snapshot *)(memory + to->nsnapshots * size);
		fill_snapshot(snapshot, from->snapshots[k]);
		to->snapshots[to->nsnapshots++] = snapshot;
	}
	/* keeps the factor of downsampling: what is left out here was not left out at random */
	if (from->nsnapshots)
		to->snapshots_seen = from->snapshots_seen * to->nsnapshots / from->nsnapshots;
	return 0;
}

static int view_make(struct view *v, struct model_context *const *contexts, size_t n)
{
	*v = (struct view){
		.context = calloc(n, sizeof *v->context),
		.contexts = calloc(n, sizeof(struct model_context *)),
		.memory = calloc(n, sizeof(void *)),
		.n = n,
	};
	if (!v->context || !v->contexts || !v->memory)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (fill_context(v, i, contexts[i]) < 0)
			return -1;
	return 0;
}

/* Treats contents that were cut as complete. */
static void view_believe(struct view *v)
{
	for (size_t i = 0; i < v->n; i++)
		for (size_t k = 0; k < v->context[i].nsnapshots; k++)
			v->context[i].snapshots[k]->flags &= (uint16_t)~WIRE_PARTIAL;
}

/* ---- measuring ----------------------------------------------------------------------------- */

static int measure_pairs(struct deep *d, const struct view *v, const struct deep_options *o)
{
	for (size_t i = 0; i < v->n; i++) {
		const struct model_context *c = &v->context[i];
		uint64_t id = (uint64_t)c->jvm << 32 | c->id;
		struct rng rng = { rng_mix(o->seed + rng_mix(id + rng_mix(2))) };
		struct pairs pairs;
		if (pairing_snapshots(&pairs, c, &rng) < 0)
			return -1;
		int result = combine_add(&d->pairs, c, o->share[i], &pairs);
		pairs_release(&pairs);
		if (result < 0)
			return -1;
	}
	combine_finish(&d->pairs, o->z, &d->equal);
	return 0;
}

/* Sets the largest group to that of `seen`; the lower end stays the proven one. */
static void widen_largest(struct groups *proven, const struct groups *seen)
{
	double low = isnan(proven->largest) ? 0 : proven->largest_range.low;

	if (isnan(seen->largest))
		return;
	proven->largest = seen->largest;
	proven->largest_range.low = fmin(low, seen->largest);
	proven->largest_range.high = seen->largest_range.high;
}

static int measure_groups(struct deep *d, struct view *v, const struct deep_options *o)
{
	struct rng rng = { rng_mix(o->seed + 1) }, same = rng;
	struct groups seen;

	if (observations_of_snapshots(&d->groups, v->contexts, v->n, o->change, o->objects, o->z,
				      &rng) < 0)
		return -1;
	d->at_end = d->groups;
	if (o->change && observations_of_snapshots(&d->at_end, v->contexts, v->n, NULL, o->objects,
						   o->z, &same) < 0)
		return -1;
	if (!(d->cut > 0))
		return 0;
	view_believe(v);
	if (observations_of_snapshots(&seen, v->contexts, v->n, o->change, o->objects, o->z, &rng) <
	    0)
		return -1;
	widen_largest(&d->groups, &seen);
	return 0;
}

static void count(struct deep *d, struct model_context *const *contexts, size_t n)
{
	double cut = 0, all = 0;
	unsigned flags = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < contexts[i]->nsnapshots; k++) {
			const struct model_snapshot *l = contexts[i]->snapshots[k];
			flags |= l->flags;
			if (!(l->flags & WIRE_DEEP))
				continue;
			d->scanned++;
			all += l->weight;
			cut += l->flags & WIRE_DEEP_CUT ? l->weight : 0;
		}
	d->cut = all > 0 ? fmin(1, cut / all) : NAN;
	d->same = !(flags & WIRE_REFS);
}

int deep_measure(struct deep *d, struct model_context *const *contexts, size_t n,
		 const struct deep_options *options)
{
	struct view v;

	*d = (struct deep){ .cut = NAN };
	count(d, contexts, n);
	if (d->same || d->scanned == 0)
		return 0;
	int result = view_make(&v, contexts, n);
	if (result == 0 && options->share)
		result = measure_pairs(d, &v, options);
	if (result == 0)
		result = measure_groups(d, &v, options);
	view_release(&v);
	return result;
}
