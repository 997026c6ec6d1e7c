/* SPDX-License-Identifier: Apache-2.0 */
/*
 * observations.c - see observations.h.
 *
 * Contexts with much evidence are downsampled more than others, and snapshots are skipped for lack
 * of time. So the weights of each context's snapshots are scaled to the objects that it allocated.
 *
 * This is different if the agent has kept snapshots with unequal probabilities. Then many contexts
 * have one snapshot or none, and nothing would stand for those with none. So a snapshot is weighted
 * by the probability with which it was kept (Horvitz and Thompson). The agent sends its own
 * probability; the model counts how many snapshots of a context it has downsampled away. The
 * weights are then scaled for all contexts of a row together, to the objects that they allocated.
 *
 * The weight of a use is the number of objects between two watches of its context. The uses of each
 * context are scaled to the objects that it allocated.
 */
#include "analyse/replica/observations.h"

#include <math.h>
#include <stdlib.h>

#include "base/xmalloc.h"

/*
 * The objects of an array length, as allocated; those of MODEL_OTHER_SIZES if the length is one of
 * them; NULL if they were not counted.
 */
static const struct model_stratum *stratum_of(const struct model_context *c, uint32_t array_length)
{
	size_t low = 0, high = c->nstrata;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (c->strata[middle].array_length < array_length)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < c->nstrata && c->strata[low].array_length == array_length)
		return &c->strata[low];
	if (c->nstrata && c->strata[c->nstrata - 1].array_length == MODEL_OTHER_SIZES)
		return &c->strata[c->nstrata - 1];
	return NULL;
}

double observations_object_bytes(const struct model_context *c, uint32_t array_length)
{
	const struct model_stratum *s = stratum_of(c, array_length);

	if (s)
		return (double)s->size;
	return c->objects > 0 ? c->bytes / c->objects : 0;
}

/*
 * A sample counts one object without error. It also stands for w - 1 others, whose number has the
 * variance of random sampling.
 */
struct observations_variances observations_variances_of(const struct model_stratum *s)
{
	double variance = fmax(0, s->squares - s->objects), size = (double)s->size;

	return (struct observations_variances){ variance, variance * size * size };
}

struct observations_variances observations_variances(struct model_context *const *contexts,
						     size_t n)
{
	struct observations_variances v = { 0, 0 };

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < contexts[i]->nstrata; k++) {
			struct observations_variances one =
				observations_variances_of(&contexts[i]->strata[k]);
			v.objects += one.objects;
			v.bytes += one.bytes;
		}
	return v;
}

#define UNSEEN 0.1 /* share of the bytes; see observations_interval */

/* The interval at which the object of a snapshot was sampled; 0: there is none. */
static double interval_of(const struct model_snapshot *l, double bytes)
{
	double weight = ldexp(l->weight, -(int)l->exponent);

	/* each object larger than the interval is sampled, so its weight of 1 tells nothing */
	return weight > 1 + 1e-6 ? -bytes / log1p(-1 / weight) : 0;
}

/* A histogram: bytes by interval, with STEPS_IN_TWO bins for each factor of two. */
#define STEPS_IN_TWO 16
struct by_interval {
	double bytes[64 * STEPS_IN_TWO], all;
};

static void add_interval(struct by_interval *b, double interval, double bytes)
{
	const size_t steps = sizeof b->bytes / sizeof *b->bytes;
	double step = fmax(0, floor(log2(interval) * STEPS_IN_TWO));

	b->bytes[(size_t)fmin(step, (double)(steps - 1))] += bytes;
	b->all += bytes;
}

/* The least interval such that at most this share of the bytes was sampled with a larger one. */
static double interval_exceeded_by(const struct by_interval *b, double share)
{
	double above = 0;

	for (size_t i = sizeof b->bytes / sizeof *b->bytes; i > 0; i--) {
		above += b->bytes[i - 1];
		if (above > share * b->all)
			return exp2((double)i / STEPS_IN_TWO);
	}
	return 0;
}

double observations_interval(const struct model *m)
{
	struct by_interval by = { .all = 0 };

	for (size_t i = 0; i < model_ncontexts(m); i++) {
		const struct model_context *c = model_context(m, i);
		for (size_t k = 0; k < c->nsnapshots; k++) {
			const struct model_snapshot *l = c->snapshots[k];
			double size = observations_object_bytes(c, l->array_length);
			double interval = interval_of(l, size);
			if (interval > 0)
				add_interval(&by, interval, l->weight * size);
		}
	}
	return interval_exceeded_by(&by, UNSEEN);
}

/* How many snapshots of the context came, for each that the model has kept. */
static double downsampled(const struct model_context *c)
{
	return c->snapshots_seen > c->nsnapshots && c->nsnapshots
		       ? (double)c->snapshots_seen / (double)c->nsnapshots
		       : 1;
}

/*
 * How many objects one kept snapshot of this size stands for if no object was skipped: those of the
 * mean sample, and of the samples that the agent or the model left out at random. 0: not known.
 */
static double objects_looked_at(const struct model_context *c, uint32_t array_length,
				unsigned exponent)
{
	const struct model_stratum *stratum = stratum_of(c, array_length);

	if (!stratum || !stratum->sampled)
		return 0;
	double sample = stratum->objects / (double)stratum->sampled;
	return downsampled(c) * ldexp(sample, (int)exponent);
}

bool observations_of_several(struct model_context *const *contexts, size_t n)
{
	const struct model_snapshot *first = NULL;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < contexts[i]->nsnapshots; k++) {
			first = first ? first : contexts[i]->snapshots[k];
			if (contexts[i]->snapshots[k]->process != first->process)
				return true;
		}
	return false;
}

/* The part of a snapshot's weight that stands for samples without a snapshot. */
static double others_of(const struct model_context *c, const struct observation *s,
			unsigned exponent)
{
	double looked_at = objects_looked_at(c, s->array_length, exponent);

	return looked_at > 0 ? fmax(0, s->weight - looked_at) : 0;
}

static struct observation observation_of_snapshot(const struct model_context *c,
						  const struct model_snapshot *l)
{
	return (struct observation){ .content = l->content,
				     .weight = l->weight,
				     .bytes = observations_object_bytes(c, l->array_length),
				     .array_length = l->array_length,
				     .epoch = l->epoch,
				     .jvm = l->process,
				     .refs = l->flags & WIRE_REFS,
				     .partial = l->flags & WIRE_PARTIAL,
				     .differing = l->flags & (WIRE_HASHED | WIRE_LOCKED) };
}

/* An observation of a string's value array. Its bytes are the array's, not the string's. */
static struct observation observation_of_array(const struct model_snapshot *l)
{
	return (struct observation){ .content = l->deep,
				     .weight = l->weight,
				     .bytes = l->deep_bytes,
				     .epoch = l->epoch,
				     .jvm = l->process,
				     .refs = l->flags & WIRE_DEEP_REFS,
				     .partial = l->flags & WIRE_DEEP_CUT };
}

static struct observation observation_of_use(const struct model_context *c,
					     const struct model_use *u)
{
	return (struct observation){ .content = u->content,
				     .weight = u->weight,
				     .bytes = observations_object_bytes(c, u->array_length),
				     .array_length = u->array_length,
				     .epoch = u->epoch,
				     .jvm = u->process,
				     .refs = u->flags & WIRE_REFS,
				     .partial = u->flags & WIRE_PARTIAL };
}

/*
 * The factor that scales a context's weights, which sum to `weights`, to the objects it allocated.
 */
static double scale_of(const struct model_context *c, double weights)
{
	return c->objects > 0 && weights > 0 ? c->objects / weights : 1;
}

/* Whether the agent has kept snapshots of these contexts with unequal probabilities. */
static bool kept_unequally(struct model_context *const *contexts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < contexts[i]->nsnapshots; k++)
			if (contexts[i]->snapshots[k]->exponent)
				return true;
	return false;
}

/* The place of `number` among first..end - 1, in blocks. */
static uint32_t block_of(uint32_t number, uint32_t first, uint32_t end)
{
	uint64_t at = number - first, of = end > number ? end - first : at + 1;

	return (uint32_t)(at * GROUPS_BLOCKS / of);
}

/*
 * The time at which snapshot i of a context arrived, in blocks of the recording's snapshots, and in
 * those of its pool if many were merged; without a model, of the context's.
 */
static void set_blocks(struct observation *o, const struct model_context *c, size_t i)
{
	uint32_t number = c->snapshots[i]->number, first, end;

	if (!c->model) {
		o->block = o->own_block = block_of((uint32_t)i, 0, (uint32_t)c->nsnapshots);
		return;
	}
	model_snapshot_pool(c->model, number, &first, &end);
	o->block = block_of(number, 0, model_snapshots(c->model));
	o->own_block = block_of(number, first, end);
}

/*
 * Returns the number added. `alone`: scales the weights to the objects of the context. Otherwise
 * the caller scales those of all contexts together.
 */
static size_t add_snapshots(struct observation *to, const struct model_context *c, bool alone)
{
	double sum = 0;

	for (size_t i = 0; i < c->nsnapshots; i++)
		sum += c->snapshots[i]->weight;
	for (size_t i = 0; i < c->nsnapshots; i++) {
		to[i] = observation_of_snapshot(c, c->snapshots[i]);
		to[i].weight *= alone ? scale_of(c, sum) : downsampled(c);
		to[i].others = others_of(c, &to[i], c->snapshots[i]->exponent);
		set_blocks(&to[i], c, i);
	}
	return c->nsnapshots;
}

static bool has_array(const struct model_snapshot *l)
{
	return (l->flags & WIRE_DEEP) && l->deep_bytes > 0;
}

/* Adds the snapshots in which the size of the array is known. */
static size_t add_arrays(struct observation *to, const struct model_context *c, bool alone)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < c->nsnapshots; i++)
		if (has_array(c->snapshots[i])) {
			to[n++] = observation_of_array(c->snapshots[i]);
			sum += c->snapshots[i]->weight;
		}
	for (size_t i = 0; i < n; i++)
		to[i].weight *= alone ? scale_of(c, sum) : downsampled(c);
	return n;
}

static size_t add_uses(struct observation *to, const struct model_context *c, bool alone)
{
	double sum = 0;

	(void)alone;
	for (size_t i = 0; i < c->nuses; i++)
		sum += c->uses[i]->weight;
	for (size_t i = 0; i < c->nuses; i++) {
		to[i] = observation_of_use(c, c->uses[i]);
		to[i].weight *= scale_of(c, sum);
	}
	return c->nuses;
}

typedef size_t add_fn(struct observation *to, const struct model_context *c, bool alone);

/*
 * Allocates room for `most` observations and calls `add` for each context. *n receives the number
 * of observations.
 */
static struct observation *gather(add_fn *add, struct model_context *const *contexts,
				  size_t ncontexts, size_t most, bool alone, size_t *n)
{
	struct observation *observations = xcalloc(most, sizeof *observations);

	*n = 0;
	for (size_t i = 0; i < ncontexts; i++)
		*n += add(observations + *n, contexts[i], alone);
	return observations;
}

static size_t count_snapshots(struct model_context *const *contexts, size_t n)
{
	size_t all = 0;

	for (size_t i = 0; i < n; i++)
		all += contexts[i]->nsnapshots;
	return all;
}

/* Scales snapshots to the objects that the contexts have allocated. */
static void scale_together(struct observation *o, size_t n, struct model_context *const *contexts,
			   size_t ncontexts)
{
	double objects = 0, sum = 0;

	for (size_t i = 0; i < ncontexts; i++)
		objects += contexts[i]->objects;
	for (size_t i = 0; i < n; i++)
		sum += o[i].weight;
	double scale = objects > 0 && sum > 0 ? objects / sum : 1;
	for (size_t i = 0; i < n; i++) {
		o[i].weight *= scale;
		o[i].others *= scale;
	}
}

/*
 * The share of the bytes whose samples have no snapshot, without those that were left out at
 * random. It is computed size by size: a sample of large objects stands for other numbers of
 * objects and bytes than one of small objects.
 */
static double share_skipped(struct model_context *const *contexts, size_t ncontexts)
{
	double all = 0, looked_at = 0;

	for (size_t i = 0; i < ncontexts; i++) {
		const struct model_context *c = contexts[i];
		for (size_t k = 0; k < c->nstrata; k++)
			all += c->strata[k].objects * (double)c->strata[k].size;
		for (size_t k = 0; k < c->nsnapshots; k++) {
			const struct model_snapshot *l = c->snapshots[k];
			looked_at += objects_looked_at(c, l->array_length, l->exponent) *
				     observations_object_bytes(c, l->array_length);
		}
	}
	return all > 0 ? fmax(0, 1 - looked_at / all) : 0;
}

/*
 * Lowers `others` of all snapshots so that they sum to what was skipped. They are too high if the
 * sampling interval has changed: then a snapshot may weigh more than the mean sample although
 * nothing was skipped.
 */
static void fit_others(struct observation *o, size_t n, struct model_context *const *contexts,
		       size_t ncontexts)
{
	double others = 0, all = 0;

	for (size_t i = 0; i < n; i++) {
		others += o[i].others * o[i].bytes;
		all += o[i].weight * o[i].bytes;
	}
	if (!(others > 0)) /* arrays have no `others` */
		return;
	double skipped = share_skipped(contexts, ncontexts) * all;
	for (size_t i = 0; i < n && others > skipped; i++)
		o[i].others *= skipped / others;
}

/* Makes observations of the snapshots of all contexts, and scales their weights. */
static struct observation *gather_snapshots(add_fn *add, struct model_context *const *contexts,
					    size_t ncontexts, size_t *n)
{
	bool together = kept_unequally(contexts, ncontexts);
	struct observation *o = gather(add, contexts, ncontexts,
				       count_snapshots(contexts, ncontexts), !together, n);

	if (o && together)
		scale_together(o, *n, contexts, ncontexts);
	if (o)
		fit_others(o, *n, contexts, ncontexts);
	return o;
}

struct observation *observations_list_snapshots(struct model_context *const *contexts, size_t n,
						const bool *change, size_t *count)
{
	struct observation *o = gather_snapshots(add_snapshots, contexts, n, count);
	size_t at = 0;

	for (size_t i = 0; o && change && i < n; i++)
		for (size_t k = 0; k < contexts[i]->nsnapshots; k++)
			o[at++].differing |= change[i];
	return o;
}

struct observation *observations_list_uses(struct model_context *const *contexts, size_t n,
					   size_t *count)
{
	size_t all = 0;

	for (size_t i = 0; i < n; i++)
		all += contexts[i]->nuses;
	return gather(add_uses, contexts, n, all, true, count);
}

void observations_of_snapshots(struct groups *groups, struct model_context *const *contexts,
			       size_t n, const bool *change, double objects, double z,
			       struct rng *rng)
{
	size_t all;
	struct observation *observations = observations_list_snapshots(contexts, n, change, &all);

	groups_measure(groups, observations, all, objects, z, rng);
	free(observations);
}

void observations_of_uses(struct groups *groups, struct model_context *const *contexts, size_t n,
			  double objects, double z, struct rng *rng)
{
	size_t all;
	struct observation *observations = observations_list_uses(contexts, n, &all);

	groups_measure(groups, observations, all, objects, z, rng);
	free(observations);
}

void observations_of_arrays(struct groups *groups, double *bytes,
			    struct model_context *const *contexts, size_t n, double objects,
			    double z, struct rng *rng)
{
	size_t all;
	struct observation *observations = gather_snapshots(add_arrays, contexts, n, &all);

	*bytes = 0;
	for (size_t i = 0; i < all; i++)
		*bytes += observations[i].weight * observations[i].bytes;
	groups_measure(groups, observations, all, objects, z, rng);
	free(observations);
}
