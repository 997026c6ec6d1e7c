/* SPDX-License-Identifier: Apache-2.0 */
/*
 * partition.c - see partition.h: the objects that reach no cycle, from the leaves upwards. A walk
 * in depth comes back to an object when all that it references has blocks. Then these blocks and
 * the object's content decide its block, by a hash table. Objects from which the walk gets into a
 * cycle are left to refine.c.
 */
#include "heap/partition.h"

#include <stdlib.h>
#include <string.h>

#include "base/big.h"
#include "base/grow.h"
#include "base/rng.h"
#include "heap/refine.h"

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

/* By hash of the content, an object of the block that has it; NEW: free. */
struct slot {
	uint32_t object, hash; /* the low part, which tells most others without a look at them */
};

struct walk {
	const struct partition_graph *g;
	struct partition *p;
	uint64_t seed;
	struct step *step;
	size_t depth, room;
	struct slot *slot;
	uint32_t mask, used;
	uint32_t ncyclic;
};

/* ---- contents ------------------------------------------------------------------------------ */

static int grow_slots(struct walk *w)
{
	uint32_t slots = w->slot ? (w->mask + 1) * 2 : FIRST_SLOTS;
	struct slot *slot = big_alloc(slots, sizeof *slot);

	if (!slot)
		return -1;
	memset(slot, 0xff, slots * sizeof *slot);
	for (uint32_t i = 0; w->slot && i <= w->mask; i++) {
		if (w->slot[i].object == NEW)
			continue;
		uint32_t at = w->slot[i].hash & (slots - 1);
		while (slot[at].object != NEW)
			at = (at + 1) & (slots - 1);
		slot[at] = w->slot[i];
	}
	free(w->slot);
	w->slot = slot;
	w->mask = slots - 1;
	return 0;
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

/* Gives an object that reaches no cycle its block. 0, or -1 if out of memory. */
static int finish(struct walk *w, uint32_t x)
{
	uint64_t *own = w->g->own;

	if (w->used >= w->mask / 4 * 3 && grow_slots(w) < 0)
		return -1;
	own[x] = content(w, x);
	uint32_t hash = (uint32_t)own[x], at = hash & w->mask;
	while (w->slot[at].object != NEW &&
	       (w->slot[at].hash != hash || own[w->slot[at].object] != own[x]))
		at = (at + 1) & w->mask;
	if (w->slot[at].object == NEW) {
		w->slot[at] = (struct slot){ x, hash };
		w->used++;
		w->p->block[x] = w->p->nblocks++;
	} else {
		w->p->block[x] = w->p->block[w->slot[at].object];
	}
	return 0;
}

/* ---- the walk ---------------------------------------------------------------------------- */

static int open_object(struct walk *w, uint32_t x)
{
	if (!GROW(w->step, w->depth, w->room, FIRST_DEPTH))
		return -1;
	w->step[w->depth++] = (struct step){ x, w->g->edge[x], false };
	w->p->block[x] = OPEN;
	return 0;
}

static int close_object(struct walk *w)
{
	struct step *s = &w->step[--w->depth];

	if (!s->cyclic)
		return finish(w, s->object);
	w->p->block[s->object] = CYCLIC;
	w->ncyclic++;
	if (w->depth > 0)
		w->step[w->depth - 1].cyclic = true;
	return 0;
}

static bool is_leaf(const struct partition_graph *g, uint32_t x)
{
	return g->edge[x] == g->edge[x + 1];
}

/* Goes on from the innermost open object. 0, or -1 if out of memory. */
static int advance(struct walk *w)
{
	struct step *s = &w->step[w->depth - 1];
	const struct partition_graph *g = w->g;
	uint32_t end = g->edge[s->object + 1];

	while (s->next < end) {
		uint32_t y = g->to[s->next++];
		if (y == PARTITION_NULL)
			continue;
		if (w->p->block[y] == NEW && is_leaf(g, y)) {
			if (finish(w, y) < 0)
				return -1;
			continue;
		}
		if (w->p->block[y] == NEW)
			return open_object(w, y);
		s->cyclic |= w->p->block[y] == OPEN || w->p->block[y] == CYCLIC;
	}
	return close_object(w);
}

static int walk_all(struct walk *w)
{
	for (uint32_t x = 0; x < w->g->n; x++)
		if (partition_is_apart(w->g, x))
			w->p->block[x] = w->p->nblocks++;
	for (uint32_t x = 0; x < w->g->n; x++) {
		if (w->p->block[x] != NEW)
			continue;
		if (open_object(w, x) < 0)
			return -1;
		while (w->depth > 0)
			if (advance(w) < 0)
				return -1;
	}
	return 0;
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

static int split_cyclic(struct walk *w)
{
	uint32_t *object = malloc((w->ncyclic ? w->ncyclic : 1) * sizeof *object), n = 0;

	if (!object)
		return -1;
	for (uint32_t x = 0; x < w->g->n; x++)
		if (w->p->block[x] == CYCLIC) {
			object[n] = x;
			w->p->block[x] = REFINE_CYCLIC | n++;
		}
	for (uint32_t i = 0; i < n; i++)
		begin_cyclic(w, object[i]);
	int result = refine(w->p, w->g, object, n, w->seed);
	free(object);
	return result;
}

int partition_make(struct partition *p, const struct partition_graph *g, uint64_t seed)
{
	struct walk w = { .g = g, .p = p, .seed = rng_mix(seed + 1) };
	int result = -1;

	*p = (struct partition){ .block = big_alloc(g->n + (size_t)1, sizeof *p->block) };
	if (!p->block || grow_slots(&w) < 0)
		goto out;
	memset(p->block, 0xff, g->n * sizeof *p->block);
	if (walk_all(&w) < 0)
		goto out;
	free(w.slot);
	free(w.step);
	w.slot = NULL;
	w.step = NULL;
	result = split_cyclic(&w);
out:
	free(w.slot);
	free(w.step);
	return result;
}

void partition_release(struct partition *p)
{
	free(p->block);
	*p = (struct partition){ .block = NULL };
}
