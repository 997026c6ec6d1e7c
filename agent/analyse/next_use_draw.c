/* SPDX-License-Identifier: Apache-2.0 */
/*
 * next_use_draw.c - see next_use_draw.h. A count looks at all held objects, which costs more than
 * some watches. So it is made from time to time, and if there may be fresh objects.
 */
#include "analyse/next_use_draw.h"

#include "heap/live_heap_table.h"
#include "heap/lives.h"
#include "heap/moment.h"
#include "hotspot/classes.h"
#include "hotspot/layout.h"

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

	return live_heap_is_held(e) && lives_read(i, life) && !life->dead.ns &&
	       life->alive.ns > life->birth.ns;
}

static bool needs_many(uint32_t i)
{
	return registers_of(&live_heap_table.entries[i]) > NEXT_USE_FEW;
}

/* Makes each of those that are offered equally likely. */
static void offer(struct drawn *d, uint32_t entry, const struct wire_life *life, uint64_t *random)
{
	if (random_below(random, ++d->n))
		return;
	d->entry = entry;
	d->birth_ns = life->birth.ns;
}

/* Objects that can be drawn, by their needs, as of the last count. */
static struct {
	uint64_t ns;
	uint32_t collections, n[2];
} counted;

static void count(struct drawn fresh[2], uint64_t *random)
{
	struct wire_moment now = moment_now();

	counted.n[0] = counted.n[1] = 0;
	for (uint32_t i = 0; i < atomic_load(&live_heap_table.used); i++) {
		struct wire_life life;
		if (!can_be_drawn(i, &life))
			continue;
		counted.n[needs_many(i)]++;
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
	       (since > RECOUNT_NS && moment_now().collections != counted.collections);
}

void next_use_count(struct drawn fresh[2], uint64_t *random)
{
	fresh[0] = fresh[1] = (struct drawn){ .n = 0 };
	if (is_time_to_count())
		count(fresh, random);
}

uint32_t next_use_counted(bool many)
{
	return counted.n[many];
}

bool next_use_draw(struct drawn *d, bool many, uint64_t *random)
{
	uint32_t used = atomic_load(&live_heap_table.used);

	for (int k = 0; k < ATTEMPTS && used; k++) {
		struct wire_life life;
		uint32_t i = (uint32_t)random_below(random, used);
		if (!can_be_drawn(i, &life) || needs_many(i) != many)
			continue;
		*d = (struct drawn){ .n = counted.n[many], .entry = i, .birth_ns = life.birth.ns };
		return d->n > 0;
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
