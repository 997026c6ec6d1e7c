/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_retained.c - what goes if an object goes: random heaps, written as dumps, against a search
 * that leaves out one object after another. They have arrays, rings, references of all strengths, a
 * class whose loader can die, and objects that no root leads to.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memtext.h"
#include "base/rng.h"
#include "dump.h"
#include "heapdump/heap_report.h"
#include "heapdump/retained/cut.h"
#include "heapdump/retained/paths.h"
#include "heapdump/retained/retained_sums.h"

enum { HEAPS = 1500, MOST = 24, SPACE = 64, FIRST = 0x10000, EDGES = MOST * 8 };

/* Classes, in the order of their objects' addresses. */
enum { OBJECT, CLASS, REFERENCE, WEAK, SOFT, PHANTOM, FINAL, NODE, ARRAY, LOADER, CUSTOM, CLASSES };
static const char *const names[CLASSES] = {
	"java/lang/Object",
	"java/lang/Class",
	"java/lang/ref/Reference",
	"java/lang/ref/WeakReference",
	"java/lang/ref/SoftReference",
	"java/lang/ref/PhantomReference",
	"java/lang/ref/FinalReference",
	"com/acme/Node",
	"[Ljava/lang/Object;",
	"com/acme/Loader",
	"com/acme/Custom",
};
static const int supers[CLASSES] = { -1,	OBJECT, OBJECT, REFERENCE, REFERENCE, REFERENCE,
				     REFERENCE, OBJECT, OBJECT, OBJECT,	   OBJECT };

/* Objects of the model: class objects first, then those of `kind`; they reference `to`. */
struct model_heap {
	uint32_t n; /* with class objects */
	int kind[MOST + CLASSES];
	uint32_t from[EDGES], to[EDGES];
	int strength[EDGES]; /* as enum strength */
	size_t edges;
	bool root[MOST + CLASSES];
};

static uint64_t address(uint32_t x)
{
	return FIRST + (uint64_t)x * SPACE;
}

static void write_classes(struct dump *d, uint32_t loader)
{
	static const struct dump_field referent[] = { { "referent", HPROF_OBJECT }, { NULL, 0 } };
	static const struct dump_field node[] = { { "a", HPROF_OBJECT },
						  { "b", HPROF_OBJECT },
						  { NULL, 0 } };

	for (uint32_t c = 0; c < CLASSES; c++) {
		const struct dump_field *fields = c == REFERENCE	    ? referent
						  : c >= NODE && c != ARRAY ? node
									    : NULL;
		d->loader = c == CUSTOM ? address(loader) : 0;
		dump_class(d, address(c), supers[c] < 0 ? 0 : address((uint32_t)supers[c]), fields,
			   NULL, 0);
	}
}

static void refer(struct model_heap *m, uint32_t from, uint32_t to, int strength)
{
	m->from[m->edges] = from;
	m->to[m->edges] = to;
	m->strength[m->edges++] = strength;
}

/* Draws a reference, of which the model knows. */
static uint64_t draw_reference(struct model_heap *m, struct rng *rng, uint32_t x, int strength)
{
	uint32_t near = x - rng_below(rng, 3);
	uint32_t y = rng_below(rng, 2) && near >= CLASSES
			     ? near
			     : CLASSES + rng_below(rng, m->n - CLASSES);

	if (rng_below(rng, 3) == 0)
		return 0;
	refer(m, x, y, strength);
	return address(y);
}

static void write_object(struct model_heap *m, struct dump *d, struct rng *rng, uint32_t x)
{
	int kind = m->kind[x];
	bool array = kind == ARRAY;
	uint64_t to[3];
	unsigned char body[3 * 8];
	uint32_t n = array ? rng_below(rng, 4) : kind >= NODE ? 2 : 1;

	for (uint32_t i = 0; i < n; i++) {
		int strength = kind >= NODE   ? STRENGTH_STRONG
			       : kind == SOFT ? STRENGTH_SOFT
					      : STRENGTH_WEAK;
		to[i] = draw_reference(m, rng, x, strength);
		dump_number(body + (size_t)8 * i, to[i], 8);
	}
	if (array)
		dump_objects(d, address(x), address(ARRAY), to, n);
	else
		dump_instance(d, address(x), address((uint32_t)kind), body, 8 * n);
	if (kind == CUSTOM)
		refer(m, x, CUSTOM, STRENGTH_STRONG);
}

static void draw(struct model_heap *m, struct dump *d, struct rng *rng)
{
	uint32_t rooted = 2 + rng_below(rng, 12);

	memset(m, 0, sizeof *m);
	m->n = CLASSES + 2 + rng_below(rng, MOST - 2);
	for (uint32_t x = CLASSES; x < m->n; x++) {
		int kind = (int)rng_below(rng, 2 * CLASSES);
		m->kind[x] = kind < WEAK || kind >= CLASSES ? NODE : kind;
	}
	m->kind[CLASSES] = LOADER;
	dump_begin(d, "JAVA PROFILE 1.0.2", 8);
	dump_string(d, "referent");
	dump_string(d, "a");
	dump_string(d, "b");
	for (uint32_t c = 0; c < CLASSES; c++)
		dump_name(d, address(c), names[c]);
	dump_open(d, 0x1c);
	write_classes(d, CLASSES);
	for (uint32_t c = 0; c < CLASSES; c++) {
		m->root[c] = c != CUSTOM;
		if (supers[c] >= 0)
			refer(m, c, (uint32_t)supers[c], STRENGTH_STRONG);
	}
	refer(m, CUSTOM, CLASSES, STRENGTH_STRONG);
	for (uint32_t x = CLASSES; x < m->n; x++) {
		write_object(m, d, rng, x);
		m->root[x] = rng_below(rng, rooted) == 0;
		if (m->root[x])
			dump_root(d, 0x05, address(x), 0);
	}
	dump_close(d);
	dump_end(d);
}

/* What roots lead to without `without`, by references that are at least that strong. */
static void reach(const struct model_heap *m, uint32_t without, int weakest, bool *reached)
{
	bool changed = true;

	for (uint32_t x = 0; x < m->n; x++)
		reached[x] = m->root[x] && x != without;
	while (changed) {
		changed = false;
		for (size_t e = 0; e < m->edges; e++) {
			uint32_t y = m->to[e];
			if (!reached[m->from[e]] || reached[y] || y == without ||
			    m->strength[e] > weakest)
				continue;
			reached[y] = changed = true;
		}
	}
}

static uint64_t bytes_of(const struct heap *h, const bool *in, uint32_t n)
{
	uint64_t bytes = 0;

	for (uint32_t x = 0; x < n; x++)
		bytes += in[x] ? heap_size(h, x) : 0;
	return bytes;
}

/* By class: the bytes of objects that no other one of the class dominates. */
static void check_classes(const struct model_heap *m, const struct heap_report *r,
			  const struct retained *found, const bool *held,
			  bool (*dominated)[MOST + CLASSES])
{
	uint64_t want[CLASSES] = { 0 };
	struct retained_sums sums;

	retained_sums_make(&sums, found);
	for (uint32_t x = CLASSES; x < m->n; x++) {
		bool inner = false;
		for (uint32_t y = CLASSES; y < m->n; y++)
			inner |= dominated[y][x] && m->kind[y] == m->kind[x];
		want[m->kind[x]] += inner || !held[x] ? 0 : retained_of(found, x);
	}
	for (uint32_t x = CLASSES; x < m->n; x++) {
		uint32_t group = r->merge.class_group[heap_class_of(&r->heap, x)];
		assert_int_equal(sums.class[group].bytes, want[m->kind[x]]);
	}
	retained_sums_release(&sums);
}

/*
 * A path is told of each object that anything leads to. It has a reference that is soft, or one
 * that holds nothing, where no path is without.
 */
static void check_paths(const struct model_heap *m, const struct retained *found)
{
	bool by[STRENGTHS][MOST + CLASSES];
	struct paths p;

	for (int s = STRENGTH_STRONG; s < STRENGTHS; s++)
		reach(m, UINT32_MAX, s, by[s]);
	paths_make(&p, found);
	for (uint32_t x = CLASSES; x < m->n; x++) {
		struct memtext t;
		paths_put(memtext_begin(&t), &p, x);
		char *text = memtext_end(&t);
		assert_int_equal(strncmp(text, "no root", 7) != 0, by[STRENGTH_WEAK][x]);
		bool weak = strstr(text, "(weak)") || strstr(text, "(phantom)") ||
			    strstr(text, "(final)");
		assert_int_equal(weak, by[STRENGTH_WEAK][x] && !by[STRENGTH_SOFT][x]);
		if (by[STRENGTH_SOFT][x])
			assert_int_equal(strstr(text, "(soft)") != NULL, !by[STRENGTH_STRONG][x]);
		free(text);
	}
	paths_release(&p);
}

static uint32_t check(const struct model_heap *m, struct heap_report *r)
{
	bool held[MOST + CLASSES], all[MOST + CLASSES], without[MOST + CLASSES];
	static bool dominated[MOST + CLASSES][MOST + CLASSES];
	struct retained found;
	uint32_t more = 0;

	assert_int_equal(r->heap.n, m->n);
	retained_make(&found, &r->heap, &r->merge);
	reach(m, UINT32_MAX, STRENGTH_SOFT, held);
	reach(m, UINT32_MAX, STRENGTH_WEAK, all);
	uint64_t bytes = bytes_of(&r->heap, held, m->n);
	assert_int_equal(found.held.bytes, bytes);
	assert_int_equal(found.weak.bytes, bytes_of(&r->heap, all, m->n) - bytes);
	for (uint32_t x = 0; x < m->n; x++) {
		reach(m, x, STRENGTH_SOFT, without);
		uint64_t goes = bytes - bytes_of(&r->heap, without, m->n);
		for (uint32_t y = 0; y < m->n; y++)
			dominated[x][y] = x != y && held[x] && held[y] && !without[y];
		if (held[x])
			assert_int_equal(retained_of(&found, x), goes);
		more += held[x] && goes > 3 * heap_size(&r->heap, x);
	}
	check_classes(m, r, &found, held, dominated);
	check_paths(m, &found);
	retained_release(&found);
	return more;
}

static void random_heaps(void **state)
{
	struct rng rng = { 20261129 };
	uint32_t more = 0;

	(void)state;
	for (int i = 0; i < HEAPS; i++) {
		struct model_heap m;
		struct dump d;
		struct heap_report r;
		draw(&m, &d, &rng);
		assert_int_equal(heap_report_memory(&r, d.data, d.len, 0, false), 0);
		more += check(&m, &r);
		heap_report_release(&r);
		dump_release(&d);
	}
	assert_true(more > HEAPS / 4); /* or else the heaps tell nothing */
}

int unit_retained(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_heaps),
	};
	return cmocka_run_group_tests_name("retained", tests, NULL, NULL);
}
