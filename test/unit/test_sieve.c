/* SPDX-License-Identifier: Apache-2.0 */
/* sieve.h: what is kept does not depend on who does it, and is what the rule says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "builder.h"
#include "model/evidence_bounds.h"
#include "model/sieve.h"

enum { CONTEXTS = 3000, PIECES = 400000 };

/* The n-th piece: of few contexts mostly, so that some have more than the cap. */
static uint32_t context_of(uint32_t n)
{
	uint64_t random = build_random(n);

	return random & 1 ? (uint32_t)(random >> 8) % 10 : (uint32_t)(random >> 8) % CONTEXTS;
}

static int put(struct sieve *s, uint32_t n)
{
	struct {
		struct wire_look look;
		uint32_t slot[2];
	} l = { .look = { .rec = { .len = sizeof l, .type = WIRE_LOOK },
			  .context = 77,
			  .content = n,
			  .weight = 50,
			  .ticket = (uint32_t)build_random(3 * (uint64_t)n),
			  .nslots = 2 },
		.slot = { n, 1 } };
	struct wire_use use = { .rec = { .len = sizeof use, .type = WIRE_USE },
				.context = 77,
				.value = n,
				.weight = 1.5,
				.ticket = l.look.ticket };

	return sieve_put(s, context_of(n), n % 3 ? &l.look.rec : &use.rec);
}

/* A sieve to which all pieces have been put. */
static struct sieve *fill(size_t most, bool apart)
{
	struct sieve *s = sieve_new(most, apart);

	assert_non_null(s);
	for (uint32_t n = 0; n < PIECES; n++)
		assert_int_equal(put(s, n), 0);
	assert_int_equal(sieve_end(s), 0);
	return s;
}

static size_t compare_counts(const struct sieve *a, const struct sieve *b)
{
	size_t kept = 0;

	for (uint32_t i = 0; i < CONTEXTS; i++)
		for (int k = 0; k < EVIDENCE_KINDS; k++) {
			const struct sieve_count *x = sieve_get(a, i, k), *y = sieve_get(b, i, k);
			assert_non_null(x);
			assert_non_null(y);
			assert_int_equal(x->seen, y->seen);
			assert_int_equal(x->kept, y->kept);
			assert_int_equal(x->halvings, y->halvings);
			kept += x->kept;
		}
	return kept;
}

/* Both logs hold the same pieces, in the same order. */
static void compare_logs(const struct evidence_log *a, const struct evidence_log *b, size_t n)
{
	assert_non_null(a->at);
	assert_non_null(b->at);
	assert_int_equal(a->end[EVIDENCE_KINDS * CONTEXTS - 1], n);
	assert_memory_equal(a->end, b->end, EVIDENCE_KINDS * CONTEXTS * sizeof *a->end);
	for (size_t i = 0; i < n; i++) {
		const unsigned char *x = a->bytes + a->at[i], *y = b->bytes + b->at[i];
		assert_memory_equal(x, y, 4 + 8); /* head with its length, content */
	}
}

static void check(size_t most)
{
	struct sieve *apart = fill(most, true), *here = fill(most, false);
	size_t kept = compare_counts(apart, here);
	struct evidence_log a, b;

	sieve_log(apart, CONTEXTS, &a);
	sieve_log(here, CONTEXTS, &b);
	sieve_free(apart);
	sieve_free(here);
	compare_logs(&a, &b, kept);
	evidence_log_release(&a);
	evidence_log_release(&b);
}

static void test_thread_or_none(void **state)
{
	(void)state;
	check(64 << 20);
}

/* All pieces would take some 10 MB, and what is kept some 7. */
static void test_sweeping(void **state)
{
	(void)state;
	check(7680 << 10);
}

static void test_without_room(void **state)
{
	struct sieve *s = fill(64 << 10, true);
	struct evidence_log log;

	(void)state;
	assert_int_not_equal(sieve_get(s, 0, EVIDENCE_LOOK)->kept, 0);
	sieve_log(s, CONTEXTS, &log);
	assert_null(log.at);
	sieve_free(s);
}

/* Below the threshold that the thinning arrived at there is everything, above it nothing. */
static void test_rule(void **state)
{
	struct sieve *s = fill(0, true);
	uint32_t seen[CONTEXTS] = { 0 }, below[CONTEXTS] = { 0 };
	size_t kept = 0;

	(void)state;
	for (uint32_t n = 0; n < PIECES; n++) {
		uint32_t context = context_of(n);
		const struct sieve_count *c = sieve_get(s, context, EVIDENCE_LOOK);
		uint64_t threshold = (UINT64_C(1) << 32) >> c->halvings;
		seen[context] += n % 3 != 0;
		below[context] += n % 3 && (uint32_t)build_random(3 * (uint64_t)n) < threshold;
	}
	for (uint32_t i = 0; i < CONTEXTS; i++) {
		const struct sieve_count *c = sieve_get(s, i, EVIDENCE_LOOK);
		assert_int_equal(c->seen, seen[i]);
		assert_int_equal(c->kept, below[i]);
		assert_true(c->kept <= EVIDENCE_CAP);
		kept += c->kept + sieve_get(s, i, EVIDENCE_USE)->kept;
	}
	assert_true(sieve_get(s, 0, EVIDENCE_LOOK)->halvings > 0);
	assert_false(evidence_too_much(kept, EVIDENCE_CAP >> 1));
	assert_null(sieve_get(s, 1 << 20, EVIDENCE_LOOK));
	sieve_free(s);
}

/* What has been put may be left behind. */
static void test_freed_early(void **state)
{
	(void)state;
	for (int apart = 0; apart < 2; apart++) {
		struct sieve *s = sieve_new(1 << 20, apart);
		for (uint32_t n = 0; n < PIECES / 10; n++)
			assert_int_equal(put(s, n), 0);
		sieve_free(s);
	}
}

int unit_sieve(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_thread_or_none), cmocka_unit_test(test_sweeping),
		cmocka_unit_test(test_without_room),   cmocka_unit_test(test_rule),
		cmocka_unit_test(test_freed_early),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
