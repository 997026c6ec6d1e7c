/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_ahead.c - what records will need of memory, asked for before they are fed. One cache miss leads to the
 * next: the slot of the map, the context, its counts. Asked for together, those of a block of records take
 * hardly longer than those of one.
 */
#include "model/model_private.h"

enum { MOST = 64 };

/* A record of which the context is needed. */
struct coming {
	const struct idnumbers_slot *slot; /* where it is looked up first */
	const struct context *context;
	bool counts;
};

/* What is asked for of a record; false: nothing. Of evidence that a sieve takes it is no more than the slot. */
static bool expect(const struct model *m, const struct idnumbers *map, const struct wire_rec *rec,
		   struct coming *to)
{
	uint16_t type = atomic_load_explicit(&rec->type, memory_order_relaxed);
	bool is_evidence = type == WIRE_LOOK || type == WIRE_USE;

	if (!is_evidence && type != WIRE_ALLOC && type != WIRE_UNUSED && type != FILE_COUNT &&
	    type != FILE_TALLY)
		return false;
	if (rec->len < sizeof(struct wire_unused)) /* all have the context behind their header */
		return false;
	to->slot = idnumbers_first(map, ((const struct wire_unused *)rec)->context);
	to->counts = type == FILE_COUNT || type == WIRE_ALLOC;
	__builtin_prefetch(to->slot);
	return !is_evidence || !m->deferred;
}

static void fetch_contexts(const struct model *m, struct coming *coming, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (coming[i].slot->next)
			__builtin_prefetch(&m->contexts[coming[i].slot->next - 1]);
	for (size_t i = 0; i < n; i++) {
		if (!coming[i].slot->next)
			continue;
		const struct context *c = coming[i].context = m->contexts[coming[i].slot->next - 1];
		__builtin_prefetch(&c->pub.sampled, 1);
		__builtin_prefetch(&c->pub.looks_seen, 1);
		__builtin_prefetch(&c->use_threshold, 1);
	}
	for (size_t i = 0; i < n; i++) {
		if (!coming[i].context || !coming[i].counts)
			continue;
		__builtin_prefetch(coming[i].context->pub.strata, 1);
		__builtin_prefetch(coming[i].context->sums, 1);
	}
}

void model_ahead(const struct model *m, uint32_t jvm, const struct wire_rec *const *recs, size_t n)
{
	struct coming coming[MOST];
	size_t found = 0;

	if (jvm < 1 || jvm > m->njvms || n > MOST || !m->jvms[jvm - 1]->contexts.slots)
		return;
	for (size_t i = 0; i < n; i++) {
		coming[found].context = NULL;
		found += expect(m, &m->jvms[jvm - 1]->contexts, recs[i], &coming[found]);
	}
	fetch_contexts(m, coming, found);
}
