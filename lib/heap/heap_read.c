/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_read.c - see heap.h: the first pass over a dump. Objects get numbers in the order of their
 * addresses; neighbours in memory, which tend to be used together, are neighbours here, too.
 */
#include "heap/heap.h"

#include <stdlib.h>

enum {
	FIRST_ROOM = 1 << 10,
	DIGIT = 11, /* bits that are sorted by at once */
};

struct found {
	uint64_t address, at;
};

struct reader {
	struct heap *h;
	struct found *found;
	size_t n, room, roots_room;
};

/* ---- taking ------------------------------------------------------------------------------ */

static int take_root(struct reader *r, const struct hprof_item *item)
{
	struct heap *h = r->h;

	if (h->nroots == r->roots_room) {
		size_t room = r->roots_room ? 2 * r->roots_room : FIRST_ROOM;
		uint64_t *more = realloc(h->root, room * sizeof *more);
		if (more)
			h->root = more;
		bool *locked = realloc(h->root_locked, room * sizeof *locked);
		if (locked)
			h->root_locked = locked;
		if (!more || !locked)
			return heap_out_of_memory(h);
		r->roots_room = room;
	}
	h->root_locked[h->nroots] = item->tag == HPROF_ROOT_MONITOR;
	h->root[h->nroots++] = item->id;
	return 0;
}

static int take_object(struct reader *r, const struct hprof_item *item)
{
	if (r->n == r->room) {
		size_t room = r->room ? 2 * r->room : FIRST_ROOM;
		struct found *more = realloc(r->found, room * sizeof *more);
		if (!more)
			return heap_out_of_memory(r->h);
		r->found = more;
		r->room = room;
	}
	if (r->n == PARTITION_OBJECTS_MAX)
		return heap_fail(r->h, "it has more than %d objects", PARTITION_OBJECTS_MAX);
	r->found[r->n++] = (struct found){ item->id, item->at };
	return 0;
}

static int take(const struct hprof_item *item, void *arg)
{
	struct reader *r = arg;

	switch (item->kind) {
	case HPROF_ROOT:
		return take_root(r, item);
	case HPROF_STRING:
	case HPROF_LOAD_CLASS:
		return heap_classes_take(r->h, item);
	case HPROF_CLASS:
		if (heap_classes_take(r->h, item) < 0)
			return -1;
		return take_object(r, item);
	default:
		return take_object(r, item);
	}
}

/* ---- order ------------------------------------------------------------------------------- */

/* Sorts by DIGIT bits from `shift` on. */
static void sort_digit(const struct found *from, struct found *to, size_t n, unsigned shift)
{
	size_t start[1 << DIGIT] = { 0 }, sum = 0;
	const uint64_t mask = (1 << DIGIT) - 1;

	for (size_t i = 0; i < n; i++)
		start[from[i].address >> shift & mask]++;
	for (size_t d = 0; d <= mask; d++) {
		size_t count = start[d];
		start[d] = sum;
		sum += count;
	}
	for (size_t i = 0; i < n; i++)
		to[start[from[i].address >> shift & mask]++] = from[i];
}

/* By address; of equal ones, those that were found first come first. */
static int sort(struct reader *r)
{
	uint64_t all = ~(uint64_t)0, any = 0;
	bool sorted = true;

	for (size_t i = 0; i < r->n; i++) {
		all &= r->found[i].address;
		any |= r->found[i].address;
		sorted = sorted && (i == 0 || r->found[i - 1].address <= r->found[i].address);
	}
	uint64_t differ = all ^ any;
	if (sorted || !differ)
		return 0;
	struct found *to = malloc(r->n * sizeof *to);
	if (!to)
		return heap_out_of_memory(r->h);
	unsigned end = 64 - (unsigned)__builtin_clzll(differ);
	for (unsigned shift = (unsigned)__builtin_ctzll(differ); shift < end; shift += DIGIT) {
		if (!(differ >> shift & ((1 << DIGIT) - 1)))
			continue;
		sort_digit(r->found, to, r->n, shift);
		struct found *swap = r->found;
		r->found = to;
		to = swap;
	}
	free(to);
	return 0;
}

/* Separates addresses from offsets, in the memory of the pairs as far as it goes. */
static int number(struct reader *r)
{
	struct heap *h = r->h;
	uint32_t n = 0;

	h->at = malloc((r->n + 1) * sizeof *h->at);
	if (!h->at)
		return heap_out_of_memory(h);
	h->address = (uint64_t *)r->found;
	for (size_t i = 0; i < r->n; i++) {
		struct found f = r->found[i];
		if (n > 0 && h->address[n - 1] == f.address) {
			h->twice++;
			continue;
		}
		h->at[n] = f.at;
		h->address[n++] = f.address;
	}
	h->n = n;
	r->found = NULL;
	uint64_t *less = realloc(h->address, (n + (size_t)1) * sizeof *less);
	if (less)
		h->address = less;
	return 0;
}

int heap_read(struct heap *h, struct hprof *dump, uint64_t seed, struct progress *progress)
{
	struct reader r = { .h = h };
	int result = -1;

	*h = (struct heap){ .dump = dump, .seed = seed };
	progress_begin(progress, "reading", dump->size);
	if (heap_classes_begin(h) < 0)
		return -1;
	if (hprof_walk(dump, progress, take, &r) < 0) {
		if (dump->error[0])
			heap_fail(h, "%s", dump->error);
	} else if (r.n == 0) {
		heap_fail(h, "there are no objects in it");
	} else if (sort(&r) == 0 && number(&r) == 0) {
		result = heap_classes_link(h);
	}
	free(r.found);
	return result;
}

void heap_release(struct heap *h)
{
	arena_release(&h->arena);
	idmap_release(&h->strings);
	idmap_release(&h->classes);
	free(h->class);
	free(h->field);
	free(h->at);
	free(h->address);
	free(h->class_of);
	free(h->root);
	free(h->root_locked);
	free(h->rooted);
	free(h->apart);
	free(h->edge);
	free(h->to);
	free(h->own);
	free(h->size);
}
