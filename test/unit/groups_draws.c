/* SPDX-License-Identifier: Apache-2.0 */
/* groups_draws.c - see groups_draws.h. */
#include "groups_draws.h"

static struct observation observations[GROUPS_MOST];

struct groups groups_of(draw_fn *draw, size_t n, double objects, uint64_t seed)
{
	struct rng rng = { seed };
	struct groups g;

	for (size_t i = 0; i < n; i++) {
		observations[i] = draw(i, &rng);
		observations[i].content = rng_mix(observations[i].content + 1);
		if (observations[i].weight == 0)
			observations[i].weight = 1;
		if (observations[i].bytes == 0)
			observations[i].bytes = 32;
	}
	groups_measure(&g, observations, n, objects, GROUPS_Z, &rng);
	return g;
}

double least_saved(const struct groups *g, double objects)
{
	return groups_saved(&g->covered, g->contents, g->least, objects).low;
}

double least_saved_bytes(const struct groups *g, double bytes)
{
	return groups_saved(&g->covered_bytes, g->contents_bytes, g->least_bytes, bytes).low;
}

struct observation draw_all_same(size_t i, struct rng *rng)
{
	(void)i;
	(void)rng;
	return (struct observation){ .content = 5 };
}

struct observation draw_all_distinct(size_t i, struct rng *rng)
{
	(void)rng;
	return (struct observation){ .content = i };
}

struct observation draw_three_quarters(size_t i, struct rng *rng)
{
	return (struct observation){ .content = rng_unit(rng) < 0.75 ? 0 : i + 1 };
}

struct observation draw_ten_groups(size_t i, struct rng *rng)
{
	(void)i;
	return (struct observation){ .content = rng_below(rng, 10) };
}

/* Each length has one content; the hash is the same for all lengths. */
struct observation draw_hundred_lengths(size_t i, struct rng *rng)
{
	(void)i;
	return (struct observation){ .array_length = rng_below(rng, 100) };
}

struct observation draw_all_same_refs(size_t i, struct rng *rng)
{
	(void)rng;
	return (struct observation){ .refs = true, .epoch = (uint32_t)(i / 100) };
}

struct observation draw_thin_refs(size_t i, struct rng *rng)
{
	(void)rng;
	return (struct observation){ .refs = true, .epoch = (uint32_t)(i / (GROUPS_EPOCH - 1)) };
}

/*
 * Two thirds of an epoch's objects refer to one object, which has another address in the next
 * epoch.
 */
struct observation draw_moving_refs(size_t i, struct rng *rng)
{
	return (struct observation){ .refs = true,
				     .epoch = (uint32_t)(i / 200),
				     .content = rng_below(rng, 3) ? i / 200 : 1000000 + i };
}

/* A tenth are empty; the others hold references, with too few objects in each epoch. */
struct observation draw_mostly_thin_refs(size_t i, struct rng *rng)
{
	bool refs = rng_below(rng, 10) > 0;

	return (struct observation){ .refs = refs,
				     .epoch = (uint32_t)(i / 8),
				     .content = refs ? i : 0 };
}

/* Nine tenths are empty; the others hold references to one object in each epoch. */
struct observation draw_mostly_empty(size_t i, struct rng *rng)
{
	bool refs = rng_below(rng, 10) == 0;

	return (struct observation){ .refs = refs, .epoch = (uint32_t)(i / 8), .content = refs };
}

/*
 * Ten phases with one content each; one object in a hundred has a reference that is not null. The
 * epochs of these must not make the rest look like one group.
 */
struct observation draw_phases_with_few_refs(size_t i, struct rng *rng)
{
	bool refs = rng_below(rng, 100) == 0;

	return (struct observation){ .refs = refs,
				     .epoch = (uint32_t)(i / 100),
				     .content = refs ? i : 1000000 + i / 1000 };
}

struct observation draw_partial(size_t i, struct rng *rng)
{
	(void)i;
	(void)rng;
	return (struct observation){ .partial = true };
}

/* Every third object is large, and hashed in part; the others are all the same. */
struct observation draw_partly_partial(size_t i, struct rng *rng)
{
	(void)rng;
	return (struct observation){ .partial = i % 3 == 0 };
}

/* One snapshot per epoch, and a content that occurs in every other epoch. */
struct observation draw_every_other_epoch(size_t i, struct rng *rng)
{
	(void)rng;
	return (struct observation){ .epoch = (uint32_t)i, .content = i & 1 };
}

/* A fifth of the objects are alike, but they have as many samples as the others together. */
struct observation draw_weighted(size_t i, struct rng *rng)
{
	(void)rng;
	return (struct observation){ .content = i & 1 ? 0 : i, .weight = i & 1 ? 1 : 4 };
}

/* Nine of ten are small and the same; the tenth is distinct and has nearly all the bytes. */
struct observation draw_large_ones_differ(size_t i, struct rng *rng)
{
	bool large = rng_below(rng, 10) == 0;

	return (struct observation){ .content = large ? i + 1 : 0,
				     .array_length = large,
				     .bytes = large ? 100000 : 16 };
}
