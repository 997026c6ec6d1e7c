/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pairing.c - see pairing.h.
 *
 * Objects get a random number each and are sorted by the block within which any two may be compared,
 * then by that number: neighbours are random pairs. All is one or two sorts, whatever the blocks.
 *
 * Weights. Within a block each pair of objects is equally likely to become a pair, so its weight
 * is the product of theirs. Pairs with references come from one epoch each; there the product would
 * count an epoch by the square of its objects, so the pairs of an epoch are scaled to its objects:
 * the result is the mean of the epochs as an object sees them.
 */
#include "pairing.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define THIN_GAIN 1.2 /* thinning must be worth the pairs that it costs */

struct item {
	uint64_t place;	 /* position; 0 for looks */
	uint64_t random; /* order within a block */
	double weight;
	uint32_t extent, epoch, index;
	uint8_t kind; /* of the pairs it is meant for */
	bool refs;
};

static uint64_t block_epoch(const struct item *i)
{
	return i->kind == PAIR_PLAIN ? 0 : i->epoch;
}

/* By size, kind, epoch: the pairs of what compares equal are scaled together. */
static int compare_epochs(const struct item *x, const struct item *y)
{
	if (x->extent != y->extent)
		return x->extent < y->extent ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (block_epoch(x) != block_epoch(y))
		return block_epoch(x) < block_epoch(y) ? -1 : 1;
	return 0;
}

/* And by place: any two of what compares equal may be paired. */
static int compare_blocks(const struct item *x, const struct item *y)
{
	int order = compare_epochs(x, y);

	if (order == 0 && x->place != y->place)
		order = x->place < y->place ? -1 : 1;
	return order;
}

static int compare_items(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	int order = compare_blocks(x, y);

	if (order)
		return order;
	if (x->kind == PAIR_MIXED && x->refs != y->refs)
		return x->refs ? 1 : -1;
	if (x->random != y->random)
		return x->random < y->random ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static int compare_extents(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->extent != y->extent)
		return x->extent < y->extent ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

/* ---- weights ------------------------------------------------------------------------------- */

/*
 * Pairs of a heavy and a light object tell little: what a pair is worth is the product of two weights. So where
 * weights differ much, as between the dense start of a run and the rest, light objects are left out at random,
 * and those that stay stand for them: an object stays with probability min(1, w/t), its weight then being
 * max(w, t). That leaves all expectations as they are. t is the mean weight as an object sees it. Looks only:
 * uses have fewer others to be compared with, and lose more than they gain.
 *
 * `items` are of one size. Returns how many stay, at the front.
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
	/* pairs, times the square of how much of their number counts (Kish) */
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

/* Each size without references by itself, `items` being sorted by size. Returns how many stay. */
static size_t thin_sizes(struct item *items, size_t n, struct rng *rng)
{
	size_t kept = 0;

	for (size_t first = 0, next; first < n; first = next) {
		bool refs = items[first].refs;
		for (next = first + 1; next < n && items[next].extent == items[first].extent;)
			refs |= items[next++].refs;
		/* an epoch's weights are alike as it is */
		size_t stay = refs ? next - first : thin(items + first, next - first, rng);
		memmove(items + kept, items + first, stay * sizeof *items);
		kept += stay;
	}
	return kept;
}

/* ---- sizes and kinds ----------------------------------------------------------------------- */

/*
 * Shares of the kinds among all pairs of different objects of one size. Squares of the weights are
 * taken off, or the few observations of a rare kind would be counted as pairs with themselves.
 */
static void set_shares(struct pair_size *size, const double sum[2], const double squares[2],
		       const uint32_t count[2])
{
	double plain = count[0] > 1 ? sum[0] * sum[0] - squares[0] : 0;
	double refs = count[1] > 1 ? sum[1] * sum[1] - squares[1] : 0;
	double mixed = 2 * sum[0] * sum[1];
	double all = plain + refs + mixed;

	if (all > 0) {
		size->share[PAIR_PLAIN] = plain / all;
		size->share[PAIR_MIXED] = mixed / all;
		size->share[PAIR_REFS] = refs / all;
	} else {
		size->share[count[1] ? PAIR_REFS : PAIR_PLAIN] = 1;
	}
}

/*
 * Decides for each of `n` objects of one size what kind of pair it is for: a random partner of an
 * object without references would hold some with the probability that any object does.
 */
static void choose_kinds(struct item *items, uint32_t n, struct pair_size *size, struct rng *rng)
{
	double sum[2] = { 0, 0 }, squares[2] = { 0, 0 };
	uint32_t count[2] = { 0, 0 };

	for (uint32_t i = 0; i < n; i++) {
		int refs = items[i].refs;
		sum[refs] += items[i].weight;
		squares[refs] += items[i].weight * items[i].weight;
		count[refs]++;
	}
	*size = (struct pair_size){ .extent = items[0].extent,
				    .observed = n,
				    .weight = sum[0] + sum[1] };
	set_shares(size, sum, squares, count);
	for (uint32_t i = 0; i < n; i++) {
		bool refs = items[i].refs;
		bool mix = count[!refs] > 0 && rng_below(rng, n) < count[!refs];
		items[i].kind = mix ? PAIR_MIXED : refs ? PAIR_REFS : PAIR_PLAIN;
	}
}

static int make_sizes(struct pairs *pairs, struct item *items, size_t n, struct rng *rng)
{
	size_t sizes = n > 0;

	for (size_t i = 1; i < n; i++)
		sizes += items[i].extent != items[i - 1].extent;
	pairs->sizes = calloc(sizes ? sizes : 1, sizeof *pairs->sizes);
	if (!pairs->sizes)
		return -1;
	for (size_t first = 0, next; first < n; first = next) {
		for (next = first + 1; next < n && items[next].extent == items[first].extent;)
			next++;
		choose_kinds(items + first, (uint32_t)(next - first),
			     &pairs->sizes[pairs->nsizes++], rng);
	}
	return 0;
}

/* ---- pairs --------------------------------------------------------------------------------- */

static void add_pair(struct pairs *pairs, const struct item *x, const struct item *y)
{
	pairs->pair[pairs->n++] = (struct pair){
		.first = x->index,
		.second = y->index,
		.extent = x->extent,
		.kind = x->kind,
		.weight = x->weight * y->weight,
	};
}

/* One block: neighbours, or for mixed pairs the one with the other sort, which comes last. */
static void pair_block(struct pairs *pairs, const struct item *items, size_t n)
{
	size_t plain = 0;

	if (items[0].kind != PAIR_MIXED) {
		for (size_t i = 0; i + 1 < n; i += 2)
			add_pair(pairs, &items[i], &items[i + 1]);
		return;
	}
	while (plain < n && !items[plain].refs)
		plain++;
	for (size_t i = 0; i < plain && plain + i < n; i++)
		add_pair(pairs, &items[i], &items[plain + i]);
}

/* The blocks of one epoch (or of the whole run), then the scale of their pairs. */
static void pair_epoch(struct pairs *pairs, const struct item *items, size_t n)
{
	size_t from = pairs->n;
	double objects = 0, products = 0;

	for (size_t first = 0, next; first < n; first = next) {
		for (next = first + 1;
		     next < n && compare_blocks(&items[next], &items[first]) == 0;)
			next++;
		pair_block(pairs, items + first, next - first);
	}
	if (items[0].kind == PAIR_PLAIN)
		return;
	for (size_t i = 0; i < n; i++)
		objects += items[i].weight;
	for (size_t i = from; i < pairs->n; i++)
		products += pairs->pair[i].weight;
	for (size_t i = from; i < pairs->n; i++)
		pairs->pair[i].weight *= objects / products;
}

static int make_pairs(struct pairs *pairs, struct item *items, size_t n, struct rng *rng)
{
	*pairs = (struct pairs){ 0 };
	for (size_t i = 0; i < n; i++)
		items[i].random = rng_next(rng);
	qsort(items, n, sizeof *items, compare_extents);
	pairs->pair = calloc(n / 2 + 1, sizeof *pairs->pair);
	if (!pairs->pair || make_sizes(pairs, items, n, rng) < 0) {
		pairs_release(pairs);
		return -1;
	}
	qsort(items, n, sizeof *items, compare_items);
	for (size_t first = 0, next; first < n; first = next) {
		for (next = first + 1;
		     next < n && compare_epochs(&items[next], &items[first]) == 0;)
			next++;
		pair_epoch(pairs, items + first, next - first);
	}
	for (size_t i = 0; i < pairs->n; i++)
		pairs->pair[i].value_weight = pairs->pair[i].weight;
	return 0;
}

void pairs_release(struct pairs *pairs)
{
	free(pairs->pair);
	free(pairs->sizes);
	*pairs = (struct pairs){ 0 };
}

/* One holds a reference where the other holds none, whatever the hashes say. */
static void set_outcome(struct pair *p, enum pair_outcome outcome)
{
	if (p->kind == PAIR_MIXED && (outcome == PAIR_EQUAL || outcome == PAIR_UNPROVEN))
		outcome = PAIR_ALIKE;
	p->outcome = (uint8_t)outcome;
}

/* ---- uses ---------------------------------------------------------------------------------- */

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
	int result = make_pairs(pairs, items, c->nuses, rng);
	free(items);
	if (result == 0 && c->class && !c->class->is_array && weigh_positions(pairs, c) < 0) {
		pairs_release(pairs);
		result = -1;
	}
	for (size_t i = 0; result == 0 && i < pairs->n; i++) {
		struct pair *p = &pairs->pair[i];
		set_outcome(p, compare_uses(c->uses[p->first], c->uses[p->second]));
	}
	return result;
}

/* ---- looks --------------------------------------------------------------------------------- */

uint64_t pairing_positions(const struct model_class *class, uint32_t extent, uint32_t nslots)
{
	if (class && class->nfields)
		return class->nfields;
	return extent ? extent : nslots;
}

/* Bytes of what slot k stands for; those of arrays are all alike. */
static uint32_t slot_bytes(const struct model_class *class, uint32_t nslots, uint32_t k)
{
	if (!class || !class->nfields || !class->fields)
		return 1;
	uint64_t position = wire_position(pairing_positions(class, 0, nslots), k);
	return position < class->nfields ? class->fields[position].size : 1;
}

/* A slot, equally likely over the bytes of the content that the slots stand for. */
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

/* Content of no position at all is equal by definition: there is nothing in which it could differ. */
static enum pair_outcome compare_looks(const struct model_class *class, const struct model_look *x,
				       const struct model_look *y, struct rng *rng)
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

int pairing_looks(struct pairs *pairs, const struct model_context *c, struct rng *rng)
{
	struct item *items = calloc(c->nlooks ? c->nlooks : 1, sizeof *items);

	if (!items)
		return -1;
	for (size_t i = 0; i < c->nlooks; i++) {
		const struct model_look *l = c->looks[i];
		items[i] = (struct item){ .weight = l->weight,
					  .extent = l->extent,
					  .epoch = l->epoch,
					  .index = (uint32_t)i,
					  .refs = l->flags & WIRE_REFS };
	}
	qsort(items, c->nlooks, sizeof *items, compare_extents);
	size_t n = thin_sizes(items, c->nlooks, rng);
	int result = make_pairs(pairs, items, n, rng);
	free(items);
	for (size_t i = 0; result == 0 && i < pairs->n; i++) {
		struct pair *p = &pairs->pair[i];
		set_outcome(p,
			    compare_looks(c->class, c->looks[p->first], c->looks[p->second], rng));
	}
	return result;
}
