/* SPDX-License-Identifier: Apache-2.0 */
/*
 * query_references.c - see query.h: entries of weak maps whose keys are gone, with their values,
 * which the map keeps until somebody uses it again; objects with finalizers, and those that wait
 * for theirs.
 */
#include "heapdump/query/query.h"

/* Bytes of an object, and of another one with all that this holds, if only the first has it. */
static uint64_t with(const struct query *q, uint32_t x, uint32_t y)
{
	uint64_t bytes = heap_size(q->h, x);

	if (y != HEAP_NONE && q->m->holder[y] == x)
		bytes += packed_get(&q->m->retained, y) * HEAP_UNIT;
	return bytes;
}

/* An entry that nobody can find any more, with its value. */
static void ask_entry(struct query *q, uint32_t x)
{
	const struct heap *h = q->h;
	const char *class = query_entry_class(h, heap_class_of(h, x));
	uint64_t bytes = with(q, x, query_reference(h, x, class, "value"));

	query_add(q, QUERY_DEAD_KEY, x, bytes, bytes);
}

static uint32_t referent(const struct heap *h, uint32_t x)
{
	return query_reference(h, x, "java.lang.ref.Reference", "referent");
}

/* The static field of ReferenceQueue that stands for: it is in its queue. */
static uint32_t enqueued(const struct heap *h)
{
	for (uint32_t x = 0; x < h->n; x++) {
		struct hprof_item item;
		if (!heap_is_class_object(h, x))
			continue;
		heap_item(h, x, &item);
		uint32_t class = heap_class_find(h, item.id);
		if (strcmp(h->class[class].name, "java.lang.ref.ReferenceQueue") != 0)
			continue;
		for (uint32_t e = h->edge[x]; e < h->edge[x + 1]; e++) {
			uint32_t field = heap_edge_field(h, x, e);
			if (field != HEAP_NONE && heap_text_is(h, h->field[field].name, "ENQUEUED"))
				return h->to[e];
		}
	}
	return HEAP_NONE;
}

/* A row for the class of what is to be finalized: who has it, nobody else needs to know. */
static void ask_finalizer(struct query *q, uint32_t x, uint32_t waits)
{
	uint32_t of = referent(q->h, x);

	if (of == HEAP_NONE)
		return;
	bool pending = waits != HEAP_NONE &&
		       query_reference(q->h, x, "java.lang.ref.Reference", "queue") == waits;
	uint64_t bytes = pending ? with(q, x, of) : heap_size(q->h, x) + heap_size(q->h, of);
	query_add_to(q, pending ? QUERY_FINALIZER : QUERY_FINALIZABLE, query_group(q, of),
		     HEAP_NONE, of, bytes, pending ? bytes : heap_size(q->h, x));
}

void query_references(struct query *q)
{
	const struct heap *h = q->h;
	bool *entry = xcalloc(h->nclasses, sizeof *entry);
	bool *finalizer = xcalloc(h->nclasses, sizeof *finalizer), any = false;

	for (uint32_t i = 0; i < h->nclasses; i++) {
		entry[i] = h->class[i].planned && query_entry_class(h, i);
		finalizer[i] =
			h->class[i].planned && query_inherits(h, i, "java.lang.ref.Finalizer");
		any |= finalizer[i];
	}
	uint32_t waits = any ? enqueued(h) : HEAP_NONE;
	for (uint32_t x = 0; x < h->n; x++) {
		uint32_t class = heap_class_of(h, x);
		if (heap_is_class_object(h, x))
			continue;
		if (finalizer[class])
			ask_finalizer(q, x, waits);
		else if (entry[class] && referent(h, x) == HEAP_NONE)
			ask_entry(q, x);
	}
	free(entry);
	free(finalizer);
}
