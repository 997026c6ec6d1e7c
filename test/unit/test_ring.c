/* SPDX-License-Identifier: Apache-2.0 */
/* The ring: what is written is read, in order, and a ring in disorder does no harm. The race of
 * writer and reader is also run under ThreadSanitizer (make ... SAN=thread). */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "wire/ring.h"

#define SIZE 256u

struct fixture {
	struct wire_ring ring;
	uint64_t tail; /* the reader's own */
	unsigned char *data;
	uint32_t lens[SIZE]; /* of the records drained */
	uint32_t marks[SIZE];
	size_t n;
};

static int setup(void **state)
{
	struct fixture *f = aligned_alloc(64, (sizeof *f + 63) / 64 * 64);

	*state = f;
	memset(f, 0, sizeof *f);
	f->ring.size = SIZE;
	f->data = malloc(SIZE); /* of its own, for ASan to see its ends */
	return f->data ? 0 : -1;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	free(f->data);
	free(f);
	return 0;
}

static int put(struct fixture *f, uint32_t len, uint32_t mark)
{
	struct wire_unused *rec = ring_reserve(&f->ring, f->data, len, WIRE_UNUSED);

	if (!rec)
		return -1;
	rec->context = mark;
	ring_commit(&f->ring, &rec->rec);
	return 0;
}

static void take(const struct wire_rec *rec, uint32_t len, void *arg)
{
	struct fixture *f = arg;

	assert_true(f->n < SIZE);
	f->lens[f->n] = len;
	f->marks[f->n++] = ((const struct wire_unused *)rec)->context;
}

static long drain(struct fixture *f)
{
	f->n = 0;
	return ring_drain(&f->ring, f->data, SIZE, &f->tail,
			  atomic_load_explicit(&f->ring.head, memory_order_acquire), take, f);
}

static void test_order(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(drain(f), 0);
	for (uint32_t round = 0; round < 1000; round++) { /* over the end at every place */
		uint32_t len = 16 + 8 * (round % 5);
		assert_int_equal(put(f, len, round), 0);
		assert_int_equal(put(f, 16, round + 1), 0);
		assert_true(ring_used(&f->ring) >= len + 16);
		assert_int_equal(drain(f), 2);
		assert_int_equal(f->lens[0], len);
		assert_int_equal(f->marks[0], round);
		assert_int_equal(f->lens[1], 16);
		assert_int_equal(f->marks[1], round + 1);
		assert_int_equal(ring_used(&f->ring), 0);
	}
	assert_int_equal(f->ring.lost, 0);
}

static void test_full(void **state)
{
	struct fixture *f = *state;

	for (uint32_t i = 0; i < SIZE / 16; i++)
		assert_int_equal(put(f, 16, i), 0);
	assert_int_equal(put(f, 16, 99), -1);
	assert_int_equal(put(f, 16, 99), -1);
	assert_int_equal(f->ring.lost, 2);
	assert_int_equal(drain(f), SIZE / 16);
	assert_int_equal(f->marks[SIZE / 16 - 1], SIZE / 16 - 1);
	assert_int_equal(put(f, SIZE, 7), 0); /* all of it at once */
	assert_int_equal(put(f, 16, 99), -1);
	assert_int_equal(drain(f), 1);
	assert_int_equal(f->lens[0], SIZE);
	assert_int_equal(put(f, SIZE + 8, 99), -1); /* never fits */
	assert_int_equal(put(f, UINT32_MAX - 7, 99), -1);
	assert_int_equal(f->ring.lost, 5);
}

/* A record that would go over the end needs room for the padding, too. */
static void test_padding_needs_room(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(put(f, 96, 1), 0);
	assert_int_equal(drain(f), 1);
	assert_int_equal(put(f, 96, 2), 0);  /* 96 to 192 */
	assert_int_equal(put(f, 96, 3), 0);  /* padding from 192 to 256, then 0 to 96 */
	assert_int_equal(put(f, 16, 4), -1); /* not a byte left */
	assert_int_equal(drain(f), 2);
	assert_int_equal(f->marks[1], 3);
	assert_int_equal(put(f, 16, 5), 0);
	assert_int_equal(drain(f), 1);
}

/* ---- disorder -------------------------------------------------------------------------- */

/* A good record, then one of length `len` at the offset `at`; head as far as `used`. */
static void assert_damaged(struct fixture *f, uint64_t at, uint32_t len, uint64_t used)
{
	memset(f->data, 0, SIZE);
	memcpy(f->data + at, &len, sizeof len);
	f->data[at + 4] = WIRE_UNUSED;
	f->tail = SIZE * 1000 + at;
	atomic_store(&f->ring.head, f->tail + used);
	assert_int_equal(drain(f), -1);
	assert_int_equal(f->tail % WIRE_ALIGN, 0);
	assert_in_range(SIZE * 1000 + at + used - f->tail, 0, WIRE_ALIGN - 1);
	assert_int_equal(f->ring.tail, f->tail);
}

static void test_disorder(void **state)
{
	static const uint32_t lens[] = { 0, 4, 7, 12, SIZE + 8, UINT32_MAX, UINT32_MAX - 7 };
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof lens / sizeof lens[0]; i++) {
		assert_damaged(f, 0, lens[i], SIZE);
		assert_damaged(f, SIZE - 8, lens[i], SIZE);
	}
	assert_damaged(f, 0, 32, 16);		 /* beyond what was written */
	assert_damaged(f, SIZE - 16, 32, 64);	 /* beyond the end of the data */
	assert_damaged(f, 0, 16, SIZE + 8);	 /* more than there is room for */
	assert_damaged(f, 0, 16, 20);		 /* a head that is not aligned */
	assert_damaged(f, 0, 16, (uint64_t)-16); /* a head that went back */

	/* and it can be used again */
	atomic_store(&f->ring.head, f->tail);
	assert_int_equal(put(f, 16, 1), 0);
	assert_int_equal(drain(f), 1);
}

/* ---- the race -------------------------------------------------------------------------- */

struct race {
	struct wire_ring ring;
	unsigned char *data;
	uint64_t next; /* the reader's: the number it waits for */
	uint64_t taken;
	uint64_t wrong;
	_Atomic int done;
};

enum { RACE_SIZE = 4096, RACE_RECORDS = 300000 };

/* Record number i is 16 to 136 bytes long, and all of it says i. */
static void *write_records(void *arg)
{
	struct race *r = arg;

	for (uint64_t i = 0; i < RACE_RECORDS; i++) {
		uint32_t len = 16 + 8 * (uint32_t)(i * 2654435761u >> 7 & 15);
		uint64_t *rec = ring_reserve(&r->ring, r->data, len, WIRE_UNUSED);
		if (!rec)
			continue; /* lost, and counted */
		for (uint32_t k = 1; k < len / 8; k++)
			rec[k] = i;
		ring_commit(&r->ring, (const struct wire_rec *)rec);
	}
	atomic_store_explicit(&r->done, 1, memory_order_release);
	return NULL;
}

static void check(const struct wire_rec *rec, uint32_t len, void *arg)
{
	struct race *r = arg;
	const uint64_t *words = (const uint64_t *)rec;
	uint64_t i = words[1];

	r->wrong += i < r->next || len != 16 + 8 * (uint32_t)(i * 2654435761u >> 7 & 15);
	for (uint32_t k = 1; k < len / 8; k++)
		r->wrong += words[k] != i;
	r->next = i + 1;
	r->taken++;
}

static void test_race(void **state)
{
	struct race *r = aligned_alloc(64, (sizeof *r + 63) / 64 * 64);
	pthread_t writer;
	uint64_t tail = 0;
	bool done;

	(void)state;
	assert_non_null(r);
	memset(r, 0, sizeof *r);
	r->ring.size = RACE_SIZE;
	r->data = malloc(RACE_SIZE);
	assert_non_null(r->data);
	assert_int_equal(pthread_create(&writer, NULL, write_records, r), 0);
	do {
		done = atomic_load_explicit(&r->done, memory_order_acquire);
		uint64_t head = atomic_load_explicit(&r->ring.head, memory_order_acquire);
		assert_true(ring_drain(&r->ring, r->data, RACE_SIZE, &tail, head, check, r) >= 0);
	} while (!done);
	pthread_join(writer, NULL);
	assert_int_equal(r->wrong, 0);
	assert_int_equal(r->taken + r->ring.lost, RACE_RECORDS);
	assert_true(r->taken > 0);
	free(r->data);
	free(r);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int unit_ring(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_order),
		TEST(test_full),
		TEST(test_padding_needs_room),
		TEST(test_disorder),
		cmocka_unit_test(test_race),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
