/* SPDX-License-Identifier: Apache-2.0 */
/*
 * erased.c - see heap.h: dumps whose contents a tool has erased, so that they hold no secrets. It
 * writes zeroes, or a text again and again, over each array of bytes and of characters. Then each
 * array is the beginning of the longest one, which is hardly so of any two in another dump.
 */
#include "heap/heap.h"

enum { LEAST = 16 /* arrays that have elements */ };

/* The arrays of one type. */
struct arrays {
	struct hprof_item longest;
	uint32_t n;
};

static bool take(struct arrays *a, const struct hprof_item *item, unsigned width)
{
	const struct hprof_item *longer = item->count > a->longest.count ? item : &a->longest;
	const struct hprof_item *other = longer == item ? &a->longest : item;

	if (a->n++ > 0 && memcmp(longer->body, other->body, (size_t)other->count * width) != 0)
		return false;
	a->longest = *longer;
	return true;
}

bool heap_is_erased(const struct heap *h)
{
	struct arrays bytes = { .n = 0 }, characters = { .n = 0 };
	struct hprof_item item;

	for (uint32_t x = 0; x < h->n; x++) {
		const struct heap_class *c = &h->class[heap_class_of(h, x)];
		bool of_bytes = c->element == HPROF_BYTE;
		if (c->kind != HEAP_PRIMITIVES || (!of_bytes && c->element != HPROF_CHAR))
			continue;
		heap_item(h, x, &item);
		if (item.count > 0 &&
		    !take(of_bytes ? &bytes : &characters, &item, of_bytes ? 1 : 2))
			return false;
	}
	return bytes.n + characters.n >= LEAST;
}
