/* SPDX-License-Identifier: Apache-2.0 */
/* The options of the agent that records alone: values with units, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "alone_options.h"

static struct alone_options read_well(const char *text)
{
	struct alone_options o;
	char why[ALONE_WHY] = "";

	assert_true(alone_options_read(&o, text, why));
	assert_string_equal(why, "");
	return o;
}

static void test_defaults(void **state)
{
	struct alone_options o = read_well("file=/a");

	(void)state;
	assert_string_equal(o.file, "/a");
	assert_true(o.budget == 2);
	assert_int_equal(o.size, 64 << 20);
	assert_int_equal(o.analyses, ALONE_REPLICA);
	assert_int_equal(o.duration_ns + o.delay_ns + o.interval, 0);
}

/* A number has a point, whatever the program's locale. */
static void test_numbers(void **state)
{
	static const struct {
		const char *text;
		double budget;
	} rows[] = {
		{ "1", 1 },	      { "1.5", 1.5 },	  { "1.5%", 1.5 }, { "0.01", 0.01 },
		{ "0.0625", 0.0625 }, { "12.25", 12.25 }, { "100", 100 },  { "100.", 100 },
	};
	struct alone_options o =
		read_well("duration=1.5m,file=a,delay=250ms,size=2M,interval=1.5k");

	(void)state;
	assert_true(o.duration_ns == 90000000000u);
	assert_int_equal(o.delay_ns, 250000000);
	assert_int_equal(o.size, 2 << 20);
	assert_int_equal(o.interval, 1536);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char text[64];
		snprintf(text, sizeof text, "file=a,budget=%s", rows[i].text);
		double got = read_well(text).budget;
		assert_true(got - rows[i].budget < 1e-12 && rows[i].budget - got < 1e-12);
	}
}

static void test_refused(void **state)
{
	static const char *const options[] = {
		"budget=",	   "budget=x",	     "budget=.5",    "budget=1e1",
		"budget=1,5",	   "budget=0.001",   "budget=100.1", "budget=-1",
		"budget= 1",	   "budget=0x5",     "budget=nan",   "duration=1 s",
		"duration=2d",	   "size=10",	     "interval=2G",  "event=",
		"event=locality",  "event=replica+", "event=+",	     "event=replicas",
		"event=replica+x",
	};

	(void)state;
	for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
		struct alone_options o;
		char text[64], why[ALONE_WHY] = "";
		snprintf(text, sizeof text, "file=a,%s", options[i]);
		assert_false(alone_options_read(&o, text, why));
		assert_string_not_equal(why, "");
	}
}

static void test_events(void **state)
{
	(void)state;
	assert_int_equal(read_well("file=a,event=replica").analyses, ALONE_REPLICA);
	assert_int_equal(read_well("file=a,event=lifetime").analyses, ALONE_LIFETIME);
	assert_int_equal(read_well("file=a,event=lifetime+replica").analyses,
			 ALONE_REPLICA | ALONE_LIFETIME);
}

int unit_alone_options(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_events),
	};

	return cmocka_run_group_tests_name("alone_options", tests, NULL, NULL);
}
