/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_read.c - see heap.h: the first pass over a dump. Objects get numbers in the order of their
 * addresses; neighbours in memory, which tend to be used together, are neighbours here, too.
 */
#include "base/big.h"
#include "base/grow.h"
#include "base/sort.h"
#include "heapdump/heap.h"

#include <stdlib.h>

enum {
	FIRST_ROOM = 1 << 10,
	DIGIT = 11, /* bits that are sorted by at once */
	RISE = 64,  /* objects in a run, if it is worth it */
};

struct found {
	uint64_t address, at;
};

struct list {
	struct found *found;
	size_t n, room;
};

/* Class objects, which a dump has first, lie among the others. */
struct reader {
	struct heap *h;
	struct list classes, others;
	size_t roots_room;
};

/* ---- taking ------------------------------------------------------------------------------ */

static void take_root(struct reader *r, const struct hprof_item *item)
{
	struct heap *h = r->h;

	size_t room = r->roots_room; /* of both arrays */

	XGROW(h->root, h->nroots, room, FIRST_ROOM);
	XGROW(h->root_tag, h->nroots, r->roots_room, FIRST_ROOM);
	h->root_tag[h->nroots] = item->tag;
	h->root[h->nroots++] = item->id;
}

static int take_object(struct reader *r, struct list *l, const struct hprof_item *item)
{
	XGROW(l->found, l->n, l->room, FIRST_ROOM);
	if (r->classes.n + r->others.n == PARTITION_OBJECTS_MAX)
		return heap_fail(r->h, "it has more than %d objects", PARTITION_OBJECTS_MAX);
	l->found[l->n++] = (struct found){ item->id, item->at };
	return 0;
}

static int take_item(const struct hprof_item *item, void *arg)
{
	struct reader *r = arg;

	switch (item->kind) {
	case HPROF_ROOT:
		take_root(r, item);
		return 0;
	case HPROF_STRING:
	case HPROF_LOAD_CLASS:
		heap_classes_take(r->h, item);
		return 0;
	case HPROF_CLASS:
		heap_classes_take(r->h, item);
		return take_object(r, &r->classes, item);
	default:
		return take_object(r, &r->others, item);
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

/* Where addresses rise, from one place to the next one where they fall. */
struct rise {
	uint64_t least;
	size_t first, n;
};

static int compare_rises(const void *a, const void *b)
{
	const struct rise *x = a, *y = b;

	return ORDER(x->least, y->least);
}

/*
 * A collector dumps region by region: long rises, in any order, that do not overlap. Sorts them, if
 * that is so. Whether it is.
 */
static bool sort_rises(struct list *r)
{
	struct rise *rise = xmallocarray(r->n / RISE + 1, sizeof *rise);
	size_t n = 0, at = 0;
	bool sorted = false;

	for (size_t i = 0; i < r->n; i++) {
		if (i > 0 && r->found[i - 1].address < r->found[i].address) {
			rise[n - 1].n++;
			continue;
		}
		if (n == r->n / RISE)
			goto out;
		rise[n++] = (struct rise){ r->found[i].address, i, 1 };
	}
	qsort(rise, n, sizeof *rise, compare_rises);
	for (size_t i = 1; i < n; i++)
		if (r->found[rise[i - 1].first + rise[i - 1].n - 1].address >= rise[i].least)
			goto out;
	struct found *to = xmallocarray(r->n, sizeof *to);
	for (size_t i = 0; i < n; at += rise[i++].n)
		memcpy(to + at, r->found + rise[i].first, rise[i].n * sizeof *to);
	free(r->found);
	r->found = to;
	sorted = true;
out:
	free(rise);
	return sorted;
}

/* By address; of equal ones, those that were found first come first. */
static void sort(struct list *r)
{
	uint64_t all = ~(uint64_t)0, any = 0;
	bool sorted = true;

	for (size_t i = 0; i < r->n; i++) {
		all &= r->found[i].address;
		any |= r->found[i].address;
		sorted = sorted && (i == 0 || r->found[i - 1].address <= r->found[i].address);
	}
	uint64_t differ = all ^ any;
	if (sorted || !differ || sort_rises(r))
		return;
	struct found *to = xmallocarray(r->n, sizeof *to);
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
}

/*
 * Whether a class and its superclasses are there. In a dump that is cut they need not be, and then
 * nobody knows what their objects consist of.
 */
static bool is_known(const struct heap *h, uint64_t id)
{
	for (int depth = 0; id && depth < HEAP_SUPERCLASSES_MAX; depth++) {
		uint32_t class = heap_class_find(h, id);
		if (class == HEAP_NONE || !h->class[class].defined)
			return false;
		id = h->class[class].super_id;
	}
	return true;
}

static bool is_left_out(struct heap *h, const struct found *f)
{
	struct hprof_item item;

	if (!h->dump->cut[0])
		return false;
	hprof_item_at(h->dump, f->at, &item);
	if (item.kind == HPROF_PRIMITIVES || item.kind == HPROF_CLASS || is_known(h, item.other))
		return false;
	h->unknown++;
	return true;
}

/*
 * Numbers the objects of both lists in the order of addresses. What is there twice counts once: the
 * first record, of a class if there is one.
 */
static void number(struct reader *r)
{
	struct heap *h = r->h;
	const struct list *a = &r->classes, *b = &r->others;
	size_t all = a->n + b->n;
	uint32_t n = 0;

	h->address = xbig_alloc(all, sizeof *h->address);
	packed_make(&h->at, all, h->dump->size);
	for (size_t i = 0, k = 0; i < a->n || k < b->n;) {
		bool class = k == b->n || (i < a->n && a->found[i].address <= b->found[k].address);
		const struct found *f = class ? &a->found[i++] : &b->found[k++];
		if (n > 0 && h->address[n - 1] == f->address) {
			h->twice++;
			continue;
		}
		if (is_left_out(h, f))
			continue;
		packed_set(&h->at, n, f->at);
		h->address[n++] = f->address;
	}
	h->n = n;
}

static int fail_empty(struct heap *h)
{
	return heap_fail(h, "there are no objects in it%s%s", h->dump->cut[0] ? ": " : "",
			 h->dump->cut);
}

/* 0, or -1 with h->error. */
static int finish(struct reader *r)
{
	if (r->classes.n + r->others.n == 0)
		return fail_empty(r->h);
	sort(&r->classes);
	sort(&r->others);
	number(r);
	if (r->h->n == 0) /* the classes of all are behind the cut */
		return fail_empty(r->h);
	return heap_classes_link(r->h);
}

int heap_read(struct heap *h, struct hprof *dump, uint64_t seed, struct progress *progress)
{
	struct reader r = { .h = h };
	int result = -1;

	*h = (struct heap){ .dump = dump, .seed = seed };
	progress_begin(progress, "reading", dump->size);
	heap_classes_begin(h);
	if (hprof_walk(dump, progress, take_item, &r) == 0)
		result = finish(&r);
	else if (dump->error[0])
		heap_fail(h, "%s", dump->error);
	free(r.classes.found);
	free(r.others.found);
	return result;
}

void heap_release(struct heap *h)
{
	arena_release(&h->arena);
	idmap_release(&h->strings);
	idmap_release(&h->classes);
	free(h->class);
	free(h->field);
	free(h->at.bytes);
	free(h->address);
	free(h->class_of.bytes);
	free(h->root);
	free(h->root_tag);
	free(h->held);
	free(h->more);
	free(h->forever);
	free(h->rooted);
	free(h->apart);
	free(h->edge);
	free(h->to);
	free(h->own);
	free(h->size);
}
