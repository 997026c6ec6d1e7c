/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_link.c - see heap.h: the second pass over a dump. First the class of each object, and how
 * many references it has; then where they lead, and a hash of the rest. What needs the file is done
 * on all processors.
 */
#define XXH_INLINE_ALL
#include <stdatomic.h>
#include <stdlib.h>
#include <xxhash.h>

#include "base/big.h"
#include "base/rng.h"
#include "base/sort.h"
#include "heapdump/heap.h"
#include "heapdump/parallel.h"

/*
 * ---- dumps whose contents a tool has erased, so that they hold no secrets. It writes
 * zeroes, or a text again and again, over each array of bytes and of characters. Then each array
 * is the beginning of the longest one, which is hardly so of any two in another dump.
 */

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

/* Whether somebody has erased the contents. */
static bool heap_is_erased(const struct heap *h)
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

/* ---- classes of objects ------------------------------------------------------------------ */

static uint32_t static_references(const struct heap *h, const struct heap_class *c)
{
	const unsigned char *p = c->statics;
	uint32_t n = 0;

	for (uint16_t i = 0; i < c->nstatics; i++) {
		p += h->dump->id_size;
		n += *p == HPROF_OBJECT;
		p += 1 + hprof_width(h->dump, *p);
	}
	return n;
}

static int check_instance(struct heap *h, uint32_t x, uint32_t class, uint32_t bytes)
{
	struct heap_class *c = &h->class[class];

	if (!c->planned && heap_class_plan(h, class) < 0)
		return -1;
	if (c->bytes == bytes)
		return 0;
	return heap_fail(h, "an object of %s has %u bytes of fields, its class %u at byte %llu",
			 c->name, bytes, c->bytes, (unsigned long long)heap_at(h, x));
}

/* Whether the class has no instances but arrays, or the other way round, as its record says. */
static int check_kind(struct heap *h, uint32_t x, bool array)
{
	uint32_t class = heap_class_of(h, x);
	struct heap_class *c = &h->class[class];

	if (array ? c->planned || class == h->mirror : c->kind == HEAP_OBJECTS)
		return heap_fail(h, "%s is a class of both arrays and other objects at byte %llu",
				 c->name, (unsigned long long)heap_at(h, x));
	if (array)
		c->kind = HEAP_OBJECTS;
	return array ? 0 : check_instance(h, x, class, h->edge[x]);
}

/* What records are, while classes are looked for. */
struct classifier {
	struct heap *h;
	unsigned char *kind; /* hprof_kind, or MISSING */
};
enum { MISSING = UINT8_MAX };

/* The class of an object, and instead of an edge how much it has: bytes, elements or references. */
static void look_at(const struct classifier *c, uint32_t x)
{
	struct heap *h = c->h;
	struct hprof_item item;

	heap_item(h, x, &item);
	c->kind[x] = (unsigned char)item.kind;
	h->edge[x] = item.count;
	if (item.kind == HPROF_PRIMITIVES) {
		packed_set(&h->class_of, x, item.type - HPROF_BOOLEAN);
		return;
	}
	uint32_t class = heap_class_find(h, item.kind == HPROF_CLASS ? item.id : item.other);
	if (class == HEAP_NONE || !h->class[class].defined) {
		c->kind[x] = MISSING;
		return;
	}
	packed_set(&h->class_of, x, item.kind == HPROF_CLASS ? h->mirror : class);
	if (item.kind == HPROF_CLASS)
		h->edge[x] = static_references(h, &h->class[class]);
}

static void look_at_all(void *arg, uint32_t from, uint32_t to)
{
	for (uint32_t x = from; x < to; x++)
		look_at(arg, x);
}

/* Checks the class of an object, and tells the number of its references. 0, or -1 with h->error. */
static int classify(const struct classifier *c, uint32_t x, uint64_t *references)
{
	struct heap *h = c->h;

	*references = 0;
	switch (c->kind[x]) {
	case HPROF_PRIMITIVES:
		return 0;
	case HPROF_CLASS:
		*references = h->edge[x];
		return 0;
	case MISSING:
		return heap_fail(h, "the class of an object is missing at byte %llu",
				 (unsigned long long)heap_at(h, x));
	default:
		break;
	}
	bool array = c->kind[x] == HPROF_OBJECTS;
	if (check_kind(h, x, array) < 0)
		return -1;
	*references = array ? h->edge[x] : h->class[heap_class_of(h, x)].nslots;
	return 0;
}

static int number_edges(const struct classifier *c)
{
	struct heap *h = c->h;
	uint64_t all = 0, n;

	for (uint32_t x = 0; x < h->n; x++) {
		if (classify(c, x, &n) < 0)
			return -1;
		h->edge[x] = (uint32_t)all;
		all += n;
		if (all >= UINT32_MAX)
			return heap_fail(h, HEAP_TOO_MANY_REFERENCES, UINT32_MAX);
	}
	h->edge[h->n] = (uint32_t)all;
	return 0;
}

static int classify_all(struct heap *h)
{
	struct classifier c = { h, xmalloc(h->n) };

	h->edge = xbig_alloc(h->n + (size_t)1, sizeof *h->edge);
	packed_make(&h->class_of, h->n, h->nclasses);
	parallel(h->n, look_at_all, &c);
	int result = number_edges(&c);
	free(c.kind);
	return result;
}

/* ---- references -------------------------------------------------------------------------- */

struct linker {
	struct heap *h;
	struct heap_index index;
	struct progress *progress;
};

static void keep_apart(struct heap *h, uint32_t x)
{
	/* bits alone are shared: the threads are joined before anybody reads them */
	atomic_fetch_or_explicit((_Atomic unsigned char *)&h->apart[x / 8],
				 (unsigned char)(1u << x % 8), memory_order_relaxed);
}

/* The address of what is not there is a value, in *hash: the same address is the same object. */
static uint32_t resolve(struct linker *l, const unsigned char *id, uint64_t *hash)
{
	uint64_t address = hprof_id(l->h->dump, id);

	if (!address)
		return PARTITION_NULL;
	uint32_t to = heap_index_find(&l->index, l->h, address);
	if (to != HEAP_NONE)
		return to;
	atomic_fetch_add_explicit(&l->h->dangling, 1, memory_order_relaxed);
	*hash = rng_mix(*hash ^ address);
	return PARTITION_NULL;
}

static void link_class(struct linker *l, uint32_t x, const struct hprof_item *item)
{
	struct heap *h = l->h;
	const unsigned char *p = item->statics;
	uint32_t e = h->edge[x];
	uint64_t hash = 0; /* a class object is equal to none anyway */

	for (uint16_t i = 0; i < item->nstatics; i++) {
		p += h->dump->id_size;
		if (*p == HPROF_OBJECT)
			h->to[e++] = resolve(l, p + 1, &hash);
		p += 1 + hprof_width(h->dump, *p);
	}
	keep_apart(h, x);
}

static void link_instance(struct linker *l, uint32_t x, const struct hprof_item *item)
{
	struct heap *h = l->h;
	uint32_t class = heap_class_of(h, x);
	const struct heap_class *c = &h->class[class];
	uint64_t hash = class + (h->seed << 32);

	for (uint32_t i = 0; i < c->nslots; i++)
		h->to[h->edge[x] + i] = resolve(l, item->body + c->slot[i].offset, &hash);
	for (uint32_t i = 0; i < c->nruns; i++)
		hash = XXH3_64bits_withSeed(item->body + c->run[i].offset, c->run[i].n, hash);
	h->own[x] = hash;
	if (c->apart || heap_waits(c, item->body))
		keep_apart(h, x);
}

/* An array in which nothing was written, or null and 0 alone: what is to come is its own. */
static bool is_blank(const struct heap *h, const struct hprof_item *item)
{
	unsigned width =
		item->kind == HPROF_OBJECTS ? h->dump->id_size : hprof_width(h->dump, item->type);
	size_t bytes = (size_t)item->count * width;

	return bytes && !item->body[0] && memcmp(item->body, item->body + 1, bytes - 1) == 0;
}

static void link_object(struct linker *l, uint32_t x)
{
	struct heap *h = l->h;
	struct hprof_item item;
	uint32_t class = heap_class_of(h, x);
	uint64_t hash = class + (h->seed << 32);

	heap_item(h, x, &item);
	if ((item.kind == HPROF_OBJECTS || item.kind == HPROF_PRIMITIVES) && is_blank(h, &item))
		keep_apart(h, x);
	uint64_t units = heap_item_size(h, class, &item) / HEAP_UNIT;
	h->size[x] = units < HEAP_LARGE ? (unsigned char)units : HEAP_LARGE;
	switch (item.kind) {
	case HPROF_CLASS:
		link_class(l, x, &item);
		break;
	case HPROF_INSTANCE:
		link_instance(l, x, &item);
		break;
	case HPROF_OBJECTS:
		hash = rng_mix(hash ^ rng_mix(item.count));
		for (uint32_t i = 0; i < item.count; i++)
			h->to[h->edge[x] + i] =
				resolve(l, item.body + (size_t)i * h->dump->id_size, &hash);
		h->own[x] = hash;
		break;
	default:
		h->own[x] = XXH3_64bits_withSeed(
			item.body, (size_t)item.count * hprof_width(h->dump, item.type), hash);
	}
}

static void link_objects(void *arg, uint32_t from, uint32_t to)
{
	struct linker *l = arg;

	for (uint32_t x = from; x < to; x++)
		link_object(l, x);
	progress_add(l->progress, to - from);
}

static int compare_roots(const void *a, const void *b)
{
	const struct heap_root *x = a, *y = b;

	return ORDER(x->object, y->object) ?: ORDER(x->tag, y->tag);
}

static void find_roots(struct linker *l)
{
	struct heap *h = l->h;

	h->held = xcalloc(h->nroots + 1, sizeof *h->held);
	for (size_t i = 0; i < h->nroots; i++) {
		uint32_t x = heap_index_find(&l->index, h, h->root[i]);
		if (x == HEAP_NONE)
			continue;
		bits_set(h->rooted, x);
		h->held[h->nheld++] = (struct heap_root){ x, h->root_tag[i] };
		if (h->root_tag[i] == HPROF_ROOT_MONITOR)
			keep_apart(h, x);
	}
	if (h->nheld)
		qsort(h->held, h->nheld, sizeof *h->held, compare_roots);
	free(h->root);
	free(h->root_tag);
	h->root = NULL;
	h->root_tag = NULL;
}

int heap_link(struct heap *h, struct progress *progress)
{
	struct linker l = { .h = h, .progress = progress };
	size_t bits = bits_bytes(h->n);

	progress_begin(progress, "linking", h->n);
	if (classify_all(h) < 0)
		return -1;
	heap_measure(h);
	h->to = xbig_alloc(h->edge[h->n] + (size_t)1, sizeof *h->to);
	h->own = xbig_alloc(h->n, sizeof *h->own);
	h->size = xmalloc(h->n);
	h->apart = xcalloc(bits, 1);
	h->rooted = xcalloc(bits, 1);
	heap_index_make(&l.index, h);
	find_roots(&l);
	parallel(h->n, link_objects, &l);
	int result = heap_find_more(h, &l.index);
	h->erased = heap_is_erased(h);
	if (h->erased)
		memset(h->apart, UINT8_MAX, bits);
	free(l.index.start);
	free(h->address);
	h->address = NULL;
	return result;
}

/* ---- questions --------------------------------------------------------------------------- */

/* The number of a class's static reference. */
static uint32_t static_field(const struct heap *h, const struct heap_class *c, uint32_t position)
{
	const unsigned char *p = c->statics;

	for (uint16_t i = 0; i < c->nstatics; i++) {
		p += h->dump->id_size;
		if (*p == HPROF_OBJECT && position-- == 0)
			return h->field[c->first_field + c->nfields + i].one;
		p += 1 + hprof_width(h->dump, *p);
	}
	return HEAP_NONE;
}

uint32_t heap_edge_between(const struct heap *h, uint32_t x, uint32_t y)
{
	if (h->class[heap_class_of(h, x)].kind == HEAP_OBJECTS)
		return h->edge[x];
	for (uint32_t e = h->edge[x]; e < h->edge[x + 1]; e++)
		if (h->to[e] == y)
			return e;
	return HEAP_NONE;
}

uint32_t heap_edge_field(const struct heap *h, uint32_t x, uint32_t e)
{
	const struct heap_class *c = &h->class[heap_class_of(h, x)];

	if (heap_is_class_object(h, x)) {
		uint32_t class =
			heap_class_find(h, hprof_id(h->dump, h->dump->data + heap_at(h, x) + 1));
		return static_field(h, &h->class[class], e - h->edge[x]);
	}
	if (c->kind == HEAP_INSTANCE)
		return c->slot[e - h->edge[x]].field;
	return h->field[c->first_field + c->nfields + c->nstatics].one;
}
