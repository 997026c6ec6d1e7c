/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_epochs.c - what few contents hold at most by pairs of one epoch, by hand, and how often the
 * bound is wrong.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "analyse/replica/at_once.h"
#include "base/rng.h"
#include "stats/epochs.h"

#define CONTENTS 16
#define ALPHA	 0.05
#define MOST	 4096 /* snapshots */

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-9 * fmax(1, fabs(b));
}

static void by_hand(void **state)
{
	struct epoch_snapshot s[] = { { 1, 7, 1 }, { 1, 8, 1 }, { 2, 7, 1 },
				      { 2, 7, 1 }, { 3, 7, 1 }, { 3, 9, 1 } };
	struct epoch_pairs e;

	(void)state;
	epochs_measure(&e, s, 6, 0, 1);
	assert_true(near(e.pairs, 3) && near(e.equal, 1.0 / 3) && near(e.alone, 0));
	epochs_measure(&e, s, 6, 0, 3);
	assert_true(near(e.pairs, 1));
	struct epoch_snapshot alone[] = { { 1, 7, 1 }, { 1, 8, 1 }, { 2, 7, 1 }, { 3, 7, 1 } };
	epochs_measure(&e, alone, 4, 0, 1);
	assert_true(near(e.pairs, 1) && near(e.equal, 0) && near(e.alone, 0.5));
	assert_true(epochs_high(&e, CONTENTS, ALPHA) >= 0.5);
	epochs_measure(&e, alone, 0, 0, 1);
	assert_true(near(epochs_high(&e, CONTENTS, ALPHA), 1));
	/* one epoch: three snapshots are three pairs that hang together a little */
	struct epoch_snapshot one[] = { { 1, 7, 2 }, { 1, 8, 2 }, { 1, 9, 2 } };
	epochs_measure(&e, one, 3, 0, 1);
	assert_true(e.pairs < 3 && e.pairs > 2.9);
	/* what was not seen may be alike */
	epochs_measure(&e, one, 3, 8, 1);
	assert_true(near(e.alone, 0.5));
}

/* How many snapshots an epoch has, and what a program does in it. */
struct run {
	unsigned epochs, least, most;
	double held;   /* by 16 contents, equally common */
	bool by_turns; /* by these alone in some epochs, by none in the others */
	bool heavy;    /* a snapshot of theirs stands for two times as much */
};

static size_t draw(struct epoch_snapshot *s, const struct run *r, struct rng *rng)
{
	size_t n = 0;

	for (unsigned e = 0; e < r->epochs; e++) {
		unsigned in = r->least + rng_below(rng, r->most - r->least + 1);
		double held = r->by_turns ? rng_unit(rng) < r->held : r->held;
		double hit = r->heavy ? held / 2 / (held / 2 + 1 - held) : held;
		for (unsigned i = 0; i < in && n < MOST; i++) {
			bool is = rng_unit(rng) < hit;
			s[n++] = (struct epoch_snapshot){ e,
							  is ? rng_below(rng, CONTENTS)
							     : rng_next(rng) | 1u << 31,
							  /* an epoch has about the same bytes */
							  (is && r->heavy ? 2.0 : 1.0) / in };
		}
	}
	return n;
}

/* How many of so many recordings say that the 16 hold a quarter or less. */
static unsigned told(const struct run *r, unsigned trials, struct rng *rng)
{
	static struct epoch_snapshot s[MOST];
	unsigned sum = 0;

	for (unsigned i = 0; i < trials; i++) {
		struct epoch_pairs e;
		size_t n = draw(s, r, rng);
		epochs_measure(&e, s, n, 0, 1);
		sum += epochs_high(&e, CONTENTS, ALPHA) <= 0.25;
	}
	return sum;
}

/* Sixteen contents hold a little more than a quarter of each epoch, or of all of them. */
static void seldom_wrong(void **state)
{
	static const struct run runs[] = {
		{ 1, 46, 46, 0.26, false, false },  { 1, 300, 300, 0.26, false, false },
		{ 5, 20, 60, 0.26, false, false },  { 20, 8, 12, 0.26, false, false },
		{ 20, 8, 12, 0.26, false, true },   { 300, 3, 3, 0.26, false, false },
		{ 1000, 3, 3, 0.26, false, false }, { 400, 1, 6, 0.26, false, false },
		{ 400, 1, 6, 0.26, false, true },   { 100, 10, 40, 0.26, false, false },
		{ 100, 10, 40, 0.26, false, true }, { 100, 10, 40, 0.26, true, false },
		{ 400, 3, 9, 0.26, true, false },   { 40, 50, 50, 0.26, true, false },
	};
	struct rng rng = { 5 };
	enum { TRIALS = 400 };

	(void)state;
	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
		unsigned wrong = told(&runs[i], TRIALS, &rng);
		if (wrong > 0.05 * TRIALS + 13)
			print_error("run %zu: %u of %d wrong\n", i, wrong, (int)TRIALS);
		assert_true(wrong <= 0.05 * TRIALS + 13);
	}
}

/* What is distinct is told so by a few looks at each of many epochs, and by many at one. */
static void told_in_the_end(void **state)
{
	static const struct run runs[] = {
		{ 400, 3, 3, 0, false, false },
		{ 1, 80, 80, 0, false, false },
		{ 60, 6, 10, 0, false, false },
		{ 60, 20, 40, 0.05, false, false },
	};
	struct rng rng = { 6 };

	(void)state;
	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
		assert_true(told(&runs[i], 40, &rng) >= 38);
}

/* More looks tell more of what is alone, and nothing of what is not followed. */
static void unfollowed_stays(void **state)
{
	const struct epoch_pairs seen = { .pairs = 20, .equal = 0, .alone = 0.5 };
	const struct at_once a = { .own = seen, .deep = seen, .unfollowed = 0.4 };
	const struct at_once more = at_once_more(&a, 1e6);

	(void)state;
	assert_true(near(at_once_covered(&a, 1. / 256), 0.4 + 0.6 * 0.5));
	assert_true(at_once_covered(&more, 1. / 256) >= 0.4);
	assert_true(at_once_covered(&more, 1. / 256) < 0.401);
	assert_true(at_once_high(&more, CONTENTS, ALPHA) >= 0.4);
	assert_true(at_once_covered_high(&more, 1. / 256, ALPHA) >= 0.4);
}

int unit_epochs(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_hand),
		cmocka_unit_test(seldom_wrong),
		cmocka_unit_test(told_in_the_end),
		cmocka_unit_test(unfollowed_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
