/* SPDX-License-Identifier: Apache-2.0 */
/*
 * query_buffers.c - see query.h: direct buffers, whose memory is outside of the heap. It goes
 * when the buffer's object is collected, so the object is larger than it looks. Slices and
 * duplicates have none of their own.
 */
#include "heapdump/query/query.h"

/* What a buffer has: bytes outside of the heap, and a cleaner if they are its own. */
struct shape {
	struct heap_run capacity;
	bool known;
};

static bool know(const struct heap *h, uint32_t class, struct shape *to)
{
	uint8_t type;

	to->known = h->class[class].planned &&
		    query_inherits(h, class, "java.nio.DirectByteBuffer") &&
		    query_field_at(h, class, "java.nio.Buffer", "capacity", &to->capacity, &type) &&
		    type == HPROF_INT;
	return to->known;
}

void query_buffers(struct query *q)
{
	const struct heap *h = q->h;
	struct shape *shape = xcalloc(h->nclasses, sizeof *shape);
	struct hprof_item item;
	bool any = false;

	for (uint32_t i = 0; i < h->nclasses; i++)
		any |= know(h, i, &shape[i]);
	for (uint32_t x = 0; any && x < h->n; x++) {
		const struct shape *s = &shape[heap_class_of(h, x)];
		if (!s->known || heap_is_class_object(h, x) ||
		    query_reference(h, x, "java.nio.DirectByteBuffer", "cleaner") == HEAP_NONE)
			continue;
		heap_item(h, x, &item);
		int32_t capacity = (int32_t)hprof_u32(item.body + s->capacity.offset);
		if (capacity > 0)
			query_add(q, QUERY_DIRECT, x, heap_size(h, x), (uint64_t)capacity);
	}
	free(shape);
}
