/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_rates.c - rates and the last minute of a line, from totals that arrive at arbitrary times.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "live/rates.h"

#define S 1000000000ull

struct fixture {
	struct model_context context[2];
	struct model_context *pointer[2];
	struct row row[2];
	struct rows rows;
	struct rates rates;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);

	assert_non_null(f);
	for (size_t i = 0; i < 2; i++) {
		f->context[i].jvm = f->row[i].row.jvm = 1;
		f->context[i].id = (uint32_t)i + 1;
		f->pointer[i] = &f->context[i];
		f->row[i].contexts = &f->pointer[i];
		f->row[i].ncontexts = 1;
	}
	f->rows = (struct rows){
		.table = { .rows = f->row, .n = 1, .all = 1, .size = sizeof(struct row) }
	};
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	rates_release(&f->rates);
	free(f);
	return 0;
}

static void update(struct fixture *f, double seconds, double objects, double bytes, bool from_zero)
{
	f->row[0].replica.objects = objects;
	f->row[0].replica.bytes = bytes;
	assert_int_equal(
		rates_update(&f->rates, &f->rows, (uint64_t)(seconds * (double)S), from_zero), 0);
}

static char *trend(const struct fixture *f, unsigned width, bool utf8)
{
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	rates_put_trend(out, &f->rates, &f->row[0], width, utf8);
	fclose(out);
	return text;
}

/* A steady program has a steady rate, whatever the intervals between updates. */
static void test_steady(void **state)
{
	struct fixture *f = *state;
	static const double times[] = { 0.3, 0.9, 2.0, 4.7, 4.8, 9.1, 11, 25, 70 };

	for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
		update(f, times[i], times[i] * 10, times[i] * 1000, true);
		assert_float_equal(rates_objects(&f->rates, &f->row[0]), 10, 0.01);
		assert_float_equal(rates_bytes(&f->rates, &f->row[0]), 1000, 1);
	}
}

/* A reader who joins late does not count earlier totals as new. */
static void test_joined(void **state)
{
	struct fixture *f = *state;

	update(f, 3600, 1e6, 1e9, false);
	assert_float_equal(rates_bytes(&f->rates, &f->row[0]), 0, 0);
	update(f, 3602, 1e6 + 20, 1e9 + 4000, false);
	assert_float_equal(rates_bytes(&f->rates, &f->row[0]), 2000, 1);
	assert_float_equal(rates_objects(&f->rates, &f->row[0]), 10, 0.01);
	/* a new line began after the last update */
	f->rows.table.n = 2;
	f->row[1].replica.bytes = 8000;
	update(f, 3604, 1e6 + 20, 1e9 + 4000, false);
	assert_float_equal(rates_bytes(&f->rates, &f->row[1]), 2000, 1);
}

static void test_stopped(void **state)
{
	struct fixture *f = *state;

	update(f, 2, 100, 10000, true);
	update(f, 9.5, 100, 10000, true);
	/* the increase between two updates is spread over that time, not after it */
	assert_float_equal(rates_bytes(&f->rates, &f->row[0]), 0, 0.001);
	/* an update at the same time tells nothing */
	update(f, 9.5, 500, 99999, true);
	assert_float_equal(rates_bytes(&f->rates, &f->row[0]), 0, 0.001);
	/* a total that sinks does not give a negative rate */
	update(f, 11, 50, 500, true);
	assert_true(rates_bytes(&f->rates, &f->row[0]) >= 0);
}

static void test_saved(void **state)
{
	struct fixture *f = *state;

	f->row[0].replica.own.saved_bytes = 250;
	f->row[0].replica.deep.saved_bytes = NAN;
	update(f, 4, 40, 1000, true);
	rates_note_saved(&f->rates, &f->rows);
	assert_float_equal(rates_bytes(&f->rates, &f->row[0]), 250, 0.1);
	assert_float_equal(rates_saved(&f->rates, &f->row[0]), 62.5, 0.1);
	f->row[0].replica.own.saved_bytes = NAN;
	rates_note_saved(&f->rates, &f->rows);
	assert_true(isnan(rates_saved(&f->rates, &f->row[0])));
}

/* Ten columns of six seconds: a burst fifteen seconds ago, and half as much just now. */
static void test_trend(void **state)
{
	struct fixture *f = *state;
	double bytes = 0;

	for (int second = 1; second <= 61; second++) {
		if (second > 37 && second <= 43)
			bytes += 100;
		if (second > 55 && second < 61)
			bytes += 60;
		update(f, second, bytes, bytes, true);
	}
	char *text = trend(f, 10, true);
	assert_string_equal(text, "      █  ▄");
	free(text);
	text = trend(f, 10, false);
	assert_string_equal(text, "      #  -");
	free(text);
	/* a minute later nothing of it remains */
	update(f, 200, bytes, bytes, true);
	text = trend(f, 20, true);
	assert_string_equal(text, "                    ");
	free(text);
}

/* A row without a verdict tells the one that it had, until there is another. */
static void test_verdict(void **state)
{
	static const struct {
		enum replica_verdict now, held;
	} steps[] = {
		{ VERDICT_UNKNOWN, VERDICT_UNKNOWN },  { VERDICT_REPLICA, VERDICT_UNKNOWN },
		{ VERDICT_UNKNOWN, VERDICT_REPLICA },  { VERDICT_ALIKE, VERDICT_UNKNOWN },
		{ VERDICT_UNKNOWN, VERDICT_REPLICA },  { VERDICT_DISTINCT, VERDICT_UNKNOWN },
		{ VERDICT_UNKNOWN, VERDICT_DISTINCT },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
		f->row[0].replica.own.verdict = steps[i].now;
		update(f, (double)i + 1, 100, 1000, true);
		rates_note_saved(&f->rates, &f->rows);
		assert_int_equal(f->row[0].held, steps[i].held);
	}
}

int unit_rates(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_steady, setup, teardown),
		cmocka_unit_test_setup_teardown(test_joined, setup, teardown),
		cmocka_unit_test_setup_teardown(test_stopped, setup, teardown),
		cmocka_unit_test_setup_teardown(test_saved, setup, teardown),
		cmocka_unit_test_setup_teardown(test_trend, setup, teardown),
		cmocka_unit_test_setup_teardown(test_verdict, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
