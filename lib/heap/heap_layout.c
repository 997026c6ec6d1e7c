/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_layout.c - see heap.h: sizes of objects. A dump tells the bytes of the fields, but neither
 * the header nor how long a reference was. It tells addresses, though: no object reaches into the
 * next one, and most end where the next one begins. Of the layouts that HotSpot has, that one is
 * right in which the most objects end there.
 */
#include <limits.h>
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

/* While h->size has the number of an array's elements. */
static uint64_t size_of(const struct heap *h, const struct heap_layout *l, uint32_t x,
			const uint32_t *sizes)
{
	switch (h->class[h->class_of[x]].kind) {
	case HEAP_PRIMITIVES:
		return array_size(h, l, h->class_of[x] + HPROF_BOOLEAN, h->size[x]);
	case HEAP_OBJECTS:
		return array_size(h, l, HPROF_OBJECT, h->size[x]);
	default:
		return sizes[h->class_of[x]];
	}
}

/*
 * How many objects end where the next one begins, less ten for each that reaches into the next.
 * That may be a class whose fields are packed more tightly than `place` knows.
 */
static long fits(const struct heap *h, const struct heap_layout *l, uint32_t *sizes)
{
	uint32_t n = h->n < SAMPLED ? h->n : SAMPLED;
	long ends = 0;

	for (uint32_t i = 0; i < h->nclasses; i++)
		sizes[i] = h->class[i].planned ? instance_size(h, l, i) : 0;
	for (uint32_t x = 0; x + 1 < n; x++) {
		if (heap_is_class_object(h, x))
			continue;
		uint64_t gap = h->address[x + 1] - h->address[x], size = size_of(h, l, x, sizes);
		ends += size == gap;
		ends -= size > gap ? 10 : 0;
	}
	return ends;
}

static void choose(struct heap *h, uint32_t *sizes)
{
	long most = LONG_MIN;

	h->layout = h->dump->id_size == 4 ? narrow : layouts[0];
	if (h->dump->id_size == 4)
		return;
	for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
		long ends = fits(h, &layouts[i], sizes);
		if (ends <= most)
			continue;
		most = ends;
		h->layout = layouts[i];
	}
}

static uint64_t final_size(const struct heap *h, uint32_t x, const uint32_t *sizes)
{
	struct hprof_item item;

	if (!heap_is_class_object(h, x))
		return size_of(h, &h->layout, x, sizes);
	hprof_item_at(h->dump, h->at[x], &item);
	return mirror_size(h, &item);
}

int heap_measure(struct heap *h)
{
	uint32_t *sizes = calloc(h->nclasses, sizeof *sizes);

	if (!sizes)
		return heap_out_of_memory(h);
	choose(h, sizes);
	for (uint32_t i = 0; i < h->nclasses; i++)
		h->class[i].size = sizes[i] = instance_size(h, &h->layout, i);
	for (uint32_t x = 0; x < h->n; x++) {
		uint64_t size = final_size(h, x, sizes);
		h->size[x] = size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
	}
	free(sizes);
	return 0;
}
