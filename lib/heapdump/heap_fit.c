/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_fit.c - see heap.h: how the VM laid objects out. A dump tells the bytes of the fields, but
 * neither the header, nor how long a reference was, nor what the VM adds to some classes. It tells
 * addresses, though: no object reaches into the next one, and most end where the next one begins.
 * Of the layouts that HotSpot has, that one is right in which the most objects end there.
 */
#include <stdlib.h>

#include "heapdump/heap.h"

enum { LEAST_ALIGNMENT = 8, LARGEST_ALIGNMENT = 256, SAMPLED = 1 << 20, OVERLAP = 10 };

/* Compressed classes and references; without the first, the second, both; compact headers. */
static const struct heap_layout layouts[] = {
	{ 12, 16, 4, 8, false, false }, { 8, 12, 4, 8, false, false },
	{ 12, 16, 8, 8, false, false }, { 8, 12, 8, 8, false, false },
	{ 16, 20, 4, 8, false, false }, { 16, 24, 8, 8, false, false },
	{ 16, 20, 8, 8, false, false }, /* since JDK 23 */
};
/* a 32-bit VM's */
static const struct heap_layout narrow = { 8, 12, 4, 8, false, false };
enum { LAYOUTS = sizeof layouts / sizeof layouts[0], CANDIDATES = 4 * LAYOUTS };

static uint64_t gap_behind(const struct heap *h, uint32_t x)
{
	return h->address[x + 1] - h->address[x];
}

/* ---- the layout -------------------------------------------------------------------------- */

/* A layout that may be the right one. */
struct candidate {
	struct heap_layout layout;
	uint32_t *sizes; /* of the instances of each class */
	long score;	 /* objects that end where the next one begins, less OVERLAP if in it */
	long ends;	 /* such objects that are longer than the alignment */
};

/* The power of 2 that all identifiers are multiples of. */
static uint32_t alignment_of(const struct heap *h)
{
	uint64_t any = LARGEST_ALIGNMENT;

	for (uint32_t x = 0; x < h->n; x++)
		any |= h->address[x];
	return (uint32_t)(any & -any);
}

/*
 * Whether it ends where the next object begins. If it reaches into the next one, that may be a
 * class whose fields are packed more tightly than HotSpot's rules say.
 */
static void try_object(const struct heap *h, uint32_t x, struct candidate *c, size_t n)
{
	uint64_t gap = gap_behind(h, x);
	uint32_t class = heap_class_of(h, x);
	struct hprof_item item;

	heap_item(h, x, &item);
	if (item.kind == HPROF_CLASS)
		return;
	for (size_t i = 0; i < n; i++) {
		uint64_t size = heap_sized(h, &c[i].layout, class, &item, c[i].sizes[class]);
		c[i].score += size == gap;
		c[i].score -= size > gap ? OVERLAP : 0;
		c[i].ends += size == gap && size > c[i].layout.alignment;
	}
}

/*
 * The best one. An alignment of more than 8 counts only if longer objects fit: objects that
 * somebody numbered in steps of 64, say, fit as well.
 */
static const struct candidate *choose(const struct heap *h, struct candidate *c, size_t n)
{
	enum { LONGER = 16 };
	uint32_t tried = h->n < SAMPLED ? h->n : SAMPLED;
	const struct candidate *best = c;

	for (uint32_t x = 0; x + 1 < tried; x++)
		try_object(h, x, c, n);
	for (size_t i = 1; i < n; i++)
		if (c[i].score > best->score &&
		    (c[i].layout.alignment == LEAST_ALIGNMENT || c[i].ends >= LONGER))
			best = &c[i];
	return best;
}

/* All layouts, those with the alignment last. */
static size_t list_candidates(const struct heap *h, uint32_t alignment, struct candidate *c)
{
	const struct heap_layout *of = h->dump->id_size == 4 ? &narrow : layouts;
	size_t all = h->dump->id_size == 4 ? 1 : LAYOUTS, n = 0;

	for (uint32_t a = LEAST_ALIGNMENT; n == 0 || (a == alignment && n <= 2 * all);
	     a = alignment)
		for (size_t i = 0; i < 2 * all; i++) {
			c[n].layout = of[i % all];
			c[n].layout.alignment = a;
			c[n++].layout.split = i >= all;
		}
	return n;
}

/* Sets the layout. */
static void find_layout(struct heap *h, uint32_t alignment)
{
	uint32_t *sizes = xcalloc((size_t)h->nclasses * CANDIDATES, sizeof *sizes);
	struct candidate c[CANDIDATES] = { { .score = 0 } };
	size_t n = list_candidates(h, alignment, c);

	for (size_t i = 0; i < n; i++) {
		c[i].sizes = sizes + i * h->nclasses;
		for (uint32_t k = 0; k < h->nclasses; k++)
			if (h->class[k].planned)
				c[i].sizes[k] = heap_instance_size(h, &c[i].layout, k);
	}
	h->layout = choose(h, c, n)->layout;
	free(sizes);
}

/* ---- what the VM adds -------------------------------------------------------------------- */

/* Classes to which the VM adds fields that no dump has, or padding (@Contended). */
static const char *const grown[] = {
	"java.lang.Class",
	"java.lang.Thread",
	"java.lang.ClassLoader",
	"java.lang.Module",
	"java.lang.InternalError",
	"java.lang.invoke.MemberName",
	"java.lang.invoke.ResolvedMethodName",
	"java.lang.invoke.MethodHandleNatives$CallSiteContext",
	"java.util.concurrent.ConcurrentHashMap$CounterCell",
	"java.util.concurrent.Exchanger$Node",
	"java.util.concurrent.ForkJoinPool",
	"java.util.concurrent.ForkJoinPool$WorkQueue",
	"java.util.concurrent.atomic.Striped64$Cell",
	"jdk.internal.vm.StackChunk",
};
enum {
	GROWN = sizeof grown / sizeof grown[0],
	ADDED_MAX = 400,
	ADDED_STEP = 4,
	LOOKED_AT = 1 << 16
};

/* Which of these a class is or inherits from; GROWN: none. */
static unsigned grown_of(const struct heap *h, uint32_t class)
{
	for (int depth = 0; class != HEAP_NONE && depth < HEAP_SUPERCLASSES_MAX; depth++) {
		for (unsigned i = 0; i < GROWN; i++)
			if (strcmp(h->class[class].name, grown[i]) == 0)
				return i;
		class = h->class[class].super;
	}
	return GROWN;
}

/* The objects of a grown class and its subclasses. */
struct sample {
	uint32_t *x;
	size_t n;
};

/* What they say to the class's `added`: see struct candidate. */
static long score_added(const struct heap *h, const struct sample *s, uint32_t *sizes,
			const unsigned char *grown_by, unsigned which)
{
	struct hprof_item item;
	long score = 0;

	for (uint32_t k = 0; k < h->nclasses; k++)
		if (grown_by[k] == which)
			sizes[k] = heap_instance_size(h, &h->layout, k);
	for (size_t i = 0; i < s->n; i++) {
		uint32_t class = heap_class_of(h, s->x[i]);
		heap_item(h, s->x[i], &item);
		uint64_t size = heap_sized(h, &h->layout, class, &item, sizes[class]);
		uint64_t gap = gap_behind(h, s->x[i]);
		score += size == gap;
		score -= size > gap ? OVERLAP : 0;
	}
	return score;
}

static void find_added(struct heap *h, uint32_t class, const struct sample *s, uint32_t *sizes,
		       const unsigned char *grown_by, unsigned which)
{
	uint32_t best = 0;
	long most = 0;

	for (uint32_t added = 0; added <= ADDED_MAX; added += ADDED_STEP) {
		h->class[class].added = added;
		long score = score_added(h, s, sizes, grown_by, which);
		if (score > most) {
			most = score;
			best = added;
		}
	}
	h->class[class].added = best;
}

static void find_all_added(struct heap *h, const unsigned char *grown_by)
{
	uint32_t *room = xmallocarray(LOOKED_AT, sizeof *room);
	uint32_t *sizes = xcalloc(h->nclasses, sizeof *sizes);

	for (uint32_t k = 0; k < h->nclasses; k++) {
		unsigned which = grown_by[k];
		if (which == GROWN || strcmp(h->class[k].name, grown[which]) != 0)
			continue;
		struct sample s = { .x = room };
		for (uint32_t x = 0; x + 1 < h->n && s.n < LOOKED_AT; x++)
			if (grown_by[heap_class_of(h, x)] == which)
				room[s.n++] = x;
		find_added(h, k, &s, sizes, grown_by, which);
	}
	free(room);
	free(sizes);
}

/* ---- classes that differ ----------------------------------------------------------------- */

/* How dense the heap is: the share of objects that end where the next one begins. */
static double density_of(const struct heap *h)
{
	uint32_t step = h->n / LOOKED_AT + 1, ends = 0, n = 0;
	struct hprof_item item;

	for (uint32_t x = 0; x + 1 < h->n; x += step) {
		heap_item(h, x, &item);
		ends += heap_item_size(h, heap_class_of(h, x), &item) == gap_behind(h, x);
		n++;
	}
	return n ? (double)ends / n : 0;
}

/*
 * The size of instances, if the least gap behind one says another: none is longer. If none ends at
 * the next object, it may be padded; or what follows has died. The former is taken only of classes
 * of which it is known, in a dense heap.
 */
static void correct(struct heap_class *c, uint64_t gap, bool is_grown, double density)
{
	const double dense = 0.9;

	if (gap < c->size || (is_grown && density >= dense && gap - c->size <= ADDED_MAX))
		c->size = (uint32_t)gap;
}

static void correct_all(struct heap *h, const unsigned char *grown_by)
{
	uint64_t *least = xcalloc(h->nclasses, sizeof *least);
	double density = density_of(h);

	for (uint32_t x = 0; x + 1 < h->n; x++) {
		uint64_t *of = &least[heap_class_of(h, x)];
		if (!*of || gap_behind(h, x) < *of)
			*of = gap_behind(h, x);
	}
	for (uint32_t k = 0; k < h->nclasses; k++)
		if (h->class[k].planned && k != h->mirror && !h->class[k].is_chunk && least[k])
			correct(&h->class[k], least[k], grown_by[k] != GROWN, density);
	free(least);
}

/* ---- all --------------------------------------------------------------------------------- */

static void find_chunks(struct heap *h)
{
	for (uint32_t k = 0; k < h->nclasses; k++) {
		struct heap_class *c = &h->class[k];
		c->is_chunk = c->planned && strcmp(c->name, "jdk.internal.vm.StackChunk") == 0 &&
			      heap_field_find(h, k, "size", &c->stack_at) == HPROF_INT;
	}
}

static void set_sizes(struct heap *h)
{
	for (uint32_t k = 0; k < h->nclasses; k++)
		h->class[k].size = heap_instance_size(h, &h->layout, k);
}

static void fit(struct heap *h, uint32_t alignment)
{
	unsigned char *grown_by = xmalloc(h->nclasses);

	find_layout(h, alignment);
	for (uint32_t k = 0; k < h->nclasses; k++)
		grown_by[k] = (unsigned char)grown_of(h, k);
	find_all_added(h, grown_by);
	set_sizes(h);
	correct_all(h, grown_by);
	free(grown_by);
}

void heap_measure(struct heap *h)
{
	uint32_t alignment = alignment_of(h);

	find_chunks(h);
	if (alignment >= LEAST_ALIGNMENT) {
		fit(h, alignment);
		return;
	}
	h->layout = layouts[0];
	h->layout.split = true;
	h->layout.guessed = true;
	set_sizes(h);
}
