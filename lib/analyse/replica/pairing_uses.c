/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pairing_uses.c - pairs of uses, each at one position.
 *
 * Some fields are used more often than others, so pairs are not spread over fields as bytes are.
 * For values, the pairs of each field are weighted so that together they count as its bytes. The
 * same applies to elements if sampled accesses led to some of the uses: elements that a program
 * reads most are sampled most.
 */
#include "analyse/replica/pairing.h"

#include <stdlib.h>

#include "analyse/replica/stability.h"
#include "base/sort.h"
#include "base/xmalloc.h"

static enum pair_outcome compare_uses(const struct model_use *x, const struct model_use *y)
{
	if (x->value != y->value)
		return PAIR_DIFFERENT;
	if (x->content != y->content)
		return PAIR_ALIKE;
	return (x->flags | y->flags) & WIRE_PARTIAL ? PAIR_UNPROVEN : PAIR_EQUAL;
}

/* The position where a pair was formed. */
struct spot {
	uint32_t position;
	size_t pair;
};

static int compare_spots(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;

	return ORDER(x->position, y->position) ?: ORDER(x->pair, y->pair);
}

SORT_DEFINE(sort_spots, struct spot, compare_spots)

/* Bytes of a position; 1 for each element. 0 if the class has no such field. */
static double position_bytes(const struct model_class *class, uint32_t position)
{
	if (class->is_array)
		return 1;
	return position < class->nfields ? class->fields[position].size : 0;
}

/*
 * Weighs pairs of one size and kind: the pairs of a position together get the position's share of
 * the bytes of all positions that have pairs.
 */
static void weigh_cell(struct pair *pair, size_t n, const struct model_context *c,
		       struct spot *spots)
{
	double weight = 0, bytes = 0;

	for (size_t i = 0; i < n; i++)
		spots[i] = (struct spot){ c->uses[pair[i].first]->position, i };
	sort_spots(spots, n);
	for (size_t i = 0; i < n; i++) {
		double size = position_bytes(c->class, spots[i].position);
		if (size <= 0)
			return;
		if (i == 0 || spots[i].position != spots[i - 1].position)
			bytes += size;
		weight += pair[i].weight;
	}
	for (size_t first = 0, next; first < n; first = next) {
		double here = 0;
		for (next = first; next < n && spots[next].position == spots[first].position;)
			here += pair[spots[next++].pair].weight;
		double share = position_bytes(c->class, spots[first].position) / bytes;
		for (size_t i = first; i < next; i++)
			pair[spots[i].pair].value_weight *= share * weight / here;
	}
}

static void weigh_positions(struct pairs *pairs, const struct model_context *c)
{
	struct spot *spots = xcalloc(pairs->n, sizeof *spots);

	for (size_t first = 0, next; first < pairs->n; first = next) {
		const struct pair *p = &pairs->pair[first];
		for (next = first + 1; next < pairs->n &&
				       pairs->pair[next].array_length == p->array_length &&
				       pairs->pair[next].kind == p->kind;)
			next++;
		weigh_cell(pairs->pair + first, next - first, c, spots);
	}
	free(spots);
}

static bool is_sampled(const struct model_context *c, const struct item *item)
{
	return c->uses[item->index]->flags & WIRE_SAMPLED;
}

/*
 * A use that a sampled access led to weighs as many objects as a sampled allocation stands for.
 * Other uses weigh the objects between two watches, which are many more. So within a size, the mean
 * weight of the former is set to that of the latter. Returns whether there are any of the former.
 */
static bool level_weights(struct item *items, size_t n, const struct model_context *c)
{
	bool any = false;

	for (size_t i = 0; i < n && !any; i++)
		any = is_sampled(c, &items[i]);
	if (!any)
		return false;
	pairing_sort_by_length(items, n);
	for (size_t first = 0, next; first < n; first = next) {
		double sum[2] = { 0, 0 }, count[2] = { 0, 0 };
		for (next = first;
		     next < n && items[next].array_length == items[first].array_length; next++) {
			sum[is_sampled(c, &items[next])] += items[next].weight;
			count[is_sampled(c, &items[next])]++;
		}
		double factor =
			count[0] > 0 && count[1] > 0 ? sum[0] / count[0] / (sum[1] / count[1]) : 1;
		for (size_t i = first; i < next; i++)
			items[i].weight *= is_sampled(c, &items[i]) ? factor : 1;
	}
	return true;
}

/* Whether positions are weighed: fields always; elements if the program chose them. */
static bool weighs(const struct model_context *c, bool sampled)
{
	return c->class && (c->class->is_array ? sampled : c->class->nfields && c->class->fields);
}

/*
 * Lists uses that can be compared. A load by a barrier in the constructor is left out: it finds
 * null in all objects, whatever they will hold.
 */
static struct item *list_items(const struct model_context *c, size_t *n)
{
	struct item *items = xcalloc(c->nuses, sizeof *items);

	*n = 0;
	for (size_t i = 0; i < c->nuses; i++) {
		const struct model_use *u = c->uses[i];
		if (in_constructor_reference(c, u))
			continue;
		items[(*n)++] = (struct item){ .place = u->position,
					       .weight = u->weight,
					       .array_length = u->array_length,
					       .process = u->process,
					       .epoch = u->epoch,
					       .index = (uint32_t)i,
					       .refs = u->flags & WIRE_REFS };
	}
	return items;
}

void pairing_uses(struct pairs *pairs, const struct model_context *c, struct rng *rng)
{
	size_t n;
	struct item *items = list_items(c, &n);

	bool sampled = level_weights(items, n, c);
	pairing_make(pairs, items, n, rng);
	free(items);
	if (weighs(c, sampled))
		weigh_positions(pairs, c);
	for (size_t i = 0; i < pairs->n; i++) {
		struct pair *p = &pairs->pair[i];
		pairing_set_outcome(p, compare_uses(c->uses[p->first], c->uses[p->second]));
		if (pairing_positions(c->class, p->array_length, 0) > WIRE_SLOTS)
			p->spot = c->uses[p->first]->position + 1;
	}
}
