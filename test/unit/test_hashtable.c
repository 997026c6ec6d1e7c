/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The agent's table that grows in tiers: every entry is found, once, by all threads that look for
 * it.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "agent/core/hashtable.h"

#define FIRST	64
#define THREADS 4
#define KEYS	4000

static struct hashtable_slot slots[HASHTABLE_SLOTS(FIRST)];
static const struct hashtable table = { slots, FIRST };
static _Atomic uint32_t claimed;

static uint64_t key_of(uint32_t i)
{
	/* some differ only in a few bits, high or low */
	return i % 2 ? (uint64_t)i << 40 | 1 : i + 1;
}

static int empty(void **state)
{
	(void)state;
	memset(slots, 0, sizeof slots);
	atomic_store(&claimed, 0);
	return 0;
}

static void test_finds_what_was_claimed(void **state)
{
	(void)state;
	bool mine;

	for (uint32_t i = 0; i < KEYS; i++) {
		assert_null(hashtable_find(&table, key_of(i)));
		struct hashtable_slot *s = hashtable_claim(&table, key_of(i), &mine);
		assert_non_null(s);
		assert_true(mine);
		atomic_store(&s->value, i + 1);
	}
	for (uint32_t i = 0; i < KEYS; i++) {
		assert_int_equal(atomic_load(&hashtable_find(&table, key_of(i))->value), i + 1);
		assert_ptr_equal(hashtable_claim(&table, key_of(i), &mine),
				 hashtable_find(&table, key_of(i)));
		assert_false(mine);
	}
	assert_null(hashtable_find(&table, key_of(KEYS)));
}

/* Small tiers are nearly full before a large one is used. */
static void test_is_dense(void **state)
{
	(void)state;
	bool mine;
	uint32_t n = FIRST * 5, beyond = 0;

	for (uint32_t i = 0; i < n; i++)
		hashtable_claim(&table, key_of(i), &mine);
	for (uint32_t i = FIRST * 21; i < HASHTABLE_SLOTS(FIRST); i++)
		beyond += atomic_load(&slots[i].key) != 0;
	assert_int_equal(beyond, 0);
}

/* No key is refused because other keys share its buckets while there is much room elsewhere. */
static void test_has_room(void **state)
{
	(void)state;
	bool mine;
	uint64_t key = 1;

	for (uint32_t i = 0; i < HASHTABLE_SLOTS(FIRST) * 3 / 4; i++) {
		key = key * 6364136223846793005u + 1442695040888963407u;
		assert_non_null(hashtable_claim(&table, key, &mine));
		assert_true(mine);
	}
}

static void test_says_when_it_is_full(void **state)
{
	(void)state;
	bool mine;
	uint32_t in = 0;

	for (uint32_t i = 0; i < 2 * HASHTABLE_SLOTS(FIRST); i++)
		in += hashtable_claim(&table, key_of(i), &mine) != NULL;
	assert_true(in > HASHTABLE_SLOTS(FIRST) * 9 / 10);
	assert_true(in <= HASHTABLE_SLOTS(FIRST));
}

static void *claim_all(void *arg)
{
	uint32_t from = *(uint32_t *)arg;
	bool mine;

	for (uint32_t k = 0; k < KEYS; k++) {
		uint32_t i = (from + k) % KEYS;
		if (hashtable_claim(&table, key_of(i), &mine) && mine)
			atomic_fetch_add(&claimed, 1);
	}
	return NULL;
}

static void test_threads_meet(void **state)
{
	(void)state;
	pthread_t threads[THREADS];
	uint32_t from[THREADS], there = 0, found = 0;

	for (uint32_t i = 0; i < THREADS; i++) {
		from[i] = i % 2 * KEYS / 2;
		assert_int_equal(pthread_create(&threads[i], NULL, claim_all, &from[i]), 0);
	}
	for (uint32_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (uint32_t i = 0; i < HASHTABLE_SLOTS(FIRST); i++)
		there += atomic_load(&slots[i].key) != 0;
	for (uint32_t i = 0; i < KEYS; i++)
		found += hashtable_find(&table, key_of(i)) != NULL;
	/* each is in one slot; in some orders a key finds all its buckets full */
	assert_int_equal(atomic_load(&claimed), there);
	assert_int_equal(found, there);
	assert_true(there > KEYS * 99 / 100);
}

int unit_hashtable(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_finds_what_was_claimed, empty),
		cmocka_unit_test_setup(test_is_dense, empty),
		cmocka_unit_test_setup(test_has_room, empty),
		cmocka_unit_test_setup(test_says_when_it_is_full, empty),
		cmocka_unit_test_setup(test_threads_meet, empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
