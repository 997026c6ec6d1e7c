/* SPDX-License-Identifier: Apache-2.0 */
/*
 * next_use_draw.c - see next_use_draw.h. A count looks at all held objects, which costs more than
 * some watches. So it is made from time to time, and if there may be fresh objects.
 */
#include "analyse/next_use_draw.h"

#include "analyse/draw_table.h"
#include "heap/collections.h"
#include "heap/lifetimes.h"
#include "heap/live_heap_view.h"
#include "hotspot/metadata/classes.h"
#include "hotspot/metadata/layout.h"

#define COUNT_NS   1000000000u /* between counts of the objects that can be drawn; */
#define RECOUNT_NS 50000000u   /* the same after a collection */
#define ATTEMPTS   64	       /* to draw one */
#define WORD	   8
#define PART_WORDS NEXT_USE_FEW /* that are watched of an object with too many */
#define FRESH_NS   100000000u	/* after a collection objects are fresh for so long */

/* Registers that an object needs. */
static uint32_t registers_of(const struct live_heap_held *e)
{
	uint64_t words = e->size / WORD;

	return words <= WATCH_SLOTS ? (uint32_t)words : PART_WORDS;
}

/* Whether an object can be drawn: it has survived a collection; *life: its life so far. */
static bool can_be_drawn(uint32_t i, struct wire_life *life)
{
	const struct live_heap_held *e = &live_heap_table.entries[i];

	return live_heap_is_held(e) && lifetimes_read(i, life) && !life->dead.ns &&
	       life->alive.ns > life->birth.ns;
}

static bool needs_many(uint32_t i)
{
	return registers_of(&live_heap_table.entries[i]) > NEXT_USE_FEW;
}

/* Makes each of those that are offered equally likely. */
static void offer(struct drawn *d, uint32_t entry, const struct wire_life *life, uint64_t *random)
{
	d->stands_for = ++d->n;
	if (random_below(random, d->n))
		return;
	d->entry = entry;
	d->birth_ns = life->birth.ns;
}

/* Objects that can be drawn, by their needs, as of the last count. */
static struct {
	uint64_t ns;
	uint32_t collections, n[2];
	double upto[2][ALIVE_MAX];
	struct draw_table bytes[2];   /* that each entry's object stands for */
	uint64_t birth_ns[ALIVE_MAX]; /* of that object */
} counted = { .bytes = { { .upto = counted.upto[0] }, { .upto = counted.upto[1] } } };

static void count_entry(uint32_t i, bool can, const struct wire_life *life)
{
	const struct live_heap_held *e = &live_heap_table.entries[i];
	bool many = needs_many(i);

	counted.n[many] += can;
	counted.birth_ns[i] = can ? life->birth.ns : UINT64_MAX;
	draw_table_add(&counted.bytes[many], can ? e->weight * (double)e->size : 0);
	draw_table_add(&counted.bytes[!many], 0);
}

static void count(struct drawn fresh[2], uint64_t *random)
{
	struct wire_heap_time now = heap_time_now();

	for (int many = 0; many < 2; many++)
		counted.n[many] = counted.bytes[many].n = 0;
	for (uint32_t i = 0; i < atomic_load_explicit(&live_heap_table.used, memory_order_acquire);
	     i++) {
		struct wire_life life;
		bool can = can_be_drawn(i, &life);
		count_entry(i, can, &life);
		if (!can)
			continue;
		if (now.collections == life.birth.collections + 1 &&
		    now.ns - life.alive.ns < FRESH_NS)
			offer(&fresh[needs_many(i)], i, &life, random);
	}
	counted.ns = now_ns();
	counted.collections = now.collections;
}

static bool is_time_to_count(void)
{
	uint64_t since = now_ns() - counted.ns;

	return since > COUNT_NS ||
	       (since > RECOUNT_NS && heap_time_now().collections != counted.collections);
}

void next_use_count(struct drawn fresh[2], uint64_t *random)
{
	fresh[0] = fresh[1] = (struct drawn){ .n = 0 };
	if (is_time_to_count())
		count(fresh, random);
}

static double part_of(double part, double other)
{
	return part + other > 0 ? part / (part + other) : 0;
}

double next_use_share_of_many(void)
{
	return (part_of(counted.n[1], counted.n[0]) +
		part_of(draw_table_sum(&counted.bytes[1]), draw_table_sum(&counted.bytes[0]))) /
	       2;
}

/* A number in [0, 1). */
static double fraction(uint64_t *random)
{
	return (double)random_below(random, 1u << 31) / (double)(1u << 31);
}

bool next_use_draw(struct drawn *d, bool many, uint64_t *random)
{
	uint32_t used = atomic_load_explicit(&live_heap_table.used, memory_order_acquire),
		 n = counted.n[many];
	const struct draw_table *bytes = &counted.bytes[many];
	bool by_bytes = draw_table_sum(bytes) > 0 && random_below(random, 2);

	for (int k = 0; k < ATTEMPTS && used && n; k++) {
		struct wire_life life;
		uint32_t i = by_bytes ? draw_table_pick(bytes, fraction(random))
				      : (uint32_t)random_below(random, used);
		if (!can_be_drawn(i, &life) || needs_many(i) != many)
			continue;
		/* one that is there only since the count has no bytes of its own */
		bool was_there = i < bytes->n && counted.birth_ns[i] == life.birth.ns;
		if (by_bytes && !was_there)
			continue;
		double share = was_there ? draw_table_share(bytes, i) : 0;
		*d = (struct drawn){ .n = n,
				     .entry = i,
				     .stands_for = 1 / draw_table_chance(share, n),
				     .birth_ns = life.birth.ns };
		return true;
	}
	return false;
}

bool next_use_choose_words(struct object_watch *w, const struct live_heap_held *e, uint64_t *random)
{
	const struct klass *k = class_by_id(e->class_id);
	uint64_t all = e->size / WORD;

	w->nwords = 0;
	for (uint32_t i = 0; i < all && all <= WATCH_SLOTS; i++)
		w->word[w->nwords++] = WORD * i;
	if (all <= WATCH_SLOTS)
		return true;
	if (k && k->array)
		w->word[w->nwords++] = layout.length_offset / WORD * WORD;
	while (w->nwords < PART_WORDS) {
		uint32_t word = WORD * (uint32_t)(random_below(random, all - 1) + 1);
		bool is_new = true;
		for (uint32_t i = 0; i < w->nwords; i++)
			is_new &= w->word[i] != word;
		if (is_new)
			w->word[w->nwords++] = word;
	}
	return false;
}
