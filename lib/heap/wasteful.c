/* SPDX-License-Identifier: Apache-2.0 */
/* wasteful.c - see wasteful.h. */
#include "heap/wasteful.h"

#include <stdlib.h>

enum { LEAST_TAIL = 16 /* bytes; shorter ones are what alignment costs */ };

/* The fields that hold how many elements there are, `int` or `long`. */
static const struct counted {
	const char *class, *field;
} counted[] = {
	{ "java.util.ArrayList", "size" },
	{ "java.util.LinkedList", "size" },
	{ "java.util.HashMap", "size" }, /* of sets, too */
	{ "java.util.TreeMap", "size" },
	{ "java.util.WeakHashMap", "size" },
	{ "java.util.IdentityHashMap", "size" },
	{ "java.util.PriorityQueue", "size" },
	{ "java.util.Hashtable", "count" },
	{ "java.util.Vector", "elementCount" },
	{ "java.util.concurrent.ConcurrentHashMap", "baseCount" },
};

static const char *const boxes[] = {
	"java.lang.Boolean", "java.lang.Byte", "java.lang.Character", "java.lang.Short",
	"java.lang.Integer", "java.lang.Long", "java.lang.Float",     "java.lang.Double",
};

/* What is looked for in the objects of a class. */
enum shape { PLAIN, BOX, COLLECTION };

struct known {
	enum shape shape;
	uint32_t offset; /* of the count, in the body */
	unsigned width;
};

const char *wasteful_name(enum wasteful_kind kind)
{
	static const char *const names[] = { "empty collection",     "collection of one",
					     "boxed number",	     "array mostly null",
					     "array of zeroes only", "array with unused tail" };

	return names[kind];
}

/* ---- classes ----------------------------------------------------------------------------- */

static bool field_is(const struct heap *h, const unsigned char *p, const char *name)
{
	size_t len;
	const char *text = heap_text(h, hprof_id(h->dump, p), &len);

	return len == strlen(name) && memcmp(text, name, len) == 0;
}

/*
 * Moves k->offset behind the fields that class `at` declares; with a name, to the field of this
 * name. Whether there is one that can hold a count.
 */
static bool find_count(const struct heap *h, uint32_t at, const char *name, struct known *k)
{
	const unsigned char *p = h->class[at].fields;

	for (uint16_t i = 0; i < h->class[at].nfields; i++, p += h->dump->id_size + 1) {
		unsigned type = p[h->dump->id_size];
		k->width = hprof_width(h->dump, type);
		if (name && field_is(h, p, name))
			return type == HPROF_INT || type == HPROF_LONG;
		k->offset += k->width;
	}
	return false;
}

static const char *count_field(const char *class)
{
	for (size_t i = 0; i < sizeof counted / sizeof counted[0]; i++)
		if (strcmp(class, counted[i].class) == 0)
			return counted[i].field;
	return NULL;
}

static struct known know(const struct heap *h, uint32_t class)
{
	struct known k = { .shape = PLAIN };
	const struct heap_class *c = &h->class[class];

	for (size_t i = 0; i < sizeof boxes / sizeof boxes[0]; i++)
		if (strcmp(c->name, boxes[i]) == 0)
			return (struct known){ .shape = BOX };
	if (!c->planned)
		return k;
	for (uint32_t at = class; at != HEAP_NONE; at = h->class[at].super) {
		const char *field = count_field(h->class[at].name);
		bool found = find_count(h, at, field, &k);
		if (!field)
			continue;
		k.shape = found ? COLLECTION : PLAIN;
		break;
	}
	return k;
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
	unsigned char *counted; /* a bit for each object that is a part of a collection */
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

static void count_collection(struct count *c, uint32_t x, const unsigned char *p, unsigned width)
{
	uint64_t n = width == 4 ? hprof_u32(p) : hprof_u64(p);

	if (n > 1)
		return;
	uint64_t bytes = structure(c, x, 3);
	add(c, n ? WASTEFUL_ONE : WASTEFUL_EMPTY, x, bytes, bytes);
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

static void count_instance(struct count *c, const struct known *k, uint32_t x)
{
	const struct heap *h = c->h;
	struct hprof_item item;

	if (k->shape == BOX)
		add(c, WASTEFUL_BOXED, x, heap_size(h, x), heap_size(h, x));
	if (k->shape != COLLECTION || heap_is_class_object(h, x) || heap_bit(c->counted, x))
		return;
	heap_item(h, x, &item);
	count_collection(c, x, item.body + k->offset, k->width);
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
	count_numbers(c, x, &item);
}

/* Arrays come last, when it is known which are parts of collections. */
static void count_all(struct count *c, const struct known *known)
{
	const struct heap *h = c->h;

	for (uint32_t x = 0; x < h->n; x++)
		if (h->class[heap_class_of(h, x)].kind == HEAP_INSTANCE)
			count_instance(c, &known[heap_class_of(h, x)], x);
	for (uint32_t x = 0; x < h->n; x++)
		if (h->class[heap_class_of(h, x)].kind != HEAP_INSTANCE)
			count_array(c, h->class[heap_class_of(h, x)].kind, x);
}

struct wasteful *wasteful_find(const struct merge *m, const struct heap *h, size_t *n)
{
	struct known *known = malloc(h->nclasses * sizeof *known);
	struct count c = { .m = m, .h = h };

	*n = 0;
	c.of = calloc(m->nclasses * WASTEFUL_KINDS, sizeof *c.of);
	c.counted = calloc(h->n / 8 + (size_t)1, 1);
	if (known && c.of && c.counted) {
		for (uint32_t i = 0; i < h->nclasses; i++)
			known[i] = know(h, i);
		count_all(&c, known);
		for (size_t i = 0; i < m->nclasses * WASTEFUL_KINDS; i++)
			if (c.of[i].objects)
				c.of[(*n)++] = c.of[i];
	} else {
		free(c.of);
		c.of = NULL;
	}
	free(known);
	free(c.counted);
	return c.of;
}
