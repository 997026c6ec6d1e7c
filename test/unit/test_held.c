/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_held.c - what the few commonest contents hold at most: by hand, and how often the bound is
 * wrong if these contents are the heaviest, too.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "base/rng.h"
#include "stats/spread.h"

#define ALPHA 0.05

/* ---- by hand ----------------------------------------------------------------------------- */

/* All possible outcomes for n snapshots of k contents that hold a share, by hand. */
static void what_few_contents_hold(void **state)
{
	struct spread_snapshot snapshots[50];
	struct spread s;

	(void)state;
	for (size_t i = 0; i < 50; i++)
		snapshots[i] = (struct spread_snapshot){ i, 1 };
	spread_measure(&s, snapshots, 50, 0, 1);
	assert_true(s.repeats_quarter < 1e-12 && s.contents == 50);
	/* one content, never twice in 50: (1 - p)^50 + 50 p (1 - p)^49 = alpha */
	double p = held_high(&s, 1, ALPHA);
	assert_true(fabs(pow(1 - p, 50) + 50 * p * pow(1 - p, 49) - ALPHA) < 1e-9);
	/* two contents of p/2 each, neither twice */
	p = held_high(&s, 2, ALPHA);
	double none = pow(1 - p, 50), one = 50 * p * pow(1 - p, 49),
	       both = 1225 * 2 * (p / 2) * (p / 2) * pow(1 - p, 48);
	assert_true(fabs(none + one + both - ALPHA) < 1e-9);
	snapshots[0].content = 1;
	spread_measure(&s, snapshots, 50, 0, 1);
	assert_true(fabs(s.repeats_quarter * s.n - 1) < 1e-9);
	assert_true(held_high(&s, 2, ALPHA) > p);
}

/* What was not seen, if it weighs less than a snapshot, is less than a whole repeat. */
static void parts_of_repeats(void **state)
{
	struct spread_snapshot snapshots[50];
	double before = 0;

	(void)state;
	for (int tenths = 0; tenths <= 9; tenths++) {
		struct spread s;
		for (size_t i = 0; i < 50; i++)
			snapshots[i] = (struct spread_snapshot){ i, 1 };
		spread_measure(&s, snapshots, 50, 1 + tenths / 10.0, 1);
		double high = held_high(&s, 16, ALPHA);
		assert_true(high >= before);
		assert_true(before == 0 || high - before < 0.025);
		before = high;
	}
	assert_true(before > SPREAD_QUARTER);
}

/* ---- common contents that are heavy, too --------------------------------------------------- */

#define CONTENTS 16
#define MOST	 800 /* snapshots */
#define TRIALS	 400
/* misses that chance allows at ALPHA: three deviations more */
#define MISSES (TRIALS * ALPHA + 3 * sqrt(TRIALS * ALPHA * (1 - ALPHA)))

/* 16 contents hold `held` of the bytes and weigh `heavy` times the others, which are distinct. */
static void draw_heavy(struct spread *s, double held, double heavy, size_t n, struct rng *rng)
{
	struct spread_snapshot snapshots[MOST];
	double hit = held / heavy / (held / heavy + 1 - held);

	for (size_t i = 0; i < n; i++) {
		bool common = rng_unit(rng) < hit;
		snapshots[i].content = common ? rng_below(rng, CONTENTS) : CONTENTS + i;
		snapshots[i].v = common ? heavy : 1;
	}
	spread_measure(s, snapshots, n, heavy, 1);
}

static void check_heavy(double held, double heavy, size_t n)
{
	struct rng rng = { n + (uint64_t)heavy };
	int wrong = 0;

	for (int k = 0; k < TRIALS; k++) {
		struct spread s;
		draw_heavy(&s, held, heavy, n, &rng);
		wrong += held_within(&s, CONTENTS, held - 1e-4, ALPHA, NULL);
	}
	if (wrong > MISSES)
		fail_msg("%g held, %g times as heavy, %zu snapshots: %d of %d wrong", held, heavy,
			 n, wrong, TRIALS);
}

static void heavy_contents(void **state)
{
	const double held[] = { 0.1, 0.26, 0.5 }, heavy[] = { 1, 2, 4, 8 };
	const size_t n[] = { 80, 200, 400, MOST };

	(void)state;
	for (int i = 0; i < 3; i++)
		for (int w = 0; w < 4; w++)
			for (int k = 0; k < 4; k++)
				check_heavy(held[i], heavy[w], n[k]);
}

/* ...and the bound still tells distinct objects from others. */
static void heavy_and_distinct(void **state)
{
	struct rng rng = { 5 };
	int told = 0;

	(void)state;
	for (int k = 0; k < 100; k++) {
		struct spread s;
		draw_heavy(&s, 0.1, 2, 200, &rng);
		told += held_within(&s, CONTENTS, 0.25, ALPHA, NULL);
	}
	assert_true(told > 90);
}

/* ---- what must hold of any snapshots --------------------------------------------------------- */

/* What was computed for other numbers of snapshots changes no result. */
static void check_work(const struct spread *s, struct rng *rng)
{
	struct held_work work = { .n = 0 };

	for (int i = 0; i < 20; i++) {
		struct spread more = *s;
		more.n *= 1 + 20 * rng_unit(rng);
		double limit = rng_unit(rng);
		assert_true(held_within(&more, 16, limit, ALPHA, &work) ==
			    held_within(&more, 16, limit, ALPHA, NULL));
	}
	held_work_release(&work);
}

static void check_order(struct rng *rng)
{
	struct spread_snapshot snapshots[40];
	size_t n = 1 + rng_below(rng, 40), contents = 1 + rng_below(rng, 40);
	struct spread s;

	for (size_t i = 0; i < n; i++)
		snapshots[i] =
			(struct spread_snapshot){ rng_below(rng, (uint32_t)contents),
						  rng_below(rng, 2) ? 1 + 9 * rng_unit(rng) : 1 };
	spread_measure(&s, snapshots, n, 0, 1);
	for (double limit = 0.05; limit < 1; limit += 0.1)
		assert_true(held_within(&s, 16, limit, ALPHA, NULL) ==
			    (held_high(&s, 16, ALPHA) <= limit));
	check_work(&s, rng);
	for (unsigned k = 1; k < 20; k++)
		assert_true(held_high(&s, k, ALPHA) <= held_high(&s, k + 1, ALPHA) + 1e-9);
}

static void properties(void **state)
{
	struct rng rng = { 99 };

	(void)state;
	for (int i = 0; i < 300; i++)
		check_order(&rng);
}

/* ---- weights of a quota ---------------------------------------------------------------------- */

/* 256 snapshots, and 128 each time that what they stand for doubles; of so many contents. */
static size_t draw_quota(struct spread_snapshot *snapshots, unsigned doublings, double held,
			 uint32_t others, struct rng *rng)
{
	size_t n = 0;

	for (unsigned k = 0; k <= doublings; k++)
		for (unsigned i = 0; i < (k == 0 ? 256u : 128u); i++)
			snapshots[n++] = (struct spread_snapshot){
				rng_unit(rng) < held ? rng_below(rng, CONTENTS)
						     : CONTENTS + rng_below(rng, others),
				ldexp(1, (int)k),
			};
	return n;
}

/*
 * A thousand contents are told to be many, whatever the budget: light snapshots that repeat one
 * another do not make it less sure. Sixteen that hold a little more than a quarter are not.
 */
static void more_looks_say_no_less(void **state)
{
	static struct spread_snapshot snapshots[4096];
	enum { RUNS = 200 };
	struct rng rng = { 9 };

	(void)state;
	for (unsigned doublings = 0; doublings <= 8; doublings += 2) {
		unsigned by_repeats = 0, by_few = 0, wrong = 0, wrong_few = 0;
		for (unsigned i = 0; i < RUNS; i++) {
			struct spread s;
			size_t n = draw_quota(snapshots, doublings, 0, 2000, &rng);
			spread_measure(&s, snapshots, n, 0, 1);
			by_repeats += held_within(&s, CONTENTS, 0.25, ALPHA, NULL);
			by_few += spread_few_high(&s, ALPHA) <= 0.25;
			n = draw_quota(snapshots, doublings, 0.26, 1u << 31, &rng);
			spread_measure(&s, snapshots, n, 0, 1);
			wrong += held_within(&s, CONTENTS, 0.25, ALPHA, NULL);
			wrong_few += spread_few_high(&s, ALPHA) <= 0.25;
		}
		assert_true(by_repeats >= 0.95 * RUNS && by_few >= 0.99 * RUNS);
		assert_true(wrong <= ALPHA * RUNS + 10 && wrong_few <= ALPHA * RUNS + 10);
	}
}

int unit_held(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_few_contents_hold), cmocka_unit_test(parts_of_repeats),
		cmocka_unit_test(more_looks_say_no_less), cmocka_unit_test(heavy_contents),
		cmocka_unit_test(heavy_and_distinct),	  cmocka_unit_test(properties),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
