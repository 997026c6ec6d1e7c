/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sights.c - see sights.h. A context with much evidence was thinned more than another, and looks
 * fall out where time lacks. So each context's weights are scaled to the objects that it allocated.
 */
#include "analyse/replica/sights.h"

#include <math.h>
#include <stdlib.h>

/* The objects of an extent, as allocated; those of MODEL_OTHER_SIZES where it is one of them; NULL
 * where they were not counted. */
static const struct model_stratum *stratum_of(const struct model_context *c, uint32_t extent)
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
		return &c->strata[low];
	if (c->nstrata && c->strata[c->nstrata - 1].extent == MODEL_OTHER_SIZES)
		return &c->strata[c->nstrata - 1];
	return NULL;
}

double sights_object_bytes(const struct model_context *c, uint32_t extent)
{
	const struct model_stratum *s = stratum_of(c, extent);

	if (s)
		return (double)s->size;
	return c->objects > 0 ? c->bytes / c->objects : 0;
}

/*
 * What a look stands for in the place of samples of the context that nobody looked at: a sample by
 * itself stands for as many objects as there are to a sample, and one that was kept for those that
 * were thinned out with it, at random.
 */
static double others_of(const struct model_context *c, const struct sight *s)
{
	const struct model_stratum *stratum = stratum_of(c, s->extent);
	double thinned = c->looks_seen > c->nlooks ? (double)c->looks_seen / (double)c->nlooks : 1;

	if (!stratum || !stratum->sampled)
		return 0;
	return fmax(0, s->weight - thinned * stratum->objects / (double)stratum->sampled);
}

static struct sight sight_of_look(const struct model_context *c, const struct model_look *l)
{
	return (struct sight){ .content = l->content,
			       .weight = l->weight,
			       .bytes = sights_object_bytes(c, l->extent),
			       .extent = l->extent,
			       .epoch = l->epoch,
			       .jvm = c->jvm,
			       .refs = l->flags & WIRE_REFS,
			       .partial = l->flags & WIRE_PARTIAL,
			       .apart = l->flags & (WIRE_HASHED | WIRE_LOCKED) };
}

/* The value array of a string. Its bytes are not those of an object of the context. */
static struct sight sight_of_array(const struct model_context *c, const struct model_look *l)
{
	return (struct sight){ .content = l->deep,
			       .weight = l->weight,
			       .bytes = l->deep_bytes,
			       .epoch = l->epoch,
			       .jvm = c->jvm,
			       .refs = l->flags & WIRE_DEEP_REFS,
			       .partial = l->flags & WIRE_DEEP_CUT };
}

static struct sight sight_of_use(const struct model_context *c, const struct model_use *u)
{
	return (struct sight){ .content = u->content,
			       .weight = u->weight,
			       .bytes = sights_object_bytes(c, u->extent),
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

/* Returns how many were added. */
static size_t add_looks(struct sight *to, const struct model_context *c)
{
	double sum = 0;

	for (size_t i = 0; i < c->nlooks; i++)
		sum += c->looks[i]->weight;
	for (size_t i = 0; i < c->nlooks; i++) {
		to[i] = sight_of_look(c, c->looks[i]);
		to[i].weight *= scale_of(c, sum);
		to[i].others = others_of(c, &to[i]);
		to[i].block = (uint32_t)(i * GROUPS_BLOCKS / c->nlooks); /* they are as they came */
	}
	return c->nlooks;
}

static bool has_array(const struct model_look *l)
{
	return (l->flags & WIRE_DEEP) && l->deep_bytes > 0;
}

/* Those of the looks that tell its size. */
static size_t add_arrays(struct sight *to, const struct model_context *c)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < c->nlooks; i++)
		if (has_array(c->looks[i])) {
			to[n++] = sight_of_array(c, c->looks[i]);
			sum += c->looks[i]->weight;
		}
	for (size_t i = 0; i < n; i++)
		to[i].weight *= scale_of(c, sum);
	return n;
}

static size_t add_uses(struct sight *to, const struct model_context *c)
{
	double sum = 0;

	for (size_t i = 0; i < c->nuses; i++)
		sum += c->uses[i]->weight;
	for (size_t i = 0; i < c->nuses; i++) {
		to[i] = sight_of_use(c, c->uses[i]);
		to[i].weight *= scale_of(c, sum);
	}
	return c->nuses;
}

typedef size_t add_fn(struct sight *to, const struct model_context *c);

/* Room for `most` sights, filled by `add` from each context; *n receives how many there are. NULL:
 * ENOMEM. */
static struct sight *gather(add_fn *add, struct model_context *const *contexts, size_t ncontexts,
			    size_t most, size_t *n)
{
	struct sight *sights = calloc(most ? most : 1, sizeof *sights);

	*n = 0;
	for (size_t i = 0; sights && i < ncontexts; i++)
		*n += add(sights + *n, contexts[i]);
	return sights;
}

static size_t count_looks(struct model_context *const *contexts, size_t n)
{
	size_t all = 0;

	for (size_t i = 0; i < n; i++)
		all += contexts[i]->nlooks;
	return all;
}

struct sight *sights_list_looks(struct model_context *const *contexts, size_t n, size_t *count)
{
	return gather(add_looks, contexts, n, count_looks(contexts, n), count);
}

struct sight *sights_list_uses(struct model_context *const *contexts, size_t n, size_t *count)
{
	size_t all = 0;

	for (size_t i = 0; i < n; i++)
		all += contexts[i]->nuses;
	return gather(add_uses, contexts, n, all, count);
}

int sights_of_looks(struct groups *groups, struct model_context *const *contexts, size_t n,
		    double objects, double z, struct rng *rng)
{
	size_t all;
	struct sight *sights = sights_list_looks(contexts, n, &all);

	if (!sights)
		return -1;
	groups_measure(groups, sights, all, objects, z, rng);
	free(sights);
	return 0;
}

int sights_of_uses(struct groups *groups, struct model_context *const *contexts, size_t n,
		   double objects, double z, struct rng *rng)
{
	size_t all;
	struct sight *sights = sights_list_uses(contexts, n, &all);

	if (!sights)
		return -1;
	groups_measure(groups, sights, all, objects, z, rng);
	free(sights);
	return 0;
}

int sights_of_arrays(struct groups *groups, double *bytes, struct model_context *const *contexts,
		     size_t n, double objects, double z, struct rng *rng)
{
	size_t all = count_looks(contexts, n);
	struct sight *sights = gather(add_arrays, contexts, n, all, &all);

	if (!sights)
		return -1;
	*bytes = 0;
	for (size_t i = 0; i < all; i++)
		*bytes += sights[i].weight * sights[i].bytes;
	groups_measure(groups, sights, all, objects, z, rng);
	free(sights);
	return 0;
}
