/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_uses_of_large.c - drag where one object is as large as all others together: the agent's draw
 * (draw_table.h) and the estimate from what it drew. The seeds are fixed, so nothing here is left
 * to chance.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyse/draw_table.h"
#include "analyse/lifetime/lifetime_uses.h"
#include "builder.h"
#include "stats/bounds.h"

#define SECOND 1e9
#define RUNS   400
#define SHORT  (WIRE_NEXT_SHORT_NS / SECOND)
#define FIRST  0.5 /* ages between which objects are watched, seconds */
#define LIFE   8.5
#define WAIT   10.0

enum { SMALL = 60, HELD = SMALL + 1, WATCHES = 150 };

/* Objects that are used all the time up to an age. */
struct program {
	double small, large;
};

static double uniform(uint64_t *random)
{
	return (double)(build_random((*random)++) >> 11) / (double)(1ull << 53);
}

/* Small objects are one in ten of their kind; the large one is the only one. */
static double weight_of(uint32_t i)
{
	return i < SMALL ? 10 : 1;
}

static double size_of(uint32_t i)
{
	return i < SMALL ? 100 : 100 * 10 * SMALL;
}

static double drag_of(double used)
{
	return (LIFE - used) / (LIFE - FIRST);
}

static uint32_t draw(const struct draw_table *bytes, bool mixed, double *stands_for,
		     uint64_t *random)
{
	bool by_bytes = mixed && uniform(random) < 0.5;
	double at = uniform(random);
	uint32_t i = by_bytes ? draw_table_pick(bytes, at) : (uint32_t)(at * HELD);

	*stands_for = mixed ? 1 / draw_table_chance(draw_table_share(bytes, i), HELD) : HELD;
	return i;
}

/* Watches the object from the age `at` on; it dies at LIFE, and is found dead then. */
static struct lifetime_next_use watched(uint32_t i, double used, double at, uint64_t *random)
{
	bool patient = uniform(random) < 0.25;
	double end = fmin(at + (patient ? WAIT : SHORT), LIFE);
	enum wire_next_use_outcome outcome = end < LIFE ? WIRE_NEXT_OPEN : WIRE_NEXT_DIED;

	if (at < used) {
		outcome = WIRE_NEXT_USED;
		end = at + 0.001;
	}
	return (struct lifetime_next_use){
		.start = (uint64_t)(at * SECOND),
		.end = (uint64_t)(end * SECOND),
		.size = size_of(i),
		.ticket = i,
		.outcome = (uint16_t)outcome,
		.flags = (uint16_t)((patient ? WIRE_NEXT_PATIENT : 0) | WIRE_NEXT_WHOLE),
	};
}

static struct lifetime_uses estimate(const struct program *p, bool mixed, uint64_t *random)
{
	double upto[HELD];
	struct draw_table bytes = { .upto = upto };
	struct lifetime_next_use use[WATCHES];
	struct lifetime_known known[HELD];
	double used[HELD];

	for (uint32_t i = 0; i < HELD; i++) {
		draw_table_add(&bytes, weight_of(i) * size_of(i));
		/* of the small ones as many are used for longer as for shorter */
		used[i] = i < SMALL ? p->small * (0.5 + uniform(random)) : p->large;
		known[i] = (struct lifetime_known){ .ticket = i,
						    .alive.ns = (uint64_t)(LIFE * SECOND),
						    .weight = weight_of(i),
						    .ended = true };
	}
	for (int k = 0; k < WATCHES; k++) {
		double stands_for, at = FIRST + uniform(random) * (LIFE - FIRST);
		uint32_t i = draw(&bytes, mixed, &stands_for, random);
		use[k] = watched(i, used[i], at, random);
		use[k].weight = weight_of(i) * stands_for;
	}
	lifetime_uses_join(use, WATCHES, known, HELD);
	return lifetime_uses_of(use, WATCHES, bounds_z(0.95));
}

/* How many of the intervals miss, and how wide they are on average. */
static int misses(const struct program *p, bool mixed, double *width)
{
	double truth = (drag_of(p->small) + drag_of(p->large)) / 2;
	uint64_t random = 11;
	int n = 0;

	*width = 0;
	for (int i = 0; i < RUNS; i++) {
		struct lifetime_uses u = estimate(p, mixed, &random);
		n += !(u.drag.range.low <= truth && truth <= u.drag.range.high);
		*width += (u.drag.range.high - u.drag.range.low) / RUNS;
		/* who is used is used again at once */
		n += !(u.in_use.range.low <= 1 - truth && 1 - truth <= u.in_use.range.high);
	}
	print_message("small %.1f, large %.1f, %s: truth %.3f, %d of %d miss, width %.3f\n",
		      p->small, p->large, mixed ? "by bytes, too" : "by objects", truth, n,
		      2 * RUNS, *width);
	return n;
}

static void test_drag(void **state)
{
	static const struct program programs[] = {
		{ 1, 8.5 }, { 5, 0.5 }, { 4, 4 }, { 5, 8 }, { 1, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
		double by_objects, mixed;
		misses(&programs[i], false, &by_objects);
		assert_true(misses(&programs[i], true, &mixed) <= 2 * RUNS / 20);
		assert_true(mixed < 0.45 && mixed < 0.75 * by_objects);
	}
}

/* An object of which it is sure that it is held is not one observation, but as many as are made. */
static void test_sure(void **state)
{
	struct lifetime_next_use use[40] = { 0 };
	struct lifetime_known known = { .alive.ns = 100, .weight = 1, .ended = true };

	(void)state;
	for (int i = 0; i < 40; i++)
		use[i] = (struct lifetime_next_use){ .start = 10,
						     .end = 11,
						     .weight = 1,
						     .size = 8,
						     .outcome = WIRE_NEXT_USED,
						     .flags = WIRE_NEXT_PATIENT };
	lifetime_uses_join(use, 40, &known, 1);
	assert_true(lifetime_uses_of(use, 40, bounds_z(0.95)).in_use.range.low > 0.9);
	known.weight = 10;
	lifetime_uses_join(use, 40, &known, 1);
	assert_true(lifetime_uses_of(use, 40, bounds_z(0.95)).in_use.range.low < 0.3);
	/* of one that nothing else is known of, it is not sure */
	for (int i = 0; i < 40; i++)
		use[i].chance = 0;
	lifetime_uses_join(use, 40, NULL, 0);
	assert_true(lifetime_uses_of(use, 40, bounds_z(0.95)).in_use.range.low < 0.3);
}

static void test_table(void **state)
{
	static const double amount[] = { 0, 3, 0, 1, 4, 0 };
	enum { N = sizeof amount / sizeof amount[0], DRAWS = 80000 };
	double upto[N];
	struct draw_table t = { .upto = upto };
	uint32_t drawn[N] = { 0 };

	(void)state;
	assert_float_equal(draw_table_sum(&t), 0, 0);
	assert_float_equal(draw_table_share(&t, 0), 0, 0);
	for (int i = 0; i < N; i++)
		draw_table_add(&t, amount[i]);
	assert_float_equal(draw_table_sum(&t), 8, 0);
	for (int i = 0; i < DRAWS; i++)
		drawn[draw_table_pick(&t, (i + 0.5) / DRAWS)]++;
	for (uint32_t i = 0; i < N; i++) {
		assert_float_equal(draw_table_share(&t, i), amount[i] / 8, 1e-12);
		assert_int_equal(drawn[i], (uint32_t)(amount[i] / 8 * DRAWS));
	}
	assert_int_equal(draw_table_pick(&t, 0), 1);
	assert_int_equal(draw_table_pick(&t, 1 - 1e-12), 4);
	assert_float_equal(draw_table_share(&t, N), 0, 0);
	assert_float_equal(draw_table_chance(0.5, 4), 0.375, 1e-12);
}

int unit_uses_of_large(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_drag),
		cmocka_unit_test(test_sure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
