/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sights.c - see sights.h. A context with much evidence was thinned more than another, and looks fall
 * out where time lacks. So each context's weights are scaled to the objects that it allocated.
 */
#include "sights.h"

#include <stdlib.h>

/* Bytes of an object of this extent, as counted at its allocation. */
static double object_bytes(const struct model_context *c, uint32_t extent)
{
	size_t low = 0, high = c->nstrata;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (c->strata[middle].extent < extent)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < c->nstrata && c->strata[low].extent == extent)
		return (double)c->strata[low].size;
	if (c->nstrata && c->strata[c->nstrata - 1].extent == MODEL_OTHER_SIZES)
		return (double)c->strata[c->nstrata - 1].size;
	return c->objects > 0 ? c->bytes / c->objects : 0;
}

static struct sight sight_of_look(const struct model_context *c, const struct model_look *l)
{
	return (struct sight){ .content = l->content,
			       .weight = l->weight,
			       .bytes = object_bytes(c, l->extent),
			       .extent = l->extent,
			       .epoch = l->epoch,
			       .jvm = c->jvm,
			       .refs = l->flags & WIRE_REFS,
			       .partial = l->flags & WIRE_PARTIAL };
}

static struct sight sight_of_use(const struct model_context *c, const struct model_use *u)
{
	return (struct sight){ .content = u->content,
			       .weight = u->weight,
			       .bytes = object_bytes(c, u->extent),
			       .extent = u->extent,
			       .epoch = u->epoch,
			       .jvm = c->jvm,
			       .refs = u->flags & WIRE_REFS,
			       .partial = u->flags & WIRE_PARTIAL };
}

/* The factor of the weights of a context, of which observed ones sum to `weights`. */
static double scale_of(const struct model_context *c, double weights)
{
	return c->objects > 0 && weights > 0 ? c->objects / weights : 1;
}

static void add_looks(struct sight *to, const struct model_context *c)
{
	double sum = 0;

	for (size_t i = 0; i < c->nlooks; i++)
		sum += c->looks[i]->weight;
	for (size_t i = 0; i < c->nlooks; i++) {
		to[i] = sight_of_look(c, c->looks[i]);
		to[i].weight *= scale_of(c, sum);
	}
}

static void add_uses(struct sight *to, const struct model_context *c)
{
	double sum = 0;

	for (size_t i = 0; i < c->nuses; i++)
		sum += c->uses[i]->weight;
	for (size_t i = 0; i < c->nuses; i++) {
		to[i] = sight_of_use(c, c->uses[i]);
		to[i].weight *= scale_of(c, sum);
	}
}

int sights_of_looks(struct groups *groups, struct model_context *const *contexts, size_t n,
		    double objects, double z, struct rng *rng)
{
	size_t all = 0, k = 0;

	for (size_t i = 0; i < n; i++)
		all += contexts[i]->nlooks;
	struct sight *sights = calloc(all ? all : 1, sizeof *sights);
	if (!sights)
		return -1;
	for (size_t i = 0; i < n; k += contexts[i++]->nlooks)
		add_looks(sights + k, contexts[i]);
	groups_measure(groups, sights, all, objects, z, rng);
	free(sights);
	return 0;
}

int sights_of_uses(struct groups *groups, struct model_context *const *contexts, size_t n,
		   double objects, double z, struct rng *rng)
{
	size_t all = 0, k = 0;

	for (size_t i = 0; i < n; i++)
		all += contexts[i]->nuses;
	struct sight *sights = calloc(all ? all : 1, sizeof *sights);
	if (!sights)
		return -1;
	for (size_t i = 0; i < n; k += contexts[i++]->nuses)
		add_uses(sights + k, contexts[i]);
	groups_measure(groups, sights, all, objects, z, rng);
	free(sights);
	return 0;
}
