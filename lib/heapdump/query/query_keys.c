/* SPDX-License-Identifier: Apache-2.0 */
/*
 * query_keys.c - see query.h: entries of weak maps, and of thread locals, whose values refer to
 * their own keys. The map holds the value, so the key never dies, and the entry is never cleared.
 *
 * If a value counted only while its key is alive, what would not be reached any more? First all is
 * reached that roots lead to. Then the same without values, each of which joins when its map and
 * its key are both reached. A key that only the first search reaches is kept by values alone: its
 * own, or those of other entries that are no better off.
 */
#include <stdlib.h>

#include "base/grow.h"
#include "base/sort.h"
#include "heapdump/query/query.h"
#include "heapdump/retained/cut.h"
#include "heapdump/retained/reach.h"

enum { FIRST_ROOM = 64 };

struct entry {
	uint32_t object, key, value; /* no key: it is gone, or weak references alone lead to it */
};

struct search {
	struct query *q;
	struct entry *entry; /* by key */
	size_t n, room;
	struct idmap index;	/* of entries by their objects, from 1 */
	unsigned char *watched; /* a bit for each key, and each entry */
	struct reach reach;	/* with the values of keys that are reached */
};

/* ---- entries ----------------------------------------------------------------------------- */

const char *query_entry_class(const struct heap *h, uint32_t class)
{
	static const char *const entries[] = { "java.util.WeakHashMap$Entry",
					       "java.lang.ThreadLocal$ThreadLocalMap$Entry" };

	for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
		if (query_inherits(h, class, entries[i]))
			return entries[i];
	return NULL;
}

static uint32_t value_slot(const struct heap *h, uint32_t class)
{
	const char *declarer = h->class[class].planned ? query_entry_class(h, class) : NULL;

	return declarer ? heap_slot_of(h, class, declarer, "value") : HEAP_NONE;
}

static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return ORDER(x->key, y->key) ?: ORDER(x->object, y->object);
}

/* Those whose values were taken out of the heap. */
static void find_entries(struct search *s, const struct cut *values)
{
	const struct heap *h = s->q->h;

	for (size_t i = 0; i < values->n; i++) {
		const struct cut_edge *c = &values->item[i];
		uint32_t key = query_reference(h, c->from, "java.lang.ref.Reference", "referent");
		XGROW(s->entry, s->n, s->room, FIRST_ROOM);
		s->entry[s->n++] = (struct entry){ c->from, key, c->to };
	}
}

/* ---- the searches ------------------------------------------------------------------------ */

/* Most keys are in static fields. Whether there is one that no root refers to itself. */
static bool is_worth_it(const struct search *s)
{
	const struct heap *h = s->q->h;
	unsigned char *held = xcalloc(bits_bytes(h->n), 1);
	bool any = false;

	for (uint32_t x = 0; x < h->n; x++) {
		if (!bits_has(h->rooted, x) && !bits_has(h->forever, x))
			continue;
		bits_set(held, x);
		for (uint32_t e = h->edge[x]; e < h->edge[x + 1]; e++)
			if (h->to[e] != PARTITION_NULL)
				bits_set(held, h->to[e]);
	}
	for (size_t i = 0; i < s->n && !any; i++)
		any = s->entry[i].key != HEAP_NONE && !bits_has(held, s->entry[i].key);
	free(held);
	return any;
}

/* Keys that weak references alone lead to are as good as gone. */
static void forget_dead(struct search *s)
{
	struct reach all;

	reach_begin(&all, s->q->h);
	reach_roots(&all);
	reach_all(&all);
	for (size_t i = 0; i < s->n; i++)
		if (s->entry[i].key != HEAP_NONE && !bits_has(all.seen, s->entry[i].key))
			s->entry[i].key = HEAP_NONE;
	reach_release(&all);
}

static void watch(struct search *s)
{
	qsort(s->entry, s->n, sizeof *s->entry, compare_entries);
	s->watched = xcalloc(bits_bytes(s->q->h->n), 1);
	for (size_t i = 0; i < s->n; i++) {
		bits_set(s->watched, s->entry[i].object);
		xidmap_put(&s->index, s->entry[i].object, (void *)(uintptr_t)(i + 1));
		if (s->entry[i].key != HEAP_NONE)
			bits_set(s->watched, s->entry[i].key);
	}
}

/* A value joins if its entry and its key are reached. */
static void join(struct search *s, const struct entry *e)
{
	if (bits_has(s->reach.seen, e->object) &&
	    (e->key == HEAP_NONE || bits_has(s->reach.seen, e->key)))
		reach_object(&s->reach, e->value);
}

static void reach_by_keys(struct search *s)
{
	uint32_t x;

	reach_begin(&s->reach, s->q->h);
	reach_roots(&s->reach);
	while ((x = reach_next(&s->reach)) != HEAP_NONE) {
		if (!bits_has(s->watched, x))
			continue;
		uintptr_t entry = (uintptr_t)idmap_get(&s->index, x);
		if (entry)
			join(s, &s->entry[entry - 1]);
		size_t first = SEARCH(k, 0, s->n, s->entry[k].key < x);
		for (size_t i = first; i < s->n && s->entry[i].key == x; i++)
			join(s, &s->entry[i]);
	}
}

/* ---- what is told ------------------------------------------------------------------------ */

/* Leaves the entries whose keys are not reached. */
static void leave_held(struct search *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct entry *e = &s->entry[i];
		if (e->key != HEAP_NONE && bits_has(s->reach.seen, e->object) &&
		    !bits_has(s->reach.seen, e->key))
			s->entry[n++] = *e;
	}
	s->n = n;
}

static void search(struct search *s, struct cut *values)
{
	struct heap *h = s->q->h;

	cut_undo(values, h);
	forget_dead(s);
	watch(s);
	cut_again(values, h);
	reach_by_keys(s);
	cut_undo(values, h);
	leave_held(s);
	for (size_t i = 0; i < s->n; i++) {
		const struct entry *e = &s->entry[i];
		reach_object(&s->reach, e->value);
		uint64_t bytes = heap_size(h, e->object) + reach_all(&s->reach).bytes;
		query_add(s->q, QUERY_HELD_KEY, e->object, bytes, bytes);
	}
	reach_release(&s->reach);
}

void query_keys(struct query *q)
{
	struct search s = { .q = q };
	struct cut values = { .n = 0 }, weak = { .n = 0 };

	cut_slots(&values, q->h, value_slot);
	find_entries(&s, &values);
	cut_weak(&weak, q->h);
	if (is_worth_it(&s))
		search(&s, &values);
	cut_undo(&values, q->h);
	cut_undo(&weak, q->h);
	cut_release(&values);
	cut_release(&weak);
	idmap_release(&s.index);
	free(s.entry);
	free(s.watched);
}
