/* SPDX-License-Identifier: Apache-2.0 */
/*
 * differing_fields.c - see differing_fields.h.
 *
 * A set of positions explains a pair if the pair differs only in the set. Adding positions one by
 * one fails if two of them always differ together: neither alone explains a single pair. So the
 * search starts with all positions that ever differ, and removes the one that explains least, as
 * long as enough is explained.
 */
#include "analyse/replica/differing_fields.h"

#include <math.h>
#include <stdlib.h>

#include "base/grow.h"
#include "base/order.h"
#include "wire/wire.h"

#define ENOUGH	   0.9 /* share of the unequal pairs that must be explained */
#define FEW_FIELDS 4   /* this many positions are named even if fewer would be enough */

int differing_add(struct differing_fields *a, const struct differing_pair *pair)
{
	if (!GROW(a->pairs, a->n, a->room, 64))
		return -1;
	a->pairs[a->n++] = *pair;
	return 0;
}

void differing_release(struct differing_fields *a)
{
	free(a->pairs);
	*a = (struct differing_fields){ 0 };
}

/* Identifies pairs whose slots mean the same. */
static uint64_t family(const struct differing_pair *p)
{
	return p->positions <= WIRE_SLOTS ? 0 : p->positions;
}

static int compare_families(const void *a, const void *b)
{
	uint64_t x = family(a), y = family(b);

	return ORDER(x, y);
}

/* Moves the pairs of the heaviest family to the front of `pairs`; *members is their number. */
static const struct differing_pair *heaviest(struct differing_pair *pairs, size_t n,
					     size_t *members)
{
	const struct differing_pair *best = pairs;
	double most = -1;

	*members = 0;
	if (n == 0)
		return best;
	qsort(pairs, n, sizeof *pairs, compare_families);
	for (size_t first = 0, next; first < n; first = next) {
		double weight = 0;
		for (next = first; next < n && family(&pairs[next]) == family(&pairs[first]);)
			weight += pairs[next++].weight;
		if (weight > most) {
			most = weight;
			best = &pairs[first];
			*members = next - first;
		}
	}
	return best;
}

/*
 * Whether a set explains why a pair is unequal. False if no slot differs: the difference was not
 * seen.
 */
static bool explains(uint32_t set, const struct differing_pair *p)
{
	return !p->equal && p->differ && (p->differ & ~set) == 0;
}

static double explained(const struct differing_pair *pairs, size_t n, uint32_t set)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		if (explains(set, &pairs[i]))
			sum += pairs[i].weight;
	return sum;
}

/* The slot of the set whose removal loses least; *loss receives the weight that is lost. */
static uint32_t least_slot(const struct differing_pair *pairs, size_t n, uint32_t set, double *loss)
{
	double lost[WIRE_SLOTS] = { 0 };
	uint32_t least = 0;

	for (size_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < WIRE_SLOTS && explains(set, &pairs[i]); k++)
			if (pairs[i].differ >> k & 1)
				lost[k] += pairs[i].weight;
	*loss = -1;
	for (uint32_t k = 0; k < WIRE_SLOTS; k++)
		if (set >> k & 1 && (*loss < 0 || lost[k] < *loss)) {
			least = k;
			*loss = lost[k];
		}
	return least;
}

/*
 * Chooses the set. If at most `few` positions differ, all are named. Otherwise positions are
 * removed one by one; if more than `most` remain, the objects do not differ in a few positions.
 */
static uint32_t choose(const struct differing_pair *pairs, size_t n, double unequal, unsigned few,
		       unsigned most)
{
	uint32_t set = 0;

	for (size_t i = 0; i < n; i++)
		set |= pairs[i].equal ? 0 : pairs[i].differ;
	double sum = explained(pairs, n, set);
	if (!(sum >= ENOUGH * unequal))
		return 0;
	while (set) {
		double loss;
		uint32_t slot = least_slot(pairs, n, set, &loss);
		bool many = (unsigned)__builtin_popcount(set) > few;
		if (sum - loss < ENOUGH * unequal || (loss > 0 && !many))
			break;
		set &= ~(UINT32_C(1) << slot);
		sum -= loss;
	}
	return (unsigned)__builtin_popcount(set) <= most ? set : 0;
}

/* A share of sums that were added in different orders; nearly all is 1. */
static double share_of(double part, double all)
{
	return part > all * (1 - 1e-9) ? 1 : part / all;
}

void differing_find(const struct differing_fields *a, bool array, struct replica_differing *found)
{
	double all = 0, unequal = 0, unseen = 0, differing = 0;
	size_t n;
	const struct differing_pair *p = heaviest(a->pairs, a->n, &n);

	*found = (struct replica_differing){ .pairs = n };
	for (size_t i = 0; i < n; i++) {
		all += p[i].weight;
		found->unequal += !p[i].equal;
		unequal += p[i].equal ? 0 : p[i].weight;
		unseen += p[i].equal || p[i].differ ? 0 : p[i].weight;
		if (!p[i].equal && p[i].nslots)
			differing += p[i].weight * __builtin_popcount(p[i].differ) / p[i].nslots;
		if (p[i].nslots > found->compared)
			found->compared = p[i].nslots;
		if (p[i].positions > found->positions)
			found->positions = p[i].positions;
	}
	if (!(all > 0))
		return;
	unsigned half = found->compared / 2;
	unsigned few = array || half < FEW_FIELDS ? half : FEW_FIELDS;
	found->slots = unequal > 0 ? choose(p, n, unequal, few, half) : 0;
	found->equal = share_of(all - unequal, all);
	found->without = share_of(all - unequal + explained(p, n, found->slots), all);
	found->unseen = share_of(unseen, all);
	found->differing = unequal > 0 ? share_of(differing, unequal) : NAN;
}
