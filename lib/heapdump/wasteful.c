/* SPDX-License-Identifier: Apache-2.0 */
/* wasteful.c - see wasteful.h. */
#include "heapdump/wasteful.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_TAIL = 16 /* bytes; shorter ones are what alignment costs */ };

static const char *const boxes[] = {
	"java.lang.Boolean", "java.lang.Byte", "java.lang.Character", "java.lang.Short",
	"java.lang.Integer", "java.lang.Long", "java.lang.Float",     "java.lang.Double",
};

const char *wasteful_name(enum wasteful_kind kind)
{
	static const char *const names[] = { "empty collection",     "collection of one",
					     "boxed number",	     "array mostly null",
					     "array of zeroes only", "array with unused tail" };

	return names[kind];
}

bool wasteful_is_box(const char *class)
{
	for (size_t i = 0; i < sizeof boxes / sizeof boxes[0]; i++)
		if (strcmp(class, boxes[i]) == 0)
			return true;
	return false;
}

/* ---- objects ----------------------------------------------------------------------------- */

/* Whether what a collection holds is a part of it, no element. */
static bool is_part(const struct merge *m, const struct heap *h, uint32_t of, uint32_t x)
{
	const struct heap_class *c = &h->class[heap_class_of(h, x)];

	if (m->holder[x] != of)
		return false;
	return c->kind == HEAP_OBJECTS ||
	       (strncmp(c->name, "java.util.", 10) == 0 && strchr(c->name, '$'));
}

struct count {
	const struct merge *m;
	const struct heap *h;
	struct wasteful *of;	/* WASTEFUL_KINDS for each group of classes */
	bool *box;		/* of each class */
	unsigned char *counted; /* a bit for each object that is a part of a collection, or gone */
};

/* Bytes of a collection without its elements: of its parts, and of theirs. They count there. */
static uint64_t structure(struct count *c, uint32_t x, int depth)
{
	const struct heap *h = c->h;
	uint64_t bytes = heap_size(h, x);

	c->counted[x / 8] |= (unsigned char)(1u << x % 8);
	for (uint32_t e = h->edge[x]; depth > 0 && e < h->edge[x + 1]; e++) {
		uint32_t y = h->to[e];
		if (y != PARTITION_NULL && is_part(c->m, h, x, y) && !heap_bit(c->counted, y))
			bytes += structure(c, y, depth - 1);
	}
	return bytes;
}

static void add(struct count *c, enum wasteful_kind kind, uint32_t x, uint64_t bytes,
		uint64_t wasted)
{
	uint32_t group = c->m->class_group[heap_class_of(c->h, x)];
	struct wasteful *w = &c->of[(size_t)group * WASTEFUL_KINDS + kind];

	w->kind = kind;
	w->group = group;
	w->objects++;
	w->bytes += bytes;
	w->wasted += wasted;
}

static void count_collection(struct count *c, uint32_t x, uint64_t elements)
{
	if (elements > 1)
		return;
	uint64_t bytes = structure(c, x, 3);
	add(c, elements ? WASTEFUL_ONE : WASTEFUL_EMPTY, x, bytes, bytes);
}

static void count_objects(struct count *c, uint32_t x)
{
	const struct heap *h = c->h;
	uint32_t n = h->edge[x + 1] - h->edge[x], nulls = 0;

	for (uint32_t e = h->edge[x]; e < h->edge[x + 1]; e++)
		nulls += h->to[e] == PARTITION_NULL;
	if (nulls > n / 2)
		add(c, WASTEFUL_NULLS, x, heap_size(h, x), (uint64_t)nulls * h->layout.reference);
}

static void count_numbers(struct count *c, uint32_t x, const struct hprof_item *item)
{
	unsigned width = hprof_width(c->h->dump, item->type);
	size_t bytes = (size_t)item->count * width, used = bytes;

	while (used > 0 && !item->body[used - 1])
		used--;
	size_t tail = (bytes - used) / width * width;
	if (bytes > 0 && used == 0)
		add(c, WASTEFUL_ZEROES, x, heap_size(c->h, x), heap_size(c->h, x));
	else if (tail >= LEAST_TAIL && tail > bytes / 2)
		add(c, WASTEFUL_TAIL, x, heap_size(c->h, x), tail);
}

static void count_instance(struct count *c, uint32_t x)
{
	const struct heap *h = c->h;
	uint32_t class = heap_class_of(h, x);
	struct hprof_item item;
	uint64_t elements;

	if (heap_bit(c->counted, x))
		return;
	if (c->box[class])
		add(c, WASTEFUL_BOXED, x, heap_size(h, x), heap_size(h, x));
	if (h->class[class].count.n == 0 || heap_is_class_object(h, x) || h->erased)
		return;
	heap_item(h, x, &item);
	if (heap_counts(&h->class[class], item.body, &elements))
		count_collection(c, x, elements);
}

static void count_array(struct count *c, enum heap_class_kind kind, uint32_t x)
{
	struct hprof_item item;

	if (heap_bit(c->counted, x))
		return;
	if (kind == HEAP_OBJECTS) {
		count_objects(c, x);
		return;
	}
	heap_item(c->h, x, &item);
	if (!c->h->erased)
		count_numbers(c, x, &item);
}

/* Arrays come last, when it is known which are parts of collections. */
static void count_all(struct count *c)
{
	const struct heap *h = c->h;

	for (uint32_t x = 0; x < h->n; x++)
		if (h->class[heap_class_of(h, x)].kind == HEAP_INSTANCE)
			count_instance(c, x);
	for (uint32_t x = 0; x < h->n; x++)
		if (h->class[heap_class_of(h, x)].kind != HEAP_INSTANCE)
			count_array(c, h->class[heap_class_of(h, x)].kind, x);
}

struct wasteful *wasteful_find(const struct merge *m, const struct heap *h, size_t *n)
{
	size_t bits = h->n / 8 + (size_t)1;
	struct count c = { .m = m,
			   .h = h,
			   .of = xcalloc(m->nclasses * WASTEFUL_KINDS, sizeof *c.of),
			   .box = xcalloc(h->nclasses, sizeof *c.box),
			   .counted = xmalloc(bits) };

	*n = 0;
	memcpy(c.counted, m->gone, bits);
	for (uint32_t i = 0; i < h->nclasses; i++)
		c.box[i] = wasteful_is_box(h->class[i].name);
	count_all(&c);
	for (size_t i = 0; i < m->nclasses * WASTEFUL_KINDS; i++)
		if (c.of[i].objects)
			c.of[(*n)++] = c.of[i];
	free(c.box);
	free(c.counted);
	return c.of;
}
