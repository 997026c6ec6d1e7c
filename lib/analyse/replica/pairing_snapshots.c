/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pairing_snapshots.c - pairs of snapshots of whole objects, compared as a whole and in one random
 * slot.
 */
#include "analyse/replica/pairing_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define THIN_GAIN 1.2 /* downsampling must gain more than the pairs that it costs */

/* ---- weights ------------------------------------------------------------------------------- */

/*
 * Pairs of a heavy and a light object tell little, since the worth of a pair is the product of two
 * weights. So if weights differ much (at the start of a run sampling is denser), light objects are
 * left out at random, and those that stay stand for them. An object stays with probability min(1,
 * w/t), and its weight becomes max(w, t). This does not change any expectation. t is the mean
 * weight as an object sees it. It applies to snapshots only: uses have fewer partners, and would
 * lose more than they gain.
 *
 * `items` are of one size. Returns the number that stay, at the front.
 */
static size_t thin(struct item *items, size_t n, struct rng *rng)
{
	double sum = 0, squares = 0, stay = 0, squares_after = 0;

	for (size_t i = 0; i < n; i++) {
		sum += items[i].weight;
		squares += items[i].weight * items[i].weight;
	}
	double t = sum > 0 ? squares / sum : 0;
	for (size_t i = 0; i < n && t > 0; i++) {
		stay += fmin(1, items[i].weight / t);
		squares_after += items[i].weight * fmax(items[i].weight, t);
	}
	/* pairs, times the square of the effective part of the objects (Kish) */
	double before = pow(sum * sum / squares, 2) / (double)n;
	double after = pow(sum * sum / squares_after, 2) / stay;
	if (!(after > THIN_GAIN * before))
		return n;
	size_t kept = 0;
	for (size_t i = 0; i < n; i++) {
		struct item item = items[i];
		if (rng_unit(rng) >= item.weight / t)
			continue;
		item.weight = fmax(item.weight, t);
		items[kept++] = item;
	}
	return kept;
}

/*
 * Applies it to each size without references; `items` are sorted by size. Returns the number that
 * stay.
 */
static size_t thin_sizes(struct item *items, size_t n, struct rng *rng)
{
	size_t kept = 0;

	for (size_t first = 0, next; first < n; first = next) {
		bool refs = items[first].refs;
		for (next = first + 1;
		     next < n && items[next].array_length == items[first].array_length;)
			refs |= items[next++].refs;
		/* the weights of an epoch are similar already */
		size_t stay = refs ? next - first : thin(items + first, next - first, rng);
		memmove(items + kept, items + first, stay * sizeof *items);
		kept += stay;
	}
	return kept;
}

/*
 * ---- snapshots
 * -----------------------------------------------------------------------------------
 */

uint64_t pairing_positions(const struct model_class *class, uint32_t array_length, uint32_t nslots)
{
	if (class && class->nfields)
		return class->nfields;
	return array_length ? array_length : nslots;
}

/* Bytes that slot k stands for; the elements of an array all have the same size. */
static uint32_t slot_bytes(const struct model_class *class, uint32_t nslots, uint32_t k)
{
	if (!class || !class->nfields || !class->fields)
		return 1;
	uint64_t position = wire_position(pairing_positions(class, 0, nslots), k);
	return position < class->nfields ? class->fields[position].size : 1;
}

/* A random slot, with equal probability for each byte that the slots stand for. */
static uint32_t random_slot(const struct model_class *class, uint32_t nslots, struct rng *rng)
{
	uint32_t bytes = 0, k = 0;

	for (uint32_t i = 0; i < nslots; i++)
		bytes += slot_bytes(class, nslots, i);
	if (bytes == 0)
		return rng_below(rng, nslots);
	for (uint32_t at = rng_below(rng, bytes); k + 1 < nslots; k++) {
		uint32_t size = slot_bytes(class, nslots, k);
		if (at < size)
			break;
		at -= size;
	}
	return k;
}

/* Contents without any position are equal by definition: they cannot differ. */
static enum pair_outcome compare_snapshots(const struct model_class *class,
					   const struct model_snapshot *x,
					   const struct model_snapshot *y, struct rng *rng)
{
	uint32_t nslots = x->nslots < y->nslots ? x->nslots : y->nslots;
	bool partial = (x->flags | y->flags) & WIRE_PARTIAL;

	if (nslots == 0)
		return partial ? PAIR_UNPROVEN : PAIR_EQUAL;
	if (x->content == y->content && !partial)
		return PAIR_EQUAL;
	uint32_t k = random_slot(class, nslots, rng);
	if (x->slot[k] != y->slot[k])
		return PAIR_DIFFERENT;
	bool differ = x->content != y->content ||
		      memcmp(x->slot, y->slot, nslots * sizeof x->slot[0]) != 0;
	return differ ? PAIR_ALIKE : PAIR_UNPROVEN;
}

/* Lists the snapshots that stay, *n of them. */
static struct item *list_items(const struct model_context *c, struct rng *rng, size_t *n)
{
	struct item *items = calloc(c->nsnapshots ? c->nsnapshots : 1, sizeof *items);

	if (!items)
		return NULL;
	for (size_t i = 0; i < c->nsnapshots; i++) {
		const struct model_snapshot *l = c->snapshots[i];
		items[i] = (struct item){ .weight = l->weight,
					  .array_length = l->array_length,
					  .epoch = l->epoch,
					  .index = (uint32_t)i,
					  .refs = l->flags & WIRE_REFS };
	}
	pairing_sort_by_length(items, c->nsnapshots);
	*n = thin_sizes(items, c->nsnapshots, rng);
	return items;
}

int pairing_snapshots(struct pairs *pairs, const struct model_context *c, struct rng *rng)
{
	size_t n;
	struct item *items = list_items(c, rng, &n);

	if (!items)
		return -1;
	int result = pairing_make(pairs, items, n, rng);
	free(items);
	for (size_t i = 0; result == 0 && i < pairs->n; i++) {
		struct pair *p = &pairs->pair[i];
		pairing_set_outcome(p, compare_snapshots(c->class, c->snapshots[p->first],
							 c->snapshots[p->second], rng));
	}
	return result;
}
