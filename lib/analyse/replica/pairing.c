/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pairing.c - see pairing.h.
 *
 * Each object gets a random number. Objects are sorted by the block within which any two may be
 * compared, then by that number. Neighbours are then random pairs. It takes one or two sorts,
 * however many blocks there are.
 *
 * Weights. Within a block each pair of objects is equally likely to be formed, so its weight is the
 * product of theirs. Pairs with references come from one epoch each. There the product would weigh
 * an epoch by the square of its objects, so the pairs of an epoch are scaled to its objects. The
 * result is the mean over the epochs, weighted by objects.
 */
#include "analyse/replica/pairing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/xmalloc.h"

/* ---- pairs of snapshots of whole objects, compared as a whole and in one random slot. */

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
	struct item *items = xcalloc(c->nsnapshots, sizeof *items);

	for (size_t i = 0; i < c->nsnapshots; i++) {
		const struct model_snapshot *l = c->snapshots[i];
		items[i] = (struct item){ .weight = l->weight,
					  .array_length = l->array_length,
					  .process = l->process,
					  .epoch = l->epoch,
					  .index = (uint32_t)i,
					  .refs = l->flags & WIRE_REFS };
	}
	pairing_sort_by_length(items, c->nsnapshots);
	*n = thin_sizes(items, c->nsnapshots, rng);
	return items;
}

void pairing_snapshots(struct pairs *pairs, const struct model_context *c, struct rng *rng)
{
	size_t n;
	struct item *items = list_items(c, rng, &n);

	pairing_make(pairs, items, n, rng);
	free(items);
	for (size_t i = 0; i < pairs->n; i++) {
		struct pair *p = &pairs->pair[i];
		pairing_set_outcome(p, compare_snapshots(c->class, c->snapshots[p->first],
							 c->snapshots[p->second], rng));
	}
}

static uint64_t block_epoch(const struct item *i)
{
	return i->kind == PAIR_PLAIN ? 0 : i->epoch;
}

/*
 * By size, kind, process and epoch: the pairs of items that compare equal are scaled together. Only
 * a merged recording has several processes.
 */
static int compare_epochs(const struct item *x, const struct item *y)
{
	int order = ORDER(x->array_length, y->array_length) ?: ORDER(x->kind, y->kind);

	return order ?: ORDER(x->process, y->process) ?: ORDER(block_epoch(x), block_epoch(y));
}

/* And by position: any two items that compare equal may be paired. */
static int compare_blocks(const struct item *x, const struct item *y)
{
	return compare_epochs(x, y) ?: ORDER(x->place, y->place);
}

static int compare_items(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	int order = compare_blocks(x, y);

	if (order)
		return order;
	if (x->kind == PAIR_MIXED && x->refs != y->refs)
		return x->refs ? 1 : -1;
	return ORDER(x->random, y->random) ?: ORDER(x->index, y->index);
}

SORT_DEFINE(sort_items, struct item, compare_items)

static int compare_extents(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return ORDER(x->array_length, y->array_length) ?: ORDER(x->index, y->index);
}

SORT_DEFINE(sort_lengths, struct item, compare_extents)

/* Sorts only if necessary: the items mostly have one size, or are sorted by size already. */
void pairing_sort_by_length(struct item *items, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (compare_extents(&items[i - 1], &items[i]) > 0) {
			sort_lengths(items, n);
			return;
		}
}

/* ---- sizes and kinds ----------------------------------------------------------------------- */

/*
 * Sets the shares of the kinds among all pairs of different objects of one size. The squares of the
 * weights are subtracted; otherwise the few observations of a rare kind would count as pairs with
 * themselves.
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
 * Chooses for each of `n` objects of one size the kind of pair that it is used for. The partner of
 * an object without references is any other object, so it holds references with the probability of
 * any.
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
	*size = (struct pair_size){ .array_length = items[0].array_length,
				    .observed = n,
				    .weight = sum[0] + sum[1] };
	set_shares(size, sum, squares, count);
	for (uint32_t i = 0; i < n; i++) {
		bool refs = items[i].refs;
		bool mix = count[!refs] > 0 && rng_below(rng, n) < count[!refs];
		items[i].kind = mix ? PAIR_MIXED : refs ? PAIR_REFS : PAIR_PLAIN;
	}
}

static void make_sizes(struct pairs *pairs, struct item *items, size_t n, struct rng *rng)
{
	size_t sizes = n > 0;

	for (size_t i = 1; i < n; i++)
		sizes += items[i].array_length != items[i - 1].array_length;
	pairs->sizes = xcalloc(sizes, sizeof *pairs->sizes);
	for (size_t first = 0, next; first < n; first = next) {
		for (next = first + 1;
		     next < n && items[next].array_length == items[first].array_length;)
			next++;
		choose_kinds(items + first, (uint32_t)(next - first),
			     &pairs->sizes[pairs->nsizes++], rng);
	}
}

/* ---- pairs --------------------------------------------------------------------------------- */

static void add_pair(struct pairs *pairs, const struct item *x, const struct item *y)
{
	pairs->pair[pairs->n++] = (struct pair){
		.first = x->index,
		.second = y->index,
		.array_length = x->array_length,
		.kind = x->kind,
		.weight = x->weight * y->weight,
	};
}

/*
 * Pairs one block: neighbours; for mixed pairs, one object with one of the other kind, which comes
 * last.
 */
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

/*
 * Pairs the blocks of one epoch (or of the whole run), then scales the pairs. Those of a whole run
 * are scaled only if there are several (`several`).
 */
static void pair_epoch(struct pairs *pairs, const struct item *items, size_t n, bool several)
{
	size_t from = pairs->n;
	double objects = 0, products = 0;

	for (size_t first = 0, next; first < n; first = next) {
		for (next = first + 1;
		     next < n && compare_blocks(&items[next], &items[first]) == 0;)
			next++;
		pair_block(pairs, items + first, next - first);
	}
	if (items[0].kind == PAIR_PLAIN && !several)
		return;
	for (size_t i = 0; i < n; i++)
		objects += items[i].weight;
	for (size_t i = from; i < pairs->n; i++)
		products += pairs->pair[i].weight;
	for (size_t i = from; i < pairs->n; i++)
		pairs->pair[i].weight *= objects / products;
}

void pairing_make(struct pairs *pairs, struct item *items, size_t n, struct rng *rng)
{
	bool several = false;

	*pairs = (struct pairs){ 0 };
	for (size_t i = 0; i < n; i++) {
		items[i].random = rng_next(rng);
		several |= items[i].process != items[0].process;
	}
	pairing_sort_by_length(items, n);
	pairs->pair = xcalloc(n / 2 + 1, sizeof *pairs->pair);
	make_sizes(pairs, items, n, rng);
	sort_items(items, n);
	for (size_t first = 0, next; first < n; first = next) {
		for (next = first + 1;
		     next < n && compare_epochs(&items[next], &items[first]) == 0;)
			next++;
		pair_epoch(pairs, items + first, next - first, several);
	}
	for (size_t i = 0; i < pairs->n; i++)
		pairs->pair[i].value_weight = pairs->pair[i].weight;
}

void pairs_release(struct pairs *pairs)
{
	free(pairs->pair);
	free(pairs->sizes);
	*pairs = (struct pairs){ 0 };
}

void pairing_set_outcome(struct pair *p, enum pair_outcome outcome)
{
	if (p->kind == PAIR_MIXED && (outcome == PAIR_EQUAL || outcome == PAIR_UNPROVEN))
		outcome = PAIR_ALIKE;
	p->outcome = (uint8_t)outcome;
}
