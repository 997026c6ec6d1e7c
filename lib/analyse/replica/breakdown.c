/* SPDX-License-Identifier: Apache-2.0 */
/* breakdown.c - see breakdown.h. */
#include "analyse/replica/breakdown.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/order.h"

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

static int count_pair(struct tally *t, uint64_t key, bool equal, double weight)
{
	struct tally_entry *e = tally_at(t, key);

	if (!e)
		return -1;
	e->pairs++;
	e->equal += equal;
	e->weight += weight;
	e->weight_equal += equal ? weight : 0;
	return 0;
}

/* ---- uses ---------------------------------------------------------------------------------- */

static int add_use_pair(struct breakdown *b, const struct model_context *c, const struct pair *p,
			double weight)
{
	const struct model_use *x = c->uses[p->first], *y = c->uses[p->second];
	uint64_t jvm = (uint64_t)c->jvm << 32;
	bool equal = p->outcome != PAIR_DIFFERENT;

	if (count_pair(&b->used, x->position, equal, weight) < 0 ||
	    count_pair(&b->accesses, jvm | x->access, equal, weight) < 0)
		return -1;
	return x->access == y->access ? 0
				      : count_pair(&b->accesses, jvm | y->access, equal, weight);
}

int breakdown_uses(struct breakdown *b, const struct model_context *c, double share,
		   const struct pairs *pairs)
{
	struct cell cell;

	for (size_t i = 0; i < c->nuses; i++) {
		struct tally_entry *e =
			tally_at(&b->accesses, (uint64_t)c->jvm << 32 | c->uses[i]->access);
		if (!e)
			return -1;
		e->uses++;
	}
	for (size_t at = 0; next_cell(pairs, share, at, &cell); at += cell.n)
		for (size_t i = at; i < at + cell.n; i++)
			if (add_use_pair(b, c, &pairs->pair[i],
					 cell.factor * pairs->pair[i].weight) < 0)
				return -1;
	return 0;
}

/*
 * ---- snapshots ---------------------------------------------------------------------------------
 */

static int add_snapshot_pair(struct breakdown *b, const struct model_context *c,
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
		if (count_pair(&b->looked, wire_position(differing.positions, k), equal, weight) <
		    0)
			return -1;
	}
	return differing_add(&b->differing, &differing);
}

int breakdown_snapshots(struct breakdown *b, const struct model_context *c, double share,
			const struct pairs *pairs)
{
	struct cell cell;

	b->arrays = c->class && c->class->is_array;
	for (size_t at = 0; next_cell(pairs, share, at, &cell); at += cell.n)
		for (size_t i = at; i < at + cell.n; i++)
			if (add_snapshot_pair(b, c, &pairs->pair[i],
					      cell.factor * pairs->pair[i].weight) < 0)
				return -1;
	return 0;
}

/* ---- results ------------------------------------------------------------------------------- */

static int compare_fields(const void *a, const void *b)
{
	const struct replica_field *x = a, *y = b;

	return ORDER(x->position, y->position);
}

static int set_fields(struct replica *row, const struct tally *t)
{
	row->fields = calloc(t->n ? t->n : 1, sizeof *row->fields);
	if (!row->fields)
		return -1;
	row->nfields = t->n;
	for (size_t i = 0; i < t->n; i++) {
		const struct tally_entry *e = &t->entries[i];
		double share = e->weight > 0 ? e->weight_equal / e->weight : NAN;
		row->fields[i] = (struct replica_field){ e->key, e->pairs, e->equal, share };
	}
	qsort(row->fields, row->nfields, sizeof *row->fields, compare_fields);
	return 0;
}

static int compare_accesses(const void *a, const void *b)
{
	const struct replica_access *x = a, *y = b;

	return ORDER(y->uses, x->uses) ?: ORDER(x->jvm, y->jvm) ?: ORDER(x->stack, y->stack);
}

static int set_accesses(struct replica *row, const struct tally *t)
{
	row->accesses = calloc(t->n ? t->n : 1, sizeof *row->accesses);
	if (!row->accesses)
		return -1;
	row->naccesses = t->n;
	for (size_t i = 0; i < t->n; i++) {
		const struct tally_entry *e = &t->entries[i];
		row->accesses[i] =
			(struct replica_access){ (uint32_t)(e->key >> 32), (uint32_t)e->key,
						 e->uses, e->pairs, e->equal };
	}
	qsort(row->accesses, row->naccesses, sizeof *row->accesses, compare_accesses);
	return 0;
}

int breakdown_finish(const struct breakdown *b, enum replica_source source, struct replica *row)
{
	row->fields_source = source;
	if (set_fields(row, source == REPLICA_SCAN ? &b->looked : &b->used) < 0)
		return -1;
	if (source == REPLICA_SCAN)
		differing_find(&b->differing, b->arrays, &row->differing);
	return set_accesses(row, &b->accesses);
}

void breakdown_release(struct breakdown *b)
{
	tally_release(&b->used);
	tally_release(&b->looked);
	tally_release(&b->accesses);
	differing_release(&b->differing);
}
