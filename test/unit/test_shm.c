/* SPDX-License-Identifier: Apache-2.0 */
/* test_shm.c - definitions that threads of a JVM reserve and complete while the tool reads. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sys/mman.h>

#include "wire/shm.h"

int unit_shm(void);

enum { RECORDS = 3, SHORT = 24, LONG = 208 };

/* A JVM's side of the memory. */
struct writer {
	struct shm *shm;
	unsigned char *base;
	struct wire_shm *header;
	struct wire_rec *late; /* completed while the first record is delivered; NULL: none */
	bool lowers;	       /* the sum then falls below what was read */
	uint32_t delivered[RECORDS + 1], n;
};

static struct wire_rec *reserve(const struct writer *w, uint64_t at, uint32_t len)
{
	struct wire_rec *rec = (struct wire_rec *)(w->base + w->header->layout.defs_offset + at);

	rec->len = len;
	return rec;
}

/* As link_define_reserve and link_define do it. */
static void publish(const struct writer *w, struct wire_rec *rec)
{
	atomic_fetch_add_explicit(&w->header->defs_tail, rec->len, memory_order_release);
	atomic_store_explicit(&rec->type, WIRE_STACK, memory_order_release);
}

static void take(const struct wire_rec *rec, uint32_t len, void *arg)
{
	struct writer *w = arg;

	(void)rec;
	assert_true(w->n < RECORDS);
	w->delivered[w->n++] = len;
	if (w->late)
		publish(w, w->late);
	w->late = NULL;
	if (w->lowers)
		atomic_store_explicit(&w->header->defs_tail, WIRE_ALIGN, memory_order_release);
}

static int setup(void **state)
{
	static struct writer w;
	const struct shm_sizes sizes = {
		.defs = 4096, .service = 4096, .ring = 4096, .rings = 1, .blocks = 2
	};
	const struct wire_config config = { .budget = 2 };

	w = (struct writer){ .shm = shm_new(&sizes, &config) };
	assert_non_null(w.shm);
	w.base = mmap(NULL, shm_size(w.shm), PROT_READ | PROT_WRITE, MAP_SHARED, shm_fd(w.shm), 0);
	assert_true(w.base != MAP_FAILED);
	w.header = (struct wire_shm *)w.base;
	*state = &w;
	return 0;
}

static int teardown(void **state)
{
	struct writer *w = *state;

	munmap(w->base, shm_size(w->shm));
	shm_free(w->shm);
	return 0;
}

/* A definition that is not complete hides those behind it until it is. */
static void test_gap(void **state)
{
	struct writer *w = *state;
	struct wire_rec *first = reserve(w, 0, SHORT);

	publish(w, reserve(w, SHORT, LONG));
	assert_int_equal(shm_drain(w->shm, false, 1, take, w), 0);
	publish(w, first);
	assert_int_equal(shm_drain(w->shm, false, 2, take, w), 2);
	assert_int_equal(w->delivered[0], SHORT);
	assert_int_equal(w->delivered[1], LONG);
	assert_int_equal(shm_damage(w->shm), 0);
}

/* The sum of lengths grows by the gap's while the tool reads: what lies behind it is whole. */
static void test_gap_closes(void **state)
{
	struct writer *w = *state;

	publish(w, reserve(w, 0, SHORT));
	w->late = reserve(w, SHORT, SHORT);
	publish(w, reserve(w, 2 * SHORT, LONG));
	assert_int_equal(shm_drain(w->shm, false, 1, take, w), RECORDS);
	assert_int_equal(w->delivered[2], LONG);
	assert_int_equal(shm_damage(w->shm), 0);
}

/* A length beyond all that was published is damage. */
static void test_too_long(void **state)
{
	struct writer *w = *state;
	struct wire_rec *rec = reserve(w, 0, SHORT);

	publish(w, rec);
	rec->len = LONG;
	assert_int_equal(shm_drain(w->shm, false, 1, take, w), 0);
	assert_int_equal(shm_damage(w->shm), 1);
	assert_string_equal(shm_first_damage(w->shm), "definitions, byte 0: length 208");
}

/* A JVM may write anything: a sum that falls lets nothing be read behind the table. */
static void test_sum_falls(void **state)
{
	struct writer *w = *state;
	struct wire_rec *second = reserve(w, SHORT, SHORT);

	publish(w, reserve(w, 0, SHORT));
	publish(w, second);
	second->len = 4u << 10;
	w->lowers = true;
	assert_int_equal(shm_drain(w->shm, false, 1, take, w), 1);
	assert_int_equal(shm_damage(w->shm), 1);
}

/* A block is a page or more, since its memory is given back; of small ones there are as many. */
static void test_pages(void **state)
{
	static const struct {
		uint32_t page, blocks;
	} machines[] = { { 4096, 4096 }, { 16384, 1024 }, { 65536, 514 } };
	const struct wire_config config = { .budget = 2 };

	(void)state;
	for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
		const uint32_t page = machines[i].page;
		struct shm_sizes sizes = SHM_SIZES_INIT;
		sizes.block = page;
		struct shm *s = shm_new(&sizes, &config);
		assert_non_null(s);
		const struct wire_shm *h = mmap(NULL, 4096, PROT_READ, MAP_SHARED, shm_fd(s), 0);
		assert_true(h != MAP_FAILED);
		const struct wire_layout *l = &h->layout;
		assert_int_equal(wire_layout_block(l), page);
		assert_int_equal(l->blocks, machines[i].blocks);
		assert_int_equal(l->defs_offset % page, 0);
		assert_int_equal(l->blocks_offset % page, 0);
		assert_int_equal(l->ring_slots * page, sizes.ring);
		munmap((void *)h, 4096);
		shm_free(s);
	}
	struct shm_sizes small = { .defs = 16384, .service = 16384, .ring = 4096, .rings = 1 };
	small.blocks = 2;
	small.block = 16384;
	assert_null(shm_new(&small, &config)); /* a ring of less than a block */
	static const uint32_t none[] = { 1, 2048, 12288, 4097, 2 * WIRE_MAX_BLOCK };
	for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
		struct shm_sizes sizes = SHM_SIZES_INIT;
		sizes.block = none[i];
		errno = 0;
		assert_null(shm_new(&sizes, &config));
		assert_int_equal(errno, EINVAL);
	}
}

int unit_shm(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_gap, setup, teardown),
		cmocka_unit_test_setup_teardown(test_gap_closes, setup, teardown),
		cmocka_unit_test_setup_teardown(test_too_long, setup, teardown),
		cmocka_unit_test_setup_teardown(test_sum_falls, setup, teardown),
		cmocka_unit_test(test_pages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
