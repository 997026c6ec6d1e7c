/* SPDX-License-Identifier: Apache-2.0 */
/*
 * partition.c - see partition.h: the objects that reach no cycle, from the leaves upwards. A walk
 * in depth comes back to an object when all that it references has blocks. Then these blocks and
 * the object's content decide its block, by a hash table. Objects from which the walk gets into a
 * cycle are left to refine.c.
 */
#include "heapdump/partition.h"

#include <stdlib.h>
#include <string.h>

#include "base/big.h"
#include "base/grow.h"
#include "base/rng.h"
#include "heapdump/refine.h"

enum { FIRST_SLOTS = 1024, FIRST_DEPTH = 256 };

/* Instead of a block, while the walk goes on. */
#define NEW    UINT32_MAX
#define OPEN   (UINT32_MAX - 1)
#define CYCLIC (UINT32_MAX - 2)

/* A step of the walk: an object, and its reference that comes next. */
struct step {
	uint32_t object, next;
	bool cyclic; /* it reaches a cycle */
};

/* By hash of the content, the first object that had it; NEW: free. Millions of them: packed. */
struct slot {
	uint32_t object;
	uint8_t tag; /* the hash's first bits, which tell most others without a look at them */
} __attribute__((packed));

struct walk {
	const struct partition_graph *g;
	struct partition *p;
	uint64_t seed;
	struct step *step;
	size_t depth, room;
	struct slot *slot;
	uint32_t mask, used;
	unsigned char *first; /* a bit for each object that is in a slot */
	uint32_t ncyclic;
};

/* ---- contents ------------------------------------------------------------------------------ */

static uint8_t tag_of(uint64_t hash)
{
	return (uint8_t)(hash >> 56);
}

/* The slot of the object that has this content, or the free one for it. */
static struct slot *find_slot(const struct walk *w, uint64_t hash)
{
	uint32_t at = (uint32_t)hash & w->mask;

	while (w->slot[at].object != NEW &&
	       (w->slot[at].tag != tag_of(hash) || w->g->own[w->slot[at].object] != hash))
		at = (at + 1) & w->mask;
	return &w->slot[at];
}

/* Doubles the slots. The old ones are not there meanwhile: bits tell which objects they had. */
static void grow_slots(struct walk *w)
{
	size_t slots = w->slot ? ((size_t)w->mask + 1) * 2 : FIRST_SLOTS;

	free(w->slot);
	w->slot = xbig_alloc(slots, sizeof *w->slot);
	memset(w->slot, 0xff, slots * sizeof *w->slot);
	w->mask = (uint32_t)(slots - 1);
	for (uint32_t x = 0; w->used && x < w->g->n; x++)
		if (bits_has(w->first, x))
			*find_slot(w, w->g->own[x]) = (struct slot){ x, tag_of(w->g->own[x]) };
}

/* The hash of an object whose references have blocks. */
static uint64_t content(const struct walk *w, uint32_t x)
{
	const struct partition_graph *g = w->g;
	uint64_t sum = g->own[x];

	for (uint32_t e = g->edge[x]; e < g->edge[x + 1]; e++)
		if (g->to[e] != PARTITION_NULL)
			sum += refine_mix(w->seed, e - g->edge[x], w->p->block[g->to[e]]);
	return rng_mix(sum ^ w->seed);
}

/* Gives an object that reaches no cycle its block. */
static void finish(struct walk *w, uint32_t x)
{
	if (w->used >= w->mask / 4 * 3)
		grow_slots(w);
	uint64_t hash = w->g->own[x] = content(w, x);
	struct slot *s = find_slot(w, hash);
	if (s->object != NEW) {
		w->p->block[x] = w->p->block[s->object];
		return;
	}
	*s = (struct slot){ x, tag_of(hash) };
	bits_set(w->first, x);
	w->used++;
	w->p->block[x] = w->p->nblocks++;
}

/* ---- the walk ---------------------------------------------------------------------------- */

static void open_object(struct walk *w, uint32_t x)
{
	XGROW(w->step, w->depth, w->room, FIRST_DEPTH);
	w->step[w->depth++] = (struct step){ x, w->g->edge[x], false };
	w->p->block[x] = OPEN;
}

static void close_object(struct walk *w)
{
	struct step *s = &w->step[--w->depth];

	if (!s->cyclic) {
		finish(w, s->object);
		return;
	}
	w->p->block[s->object] = CYCLIC;
	w->ncyclic++;
	if (w->depth > 0)
		w->step[w->depth - 1].cyclic = true;
}

static bool is_leaf(const struct partition_graph *g, uint32_t x)
{
	return g->edge[x] == g->edge[x + 1];
}

/* Goes on from the innermost open object. */
static void advance(struct walk *w)
{
	struct step *s = &w->step[w->depth - 1];
	const struct partition_graph *g = w->g;
	uint32_t end = g->edge[s->object + 1];

	while (s->next < end) {
		uint32_t y = g->to[s->next++];
		if (y == PARTITION_NULL)
			continue;
		if (w->p->block[y] == NEW && is_leaf(g, y)) {
			finish(w, y);
			continue;
		}
		if (w->p->block[y] == NEW) {
			open_object(w, y);
			return;
		}
		s->cyclic |= w->p->block[y] == OPEN || w->p->block[y] == CYCLIC;
	}
	close_object(w);
}

static void walk_all(struct walk *w)
{
	for (uint32_t x = 0; x < w->g->n; x++)
		if (partition_is_apart(w->g, x))
			w->p->block[x] = w->p->nblocks++;
	for (uint32_t x = 0; x < w->g->n; x++) {
		if (w->p->block[x] != NEW)
			continue;
		open_object(w, x);
		while (w->depth > 0)
			advance(w);
	}
}

/* ---- cycles ------------------------------------------------------------------------------ */

/* Adds to the content what does not change any more: references to objects without cycles. */
static void begin_cyclic(struct walk *w, uint32_t x)
{
	const struct partition_graph *g = w->g;
	uint64_t sum = g->own[x];

	for (uint32_t e = g->edge[x]; e < g->edge[x + 1]; e++) {
		uint32_t y = g->to[e];
		if (y == PARTITION_NULL)
			continue;
		uint32_t block = w->p->block[y];
		if (block >= REFINE_CYCLIC)
			block = NEW;
		sum += refine_mix(w->seed, e - g->edge[x], block);
	}
	g->own[x] = rng_mix(sum ^ w->seed);
}

static void split_cyclic(struct walk *w)
{
	uint32_t *object = xmallocarray(w->ncyclic, sizeof *object), n = 0;

	for (uint32_t x = 0; x < w->g->n; x++)
		if (w->p->block[x] == CYCLIC) {
			object[n] = x;
			w->p->block[x] = REFINE_CYCLIC | n++;
		}
	for (uint32_t i = 0; i < n; i++)
		begin_cyclic(w, object[i]);
	refine(w->p, w->g, object, n, w->seed);
	free(object);
}

void partition_make(struct partition *p, const struct partition_graph *g, uint64_t seed)
{
	struct walk w = { .g = g, .p = p, .seed = rng_mix(seed + 1) };

	*p = (struct partition){ .block = xbig_alloc(g->n + (size_t)1, sizeof *p->block) };
	w.first = xcalloc(bits_bytes(g->n), 1);
	grow_slots(&w);
	memset(p->block, 0xff, g->n * sizeof *p->block);
	walk_all(&w);
	free(w.slot);
	free(w.step);
	free(w.first);
	split_cyclic(&w);
}

void partition_release(struct partition *p)
{
	free(p->block);
	*p = (struct partition){ .block = NULL };
}
