/* SPDX-License-Identifier: Apache-2.0 */
/*
 * query_arrays.c - see query.h: boxed numbers, and arrays of which most is null or zero. What
 * belongs to a collection was counted there.
 */
#include <string.h>

#include "heapdump/query/query.h"

enum { LEAST_TAIL = 16 /* bytes; shorter ones are what alignment costs */ };

static const char *const boxes[] = {
	"java.lang.Boolean", "java.lang.Byte", "java.lang.Character", "java.lang.Short",
	"java.lang.Integer", "java.lang.Long", "java.lang.Float",     "java.lang.Double",
};

bool query_is_box(const char *class)
{
	for (size_t i = 0; i < sizeof boxes / sizeof boxes[0]; i++)
		if (strcmp(class, boxes[i]) == 0)
			return true;
	return false;
}

static void ask_objects(struct query *q, uint32_t x)
{
	const struct heap *h = q->h;
	uint32_t n = h->edge[x + 1] - h->edge[x], nulls = 0;

	for (uint32_t e = h->edge[x]; e < h->edge[x + 1]; e++)
		nulls += h->to[e] == PARTITION_NULL;
	if (nulls > n / 2)
		query_add(q, QUERY_NULLS, x, heap_size(h, x),
			  (uint64_t)nulls * h->layout.reference);
}

static void ask_numbers(struct query *q, uint32_t x)
{
	const struct heap *h = q->h;
	struct hprof_item item;

	heap_item(h, x, &item);
	unsigned width = hprof_width(h->dump, item.type);
	size_t bytes = (size_t)item.count * width, used = bytes;
	while (used > 0 && !item.body[used - 1])
		used--;
	size_t tail = (bytes - used) / width * width;
	if (bytes > 0 && used == 0)
		query_add(q, QUERY_ZEROES, x, heap_size(h, x), heap_size(h, x));
	else if (tail >= LEAST_TAIL && tail > bytes / 2)
		query_add(q, QUERY_TAIL, x, heap_size(h, x), tail);
}

void query_arrays(struct query *q)
{
	const struct heap *h = q->h;
	bool *box = xcalloc(h->nclasses, sizeof *box);

	for (uint32_t i = 0; i < h->nclasses; i++)
		box[i] = query_is_box(h->class[i].name);
	for (uint32_t x = 0; x < h->n; x++) {
		uint32_t class = heap_class_of(h, x);
		if (bits_has(q->counted, x))
			continue;
		if (box[class])
			query_add(q, QUERY_BOXED, x, heap_size(h, x), heap_size(h, x));
		else if (h->class[class].kind == HEAP_OBJECTS)
			ask_objects(q, x);
		else if (h->class[class].kind == HEAP_PRIMITIVES && !h->erased)
			ask_numbers(q, x);
	}
	free(box);
}
