/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_advice_jdk.c - rules for what the JDK, or another library of a language, makes for itself:
 * their fix is about the call.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "advice_fixture.h"

/* The JDK throws it, or catches it itself. */
static void trace(void **state)
{
	const struct advice_made thrown = { "long[]",
					    VERDICT_REPLICA,
					    { "java.lang.Throwable.fillInStackTrace",
					      "java.lang.Throwable.<init>",
					      "sun.nio.fs.UnixException.translateToIOException",
					      "java.nio.file.Files.exists", OWN } };
	const struct advice_made own = { "long[]",
					 VERDICT_REPLICA,
					 { "java.lang.Throwable.fillInStackTrace",
					   "java.lang.Throwable.<init>", OWN } };
	const struct advice_made asked = { "java.lang.StackTraceElement",
					   VERDICT_REPLICA,
					   { "java.lang.StackTraceElement.of",
					     "java.lang.Throwable.getOurStackTrace",
					     "java.lang.Throwable.getStackTrace", OWN } };

	(void)state;
	assert_rule(&thrown, "exception",
		    "Exceptions are made in Files.exists at Shop.load:50 again");
	assert_rule(&own, "exception", "Exceptions are made at Shop.load:30 again");
	assert_rule(&asked, "exception", "Exceptions are made at Shop.load:40 again");
}

/* The line that logs has no format. */
static void log_format(void **state)
{
	const struct advice_made logged = { "java.util.Formatter$FormatSpecifier",
					    VERDICT_REPLICA,
					    { "java.util.Formatter.parse",
					      "java.util.logging.SimpleFormatter.format",
					      "java.util.logging.Logger.log", OWN } };
	const struct advice_made own = { "java.util.Formatter$FormatSpecifier",
					 VERDICT_REPLICA,
					 { "java.util.Formatter.parse", "java.lang.String.format",
					   OWN } };

	(void)state;
	assert_rule(&logged, "format", "Logger.log at Shop.load:40 writes to a log");
	assert_rule(&own, "format", "String.format at Shop.load:30 parses");
}

/* A call with any number of options is made without one: nobody can leave that out. */
static void options(void **state)
{
	const struct advice_made none = { "java.nio.file.LinkOption[]",
					  VERDICT_REPLICA,
					  { "java.nio.file.Files.size", OWN } };
	struct advice_fixture f;

	(void)state;
	advice_row(&f, &none);
	objects_allocate(&f.objects, 0, 16, 40, 40);
	assert_found(&f, "empty-result", "for what it calls itself. | Call it less often.");
}

/* Nobody but the caller can keep it. */
static void result(void **state)
{
	const struct advice_made size = { "sun.nio.fs.UnixFileAttributes",
					  VERDICT_ALIKE,
					  { "sun.nio.fs.UnixFileAttributes.get",
					    "java.nio.file.Files.size", OWN } };
	struct advice_fixture f;

	(void)state;
	advice_row(&f, &size);
	f.row.replica.own.saved_bytes = 1;
	assert_found(&f, "alike-some", "that Files.size makes at Shop.load:30 are alike");
}

/* What a constructor makes is equal once it is filled, and no argument tells of that. */
static void filled_later(void **state)
{
	const struct advice_made bits = { "long[]",
					  VERDICT_FEW_VALUES,
					  { "java.util.BitSet.initWords", "java.util.BitSet.<init>",
					    OWN } };
	const struct advice_made result_of = { "long[]",
					       VERDICT_FEW_VALUES,
					       { "java.util.BitSet.toLongArray", OWN } };

	(void)state;
	assert_rule(&bits, "few-results", "keep one BitSet for each content");
	assert_rule(&result_of, "few-results", "or keep the results by their arguments");
}

/* The library of another language stands between the program and what is made, as the JDK does. */
static void line_of_platform(void **state)
{
	const struct advice_made right = { "scala.util.Right",
					   VERDICT_REPLICA,
					   { "scala.util.Right$.apply", OWN } };
	struct advice_fixture f;

	(void)state;
	advice_row(&f, &right);
	f.row.line = 1;
	assert_found(&f, "optional", "put into a new Right at Shop.load:20");
}

/* Which sentences name the class: what is named may be a place, or another class's method. */
static void names_class(void **state)
{
	static const struct {
		const char *sentence;
		struct advice_made made;
		bool named;
	} rows[] = {
		{ "The {class} made {at}", { "com.acme.Point", VERDICT_REPLICA, { OWN } }, true },
		{ "Strings are made {at}", { "com.acme.Shop", VERDICT_REPLICA, { OWN } }, false },
		{ "{call} {at} copies", { "com.acme.Point", VERDICT_REPLICA, { OWN } }, true },
		{ "{call} {at} copies",
		  { "byte[]", VERDICT_REPLICA, { "java.util.Arrays.copyOf", OWN } },
		  false },
		{ "{call} {at} copies",
		  { "java.util.List", VERDICT_REPLICA, { "java.util.ListN.<init>", OWN } },
		  false },
		{ "{call} {at} copies",
		  { "java.util.ListN", VERDICT_REPLICA, { "java.util.ListN.<init>", OWN } },
		  true },
		{ "{call}{maker}",
		  { "int[]", VERDICT_REPLICA, { "java.util.ListN.a", "java.util.ListN.b", OWN } },
		  false },
		{ "Each new {owner} is one",
		  { "java.util.ListN", VERDICT_REPLICA, { "java.util.ListN.<init>", OWN } },
		  true },
		{ "{element}.values()", { "com.acme.Hue[]", VERDICT_REPLICA, { OWN } }, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct advice_fixture f;
		advice_row(&f, &rows[i].made);
		const struct advice *advice = row_advice(&f.row);
		assert_non_null(advice);
		if (advice_names_class(&advice->facts, rows[i].sentence) != rows[i].named)
			fail_msg("'%s' of %s", rows[i].sentence, rows[i].made.class_name);
		row_forget_advice(&f.row);
		objects_release(&f.objects);
	}
}

int unit_advice_jdk(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trace),	cmocka_unit_test(log_format),
		cmocka_unit_test(options),	cmocka_unit_test(result),
		cmocka_unit_test(filled_later), cmocka_unit_test(line_of_platform),
		cmocka_unit_test(names_class),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
