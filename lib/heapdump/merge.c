/* SPDX-License-Identifier: Apache-2.0 */
/* merge.c - see merge.h: the partition checked, and its sums by class. */
#include "heapdump/merge.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/big.h"
#include "base/rng.h"
#include "heapdump/parallel.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { SMALL = 1 << 14 /* objects: not worth a thread */ };

/* ---- checking ---------------------------------------------------------------------------- */

/* The address of a reference to what is not there; 0 of one to nothing. */
static uint64_t missing(const struct heap *h, uint32_t x, uint32_t i)
{
	const struct heap_class *c = &h->class[heap_class_of(h, x)];
	struct hprof_item item;

	if (h->dangling == 0)
		return 0;
	heap_item(h, x, &item);
	return hprof_id(h->dump, item.body + (c->kind == HEAP_OBJECTS ? (size_t)i * h->dump->id_size
								      : c->slot[i].offset));
}

static bool equal_references(const struct heap *h, const struct partition *p, uint32_t x,
			     uint32_t y)
{
	uint32_t n = h->edge[x + 1] - h->edge[x];

	if (n != h->edge[y + 1] - h->edge[y])
		return false;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t a = h->to[h->edge[x] + i], b = h->to[h->edge[y] + i];
		if (a == b && (a != PARTITION_NULL || missing(h, x, i) == missing(h, y, i)))
			continue;
		if (a == PARTITION_NULL || b == PARTITION_NULL || p->block[a] != p->block[b])
			return false;
	}
	return true;
}

static bool equal(const struct heap *h, const struct partition *p, uint32_t x, uint32_t y)
{
	const struct heap_class *c = &h->class[heap_class_of(h, x)];
	struct hprof_item a, b;

	if (heap_class_of(h, x) != heap_class_of(h, y) || bits_has(h->apart, x) ||
	    bits_has(h->apart, y))
		return false;
	if (!equal_references(h, p, x, y))
		return false;
	if (c->kind == HEAP_OBJECTS)
		return true;
	heap_item(h, x, &a);
	heap_item(h, y, &b);
	if (c->kind == HEAP_PRIMITIVES)
		return a.count == b.count &&
		       memcmp(a.body, b.body, (size_t)a.count * hprof_width(h->dump, a.type)) == 0;
	for (uint32_t i = 0; i < c->nruns; i++)
		if (memcmp(a.body + c->run[i].offset, b.body + c->run[i].offset, c->run[i].n) != 0)
			return false;
	return true;
}

struct verifier {
	const struct heap *h;
	const struct partition *p;
	const uint32_t *first;
	atomic_bool wrong;
};

static void verify(void *arg, uint32_t from, uint32_t to)
{
	struct verifier *v = arg;

	for (uint32_t x = from; x < to; x++) {
		uint32_t y = v->first[v->p->block[x]];
		if (y != x && !equal(v->h, v->p, x, y))
			atomic_store_explicit(&v->wrong, true, memory_order_relaxed);
	}
}

bool merge_verify(const struct heap *h, const struct partition *p, const uint32_t *first)
{
	struct verifier v = { h, p, first, false };

	parallel(h->n, verify, &v);
	return !atomic_load_explicit(&v.wrong, memory_order_relaxed);
}

/* ---- classes ----------------------------------------------------------------------------- */

/* Puts classes of one name together. */
static void group_classes(struct merge *m, const struct heap *h)
{
	struct idmap names = { .slots = NULL };

	m->class_group = xmallocarray(h->nclasses, sizeof *m->class_group);
	m->classes = xcalloc(h->nclasses, sizeof *m->classes);
	for (uint32_t i = 0; i < h->nclasses; i++) {
		const char *name = h->class[i].name;
		uint64_t key = XXH3_64bits(name, strlen(name));
		struct merge_class *c = idmap_get(&names, key);
		if (!c) {
			c = &m->classes[m->nclasses++];
			*c = (struct merge_class){ .name = name };
			c->sum.example = HEAP_NONE;
			xidmap_put(&names, key, c);
		}
		c->apart |= h->class[i].apart;
		m->class_group[i] = (uint32_t)(c - m->classes);
	}
	idmap_release(&names);
}

static void add_object(struct merge *m, const struct heap *h, struct merge_sum *s, uint32_t x,
		       const uint32_t *first)
{
	uint32_t block = m->partition.block[x], n = m->count[block];

	s->objects++;
	s->bytes += heap_size(h, x);
	if (first[block] != x) {
		s->freed += heap_size(h, x);
		bits_set(m->gone, x);
		return;
	}
	s->distinct++;
	if (n > 1 && n > s->largest)
		s->example = x;
	s->largest = n > s->largest ? n : s->largest;
}

/* ---- shallow equality -------------------------------------------------------------------- */

static uint64_t shallow_hash(const struct merge *m, const struct heap *h, uint32_t x)
{
	return XXH3_64bits_withSeed(&h->to[h->edge[x]],
				    (h->edge[x + 1] - (size_t)h->edge[x]) * sizeof *h->to,
				    rng_mix(m->partition.block[x] + (uint64_t)1));
}

static bool has_references(const struct heap *h, uint32_t x)
{
	return h->edge[x] < h->edge[x + 1];
}

/* Of objects that are deeply equal, those are shallowly equal that reference the same objects. */
static void count_shallow(struct merge *m, const struct heap *h, const uint32_t *first)
{
	size_t copies = 0, slots = 16;

	for (uint32_t x = 0; x < h->n; x++)
		copies += has_references(h, x) && m->count[m->partition.block[x]] > 1;
	while (slots < copies + copies / 2)
		slots *= 2;
	uint64_t *slot = xbig_zeroed(slots, sizeof *slot);
	for (uint32_t x = 0; x < h->n; x++) {
		struct merge_sum *s = &m->classes[m->class_group[heap_class_of(h, x)]].sum;
		bool one = m->count[m->partition.block[x]] == 1;
		if (one || !has_references(h, x)) {
			bool kept = one || first[m->partition.block[x]] == x;
			s->distinct_shallow += kept;
			s->freed_shallow += kept ? 0 : heap_size(h, x);
			continue;
		}
		uint64_t hash = shallow_hash(m, h, x) | 1; /* 0: free */
		size_t at = hash >> 1 & (slots - 1);
		while (slot[at] && slot[at] != hash)
			at = (at + 1) & (slots - 1);
		s->distinct_shallow += !slot[at];
		s->freed_shallow += slot[at] ? heap_size(h, x) : 0;
		slot[at] = hash;
	}
	free(slot);
}

/* ---- all --------------------------------------------------------------------------------- */

static void add_up(struct merge *m)
{
	for (size_t i = 0; i < m->nclasses; i++) {
		const struct merge_sum *s = &m->classes[i].sum;
		m->total.objects += s->objects;
		m->total.bytes += s->bytes;
		m->total.distinct += s->distinct;
		m->total.distinct_shallow += s->distinct_shallow;
		m->total.freed += s->freed;
		m->total.freed_shallow += s->freed_shallow;
		m->total.largest = s->largest > m->total.largest ? s->largest : m->total.largest;
	}
}

/* Counts the objects of each block. Returns the first of each; free it. */
static uint32_t *count_blocks(struct merge *m, const struct heap *h)
{
	const struct partition *p = &m->partition;
	uint32_t *first = xbig_alloc(p->nblocks + (size_t)1, sizeof *first);

	m->count = xbig_zeroed(p->nblocks + (size_t)1, sizeof *m->count);
	m->gone = xcalloc(bits_bytes(h->n), 1);
	for (uint32_t x = h->n; x-- > 0;) {
		first[p->block[x]] = x;
		m->count[p->block[x]]++;
	}
	return first;
}

/* False if contents had one hash. */
static bool sum_up(struct merge *m, const struct heap *h, const uint32_t *first)
{
	if (!merge_verify(h, &m->partition, first))
		return false;
	for (uint32_t x = 0; x < h->n; x++)
		add_object(m, h, &m->classes[m->class_group[heap_class_of(h, x)]].sum, x, first);
	return true;
}

/* What only one object holds does not depend on what is equal. */
struct retained_job {
	struct merge *m;
	const struct heap *h;
};

static void *find_retained(void *arg)
{
	struct retained_job *j = arg;

	merge_find_retained(j->m, j->h);
	return NULL;
}

/*
 * Both sums, each on a processor of its own; shallow ones later, since the memory they take is not
 * there yet. False if contents had one hash.
 */
static bool find_retained_and_sum_up(struct merge *m, struct heap *h)
{
	struct retained_job j = { m, h };
	uint32_t *first = count_blocks(m, h);
	pthread_t thread;
	bool apart = h->n > SMALL && pthread_create(&thread, NULL, find_retained, &j) == 0;

	if (!apart)
		find_retained(&j);
	bool good = sum_up(m, h, first);
	if (apart)
		pthread_join(thread, NULL);
	if (good)
		count_shallow(m, h, first);
	free(first);
	return good;
}

bool merge_make(struct merge *m, struct heap *h, struct progress *progress)
{
	const struct partition_graph g = { h->n, h->own, h->edge, h->to, h->apart };

	*m = (struct merge){ .nclasses = 0 };
	progress_begin(progress, "comparing", 0);
	partition_make(&m->partition, &g, h->seed);
	group_classes(m, h);
	free(h->own); /* the partition is made */
	h->own = NULL;
	if (!find_retained_and_sum_up(m, h))
		return false;
	add_up(m);
	merge_find_holders(m, h);
	return true;
}

void merge_release(struct merge *m)
{
	partition_release(&m->partition);
	free(m->count);
	free(m->gone);
	free(m->holder);
	owners_release(&m->owners);
	free(m->retained.bytes);
	free(m->class_group);
	free(m->classes);
	free(m->holders);
	*m = (struct merge){ .nclasses = 0 };
}
