/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_missing.c - how many snapshots are missing until there is a verdict: told of simulated lines
 * and compared with how many it took.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>

#include "analyse/replica/verdict.h"
#include "base/rng.h"

#define MOST  6000 /* snapshots of a line */
#define EACH  20   /* lines of a kind */
#define LINES (EACH * 10)

/* What a line makes: a share of one of so many contents, the rest distinct. */
struct kind {
	double least, most; /* the share is uniform between these */
	unsigned groups;
	bool uneven; /* one snapshot in four stands for four times as much */
	double same; /* the part of the objects that does not change; 1: they cannot */
};

struct line {
	uint64_t content[MOST];
	double v[MOST];
	bool same[MOST];
};

static void draw(struct line *l, const struct kind *k, struct rng *rng)
{
	double share = k->least + (k->most - k->least) * rng_unit(rng);

	for (size_t i = 0; i < MOST; i++) {
		l->content[i] = rng_unit(rng) < share ? rng_below(rng, k->groups)
						      : rng_next(rng) | UINT64_C(1) << 40;
		l->v[i] = k->uneven && rng_below(rng, 4) == 0 ? 4 : 1;
		l->same[i] = rng_unit(rng) < k->same;
	}
}

/* The evidence of the first n; one in three was seen in use. */
static struct verdict_evidence evidence(const struct line *l, const struct kind *k, size_t n)
{
	static struct spread_snapshot s[MOST];
	struct verdict_evidence e = { .constant = k->same >= 1,
				      .slots = NAN,
				      .values_low = NAN,
				      .equal_low = NAN,
				      .at_once = { .own = { .alone = 1 },
						   .deep = { .alone = 1 } } };
	double used = 0, same = 0;

	for (size_t i = 0; i < n; i++) {
		s[i] = (struct spread_snapshot){ l->content[i], l->v[i] };
		used += i % 3 == 0;
		same += i % 3 == 0 && l->same[i];
	}
	spread_measure(&e.end, s, n, k->uneven ? 4 : 1, 1);
	e.end_most = e.end;
	e.seen_used = used;
	e.same = used > 0 ? same / used : 0;
	return e;
}

/* How many more than n it takes until there is a verdict; MOST if there is none. */
static size_t needed(const struct line *l, const struct kind *k, size_t n)
{
	for (size_t at = n + 1; at < MOST; at += 1 + at / 50) {
		struct verdict_evidence e = evidence(l, k, at);
		if (verdict_of(&e, NULL) != VERDICT_UNKNOWN)
			return at - n;
	}
	return MOST;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* What was told of some lines. */
struct told {
	double ratio[LINES]; /* of what was told to what it took */
	size_t n;
	size_t unknown, never; /* lines without a verdict; of which no number was told */
};

static void tell(struct told *t, const struct kind *k, size_t n, struct rng *rng)
{
	static struct line l;

	for (size_t i = 0; i < EACH; i++) {
		draw(&l, k, rng);
		struct verdict_evidence e = evidence(&l, k, n);
		double missing = verdict_missing(&e);
		t->unknown += missing > 0;
		t->never += missing > MOST;
		if (missing > 0 && missing <= MOST)
			t->ratio[t->n++] = missing / (double)needed(&l, k, n);
	}
}

/* In the median between half and twice as many as it took; and hardly ever none. */
static void assert_told(struct told *t, const char *what, size_t number)
{
	qsort(t->ratio, t->n, sizeof *t->ratio, compare);
	double median = t->n ? t->ratio[t->n / 2] : 1;
	bool good = median >= 0.5 && median <= 2 && t->never <= 0.1 * (double)t->unknown + 2;

	if (!good)
		print_error("%s %zu: %zu of %zu told, %zu never, median %.2f\n", what, number, t->n,
			    t->unknown, t->never, median);
	assert_true(good);
}

static const struct kind kinds[] = {
	{ 0, 1, 1, false, 1 },	   { 0, 1, 10, false, 1 },     { 0, 1, 100, false, 1 },
	{ 0, 1, 1000, false, 1 },  { 0, 1, 3, true, 1 },       { 0, 1, 30, true, 1 },
	{ 0.5, 1, 1, false, 0.9 }, { 0.5, 1, 10, false, 0.8 }, { 0, 0, 1, false, 1 },
	{ 0, 0, 1, true, 1 },
};
static const size_t sizes[] = { 6, 12, 25, 50, 100, 200 };
enum { KINDS = sizeof kinds / sizeof *kinds, SIZES = sizeof sizes / sizeof *sizes };

static void by_kind(void **state)
{
	static struct told t;
	struct rng rng = { 1 };

	(void)state;
	for (size_t i = 0; i < KINDS; i++) {
		t = (struct told){ .n = 0 };
		for (size_t k = 0; k < SIZES; k++)
			tell(&t, &kinds[i], sizes[k], &rng);
		assert_told(&t, "kind", i);
	}
}

static void by_snapshots(void **state)
{
	static struct told t;
	struct rng rng = { 2 };

	(void)state;
	for (size_t k = 0; k < SIZES; k++) {
		t = (struct told){ .n = 0 };
		for (size_t i = 0; i < KINDS; i++)
			tell(&t, &kinds[i], sizes[k], &rng);
		assert_told(&t, "snapshots", sizes[k]);
	}
}

int unit_missing(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(by_kind),
					    cmocka_unit_test(by_snapshots) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
