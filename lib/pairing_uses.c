/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pairing_uses.c - pairs of uses: at one position, each.
 *
 * Some fields are used more often than others, so that pairs are not spread over them as bytes are. What is said of
 * values weighs the pairs of each field such that together they count as its bytes.
 */
#include "pairing_private.h"

#include <stdlib.h>
#include <string.h>

static enum pair_outcome compare_uses(const struct model_use *x, const struct model_use *y)
{
	if (x->value != y->value)
		return PAIR_DIFFERENT;
	if (x->content != y->content)
		return PAIR_ALIKE;
	return (x->flags | y->flags) & WIRE_PARTIAL ? PAIR_UNPROVEN : PAIR_EQUAL;
}

/* Pairs of one size and kind: those of a field together get its share of the bytes of those that have pairs. */
static void weigh_cell(struct pair *pair, size_t n, const struct model_context *c, double *of_field)
{
	double weight = 0, bytes = 0;

	memset(of_field, 0, c->class->nfields * sizeof *of_field);
	for (size_t i = 0; i < n; i++) {
		uint32_t field = c->uses[pair[i].first]->position;
		if (field >= c->class->nfields)
			return;
		if (of_field[field] == 0)
			bytes += c->class->fields[field].size;
		of_field[field] += pair[i].weight;
		weight += pair[i].weight;
	}
	for (size_t i = 0; i < n; i++) {
		uint32_t field = c->uses[pair[i].first]->position;
		double share = c->class->fields[field].size / bytes;
		pair[i].value_weight *= share * weight / of_field[field];
	}
}

static int weigh_positions(struct pairs *pairs, const struct model_context *c)
{
	if (!c->class->nfields || !c->class->fields)
		return 0;
	double *of_field = calloc(c->class->nfields, sizeof *of_field);
	if (!of_field)
		return -1;
	for (size_t first = 0, next; first < pairs->n; first = next) {
		const struct pair *p = &pairs->pair[first];
		for (next = first + 1; next < pairs->n && pairs->pair[next].extent == p->extent &&
				       pairs->pair[next].kind == p->kind;)
			next++;
		weigh_cell(pairs->pair + first, next - first, c, of_field);
	}
	free(of_field);
	return 0;
}

int pairing_uses(struct pairs *pairs, const struct model_context *c, struct rng *rng)
{
	struct item *items = calloc(c->nuses ? c->nuses : 1, sizeof *items);

	if (!items)
		return -1;
	for (size_t i = 0; i < c->nuses; i++) {
		const struct model_use *u = c->uses[i];
		items[i] = (struct item){ .place = u->position,
					  .weight = u->weight,
					  .extent = u->extent,
					  .epoch = u->epoch,
					  .index = (uint32_t)i,
					  .refs = u->flags & WIRE_REFS };
	}
	int result = pairing_make(pairs, items, c->nuses, rng);
	free(items);
	if (result == 0 && c->class && !c->class->is_array && weigh_positions(pairs, c) < 0) {
		pairs_release(pairs);
		result = -1;
	}
	for (size_t i = 0; result == 0 && i < pairs->n; i++) {
		struct pair *p = &pairs->pair[i];
		pairing_set_outcome(p, compare_uses(c->uses[p->first], c->uses[p->second]));
	}
	return result;
}
