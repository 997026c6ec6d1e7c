/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deep.c - see deep.h. It copies contexts and replaces the hash and the flags of the content by
 * those of the deep content. Code that measures contents then measures deep contents.
 */
#include "analyse/replica/deep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/replica/decide.h"
#include "analyse/replica/dedup.h"
#include "analyse/replica/observations.h"
#include "analyse/replica/pairing.h"
#include "analyse/replica/replica_saved.h"
#include "analyse/replica/stability.h"
#include "analyse/replica/verdict.h"
#include "base/rng.h"
#include "base/xmalloc.h"

/* ---- figures and verdict of deep contents; values and arrays of strings. */

static const struct replica_interval none = { NAN, NAN };

static struct replica_interval interval(struct bounds_range range)
{
	return (struct replica_interval){ range.low, range.high };
}

static void set_nothing(struct replica *row)
{
	row->deep_cut = row->covered_deep_high = NAN;
	row->deep = replica_no_contents;
	row->dedup_ci = none;
}

/* Nothing refers to anything: deep contents equal contents. */
static void set_same(struct replica *row)
{
	row->deep = row->own;
	row->deep_cut = row->own.scanned ? 0 : NAN;
}

/* Applies a limit, since only contents that last can be merged; NAN is no limit. */
static void limit(struct bounds_range *range, const struct bounds_range *lasting)
{
	range->low = fmin(range->low, lasting->low);
	range->high = isnan(range->high) ? NAN : fmin(range->high, lasting->high);
}

/* With fewer snapshots the bounds are too wide to rank rows. */
static void set_saved(struct replica *row, const struct deep *d, const struct stability *u,
		      const struct replica_deep_input *in)
{
	struct saved_of of = saved_of(in->contexts, in->n, in->z);
	struct stability_least least = { 0, 0, 0 };
	struct replica_interval *objects = &row->deep.saved_objects_ci;
	struct saved saved;

	if (row->constant_referred && !in->identity)
		least = stability_least(u, row->constant_class);
	row->stability_deep = least.bytes;
	if (row->deep.scanned < in->options->min_pairs)
		return;
	saved_measure(&saved, &d->groups, &d->at_end, &least, &of);
	replica_set_saved(&row->deep, &saved);
	if (!isnan(objects->low)) /* a share of objects is not a share of bytes */
		objects->high =
			fmax(objects->low, fmin(objects->high, row->objects * in->lasting.high));
	if (!(row->own.saved_bytes >= row->deep.saved_bytes)) /* then these are the row's */
		memcpy(row->others, saved.others, sizeof row->others);
	if (!(row->saved_end_bytes >= saved.end_bytes)) {
		row->saved_end_bytes = saved.end_bytes;
		row->used_alike = u->seen;
		row->used_same = u->same;
	}
}

static void set_groups(struct replica *row, struct deep *d, const struct stability *u,
		       const struct replica_deep_input *in)
{
	struct groups *g = &d->groups;

	row->deep.scanned = d->scanned;
	row->deep_cut = d->cut;
	replica_set_groups(&row->deep, g);
	row->covered_deep_high = g->covered.high;
	limit(&g->covered, &in->lasting);
	limit(&g->covered_bytes, &in->lasting);
	limit(&d->at_end.covered, &in->lasting);
	limit(&d->at_end.covered_bytes, &in->lasting);
	set_saved(row, d, u, in);
}

/*
 * Sets the verdict of deep contents. That referred objects did not change is concluded only from
 * the types of fields. A use shows just one moment: a list is empty when it is used first, and may
 * be empty again at the end.
 */
static void set_verdict(struct replica *row, const struct stability *u,
			const struct replica_deep_input *in)
{
	struct decide_input decide = {
		.contexts = in->contexts,
		.n = in->n,
		.change = in->change,
		.deep = true,
		.unchanged = u,
		.constant = row->constant_class,
		.identity = in->identity,
		.referred = !row->constant_referred,
		.equal_low = NAN,
		.values_low = NAN,
		.options = in->options,
	};

	decide_measure(&row->deep.decision, &decide);
	row->deep.verdict = row->deep.decision.verdict;
}

static void add_strings(struct replica *row, const struct replica_deep_input *in)
{
	const struct bounds_range exact = { 1, 1 };
	struct bounds_range saved;

	if (row->details)
		values_rank(&row->details->values, &row->details->nvalues, in->contexts, in->n);
	if (!row->by_value || row->deep.scanned < 2 * in->options->min_pairs)
		return;
	dedup_measure(&saved, in->contexts, in->n, row->objects, &exact, in->z, in->options->seed);
	row->dedup_ci = interval(saved);
}

void replica_add_deep(struct replica *row, const struct replica_deep_input *in)
{
	struct deep d;
	struct stability u;
	struct deep_options options = {
		.objects = row->objects,
		.share = in->share,
		.change = in->change,
		.z = in->z,
		.seed = in->options->seed,
	};

	set_nothing(row);
	row->by_value = in->n > 0 && dedup_applies(in->contexts[0]->class);
	deep_measure(&d, in->contexts, in->n, &options);
	row->refers = !d.same;
	if (d.same) {
		set_same(row);
		return;
	}
	if (d.scanned == 0)
		return;
	stability_measure(&u, in->contexts, in->n,
			  row->constant_referred ? STABILITY_DEEP_FIXED : STABILITY_DEEP, in->z);
	set_groups(row, &d, &u, in);
	set_verdict(row, &u, in);
	add_strings(row, in);
}

/* Contexts whose contents are replaced by deep contents. */
struct deep_copy {
	struct model_context *context;
	struct model_context **contexts; /* pointers to `context` */
	void **memory;			 /* of their snapshots */
	size_t n;
};

static void deep_copy_release(struct deep_copy *v)
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
static void fill_context(struct deep_copy *v, size_t i, const struct model_context *from)
{
	struct model_context *to = &v->context[i];
	size_t size = (sizeof(struct model_snapshot) + sizeof(uint32_t) + 7) / 8 * 8;

	*to = *from;
	v->contexts[i] = to;
	to->nsnapshots = 0;
	to->snapshots = xmallocarray(from->nsnapshots, sizeof(struct model_snapshot *));
	unsigned char *memory = v->memory[i] = xmallocarray(from->nsnapshots, size);
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
}

static void deep_copy_make(struct deep_copy *v, struct model_context *const *contexts, size_t n)
{
	*v = (struct deep_copy){
		.context = xcalloc(n, sizeof *v->context),
		.contexts = xcalloc(n, sizeof(struct model_context *)),
		.memory = xcalloc(n, sizeof(void *)),
		.n = n,
	};
	for (size_t i = 0; i < n; i++)
		fill_context(v, i, contexts[i]);
}

/* Treats contents that were cut as complete. */
static void deep_copy_believe(struct deep_copy *v)
{
	for (size_t i = 0; i < v->n; i++)
		for (size_t k = 0; k < v->context[i].nsnapshots; k++)
			v->context[i].snapshots[k]->flags &= (uint16_t)~WIRE_PARTIAL;
}

/* ---- measuring ----------------------------------------------------------------------------- */

static void measure_pairs(struct deep *d, const struct deep_copy *v, const struct deep_options *o)
{
	for (size_t i = 0; i < v->n; i++) {
		const struct model_context *c = &v->context[i];
		uint64_t id = (uint64_t)c->jvm << 32 | c->id;
		struct rng rng = { rng_mix(o->seed + rng_mix(id + rng_mix(2))) };
		struct pairs pairs;
		pairing_snapshots(&pairs, c, &rng);
		combine_add(&d->pairs, c, o->share[i], &pairs);
		pairs_release(&pairs);
	}
	combine_finish(&d->pairs, o->z, &d->equal);
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

static void measure_groups(struct deep *d, struct deep_copy *v, const struct deep_options *o)
{
	struct rng rng = { rng_mix(o->seed + 1) }, same = rng;
	struct groups seen;

	observations_of_snapshots(&d->groups, v->contexts, v->n, o->change, o->objects, o->z, &rng);
	d->at_end = d->groups;
	if (o->change)
		observations_of_snapshots(&d->at_end, v->contexts, v->n, NULL, o->objects, o->z,
					  &same);
	if (!(d->cut > 0))
		return;
	deep_copy_believe(v);
	observations_of_snapshots(&seen, v->contexts, v->n, o->change, o->objects, o->z, &rng);
	widen_largest(&d->groups, &seen);
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

void deep_measure(struct deep *d, struct model_context *const *contexts, size_t n,
		  const struct deep_options *options)
{
	struct deep_copy v;

	*d = (struct deep){ .cut = NAN };
	count(d, contexts, n);
	if (d->same || d->scanned == 0)
		return;
	deep_copy_make(&v, contexts, n);
	if (options->share)
		measure_pairs(d, &v, options);
	measure_groups(d, &v, options);
	deep_copy_release(&v);
}
