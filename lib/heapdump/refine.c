/* SPDX-License-Identifier: Apache-2.0 */
/*
 * refine.c - see refine.h: splits blocks until the objects of each reference the same blocks.
 *
 * The hash of an object is a sum over its references, so that a reference whose block changes costs
 * one subtraction and one addition, however many references there are. A block is split by the
 * hashes of those of its objects whose sum has changed; the others have one hash. The largest
 * part keeps the number of the block, and only objects of the others change theirs. So the
 * block of an object changes at most log2(n) times, and the whole takes O(m log n), like Hopcroft's
 * algorithm, whatever the length of the lists in the graph.
 */
#include "heapdump/refine.h"

#include <stdlib.h>
#include <string.h>

#include "base/big.h"
#include "base/rng.h"
#include "base/sort.h"

/* A reference, seen from its target. */
struct arrow {
	uint32_t from, position;
};

/* Its objects are a part of `order`; those that have to be looked at again come first. */
struct block {
	uint32_t first, n, changed;
	uint32_t next; /* of the queue; NONE: it is not there, or the last */
	bool queued;
};
#define NONE UINT32_MAX

enum { BUCKETS_MAX = 20 /* as bits */, PER_BUCKET = 8 };

struct keyed {
	uint64_t hash;
	uint32_t object;
};

struct refinement {
	struct partition *p;
	const struct partition_graph *g;
	const uint32_t *object; /* in the graph */
	uint32_t n;
	uint64_t seed;
	uint64_t *hash;	  /* of each object */
	uint32_t *arrows; /* n + 1: where those to an object begin */
	struct arrow *arrow;
	uint32_t *order, *place; /* objects by block; where each of them is */
	uint32_t *in;		 /* its block */
	struct block *block;
	uint32_t nblocks, queue, last;
	struct keyed *keyed, *sorted;
	uint32_t *start; /* of buckets */
};

uint64_t refine_mix(uint64_t seed, uint32_t position, uint32_t block)
{
	return rng_mix(seed + (((uint64_t)position << 32 | block) + 1) * 0x9e3779b97f4a7c15u);
}

/* ---- memory ------------------------------------------------------------------------------ */

static uint32_t target(const struct refinement *r, uint32_t edge)
{
	uint32_t y = r->g->to[edge];

	if (y == PARTITION_NULL || r->p->block[y] < REFINE_CYCLIC)
		return NONE;
	return r->p->block[y] & ~REFINE_CYCLIC;
}

/* Counts sort by target. */
static void find_arrows(struct refinement *r)
{
	const uint32_t *edge = r->g->edge;

	for (uint32_t i = 0; i < r->n; i++)
		for (uint32_t e = edge[r->object[i]]; e < edge[r->object[i] + 1]; e++)
			if (target(r, e) != NONE)
				r->arrows[target(r, e) + 1]++;
	for (uint32_t i = 0; i < r->n; i++)
		r->arrows[i + 1] += r->arrows[i];
	uint32_t all = r->arrows[r->n];
	r->arrow = xbig_alloc(all + (size_t)1, sizeof *r->arrow);
	for (uint32_t i = r->n; i-- > 0;)
		for (uint32_t e = edge[r->object[i] + 1]; e-- > edge[r->object[i]];) {
			uint32_t t = target(r, e);
			if (t == NONE)
				continue;
			/* filled from the end; that moves each beginning to that of the next */
			r->arrow[--r->arrows[t + 1]] = (struct arrow){ i, e - edge[r->object[i]] };
		}
	memmove(r->arrows, r->arrows + 1, r->n * sizeof *r->arrows);
	r->arrows[r->n] = all;
}

/* Buckets for n hashes, as bits. */
static unsigned bucket_bits(uint32_t n)
{
	unsigned bits = 0;

	while (bits < BUCKETS_MAX && n >> bits > PER_BUCKET)
		bits++;
	return bits;
}

static void allocate(struct refinement *r)
{
	size_t n = r->n;

	r->hash = xbig_alloc(n, sizeof *r->hash);
	r->arrows = xbig_zeroed(n + 2, sizeof *r->arrows);
	r->order = xbig_alloc(n, sizeof *r->order);
	r->place = xbig_alloc(n, sizeof *r->place);
	r->in = xbig_alloc(n, sizeof *r->in);
	r->block = xbig_alloc(n, sizeof *r->block);
	r->keyed = xbig_alloc(n, sizeof *r->keyed);
	r->sorted = xbig_alloc(n, sizeof *r->sorted);
	r->start = xmallocarray((1u << bucket_bits(r->n)) + 1, sizeof *r->start);
	find_arrows(r);
}

static void release(struct refinement *r)
{
	free(r->hash);
	free(r->arrows);
	free(r->arrow);
	free(r->order);
	free(r->place);
	free(r->in);
	free(r->block);
	free(r->keyed);
	free(r->sorted);
	free(r->start);
}

/* ---- splitting --------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;

	return ORDER(x->hash, y->hash) ?: ORDER(x->object, y->object);
}

static void put_at(struct refinement *r, uint32_t place, uint32_t x)
{
	r->order[place] = x;
	r->place[x] = place;
}

/* Notes that the hash of an object has changed. */
static void touch(struct refinement *r, uint32_t x)
{
	struct block *b = &r->block[r->in[x]];
	uint32_t place = b->first + b->changed;

	if (r->place[x] < place)
		return;
	uint32_t from = r->place[x], other = r->order[place];
	put_at(r, from, other);
	put_at(r, place, x);
	b->changed++;
	if (b->queued)
		return;
	b->queued = true;
	b->next = NONE;
	if (r->queue == NONE)
		r->queue = r->in[x];
	else
		r->block[r->last].next = r->in[x];
	r->last = r->in[x];
}

/* Makes a block of a part of `order`. */
static void cut_off(struct refinement *r, uint32_t first, uint32_t n)
{
	uint32_t id = r->nblocks++;

	r->block[id] = (struct block){ .first = first, .n = n, .next = NONE };
	for (uint32_t i = first; i < first + n; i++)
		r->in[r->order[i]] = id;
}

/* Tells those that reference the objects of a new block, which were of block `old`. */
static void announce(struct refinement *r, uint32_t id, uint32_t old)
{
	/* touch() may reorder this block */
	uint32_t first = r->block[id].first, n = r->block[id].n;

	for (uint32_t i = 0; i < n; i++)
		r->keyed[i].object = r->order[first + i];
	for (uint32_t i = 0; i < n; i++) {
		uint32_t x = r->keyed[i].object;
		for (uint32_t a = r->arrows[x]; a < r->arrows[x + 1]; a++) {
			struct arrow to = r->arrow[a];
			r->hash[to.from] += refine_mix(r->seed, to.position, id) -
					    refine_mix(r->seed, to.position, old);
			touch(r, to.from);
		}
	}
}

/*
 * Sorts r->keyed. Hashes are spread evenly, so many of them go into buckets by their first bits
 * before a few are compared.
 */
static void sort_keyed(struct refinement *r, uint32_t n)
{
	unsigned bits = bucket_bits(n);

	if (bits == 0) {
		qsort(r->keyed, n, sizeof *r->keyed, compare);
		return;
	}
	uint32_t *start = r->start, buckets = 1u << bits, sum = 0;
	memset(start, 0, (buckets + 1) * sizeof *start);
	for (uint32_t i = 0; i < n; i++)
		start[r->keyed[i].hash >> (64 - bits)]++;
	for (uint32_t b = 0; b < buckets; b++) {
		uint32_t count = start[b];
		start[b] = sum;
		sum += count;
	}
	for (uint32_t i = 0; i < n; i++)
		r->sorted[start[r->keyed[i].hash >> (64 - bits)]++] = r->keyed[i];
	for (uint32_t b = 0, from = 0; b < buckets; from = start[b++])
		if (start[b] - from > 1)
			qsort(r->sorted + from, start[b] - from, sizeof *r->sorted, compare);
	struct keyed *swap = r->keyed;
	r->keyed = r->sorted;
	r->sorted = swap;
}

/* Sorts the changed objects of a block by hash, in `order`. */
static void sort_changed(struct refinement *r, const struct block *b)
{
	for (uint32_t i = 0; i < b->changed; i++) {
		uint32_t x = r->order[b->first + i];
		r->keyed[i] = (struct keyed){ r->hash[x], x };
	}
	sort_keyed(r, b->changed);
	for (uint32_t i = 0; i < b->changed; i++)
		put_at(r, b->first + i, r->keyed[i].object);
}

/* Objects from `i` on with one hash, of the `n` sorted ones. */
static uint32_t run(const struct refinement *r, uint32_t i, uint32_t n)
{
	uint32_t end = i + 1;

	while (end < n && r->keyed[end].hash == r->keyed[i].hash)
		end++;
	return end - i;
}

static void split(struct refinement *r, uint32_t id)
{
	const struct block b = r->block[id];
	uint32_t kept = b.first + b.changed, most = b.n - b.changed, old = r->nblocks;

	sort_changed(r, &b);
	for (uint32_t i = 0, len; i < b.changed; i += len)
		if ((len = run(r, i, b.changed)) > most) {
			most = len;
			kept = b.first + i;
		}
	for (uint32_t i = 0, len; i < b.changed; i += len) {
		len = run(r, i, b.changed);
		if (b.first + i != kept)
			cut_off(r, b.first + i, len);
	}
	if (b.n > b.changed && kept != b.first + b.changed)
		cut_off(r, b.first + b.changed, b.n - b.changed);
	r->block[id] = (struct block){ .first = kept, .n = most, .next = NONE };
	for (uint32_t new = old, end = r->nblocks; new < end; new ++)
		announce(r, new, id);
}

/* The first blocks: objects that are the same but for their references into cycles. */
static void begin(struct refinement *r)
{
	for (uint32_t i = 0; i < r->n; i++)
		r->keyed[i] = (struct keyed){ r->g->own[r->object[i]], i };
	sort_keyed(r, r->n);
	for (uint32_t i = 0; i < r->n; i++)
		put_at(r, i, r->keyed[i].object);
	for (uint32_t i = 0, len; i < r->n; i += len) {
		len = run(r, i, r->n);
		cut_off(r, i, len);
	}
	memset(r->hash, 0, r->n * sizeof *r->hash);
	for (uint32_t x = 0; x < r->n; x++)
		for (uint32_t a = r->arrows[x]; a < r->arrows[x + 1]; a++)
			r->hash[r->arrow[a].from] +=
				refine_mix(r->seed, r->arrow[a].position, r->in[x]);
	for (uint32_t x = 0; x < r->n; x++)
		touch(r, x);
}

void refine(struct partition *p, const struct partition_graph *g, const uint32_t *object,
	    uint32_t n, uint64_t seed)
{
	struct refinement r = { .p = p, .g = g, .object = object, .n = n, .seed = seed };

	if (n == 0)
		return;
	r.queue = r.last = NONE;
	allocate(&r);
	begin(&r);
	while (r.queue != NONE) {
		uint32_t id = r.queue;
		r.queue = r.block[id].next;
		r.block[id].queued = false;
		split(&r, id);
	}
	for (uint32_t i = 0; i < n; i++)
		p->block[object[i]] = p->nblocks + r.in[i];
	p->nblocks += r.nblocks;
	p->cyclic = r.nblocks;
	release(&r);
}
