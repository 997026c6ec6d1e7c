/* SPDX-License-Identifier: Apache-2.0 */
/* test_recurrence.c - what contents that recur tell, against simulated populations. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "stats/recurrence.h"

#define Z95	 1.959964
#define COMMON	 400   /* contents that recur in a population, at most */
#define ROOM	 20000 /* contents in a sample */
#define RUNS	 60
#define COVERED	 0.9 /* of the runs, at least, the intervals of 95 % hold the truth */
#define PER_UNIT 30  /* objects of a cluster */

static struct rng rng = { 1 };

static double uniform(void)
{
	return rng_unit(&rng);
}

/* Shares of the contents that recur, the commonest first; all others are unique. */
struct population {
	double share[COMMON];
	int n;
	double alike; /* share of the objects that equal the one before them, in their cluster */
};

struct sample {
	struct recurrence_content content[ROOM];
	const struct recurrence_content *sorted[ROOM];
	uint32_t last[ROOM];
	size_t n;
	struct recurrence_whole all;
};

static int draw(const struct population *p)
{
	double x = uniform();

	for (int i = 0; i < p->n; i++) {
		x -= p->share[i];
		if (x < 0)
			return i;
	}
	return -1;
}

static void add(struct sample *s, size_t i, uint32_t cluster, double weight)
{
	uint32_t group = cluster % RECURRENCE_GROUPS;

	s->content[i].weight[group] += (float)weight;
	s->content[i].clusters += s->last[i] != cluster;
	s->content[i].size = 1;
	s->last[i] = cluster;
	s->all.weight[group] += weight;
	s->all.bytes[group] += weight;
	s->all.objects++;
}

/* Clusters from 1 on; every third has twice the weight. */
static void take(struct sample *s, const struct population *p, uint32_t clusters)
{
	memset(s, 0, sizeof *s);
	s->n = (size_t)p->n;
	for (uint32_t c = 1; c <= clusters; c++) {
		size_t before = 0;
		for (int k = 0; k < PER_UNIT; k++) {
			int i = draw(p);
			bool again = k > 0 && uniform() < p->alike;
			before = again ? before : i >= 0 ? (size_t)i : s->n++;
			add(s, before, c, c % 3 ? 1 : 2);
		}
	}
	for (size_t i = 0; i < s->n; i++)
		s->sorted[i] = &s->content[i];
	qsort(s->sorted, s->n, sizeof *s->sorted, recurrence_compare);
}

struct coverage {
	int held[3], pairs, elsewhere;
};

static const unsigned caches[] = { 1, 16, 256 };

static bool has(const struct estimate *e, double truth)
{
	return e->range.low <= truth && truth <= e->range.high;
}

static void check(struct coverage *to, const struct sample *s, const struct population *p)
{
	double truth = 0, pairs = 0, recur = 0;
	struct estimate e, held[3];

	for (int i = 0; i < p->n; i++) {
		pairs += p->share[i] * p->share[i];
		recur += p->share[i];
	}
	assert_int_equal(recurrence_held(held, caches, 3, s->sorted, s->n, &s->all, Z95), 0);
	for (size_t k = 0; k < 3; k++) {
		truth = 0;
		for (size_t i = 0; i < caches[k] && i < (size_t)p->n; i++)
			truth += p->share[i];
		to->held[k] += has(&held[k], truth);
	}
	e = recurrence_pairs(s->sorted, s->n, &s->all, Z95);
	to->pairs += has(&e, pairs);
	e = recurrence_elsewhere(s->sorted, s->n, &s->all, false, Z95);
	to->elsewhere += e.range.low <= recur + 1e-9 && e.range.high == 1;
}

static void assert_covered(const struct population *p, uint32_t clusters)
{
	struct sample *s = malloc(sizeof *s);
	struct coverage c = { .pairs = 0 };

	assert_non_null(s);
	for (int run = 0; run < RUNS; run++) {
		take(s, p, clusters);
		check(&c, s, p);
	}
	free(s);
	for (int k = 0; k < 3; k++)
		assert_true(c.held[k] >= COVERED * RUNS);
	assert_true(c.pairs >= COVERED * RUNS);
	assert_true(c.elsewhere >= COVERED * RUNS);
}

static struct population zipf(int n, double recur, double alike)
{
	struct population p = { .n = n, .alike = alike };
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += 1.0 / (i + 1);
	for (int i = 0; i < n; i++)
		p.share[i] = recur / (i + 1) / sum;
	return p;
}

static struct population even(int n, double recur, double alike)
{
	struct population p = { .n = n, .alike = alike };

	for (int i = 0; i < n; i++)
		p.share[i] = recur / n;
	return p;
}

static void test_covered(void **state)
{
	(void)state;
	const struct population all[] = {
		zipf(400, 0.8, 0),  zipf(40, 0.5, 0.2), even(10, 0.3, 0.1),
		even(300, 1, 0.05), even(1, 0.4, 0),	even(0, 0, 0.3),
	};

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
		assert_covered(&all[i], 48);
		assert_covered(&all[i], 200);
	}
}

/* Objects of one cluster that are equal tell nothing about others. */
static void test_neighbours(void **state)
{
	const struct population p = even(0, 0, 0.9);
	struct sample *s = malloc(sizeof *s);

	(void)state;
	take(s, &p, 100);
	assert_true(recurrence_elsewhere(s->sorted, s->n, &s->all, false, Z95).value == 0);
	assert_true(recurrence_pairs(s->sorted, s->n, &s->all, Z95).value == 0);
	free(s);
}

/* More objects show more equal ones, and never too many. */
static void test_grows(void **state)
{
	const struct population p = even(400, 0.5, 0);
	struct sample *s = malloc(sizeof *s);

	(void)state;
	take(s, &p, 10);
	double few = recurrence_elsewhere(s->sorted, s->n, &s->all, true, Z95).value;
	take(s, &p, 300);
	double many = recurrence_elsewhere(s->sorted, s->n, &s->all, true, Z95).value;
	assert_true(few < 0.3 && many > 0.45 && many < 0.55);
	free(s);
}

static void test_forgotten(void **state)
{
	const struct population p = even(4, 0.4, 0);
	struct sample *s = malloc(sizeof *s);
	struct estimate before, after;

	(void)state;
	take(s, &p, 100);
	assert_int_equal(recurrence_held(&before, &caches[1], 1, s->sorted, s->n, &s->all, Z95), 0);
	s->all.forgotten = recurrence_all(&s->all) / 2;
	s->all.forgotten_most = 10;
	s->all.rounds = 3;
	assert_int_equal(recurrence_held(&after, &caches[1], 1, s->sorted, s->n, &s->all, Z95), 0);
	double more = 16 * 3 * 10 / recurrence_all(&s->all);
	assert_float_equal(after.range.high, before.range.high + more, 1e-9);
	assert_float_equal(after.range.low, before.range.low, 1e-12);
	free(s);
}

/* All objects are equal, which is not known of half of them, or of all. */
static void test_unknown(void **state)
{
	const struct population p = even(1, 1, 0);
	struct sample *s = malloc(sizeof *s);
	struct estimate e;

	(void)state;
	assert_non_null(s);
	take(s, &p, 100);
	s->all.unknown = recurrence_all(&s->all) / 2;
	for (int g = 0; g < RECURRENCE_GROUPS; g++)
		s->content[0].weight[g] /= 2;
	assert_int_equal(recurrence_held(&e, caches, 1, s->sorted, s->n, &s->all, Z95), 0);
	assert_true(e.range.low < 0.51 && e.range.high > 0.999);
	e = recurrence_pairs(s->sorted, s->n, &s->all, Z95);
	assert_true(e.range.low < 0.26 && e.range.high > 0.999);
	s->all.unknown *= 2;
	assert_int_equal(recurrence_held(&e, caches, 1, NULL, 0, &s->all, Z95), 0);
	assert_true(isnan(e.value) && isnan(e.range.low) && isnan(e.range.high));
	assert_true(isnan(recurrence_pairs(NULL, 0, &s->all, Z95).value));
	free(s);
}

/* All objects are equal, and seem to differ, as each is recognised in its cluster only. */
static void test_local(void **state)
{
	const struct population p = even(0, 0, 0);
	struct sample *s = malloc(sizeof *s);
	struct estimate e;

	(void)state;
	assert_non_null(s);
	take(s, &p, 100);
	for (size_t i = 0; i < s->n; i++)
		s->content[i].local = true;
	assert_int_equal(recurrence_held(&e, caches, 1, s->sorted, s->n, &s->all, Z95), 0);
	assert_true(e.range.low < 0.01 && e.range.high > 0.999);
	e = recurrence_pairs(s->sorted, s->n, &s->all, Z95);
	assert_true(e.range.low == 0 && e.range.high > 0.999);
	free(s);
}

static void test_nothing(void **state)
{
	const struct recurrence_whole none = { .objects = 0 };
	struct estimate e;

	(void)state;
	assert_true(isnan(recurrence_elsewhere(NULL, 0, &none, false, Z95).value));
	assert_true(isnan(recurrence_pairs(NULL, 0, &none, Z95).value));
	assert_int_equal(recurrence_held(&e, caches, 1, NULL, 0, &none, Z95), 0);
	assert_true(isnan(e.value));
}

int unit_recurrence(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_covered), cmocka_unit_test(test_neighbours),
		cmocka_unit_test(test_grows),	cmocka_unit_test(test_forgotten),
		cmocka_unit_test(test_nothing), cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_local),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
