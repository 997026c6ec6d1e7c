/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap.c - see heap.h: numbers of objects by their addresses; sizes of objects; what is wrong with
 * a dump.
 */
#include "heapdump/heap.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/big.h"
#include "base/sort.h"

/*
 * ---- from addresses to numbers. The addresses are sorted, and a table of as many equal
 * ranges as there are objects tells where to search: in a heap, which is dense, among a few
 * objects.
 */

void heap_index_make(struct heap_index *index, const struct heap *h)
{
	uint64_t span = h->address[h->n - 1] - h->address[0];

	*index = (struct heap_index){ .least = h->address[0] };
	while (span >> index->shift >= h->n)
		index->shift++;
	index->n = (size_t)(span >> index->shift) + 1;
	index->start = xbig_alloc(index->n + 1, sizeof *index->start);
	size_t range = 0;
	for (uint32_t i = 0; i < h->n; i++) {
		size_t mine = (size_t)((h->address[i] - index->least) >> index->shift);
		while (range <= mine)
			index->start[range++] = i;
	}
	while (range <= index->n)
		index->start[range++] = h->n;
}

uint32_t heap_index_find(const struct heap_index *index, const struct heap *h, uint64_t address)
{
	if (address < index->least)
		return HEAP_NONE;
	uint64_t range = (address - index->least) >> index->shift;
	if (range >= index->n)
		return HEAP_NONE;
	/* the next range begins with the first object that is not less */
	size_t at =
		SEARCH(i, index->start[range], index->start[range + 1], h->address[i] < address);
	return at < h->n && h->address[at] == address ? (uint32_t)at : HEAP_NONE;
}

/* ---- sizes of objects in a layout, as HotSpot arranges their fields. */

enum { WORD = 8, WORD_BITS = 64, FIELDS_MAX = 64 /* bytes */ };

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
			 const struct heap_class *c, const unsigned char *without,
			 struct gaps *gaps, uint64_t *end)
{
	for (uint32_t width = 8; width > 0; width /= 2) {
		const unsigned char *p = c->fields;
		for (uint16_t i = 0; i < c->nfields; i++, p += h->dump->id_size + 1)
			if (p != without && width_of(h, l, p[h->dump->id_size]) == width)
				place(gaps, end, width);
	}
}

static uint64_t place_class(const struct heap *h, const struct heap_layout *l, uint32_t class,
			    const unsigned char *without)
{
	struct gaps gaps = { { 0 } };
	uint32_t chain[64], n = 0;
	uint64_t end = l->header;

	for (; class != HEAP_NONE && n < 64; class = h->class[class].super)
		chain[n++] = class;
	while (n > 0) {
		const struct heap_class *c = &h->class[chain[--n]];
		if (l->split) {
			gaps = (struct gaps){ { 0 } };
			end = c->nfields ? align(end, l->reference) : end;
		}
		place_fields(h, l, c, without, &gaps, &end);
		/* more than a few fields is padding, which no subclass fills */
		end = align(end + c->added, c->added > FIELDS_MAX ? WORD : 1);
	}
	return end;
}

static bool has_more(const struct heap *h, uint32_t class)
{
	return class == h->mirror || h->class[class].is_chunk;
}

uint32_t heap_instance_size_without(const struct heap *h, const struct heap_layout *l,
				    uint32_t class, const unsigned char *field)
{
	return (uint32_t)align(place_class(h, l, class, field),
			       has_more(h, class) ? WORD : l->alignment);
}

uint32_t heap_instance_size(const struct heap *h, const struct heap_layout *l, uint32_t class)
{
	return heap_instance_size_without(h, l, class, NULL);
}

/* What its class declares as static, which a class object holds. */
static uint64_t statics_size(const struct heap *h, const struct heap_layout *l,
			     const struct hprof_item *item)
{
	const unsigned char *p = item->statics;
	uint64_t bytes = 0;

	for (uint16_t i = 0; i < item->nstatics; i++) {
		p += h->dump->id_size;
		bytes += width_of(h, l, *p);
		p += 1 + hprof_width(h->dump, *p);
	}
	return align(bytes, WORD);
}

/* The frames of a virtual thread, and a bit for each place in them where a reference may be. */
static uint64_t stack_size(const struct heap *h, const struct heap_layout *l, uint32_t class,
			   const struct hprof_item *item)
{
	int32_t words = (int32_t)hprof_u32(item->body + h->class[class].stack_at);

	if (words <= 0)
		return 0;
	uint64_t bits = (uint64_t)words * (WORD / l->reference);
	return WORD * ((uint64_t)words + (bits + WORD_BITS - 1) / WORD_BITS);
}

static uint64_t array_size(const struct heap *h, const struct heap_layout *l, unsigned type,
			   uint32_t n)
{
	uint64_t width = width_of(h, l, type);

	return align(align(l->array_header, width < 4 ? 4 : width) + width * n, l->alignment);
}

uint64_t heap_sized(const struct heap *h, const struct heap_layout *l, uint32_t class,
		    const struct hprof_item *item, uint32_t fixed)
{
	switch (item->kind) {
	case HPROF_CLASS:
		return align(fixed + statics_size(h, l, item), l->alignment);
	case HPROF_PRIMITIVES:
		return array_size(h, l, item->type, item->count);
	case HPROF_OBJECTS:
		return array_size(h, l, HPROF_OBJECT, item->count);
	default:
		return h->class[class].is_chunk
			       ? align(fixed + stack_size(h, l, class, item), l->alignment)
			       : fixed;
	}
}

uint64_t heap_item_size(const struct heap *h, uint32_t class, const struct hprof_item *item)
{
	return heap_sized(h, &h->layout, class, item, h->class[class].size);
}

/* ---- what is wrong with a dump, in a line. */

int heap_fail(struct heap *h, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(h->error, sizeof h->error, format, args);
	va_end(args);
	return -1;
}
