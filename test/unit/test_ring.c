/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ring: what is written is read, in order; blocks are given back once and not too early; a
 * corrupt ring does no harm. The race of writers, reader and service thread also runs under
 * ThreadSanitizer (make ... SAN=thread).
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "agent/core/blockstack.h"
#include "wire/ring.h"

enum { SLOTS = 4, BLOCKS = 6, SIZE = SLOTS * WIRE_BLOCK, MOST = SIZE / 16 + 1 };

struct fixture {
	struct wire_ring ring;
	_Atomic uint16_t map[SLOTS], own[SLOTS];
	struct ring_writer writer;
	struct ring_reader reader;
	unsigned char *data;
	uint32_t lens[MOST]; /* of the records that were read */
	uint32_t marks[MOST];
	size_t n;
};

/* ---- blocks ------------------------------------------------------------------------------ */

static bool in_use[BLOCKS];
static unsigned nused, most_used;

/* Takes the highest first, so that the order of blocks differs from that of slots. */
static int take_block(void)
{
	for (int i = BLOCKS - 1; i >= 0; i--) {
		if (in_use[i])
			continue;
		in_use[i] = true;
		nused++;
		most_used = nused > most_used ? nused : most_used;
		return i;
	}
	return -1;
}

static void give_block(uint32_t block)
{
	assert_true(block < BLOCKS && in_use[block]);
	in_use[block] = false;
	nused--;
}

static const struct ring_pool pool = { take_block, give_block };

static int setup(void **state)
{
	struct fixture *f = aligned_alloc(64, (sizeof *f + 63) / 64 * 64);

	*state = f;
	memset(f, 0, sizeof *f);
	memset(in_use, 0, sizeof in_use);
	nused = most_used = 0;
	/* a separate allocation, so that ASan detects overruns */
	f->data = malloc((size_t)BLOCKS * WIRE_BLOCK);
	f->writer = (struct ring_writer){ .ring = &f->ring,
					  .map = f->map,
					  .own = f->own,
					  .blocks = f->data,
					  .slots = SLOTS,
					  .block = WIRE_BLOCK };
	f->reader = (struct ring_reader){ .ring = &f->ring,
					  .map = f->map,
					  .blocks = f->data,
					  .slots = SLOTS,
					  .block = WIRE_BLOCK,
					  .nblocks = BLOCKS };
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
	struct wire_unused *rec = ring_reserve(&f->writer, len, WIRE_UNUSED, &pool);

	if (!rec)
		return -1;
	rec->context = mark;
	ring_commit(&f->writer);
	return 0;
}

static void take(const struct wire_rec *rec, uint32_t len, void *arg)
{
	struct fixture *f = arg;

	assert_true(f->n < MOST);
	f->lens[f->n] = len;
	f->marks[f->n++] = ((const struct wire_unused *)rec)->context;
}

static long drain(struct fixture *f)
{
	f->n = 0;
	return ring_drain(&f->reader, atomic_load_explicit(&f->ring.head, memory_order_acquire),
			  take, f);
}

static void test_order(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(drain(f), 0);
	for (uint32_t round = 0; round < 5000;
	     round++) { /* crosses the end of a block at every position */
		uint32_t len = 16 + 8 * (round % 5);
		assert_int_equal(put(f, len, round), 0);
		assert_int_equal(put(f, 16, round + 1), 0);
		assert_int_equal(drain(f), 2);
		assert_int_equal(f->lens[0], len);
		assert_int_equal(f->marks[0], round);
		assert_int_equal(f->lens[1], 16);
		assert_int_equal(f->marks[1], round + 1);
	}
	assert_int_equal(f->ring.lost, 0);
	assert_int_equal(most_used, 2); /* if records are read at once, no more are needed */
}

static void test_full(void **state)
{
	struct fixture *f = *state;

	for (uint32_t i = 0; i < SIZE / 16; i++)
		assert_int_equal(put(f, 16, i), 0);
	assert_int_equal(put(f, 16, 99), -1);
	assert_int_equal(put(f, 16, 99), -1);
	assert_int_equal(f->ring.lost, 2);
	assert_int_equal(nused, SLOTS);
	assert_int_equal(drain(f), SIZE / 16);
	assert_int_equal(f->marks[SIZE / 16 - 1], SIZE / 16 - 1);
	ring_reclaim(&f->writer, &pool);
	assert_int_equal(nused, 0);
	assert_int_equal(put(f, WIRE_BLOCK, 7), 0); /* fills a whole block */
	assert_int_equal(drain(f), 1);
	assert_int_equal(f->lens[0], WIRE_BLOCK);
	assert_int_equal(put(f, WIRE_BLOCK + 8, 99), -1); /* never fits */
	assert_int_equal(put(f, UINT32_MAX - 7, 99), -1);
	assert_int_equal(f->ring.lost, 4);
}

/* Where pages are larger, blocks are. */
static void test_large_blocks(void **state)
{
	struct fixture *f = *state;
	const uint32_t block = 4 * WIRE_BLOCK, n = 4 * SIZE / 64;

	free(f->data);
	f->data = malloc((size_t)BLOCKS * block);
	assert_non_null(f->data);
	f->reader.blocks = f->writer.blocks = f->data;
	f->reader.block = f->writer.block = block;
	assert_int_equal(put(f, block, 7), 0); /* fills a whole block */
	assert_int_equal(put(f, block + 8, 99), -1);
	assert_int_equal(put(f, WIRE_BLOCK + 8, 8), 0);
	ring_leave_block(&f->writer);
	assert_int_equal(f->ring.head, 2 * block);
	assert_int_equal(drain(f), 2);
	assert_int_equal(f->lens[1], WIRE_BLOCK + 8);
	ring_reclaim(&f->writer, &pool);
	for (uint32_t i = 0; i < n; i++)
		assert_int_equal(put(f, 64, i), 0);
	assert_int_equal(put(f, 16, 99), -1);
	assert_int_equal(nused, SLOTS);
	assert_int_equal(drain(f), n);
	assert_int_equal(f->marks[n - 1], n - 1);
}

/*
 * A record that does not fit into the rest of a block goes into the next one, which also needs
 * room.
 */
static void test_padding(void **state)
{
	struct fixture *f = *state;

	for (uint32_t i = 0; i < SLOTS; i++)
		assert_int_equal(put(f, WIRE_BLOCK - 16, i), 0);
	assert_int_equal(put(f, 24, 98), -1);
	assert_int_equal(put(f, 16, 99), -1); /* the rest was skipped */
	assert_int_equal(f->ring.lost, 2);
	assert_int_equal(drain(f), SLOTS);
	assert_int_equal(f->marks[SLOTS - 1], SLOTS - 1);
	assert_int_equal(put(f, 24, 5), 0);
	assert_int_equal(drain(f), 1);
	assert_int_equal(f->marks[0], 5);
}

/* Other rings may have taken all blocks. */
static void test_no_block(void **state)
{
	struct fixture *f = *state;

	for (int i = 0; i < BLOCKS - 1; i++)
		take_block();
	assert_int_equal(put(f, WIRE_BLOCK, 1), 0);
	assert_int_equal(put(f, 16, 2), -1);
	assert_int_equal(f->ring.lost, 1);
	assert_int_equal(drain(f), 1);
	assert_int_equal(put(f, 16, 3), 0); /* its own block again */
	assert_int_equal(drain(f), 1);
	assert_int_equal(f->marks[0], 3);
}

/* Leaves the current block, so that nobody holds it. */
static void test_leaving(void **state)
{
	struct fixture *f = *state;

	ring_leave_block(&f->writer);
	assert_int_equal(f->ring.head, 0);
	assert_int_equal(put(f, 16, 1), 0);
	ring_leave_block(&f->writer);
	assert_int_equal(f->ring.head, WIRE_BLOCK);
	assert_int_equal(put(f, 16, 2), 0);
	assert_int_equal(drain(f), 2);
	assert_int_equal(f->marks[1], 2);
	ring_leave_block(&f->writer);
	assert_int_equal(drain(f), 0);
	ring_reclaim(&f->writer, &pool);
	assert_int_equal(nused, 0);
}

/* ---- disorder -------------------------------------------------------------------------- */

/* A valid record, then one of length `len` at offset `at`; head at `used`. */
static void assert_damaged(struct fixture *f, uint64_t at, uint32_t len, uint64_t used)
{
	const uint64_t lap = 1000ull * SIZE;

	memset(f->data, 0, (size_t)BLOCKS * WIRE_BLOCK);
	for (uint16_t i = 0; i < SLOTS; i++)
		f->map[i] = i;
	memcpy(f->data + at, &len, sizeof len);
	f->data[at + 4] = WIRE_UNUSED;
	f->reader.tail = lap + at;
	atomic_store(&f->ring.head, f->reader.tail + used);
	assert_int_equal(drain(f), -1);
	assert_int_equal(f->reader.tail % WIRE_ALIGN, 0);
	assert_in_range(lap + at + used - f->reader.tail, 0, WIRE_ALIGN - 1);
	assert_int_equal(f->ring.tail, f->reader.tail);
}

static void test_disorder(void **state)
{
	static const uint32_t lens[] = {
		0, 4, 7, 12, WIRE_BLOCK + 8, SIZE + 8, UINT32_MAX, UINT32_MAX - 7
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof lens / sizeof lens[0]; i++) {
		assert_damaged(f, 0, lens[i], SIZE);
		assert_damaged(f, WIRE_BLOCK - 8, lens[i], SIZE);
		assert_damaged(f, SIZE - 8, lens[i], SIZE);
	}
	assert_damaged(f, 0, 32, 16);		    /* beyond what was written */
	assert_damaged(f, WIRE_BLOCK - 16, 32, 64); /* beyond the end of the block */
	assert_damaged(f, 0, 16, SIZE + 8);	    /* more than the ring has room for */
	assert_damaged(f, 0, 16, 20);		    /* a head that is not aligned */
	assert_damaged(f, 0, 16, (uint64_t)-16);    /* a head that moved back */
	f->map[1] = BLOCKS;
	f->reader.tail = WIRE_BLOCK;
	atomic_store(&f->ring.head, WIRE_BLOCK + 16);
	assert_int_equal(drain(f), -1); /* a block that does not exist */
}

/*
 * Whatever the tool claims to have read: no block is given back twice, and none that is being
 * written.
 */
static void test_bad_tails(void **state)
{
	static const uint64_t tails[] = { 0,
					  1,
					  16,
					  17,
					  SIZE,
					  3 * SIZE + 8,
					  1u << 31,
					  1ull << 63,
					  UINT64_MAX,
					  (uint64_t)-8,
					  (uint64_t)-WIRE_BLOCK };
	struct fixture *f = *state;

	for (uint32_t i = 0; i < 20000; i++) {
		atomic_store(&f->ring.tail, tails[i % (sizeof tails / sizeof tails[0])]);
		put(f, 16 + 8 * (i % 7), i);
		ring_reclaim(&f->writer, &pool); /* give_block checks */
		if (f->writer.open)
			assert_true(in_use[(f->writer.open - f->data) / WIRE_BLOCK]);
		atomic_store(&f->ring.head, i * 12345678901ull);
		if (i % 3 == 0)
			drain(f);
	}
}

/* ---- the race -------------------------------------------------------------------------- */

enum { WRITERS = 2, RACE_SLOTS = 4, RACE_BLOCKS = 6, RACE_RECORDS = 200000 };

static struct racer {
	struct wire_ring ring;
	_Atomic uint16_t map[RACE_SLOTS], own[RACE_SLOTS];
	struct ring_writer writer;
	struct ring_reader reader;
	uint64_t next; /* the number that the reader expects */
	uint64_t taken;
	uint64_t wrong;
	_Atomic int done;
} racers[WRITERS];

static _Atomic uint32_t below[RACE_BLOCKS];
static struct blockstack stack = { .below = below };

static int race_take(void)
{
	return (int)blockstack_pop(&stack);
}

static void race_give(uint32_t block)
{
	blockstack_push(&stack, block);
}

static const struct ring_pool race_pool = { race_take, race_give };

/* Record number i has 16 to 136 bytes, all of which contain i. */
static void *write_records(void *arg)
{
	struct racer *r = arg;

	for (uint64_t i = 0; i < RACE_RECORDS; i++) {
		uint32_t len = 16 + 8 * (uint32_t)(i * 2654435761u >> 7 & 15);
		uint64_t *rec = ring_reserve(&r->writer, len, WIRE_UNUSED, &race_pool);
		if (!rec)
			continue; /* lost and counted */
		for (uint32_t k = 1; k < len / 8; k++)
			rec[k] = i;
		ring_commit(&r->writer);
	}
	atomic_store_explicit(&r->done, 1, memory_order_release);
	return NULL;
}

/* Does what the service thread does. */
static void *tidy(void *arg)
{
	bool done;

	(void)arg;
	do {
		done = true;
		for (int i = 0; i < WRITERS; i++) {
			done = done && atomic_load(&racers[i].done);
			ring_reclaim(&racers[i].writer, &race_pool);
		}
	} while (!done);
	return NULL;
}

static void check(const struct wire_rec *rec, uint32_t len, void *arg)
{
	struct racer *r = arg;
	const uint64_t *words = (const uint64_t *)rec;
	uint64_t i = words[1];

	r->wrong += i < r->next || len != 16 + 8 * (uint32_t)(i * 2654435761u >> 7 & 15);
	for (uint32_t k = 1; k < len / 8; k++)
		r->wrong += words[k] != i;
	r->next = i + 1;
	r->taken++;
}

static void start(struct racer *r, unsigned char *data)
{
	r->writer = (struct ring_writer){ .ring = &r->ring,
					  .map = r->map,
					  .own = r->own,
					  .blocks = data,
					  .slots = RACE_SLOTS,
					  .block = WIRE_BLOCK };
	r->reader = (struct ring_reader){ .ring = &r->ring,
					  .map = r->map,
					  .blocks = data,
					  .slots = RACE_SLOTS,
					  .block = WIRE_BLOCK,
					  .nblocks = RACE_BLOCKS };
}

/* More slots than blocks: the writers compete for blocks. */
static void test_race(void **state)
{
	unsigned char *data = malloc((size_t)RACE_BLOCKS * WIRE_BLOCK);
	pthread_t writers[WRITERS], tidier;
	bool done;

	(void)state;
	assert_non_null(data);
	for (uint32_t i = 0; i < RACE_BLOCKS; i++)
		race_give(i);
	for (int i = 0; i < WRITERS; i++)
		start(&racers[i], data);
	assert_int_equal(pthread_create(&tidier, NULL, tidy, NULL), 0);
	for (int i = 0; i < WRITERS; i++)
		assert_int_equal(pthread_create(&writers[i], NULL, write_records, &racers[i]), 0);
	do {
		done = true;
		for (int i = 0; i < WRITERS; i++) {
			struct racer *r = &racers[i];
			done = done && atomic_load_explicit(&r->done, memory_order_acquire);
			uint64_t head = atomic_load_explicit(&r->ring.head, memory_order_acquire);
			assert_true(ring_drain(&r->reader, head, check, r) >= 0);
		}
	} while (!done);
	pthread_join(tidier, NULL);
	for (int i = 0; i < WRITERS; i++) {
		struct racer *r = &racers[i];
		pthread_join(writers[i], NULL);
		assert_int_equal(r->wrong, 0);
		assert_int_equal(r->taken + r->ring.lost, RACE_RECORDS);
		assert_true(r->taken > 0);
		ring_leave_block(&r->writer);
		ring_free(&r->writer, r->writer.head, &race_pool);
	}
	for (int i = 0; i < RACE_BLOCKS; i++) /* all blocks are back */
		assert_true(race_take() >= 0);
	assert_int_equal(race_take(), -1);
	free(data);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int unit_ring(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_order),     TEST(test_full),	       TEST(test_padding),
		TEST(test_no_block),  TEST(test_leaving),      TEST(test_disorder),
		TEST(test_bad_tails), TEST(test_large_blocks), cmocka_unit_test(test_race),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
