/* SPDX-License-Identifier: Apache-2.0 */
/* breakdown.c - see breakdown.h. */
#include "analyse/replica/breakdown.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/grow.h"
#include "base/sort.h"
#include "base/xmalloc.h"
#include "wire/wire.h"

/* ---- tallies --------------------------------------------------------------------------------- */

/* The map's "pointers" are indices into the array, plus one. */

struct tally_entry *tally_at(struct tally *t, uint64_t key)
{
	uintptr_t found = (uintptr_t)idmap_get(&t->index, key);

	if (found)
		return &t->entries[found - 1];
	XGROW(t->entries, t->n, t->room, 8);
	xidmap_put(&t->index, key, (void *)(uintptr_t)(t->n + 1));
	t->entries[t->n] = (struct tally_entry){ .key = key };
	return &t->entries[t->n++];
}

void tally_release(struct tally *t)
{
	free(t->entries);
	idmap_release(&t->index);
	*t = (struct tally){ 0 };
}

/*
 * ---- A set of positions explains a pair if the pair differs only in the set. Adding
 * positions one by one fails if two of them always differ together: neither alone explains a
 * single pair. So the search starts with all positions that ever differ, and removes the one
 * that explains least, as long as enough is explained.
 */

#define ENOUGH	   0.9 /* share of the unequal pairs that must be explained */
#define FEW_FIELDS 4   /* this many positions are named even if fewer would be enough */

void differing_add(struct differing_fields *a, const struct differing_pair *pair)
{
	XGROW(a->pairs, a->n, a->room, 64);
	a->pairs[a->n++] = *pair;
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

/* ---- weights ------------------------------------------------------------------------------- */

/* Pairs of one size and kind; their weights share a factor. */
struct cell {
	size_t first, n;
	double factor; /* weights times this sum to the cell's share of the row's objects */
};

static double cell_share(const struct pairs *pairs, const struct pair *p)
{
	double all = 0, share = 0;

	for (size_t i = 0; i < pairs->nsizes; i++) {
		const struct pair_size *s = &pairs->sizes[i];
		all += s->weight;
		if (s->array_length == p->array_length)
			share = s->weight * s->share[p->kind];
	}
	return all > 0 ? share / all : 0;
}

/* Finds the cell that begins with pair `first`; false after the last. */
static bool next_cell(const struct pairs *pairs, double share, size_t first, struct cell *cell)
{
	double weight = 0;

	*cell = (struct cell){ .first = first };
	for (size_t i = first; i < pairs->n; i++, cell->n++) {
		const struct pair *p = &pairs->pair[i];
		if (p->array_length != pairs->pair[first].array_length ||
		    p->kind != pairs->pair[first].kind)
			break;
		weight += p->weight;
	}
	if (cell->n && weight > 0)
		cell->factor = share * cell_share(pairs, &pairs->pair[first]) / weight;
	return cell->n > 0;
}

static void count_pair(struct tally *t, uint64_t key, bool equal, double weight)
{
	struct tally_entry *e = tally_at(t, key);

	e->pairs++;
	e->equal += equal;
	e->weight += weight;
	e->weight_equal += equal ? weight : 0;
}

/* ---- uses ---------------------------------------------------------------------------------- */

static void add_use_pair(struct breakdown *b, const struct model_context *c, const struct pair *p,
			 double weight)
{
	const struct model_use *x = c->uses[p->first], *y = c->uses[p->second];
	uint64_t jvm = (uint64_t)c->jvm << 32;
	bool equal = p->outcome != PAIR_DIFFERENT;

	count_pair(&b->used, x->position, equal, weight);
	count_pair(&b->accesses, jvm | x->access, equal, weight);
	if (x->access != y->access)
		count_pair(&b->accesses, jvm | y->access, equal, weight);
}

void breakdown_uses(struct breakdown *b, const struct model_context *c, double share,
		    const struct pairs *pairs)
{
	struct cell cell;

	for (size_t i = 0; i < c->nuses; i++) {
		struct tally_entry *e =
			tally_at(&b->accesses, (uint64_t)c->jvm << 32 | c->uses[i]->access);
		e->uses++;
	}
	for (size_t at = 0; next_cell(pairs, share, at, &cell); at += cell.n)
		for (size_t i = at; i < at + cell.n; i++)
			add_use_pair(b, c, &pairs->pair[i], cell.factor * pairs->pair[i].weight);
}

/*
 * ---- snapshots ---------------------------------------------------------------------------------
 */

static void add_snapshot_pair(struct breakdown *b, const struct model_context *c,
			      const struct pair *p, double weight)
{
	const struct model_snapshot *x = c->snapshots[p->first], *y = c->snapshots[p->second];
	uint32_t nslots = x->nslots < y->nslots ? x->nslots : y->nslots;
	struct differing_pair differing = {
		.positions = pairing_positions(c->class, x->array_length, nslots),
		.weight = weight,
		.nslots = (uint8_t)nslots,
		.equal = p->outcome == PAIR_EQUAL,
	};

	for (uint32_t k = 0; k < nslots; k++) {
		bool equal = x->slot[k] == y->slot[k];
		differing.differ |= (uint32_t)!equal << k;
		count_pair(&b->looked, wire_position(differing.positions, k), equal, weight);
	}
	differing_add(&b->differing, &differing);
}

void breakdown_snapshots(struct breakdown *b, const struct model_context *c, double share,
			 const struct pairs *pairs)
{
	struct cell cell;

	b->arrays = c->class && c->class->is_array;
	for (size_t at = 0; next_cell(pairs, share, at, &cell); at += cell.n)
		for (size_t i = at; i < at + cell.n; i++)
			add_snapshot_pair(b, c, &pairs->pair[i],
					  cell.factor * pairs->pair[i].weight);
}

/* ---- results ------------------------------------------------------------------------------- */

static int compare_fields(const void *a, const void *b)
{
	const struct replica_field *x = a, *y = b;

	return ORDER(x->position, y->position);
}

static void set_fields(struct replica_details *to, const struct tally *t)
{
	to->fields = xcalloc(t->n, sizeof *to->fields);
	to->nfields = t->n;
	for (size_t i = 0; i < t->n; i++) {
		const struct tally_entry *e = &t->entries[i];
		double share = e->weight > 0 ? e->weight_equal / e->weight : NAN;
		to->fields[i] = (struct replica_field){ e->key, e->pairs, e->equal, share };
	}
	qsort(to->fields, to->nfields, sizeof *to->fields, compare_fields);
}

static int compare_accesses(const void *a, const void *b)
{
	const struct replica_access *x = a, *y = b;

	return ORDER(y->uses, x->uses) ?: ORDER(x->jvm, y->jvm) ?: ORDER(x->stack, y->stack);
}

static void set_accesses(struct replica_details *to, const struct tally *t)
{
	to->accesses = xcalloc(t->n, sizeof *to->accesses);
	to->naccesses = t->n;
	for (size_t i = 0; i < t->n; i++) {
		const struct tally_entry *e = &t->entries[i];
		to->accesses[i] =
			(struct replica_access){ (uint32_t)(e->key >> 32), (uint32_t)e->key,
						 e->uses, e->pairs, e->equal };
	}
	qsort(to->accesses, to->naccesses, sizeof *to->accesses, compare_accesses);
}

void breakdown_finish(const struct breakdown *b, enum replica_source source,
		      struct replica_details *to)
{
	to->fields_source = source;
	set_fields(to, source == REPLICA_SCAN ? &b->looked : &b->used);
	if (source == REPLICA_SCAN)
		differing_find(&b->differing, b->arrays, &to->differing);
	set_accesses(to, &b->accesses);
}

void breakdown_release(struct breakdown *b)
{
	tally_release(&b->used);
	tally_release(&b->looked);
	tally_release(&b->accesses);
	differing_release(&b->differing);
}
