/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge_sizes.c - allocations of a context by array length and size. A reader takes a bounded
 * number of them, so the merge keeps that many.
 *
 * Each size of a context has a random ticket, a hash of both. Those with the lowest tickets keep
 * sums of their own: of a context at most MERGE_SIZES, and of these MERGE_ALL_SIZES in all. The
 * others are added up in one. A size that is among the lowest in the end is so in each part, so its
 * sum is whole, and the order of the recordings does not matter. Objects have one size, unlike
 * arrays; their tickets come before those of arrays.
 */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/rng.h"
#include "base/sort.h"
#include "base/xmalloc.h"
#include "merge/merge_private.h"

static uint64_t ticket_of(const struct merge_context *c, const struct merge_sum *sum)
{
	uint64_t ticket = rng_mix(c->hash ^ rng_mix(sum->size ^ rng_mix(sum->array_length + 1ull)));

	return sum->array_length ? ticket | 1ull << 63 : ticket >> 1;
}

static int compare(const struct merge_sum *x, const struct merge_sum *y)
{
	return ORDER(x->array_length, y->array_length) ?: ORDER(x->size, y->size);
}

static void add_to_rest(struct merge_context *c, const struct merge_sum *sum)
{
	c->rest.count += sum->count;
	c->rest.weight += sum->weight;
	c->rest.squares += sum->squares;
	c->rest.bytes += (unsigned __int128)sum->weight * sum->size;
}

/* Leaves what is below the threshold. */
static void cut(struct merge *m, struct merge_context *c, uint64_t below)
{
	size_t n = 0;

	if (below >= c->sums_below)
		return;
	c->sums_below = below;
	for (size_t i = 0; i < c->nsums; i++)
		if (ticket_of(c, &c->sum[i]) < below)
			c->sum[n++] = c->sum[i];
		else
			add_to_rest(c, &c->sum[i]);
	m->nsums -= c->nsums - n;
	c->nsums = n;
}

static void list_tickets(const struct merge_context *c, uint64_t *ticket)
{
	for (size_t i = 0; i < c->nsums; i++)
		ticket[i] = ticket_of(c, &c->sum[i]);
}

static void trim(struct merge *m, struct merge_context *c)
{
	if (c->nsums <= MERGE_SIZES)
		return;
	uint64_t *ticket = xmallocarray(c->nsums, sizeof *ticket);
	list_tickets(c, ticket);
	cut(m, c, merge_below(ticket, c->nsums, MERGE_SIZES));
	free(ticket);
}

void merge_trim_sums(struct merge *m)
{
	for (size_t i = 0; i < m->ncontexts; i++)
		trim(m, m->context[i]);
	if (m->nsums <= MERGE_ALL_SIZES)
		return;
	uint64_t *ticket = xmallocarray(m->nsums, sizeof *ticket);
	size_t n = 0;
	for (size_t i = 0; i < m->ncontexts; n += m->context[i++]->nsums)
		list_tickets(m->context[i], ticket + n);
	m->sums_below = merge_below(ticket, n, MERGE_ALL_SIZES);
	free(ticket);
	for (size_t i = 0; i < m->ncontexts; i++)
		cut(m, m->context[i], m->sums_below);
}

/* The index of the sum of that size, or where it belongs. */
static size_t index_of(const struct merge_context *c, const struct merge_sum *sum)
{
	size_t low = 0, high = c->nsums;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (compare(&c->sum[middle], sum) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void insert(struct merge *m, struct merge_context *c, size_t at, const struct merge_sum *sum)
{
	uint64_t ticket = ticket_of(c, sum);

	if (ticket >= m->sums_below || ticket >= c->sums_below) {
		add_to_rest(c, sum);
		return;
	}
	XGROW(c->sum, c->nsums, c->sums_room, 1);
	memmove(c->sum + at + 1, c->sum + at, (c->nsums - at) * sizeof *c->sum);
	c->sum[at] = *sum;
	m->nsums++;
	if (++c->nsums == 2 * MERGE_SIZES)
		trim(m, c);
	if (m->nsums == 2 * MERGE_ALL_SIZES)
		merge_trim_sums(m);
}

void merge_add_sum(struct merge *m, struct merge_context *c, const struct merge_sum *sum)
{
	if (sum->array_length == MODEL_OTHER_SIZES) {
		add_to_rest(c, sum);
		return;
	}
	size_t i = index_of(c, sum);
	if (i == c->nsums || compare(&c->sum[i], sum) != 0) {
		insert(m, c, i, sum);
		return;
	}
	struct merge_sum *at = &c->sum[i];
	at->count += sum->count;
	at->weight += sum->weight;
	at->squares += sum->squares;
}

/*
 * Objects of the two whole sizes around the mean, so many of each that their bytes are exactly
 * those of all. The numbers of samples and the squares go with the objects.
 */
size_t merge_rest_sums(const struct merge_context *c, struct merge_sum to[2])
{
	const struct merge_rest *r = &c->rest;

	if (r->count == 0 && r->weight == 0)
		return 0;
	unsigned __int128 weight = (unsigned __int128)r->weight;
	unsigned __int128 size = weight ? r->bytes / weight : 0;
	uint64_t low = size < MODEL_MAX_SIZE ? (uint64_t)size : MODEL_MAX_SIZE - 1;
	exact larger = (exact)(weight ? r->bytes % weight : 0);
	to[0] = (struct merge_sum){ MODEL_OTHER_SIZES, low, r->count, r->weight, r->squares };
	if (larger == 0 || r->count < 2)
		return 1;
	double share = (double)larger / (double)r->weight;
	uint64_t count = (uint64_t)(share * (double)r->count);
	count = count < 1 ? 1 : count < r->count ? count : r->count - 1;
	exact squares = (exact)(share * (double)r->squares);
	squares = squares < r->squares ? squares : r->squares;
	to[1] = (struct merge_sum){ MODEL_OTHER_SIZES, low + 1, count, larger, squares };
	to[0].count -= count;
	to[0].weight -= larger;
	to[0].squares -= squares;
	return 2;
}
