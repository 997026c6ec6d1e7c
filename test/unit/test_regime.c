/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_regime.c - the scenarios of `make accuracy` in which reports were wrong, or are most likely
 * to be, with fixed seeds: reports of simulated recordings keep what they promise.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "regime.h"

#define RECORDINGS 40

static struct regime_cells cells_of(const char *scenario, const char *truth)
{
	const struct regime *r = regimes;
	const struct regime_mix *m = regime_mixes;
	struct regime_cells cells = { .recordings = 0 };

	while (r->name && strcmp(r->name, scenario) != 0)
		r++;
	while (m->name && strcmp(m->name, truth) != 0)
		m++;
	assert_non_null(r->name);
	assert_non_null(m->name);
	regime_run(&cells, r, m, &(struct regime_depth){ 6, 40, 2 }, RECORDINGS, 1);
	for (unsigned k = 0; k < REGIME_CELLS; k++) {
		const struct regime_cell *c = &cells.by_looks[k];
		double limit = regime_limit(m, k);
		bool bad = regime_too_many(c->wrong, c->lines, limit) ||
			   regime_too_many(c->exceeded, c->expected, REGIME_LEAST);
		if (bad)
			print_error("%s, %s: of %u lines with %u looks or more %u are wrong, %u "
				    "exceeded\n",
				    scenario, truth, c->lines, regime_from[k], c->wrong,
				    c->exceeded);
		assert_false(bad);
	}
	assert_false(regime_too_many(cells.exceeded, cells.recordings, REGIME_LEAST));
	/* what all lines could do without, by their findings */
	assert_false(regime_too_many(cells.recordings - cells.all_held, cells.recordings, 0.08));
	return cells;
}

static unsigned decided(const struct regime_cells *cells)
{
	unsigned sum = 0;

	for (unsigned k = 0; k < REGIME_CELLS; k++)
		sum += cells->by_looks[k].decided;
	return sum;
}

/* A content that is just not half of the bytes. */
static void nearly_half(void **state)
{
	(void)state;
	cells_of("final fields", "one of 0.49");
	cells_of("final fields", "2 of 0.49 each");
	cells_of("arrays, interval drifts", "one of 0.49");
	cells_of("final fields, in bursts", "one of 0.49");
}

/* What is not alike is sampled more rarely, so that there is less of it among few looks. */
static void weights_by_content(void **state)
{
	(void)state;
	cells_of("final fields, phases, unequal rarer", "one of 0.49");
	cells_of("some change, unequal rarer", "one of 0.49");
	cells_of("final fields, phases, equal rarer", "16 in 0.26");
	cells_of("final fields, phases, some skipped", "one of 0.49");
}

/* Objects that change, or whose identity matters. */
static void not_for_life(void **state)
{
	(void)state;
	cells_of("buffers", "one of 0.49");
	cells_of("iterators", "all equal");
	struct regime_cells cells = cells_of("no fields", "all equal");
	assert_int_equal(decided(&cells), 0);
	cells_of("some change", "0.51 change");
	cells_of("locks, interval drifts", "all equal");
}

/* Merging saves nearly a quarter; a little more than a quarter does not change. */
static void nearly_quarter(void **state)
{
	(void)state;
	cells_of("final fields", "one of 0.24");
	cells_of("some change", "0.76 change");
	cells_of("some change", "0.74 change");
	/* those that do not change are rare and heavy */
	cells_of("buffers, equal rarer", "one of 0.26");
	struct regime_cells cells = cells_of("iterators", "all equal");
	assert_true(decided(&cells) > RECORDINGS * REGIME_LINES / 10);
}

/* What some of the objects, or what they refer to, may do. */
static void in_part(void **state)
{
	(void)state;
	cells_of("one context changes", "one of 0.49");
	cells_of("one context changes, interval drifts", "2 of 0.49 each");
	cells_of("own strings", "one of 0.49");
	cells_of("strings replaced", "0.51 change");
	cells_of("shared counter", "16 in 0.26");
	cells_of("list wrappers", "all equal");
	struct regime_cells cells = cells_of("own strings", "all equal");
	assert_true(decided(&cells) > RECORDINGS * REGIME_LINES * 3 / 4);
}

/* What holds is said, and how much is known of the amount. */
static void all_alike(void **state)
{
	(void)state;
	struct regime_cells cells = cells_of("final fields", "all equal");
	assert_true(decided(&cells) > RECORDINGS * REGIME_LINES * 3 / 4);
	assert_true(cells.low > 0.7 * cells.saved && cells.low < cells.saved);
	cells = cells_of("unchanged", "all equal");
	assert_true(decided(&cells) > RECORDINGS * REGIME_LINES / 3);
}

/*
 * At a budget of 100, where most samples are only counted. In phases, those that are kept stand for
 * more in some times than in others; uses as well as snapshots.
 */
static void many_looks(void **state)
{
	static const struct {
		const char *name;
		unsigned decided; /* % of the lines, at least */
		double budget;	  /* of the quota */
	} scenarios[] = {
		{ "final fields, phases", 0, 100 },
		{ "buffers, equal rarer", 0, 100 },
		/* 45 % if large ones were thinned as the others are, and 3 lines are wrong */
		{ "large arrays", 50, 2 },
	};
	const struct regime_mix *m = regime_mixes; /* the mix */

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		const struct regime *r = regimes;
		struct regime_cells cells = { .recordings = 0 };
		unsigned lines = 0, wrong = 0, decided = 0;
		while (strcmp(r->name, scenarios[i].name) != 0)
			r++;
		regime_run(&cells, r, m, &(struct regime_depth){ 200, 8000, scenarios[i].budget },
			   12, 101);
		for (unsigned k = 0; k < REGIME_CELLS; k++) {
			lines += cells.by_looks[k].lines;
			wrong += cells.by_looks[k].wrong;
			decided += cells.by_looks[k].decided;
		}
		assert_true(lines > 200);
		if (100 * wrong > lines)
			print_error("%s: of %u lines %u are wrong\n", r->name, lines, wrong);
		assert_true(100 * wrong <= lines);
		assert_true(100 * decided >= scenarios[i].decided * lines);
	}
}

int unit_regime(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nearly_half),	  cmocka_unit_test(weights_by_content),
		cmocka_unit_test(not_for_life),	  cmocka_unit_test(in_part),
		cmocka_unit_test(nearly_quarter), cmocka_unit_test(all_alike),
		cmocka_unit_test(many_looks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
