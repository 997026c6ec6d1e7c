/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_ahead.c - what records will need of memory, asked for before they are fed. One cache miss leads to the
 * next: the slot of the map, the context, its counts. Asked for together, those of a block of records take
 * hardly longer than those of one.
 */
#include "model_private.h"

enum { MOST = 64 };

/* The slot where the context of an event is looked up first; NULL: the record is none. */
static const struct idmap_slot *slot_of(const struct idmap *map, const struct wire_rec *rec)
{
	switch (atomic_load_explicit(&rec->type, memory_order_relaxed)) {
	case WIRE_ALLOC:
	case WIRE_LOOK:
	case WIRE_USE:
	case WIRE_UNUSED:
	case FILE_COUNT:
	case FILE_TALLY: /* all have the context behind their header */
		if (rec->len < sizeof(struct wire_unused))
			return NULL;
		return idmap_first(map, ((const struct wire_unused *)rec)->context);
	default:
		return NULL;
	}
}

static void fetch_deferred(const struct context *c, const struct wire_rec *rec)
{
	uint16_t type = atomic_load_explicit(&rec->type, memory_order_relaxed);

	if (c->deferred && (type == WIRE_LOOK || type == WIRE_USE))
		__builtin_prefetch(&c->deferred[type == WIRE_USE], 1);
}

void model_ahead(const struct model *m, uint32_t jvm, const struct wire_rec *const *recs, size_t n)
{
	const struct idmap_slot *slots[MOST];

	if (jvm < 1 || jvm > m->njvms || n > MOST || !m->jvms[jvm - 1]->contexts.slots)
		return;
	for (size_t i = 0; i < n; i++) {
		slots[i] = slot_of(&m->jvms[jvm - 1]->contexts, recs[i]);
		__builtin_prefetch(slots[i]);
	}
	for (size_t i = 0; i < n; i++) {
		const struct context *c = slots[i] ? slots[i]->value : NULL;
		if (!c)
			continue;
		__builtin_prefetch(&c->pub.sampled, 1);
		__builtin_prefetch(&c->pub.looks_seen, 1);
		__builtin_prefetch(&c->use_threshold, 1);
	}
	for (size_t i = 0; i < n; i++)
		if (slots[i] && slots[i]->value)
			fetch_deferred(slots[i]->value, recs[i]);
}
