/* SPDX-License-Identifier: Apache-2.0 */
/* breakdown.c - see breakdown.h. */
#include "breakdown.h"

#include <stdbool.h>
#include <stdlib.h>

static int count_pair(struct tally *t, uint64_t key, bool equal)
{
	struct tally_entry *e = tally_at(t, key);

	if (!e)
		return -1;
	e->pairs++;
	e->equal += equal;
	return 0;
}

int breakdown_uses(struct breakdown *b, const struct model_context *c, const struct pairs *pairs)
{
	for (size_t i = 0; i < c->nuses; i++) {
		struct tally_entry *e =
			tally_at(&b->accesses, (uint64_t)c->jvm << 32 | c->uses[i]->access);
		if (!e)
			return -1;
		e->uses++;
	}
	for (size_t i = 0; i < pairs->n; i++) {
		const struct pair *p = &pairs->pair[i];
		const struct model_use *u = c->uses[p->first];
		bool equal = p->outcome != PAIR_DIFFERENT;
		if (count_pair(&b->used, u->position, equal) < 0 ||
		    count_pair(&b->accesses, (uint64_t)c->jvm << 32 | u->access, equal) < 0)
			return -1;
	}
	return 0;
}

int breakdown_looks(struct breakdown *b, const struct model_context *c, const struct pairs *pairs)
{
	for (size_t i = 0; i < pairs->n; i++) {
		const struct model_look *x = c->looks[pairs->pair[i].first];
		const struct model_look *y = c->looks[pairs->pair[i].second];
		uint32_t nslots = x->nslots < y->nslots ? x->nslots : y->nslots;
		uint64_t positions = pairing_positions(c->class, x->extent, nslots);
		for (uint32_t k = 0; k < nslots; k++)
			if (count_pair(&b->looked, wire_position(positions, k),
				       x->slot[k] == y->slot[k]) < 0)
				return -1;
	}
	return 0;
}

static int compare_fields(const void *a, const void *b)
{
	const struct replica_field *x = a, *y = b;

	return x->position < y->position ? -1 : x->position > y->position;
}

static int set_fields(struct replica *row, const struct tally *t)
{
	row->fields = calloc(t->n ? t->n : 1, sizeof *row->fields);
	if (!row->fields)
		return -1;
	row->nfields = t->n;
	for (size_t i = 0; i < t->n; i++)
		row->fields[i] = (struct replica_field){ t->entries[i].key, t->entries[i].pairs,
							 t->entries[i].equal };
	qsort(row->fields, row->nfields, sizeof *row->fields, compare_fields);
	return 0;
}

static int compare_accesses(const void *a, const void *b)
{
	const struct replica_access *x = a, *y = b;

	if (x->uses != y->uses)
		return x->uses > y->uses ? -1 : 1;
	if (x->jvm != y->jvm)
		return x->jvm < y->jvm ? -1 : 1;
	return x->stack < y->stack ? -1 : x->stack > y->stack;
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

int breakdown_finish(const struct breakdown *b, struct replica *row)
{
	if (set_fields(row, row->source == REPLICA_SCAN ? &b->looked : &b->used) < 0)
		return -1;
	return set_accesses(row, &b->accesses);
}

void breakdown_release(struct breakdown *b)
{
	tally_release(&b->used);
	tally_release(&b->looked);
	tally_release(&b->accesses);
}
