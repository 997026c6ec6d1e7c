/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_spread.c - what a few snapshots tell about known distributions: how often each bound is
 * wrong, and what must always hold. test_held.c has more about the commonest contents.
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

#define TRIALS 250
#define ALPHA  0.05
/*
 * misses in TRIALS that chance allows at ALPHA: three deviations more; 3000 trials show at worst
 * 6.6 %, mostly at most 4 %
 */
#define MOST	  (TRIALS * ALPHA + 3 * sqrt(TRIALS * ALPHA * (1 - ALPHA)))
#define MOST_K	  16
#define ALONE	  UINT64_C(1) << 32 /* from here on, each content belongs to one object */
#define LENGTH(a) (sizeof(a) / sizeof(a)[0])

/* ---- known spreads ----------------------------------------------------------------------- */

/*
 * `shares` of the snapshots have the contents 0, 1, ... (0 ends the list); the others are distinct.
 */
struct truth {
	const char *name;
	double share[100];
	size_t n;
};

static struct truth groups_of(const char *name, size_t n, double each)
{
	struct truth t = { .name = name, .n = n };

	for (size_t i = 0; i < n; i++)
		t.share[i] = each;
	return t;
}

static struct truth zipf(const char *name, size_t n, double all)
{
	struct truth t = { .name = name, .n = n };
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += 1 / (double)(i + 1);
	for (size_t i = 0; i < n; i++)
		t.share[i] = all / ((double)(i + 1) * sum);
	return t;
}

static uint64_t draw(const struct truth *t, struct rng *rng)
{
	double u = rng_unit(rng);

	for (size_t i = 0; i < t->n; i++) {
		if (u < t->share[i])
			return i;
		u -= t->share[i];
	}
	return (ALONE) + rng_next(rng) / 2;
}

/*
 * Weights of snapshots: all equal; 1 or 8 at random; 8 for content 0; 8 for one in four of the
 * others.
 */
enum weighing { SAME, MIXED, TOP_HEAVY, OTHERS_HEAVY, WEIGHINGS };

static double weigh(enum weighing w, uint64_t content, struct rng *rng)
{
	bool heavy = rng_below(rng, 4) == 0;

	switch (w) {
	case MIXED:
		return heavy ? 8 : 1;
	case TOP_HEAVY:
		return content == 0 && heavy ? 8 : 1;
	case OTHERS_HEAVY:
		return content != 0 && heavy ? 8 : 1;
	default:
		return 1;
	}
}

static double mean_weight(enum weighing w, size_t content)
{
	bool mixed = w == MIXED || (w == TOP_HEAVY && content == 0) ||
		     (w == OTHERS_HEAVY && content != 0);

	return mixed ? (8 + 3) / 4.0 : 1;
}

/* The truth about the values that snapshots stand for. */
struct facts {
	double equal, top, covered_by_groups, held;
};

static struct facts facts_of(const struct truth *t, enum weighing w)
{
	double share[100], alone = 1, all = 0;
	struct facts f = { .equal = 0 };

	for (size_t i = 0; i < t->n; i++) {
		share[i] = t->share[i] * mean_weight(w, i);
		alone -= t->share[i];
		all += share[i];
	}
	all += fmax(0, alone) * mean_weight(w, 1);
	for (size_t i = 0; i < t->n; i++) {
		share[i] /= all;
		f.equal += share[i] * share[i];
		f.top = fmax(f.top, share[i]);
		f.covered_by_groups += share[i];
	}
	for (size_t k = 0; k < MOST_K && k < t->n; k++) {
		size_t best = 0;
		for (size_t i = 1; i < t->n; i++)
			best = share[i] > share[best] ? i : best;
		f.held += share[best];
		share[best] = 0;
	}
	return f;
}

/* ---- how often bounds are wrong ---------------------------------------------------------- */

struct misses {
	int equal_low, top_low, top_high, covered_low, held_high;
};

static void draw_snapshots(struct spread *s, const struct truth *t, enum weighing w, size_t n,
			   struct rng *rng)
{
	struct spread_snapshot snapshots[30];

	for (size_t i = 0; i < n; i++) {
		snapshots[i].content = draw(t, rng);
		snapshots[i].v = weigh(w, snapshots[i].content, rng);
	}
	spread_measure(s, snapshots, n, w == SAME ? 1 : 8, 1);
}

static void judge(struct misses *m, const struct spread *s, const struct facts *f)
{
	m->equal_low += spread_equal_low(s->equal, s->n, ALPHA) > f->equal + 1e-9;
	m->top_low += spread_top_low(s, ALPHA) > f->top + 1e-9;
	m->top_high += spread_top_high(s, ALPHA) < f->top - 1e-9;
	m->covered_low += spread_covered_low(s, ALPHA) > f->covered_by_groups + 1e-9;
	m->held_high += held_high(s, MOST_K, ALPHA) < f->held - 1e-9;
}

static void assert_few(int misses, const char *what, const struct truth *t, int weighing, size_t n)
{
	if (misses > MOST)
		print_error("%s, weighing %d, %zu looks: %s is wrong in %.1f %%\n", t->name,
			    weighing, n, what, 100.0 * misses / TRIALS);
	assert_true(misses <= MOST);
}

static void check_truth(const struct truth *t, enum weighing w)
{
	static const size_t sizes[] = { 5, 12, 30 };
	struct rng rng = { 1234 + (uint64_t)w };
	struct facts f = facts_of(t, w);

	for (size_t k = 0; k < LENGTH(sizes); k++) {
		struct misses m = { 0 };
		struct spread s;
		for (int i = 0; i < TRIALS; i++) {
			draw_snapshots(&s, t, w, sizes[k], &rng);
			judge(&m, &s, &f);
		}
		assert_few(m.equal_low, "A/n, low", t, (int)w, sizes[k]);
		assert_few(m.top_low, "largest, low", t, (int)w, sizes[k]);
		assert_few(m.top_high, "largest, high", t, (int)w, sizes[k]);
		assert_few(m.covered_low, "covered, low", t, (int)w, sizes[k]);
		assert_few(m.held_high, "held by 16, high", t, (int)w, sizes[k]);
	}
}

static void coverage(void **state)
{
	const struct truth truths[] = {
		groups_of("all equal", 1, 1),
		groups_of("all alone", 0, 0),
		groups_of("half", 1, 0.5),
		groups_of("0.49", 1, 0.49),
		groups_of("nine of ten", 1, 0.9),
		groups_of("a tenth", 1, 0.1),
		groups_of("0.49 twice", 2, 0.49),
		groups_of("halves", 2, 0.5),
		groups_of("ten groups", 10, 0.1),
		groups_of("sixteen hold 0.26", 16, 0.26 / 16),
		groups_of("a hundred", 100, 0.01),
		groups_of("a hundred hold half", 100, 0.005),
		zipf("Zipf", 50, 1),
		zipf("Zipf of half", 50, 0.5),
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(truths); i++)
		for (int w = SAME; w < WEIGHINGS; w++)
			check_truth(&truths[i], (enum weighing)w);
}

/* ---- few looks that outweigh the others ---------------------------------------------------- */

#define RARE	100 /* one look in so many */
#define WEIGHTY 30

/* Which of them are heavy: any, those of content 0, or the others. */
enum rare { RARE_ANY, RARE_TOP, RARE_OTHERS, RARES };

static double weigh_rarely(enum rare which, uint64_t content, struct rng *rng)
{
	bool may = which == RARE_ANY || (which == RARE_TOP) == (content == 0);

	return may && rng_below(rng, RARE) == 0 ? WEIGHTY : 1;
}

/* The truth with those weights, as of looks that all weigh the same. */
static struct truth weighed_truth(const struct truth *t, enum rare which)
{
	struct truth to = *t;
	double alone = 1, all = 0, heavy = 1 + (WEIGHTY - 1) / (double)RARE;

	for (size_t i = 0; i < t->n; i++) {
		alone -= t->share[i];
		to.share[i] *= which == RARE_ANY || (which == RARE_TOP) == (i == 0) ? heavy : 1;
		all += to.share[i];
	}
	all += fmax(0, alone) * (which == RARE_TOP ? 1 : heavy);
	for (size_t i = 0; i < t->n; i++)
		to.share[i] /= all;
	return to;
}

static void check_rare(const struct truth *t, enum rare which, size_t n)
{
	struct truth weighed = weighed_truth(t, which);
	struct facts f = facts_of(&weighed, SAME);
	struct rng rng = { 77 + (uint64_t)which };
	struct spread_snapshot snapshots[200];
	struct misses m = { 0 };

	for (int k = 0; k < TRIALS; k++) {
		struct spread s;
		for (size_t i = 0; i < n; i++) {
			snapshots[i].content = draw(t, &rng);
			snapshots[i].v = weigh_rarely(which, snapshots[i].content, &rng);
		}
		spread_measure(&s, snapshots, n, WEIGHTY, 1);
		judge(&m, &s, &f);
	}
	assert_few(m.equal_low, "A/n, low", t, (int)which, n);
	assert_few(m.top_low, "largest, low", t, (int)which, n);
	assert_few(m.top_high, "largest, high", t, (int)which, n);
	assert_few(m.covered_low, "covered, low", t, (int)which, n);
	assert_few(m.held_high, "held by 16, high", t, (int)which, n);
}

static void rare_and_heavy(void **state)
{
	const struct truth truths[] = {
		groups_of("all alone", 0, 0),
		groups_of("0.49", 1, 0.49),
		groups_of("nine of ten", 1, 0.9),
		groups_of("a tenth", 1, 0.1),
		groups_of("sixteen hold 0.26", 16, 0.26 / 16),
		zipf("Zipf", 50, 1),
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(truths); i++)
		for (int w = RARE_ANY; w < RARES; w++) {
			check_rare(&truths[i], (enum rare)w, 60);
			check_rare(&truths[i], (enum rare)w, 200);
		}
}

/* ---- verdicts' thresholds ---------------------------------------------------------------- */

static double top_low_of(size_t equal, size_t n)
{
	struct spread_snapshot snapshots[100];
	struct spread s;

	for (size_t i = 0; i < n; i++)
		snapshots[i] = (struct spread_snapshot){ i < equal ? 0 : i, 1 };
	spread_measure(&s, snapshots, n, 0, 1);
	return spread_top_low(&s, spread_alpha(s.n, 0));
}

static void few_snapshots_decide(void **state)
{
	(void)state;
	assert_true(top_low_of(7, 7) < 0.5);
	assert_true(top_low_of(8, 8) >= 0.5);
	assert_true(top_low_of(9, 9) >= 0.5);
	assert_true(top_low_of(10, 11) < 0.5);
	assert_true(top_low_of(11, 12) >= 0.5);
	assert_true(top_low_of(15, 20) >= 0.5);
	assert_true(top_low_of(14, 20) < 0.5);
}

/* ---- what must hold of any snapshots --------------------------------------------------------- */

static void check_order(struct rng *rng)
{
	struct spread_snapshot snapshots[40];
	size_t n = 1 + rng_below(rng, 40), contents = 1 + rng_below(rng, 40);
	struct spread s, again, more;

	for (size_t i = 0; i < n; i++)
		snapshots[i] =
			(struct spread_snapshot){ rng_below(rng, (uint32_t)contents),
						  rng_below(rng, 2) ? 1 + 9 * rng_unit(rng) : 1 };
	spread_measure(&s, snapshots, n, 0, 1);
	double equal = spread_equal_low(s.equal, s.n, ALPHA);
	double low = spread_top_low(&s, ALPHA), high = spread_top_high(&s, ALPHA);
	assert_true(s.n > 0 && s.n <= (double)n + 1 + 1e-9);
	assert_true(equal >= 0 && equal <= s.equal + 1e-9);
	assert_true(low >= 0 && low <= s.top + 1e-9 && s.top <= high + 1e-9 && high <= 1);
	assert_true(spread_covered_low(&s, ALPHA) <= spread_covered(&s) + 1e-9);
	for (double limit = 0.05; limit < 1; limit += 0.1) {
		assert_true(spread_top_reaches(&s, limit, ALPHA) == (low >= limit));
		assert_true(spread_equal_reaches(s.equal, s.n, limit, ALPHA) == (equal >= limit));
		assert_true(spread_covered_reaches(&s, limit, ALPHA) ==
			    (spread_covered_low(&s, ALPHA) >= limit));
	}
	assert_true(spread_top_low(&s, ALPHA / 5) <= low);
	for (size_t i = 0; i < n; i++)
		snapshots[i].v *= 1000;
	spread_measure(&again, snapshots, n, 0, 1);
	assert_true(fabs(spread_top_low(&again, ALPHA) - low) < 1e-9);
	/* what was not seen makes everything less certain */
	spread_measure(&more, snapshots, n, 50000, 1);
	assert_true(spread_top_low(&more, ALPHA) <= low + 1e-9);
	assert_true(spread_top_high(&more, ALPHA) >= high - 1e-9);
	assert_true(spread_covered_low(&more, ALPHA) <= spread_covered_low(&s, ALPHA) + 1e-9);
	spread_measure(&more, snapshots, n, 0, 3); /* and so does correlation */
	assert_true(fabs(more.n * 3 - s.n) < 1e-6);
	assert_true(spread_top_low(&more, ALPHA) <= low + 1e-9);
}

static void properties(void **state)
{
	struct rng rng = { 99 };

	(void)state;
	for (int i = 0; i < 300; i++)
		check_order(&rng);
}

static void nothing_seen(void **state)
{
	struct spread s;
	struct spread_snapshot one = { 7, 2 };

	(void)state;
	spread_measure(&s, &one, 0, 5, 1);
	assert_true(spread_equal_low(s.equal, s.n, ALPHA) == 0);
	assert_true(spread_top_low(&s, ALPHA) == 0 && spread_top_high(&s, ALPHA) == 1);
	assert_true(spread_covered_low(&s, ALPHA) == 0 && held_high(&s, 16, ALPHA) == 1);
	spread_measure(&s, &one, 1, 0, 1);
	assert_true(spread_equal_low(s.equal, s.n, ALPHA) == 0);
	assert_true(spread_top_low(&s, ALPHA) == 0 && spread_covered_low(&s, ALPHA) == 0);
	assert_true(spread_alpha(19, 0) < spread_alpha(20, 0));
	assert_true(fabs(spread_alpha(20, 1) * 10 - spread_alpha(20, 0)) < 1e-12);
}

int unit_spread(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(coverage),
		cmocka_unit_test(rare_and_heavy),
		cmocka_unit_test(few_snapshots_decide),
		cmocka_unit_test(properties),
		cmocka_unit_test(nothing_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
