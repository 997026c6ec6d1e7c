/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_layout.c - see heap.h: sizes of objects. A dump tells the bytes of the fields, but neither
 * the header nor how long a reference was. It tells addresses, though: no object reaches into the
 * next one, and most end where the next one begins. Of the layouts that HotSpot has, that one is
 * right in which the most objects end there.
 */
#include <stdlib.h>

#include "heap/heap.h"

enum { ALIGNMENT = 8, SAMPLED = 1 << 20 };

/* Compressed classes and references; without the first, the second, both; compact headers. */
static const struct heap_layout layouts[] = {
	{ 12, 16, 4 }, { 8, 12, 4 }, { 12, 16, 8 }, { 8, 12, 8 }, { 16, 20, 4 }, { 16, 24, 8 },
};
/* a 32-bit VM's */
static const struct heap_layout narrow = { 8, 12, 4 };

static uint64_t align(uint64_t n, uint64_t to)
{
	return (n + to - 1) / to * to;
}

static uint32_t width_of(const struct heap *h, const struct heap_layout *l, unsigned type)
{
	return type == HPROF_OBJECT ? l->reference : hprof_width(h->dump, type);
}

/*
 * Puts the fields of one class behind, or into gaps between, those of its superclasses, the largest
 * first. `gaps` are the free bytes below *end, of which HotSpot has few: at most one of each size.
 */
struct gaps {
	uint32_t n[3]; /* free pieces of 1, 2 and 4 bytes */
};

static void place(struct gaps *gaps, uint64_t *end, uint32_t width)
{
	static const uint32_t sizes[] = { 1, 2, 4 };

	for (unsigned i = 0; i < 3; i++) {
		if (sizes[i] < width || !gaps->n[i])
			continue;
		gaps->n[i]--;
		/* the rest of a piece is smaller pieces */
		for (unsigned k = i; sizes[k] > width; k--)
			gaps->n[k - 1]++;
		return;
	}
	uint64_t start = align(*end, width);
	for (unsigned i = 0; i < 3; i++)
		if ((start - *end) & sizes[i])
			gaps->n[i]++;
	*end = start + width;
}

static void place_fields(const struct heap *h, const struct heap_layout *l,
			 const struct heap_class *c, struct gaps *gaps, uint64_t *end)
{
	for (uint32_t width = 8; width > 0; width /= 2) {
		const unsigned char *p = c->fields;
		for (uint16_t i = 0; i < c->nfields; i++, p += h->dump->id_size + 1)
			if (width_of(h, l, p[h->dump->id_size]) == width)
				place(gaps, end, width);
	}
}

static void place_class(const struct heap *h, const struct heap_layout *l, uint32_t class,
			struct gaps *gaps, uint64_t *end)
{
	uint32_t chain[64], n = 0;

	for (; class != HEAP_NONE && n < 64; class = h->class[class].super)
		chain[n++] = class;
	while (n > 0)
		place_fields(h, l, &h->class[chain[--n]], gaps, end);
}

static uint32_t instance_size(const struct heap *h, const struct heap_layout *l, uint32_t class)
{
	struct gaps gaps = { { 0 } };
	uint64_t end = l->header;

	place_class(h, l, class, &gaps, &end);
	return (uint32_t)align(end, ALIGNMENT);
}

/* With what its class declares as static, which a class object holds. */
static uint32_t mirror_size(const struct heap *h, const struct hprof_item *item)
{
	const unsigned char *p = item->statics;
	uint64_t bytes = h->class[h->mirror].size;

	for (uint16_t i = 0; i < item->nstatics; i++) {
		p += h->dump->id_size;
		bytes += width_of(h, &h->layout, *p);
		p += 1 + hprof_width(h->dump, *p);
	}
	return (uint32_t)align(bytes, ALIGNMENT);
}

static uint64_t array_size(const struct heap *h, const struct heap_layout *l, unsigned type,
			   uint32_t n)
{
	uint64_t width = width_of(h, l, type);

	return align(align(l->array_header, width < 4 ? 4 : width) + width * n, ALIGNMENT);
}

/* What a record tells; of an instance its class, which is `instance`. */
static uint64_t size_of(const struct heap *h, const struct heap_layout *l, uint32_t class,
			const struct hprof_item *item, uint32_t instance)
{
	switch (h->class[class].kind) {
	case HEAP_PRIMITIVES:
		return array_size(h, l, item->type, item->count);
	case HEAP_OBJECTS:
		return array_size(h, l, HPROF_OBJECT, item->count);
	default:
		return instance;
	}
}

uint64_t heap_item_size(const struct heap *h, uint32_t class, const struct hprof_item *item)
{
	if (item->kind == HPROF_CLASS)
		return mirror_size(h, item);
	return size_of(h, &h->layout, class, item, h->class[class].size);
}

/* A layout that may be the right one. */
struct candidate {
	const struct heap_layout *layout;
	uint32_t *sizes; /* of the instances of each class */
	long ends;
};
enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };

/*
 * Counts for each layout whether the object ends where the next one begins, less ten if it reaches
 * into the next. That may be a class whose fields are packed more tightly than `place` knows.
 */
static void try_object(const struct heap *h, uint32_t x, struct candidate *c)
{
	uint64_t gap = h->address[x + 1] - h->address[x];
	uint32_t class = heap_class_of(h, x);
	struct hprof_item item;

	heap_item(h, x, &item);
	if (item.kind == HPROF_CLASS)
		return;
	for (size_t i = 0; i < LAYOUTS; i++) {
		uint64_t size = size_of(h, c[i].layout, class, &item, c[i].sizes[class]);
		c[i].ends += size == gap;
		c[i].ends -= size > gap ? 10 : 0;
	}
}

static void choose(struct heap *h, struct candidate *c)
{
	uint32_t n = h->n < SAMPLED ? h->n : SAMPLED;
	const struct candidate *best = c;

	for (uint32_t x = 0; x + 1 < n; x++)
		try_object(h, x, c);
	for (size_t i = 1; i < LAYOUTS; i++)
		if (c[i].ends > best->ends)
			best = &c[i];
	h->layout = *best->layout;
}

/* 0, or -1 if out of memory. */
static int find_layout(struct heap *h)
{
	uint32_t *sizes = calloc((size_t)h->nclasses * LAYOUTS, sizeof *sizes);
	struct candidate c[LAYOUTS];

	if (!sizes)
		return -1;
	for (size_t i = 0; i < LAYOUTS; i++) {
		c[i] = (struct candidate){ &layouts[i], sizes + i * h->nclasses, 0 };
		for (uint32_t k = 0; k < h->nclasses; k++)
			if (h->class[k].planned)
				c[i].sizes[k] = instance_size(h, &layouts[i], k);
	}
	choose(h, c);
	free(sizes);
	return 0;
}

int heap_measure(struct heap *h)
{
	if (h->dump->id_size == 4)
		h->layout = narrow;
	else if (find_layout(h) < 0)
		return heap_out_of_memory(h);
	for (uint32_t i = 0; i < h->nclasses; i++)
		h->class[i].size = instance_size(h, &h->layout, i);
	return 0;
}
