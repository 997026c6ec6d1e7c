/* SPDX-License-Identifier: Apache-2.0 */
/* What reports show of command lines and of names of threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/model_store.h"
#include "model/shown_command.h"

enum { MOST = 16 };

/* Words are separated by blanks; so are those that are shown. */
static void check(const char *line, const char *want, const char *program)
{
	char copy[512], got[512] = "";
	const char *argv[MOST], *word[MOST];
	size_t argc = 0;

	snprintf(copy, sizeof copy, "%s", line);
	for (char *w = strtok(copy, " "); w; w = strtok(NULL, " "))
		argv[argc++] = w;
	struct shown_command c = shown_command(argv, argc, word);
	for (size_t i = 0; i < c.n; i++)
		snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s", i ? " " : "",
			 c.word[i]);
	assert_string_equal(got, want);
	assert_int_equal(c.n + c.left_out, argc);
	if (program)
		assert_string_equal(c.program, program);
	else
		assert_null(c.program);
}

static void test_programs(void **state)
{
	(void)state;
	check("", "", NULL);
	check("java", "java", NULL);
	check("java Main secret -jar secret", "java Main", "Main");
	check("/usr/bin/java com/acme/Main", "java com/acme/Main", "com/acme/Main");
	check("java -jar /home/me/app.jar secret", "java -jar app.jar", "app.jar");
	check("java -jar", "java", NULL);
	check("java -p mods -m shop/acme.Main x", "java -m shop/acme.Main", "shop/acme.Main");
	check("java --module=shop/acme.Main x", "java --module=shop/acme.Main", "shop/acme.Main");
	check("java src/me/Main.java secret", "java Main.java", "Main.java");
	check("java -cp /secret --add-opens a/b=ALL Main", "java Main", "Main");
	check("java --class-path=/secret Main", "java Main", "Main");
	check("/opt/gradlew -Ptoken=secret test", "gradlew", "gradlew");
	check("env A=secret /jdk/bin/java -Xint Main", "env java -Xint Main", "Main");
}

/* The file may name the main class: what follows may be the program's. */
static void test_argument_files(void **state)
{
	(void)state;
	check("java @args secret", "java", NULL);
	check("java @args -jar secret", "java", NULL);
	check("java @args --module=secret -Xmx1g", "java -Xmx1g", NULL);
	check("java Main @secret", "java Main", "Main");
}

static void test_options(void **state)
{
	(void)state;
	check("java -Xmx4g -Xms64M -Xss512k -Xmn1 M", "java -Xmx4g -Xms64M -Xss512k -Xmn1 M", "M");
	check("java -Xmxsecret -Xmx -Xmx1gsecret -Xmx1.g.2 M", "java M", "M");
	check("java -XX:+UseZGC -XX:-UseCompressedOops M",
	      "java -XX:+UseZGC -XX:-UseCompressedOops M", "M");
	check("java -XX:MaxRAMPercentage=75.0 -XX:ObjectAlignmentInBytes=16 M",
	      "java -XX:MaxRAMPercentage=75.0 -XX:ObjectAlignmentInBytes=16 M", "M");
	check("java -XX:G1secret=secret -XX:G1=secret -XX:+UseG1GC=secret -XX:Z M", "java M", "M");
	check("java -XX:G1;secret=1 -XX:HeapDumpPath=1 -XX:+HeapDumpOnOutOfMemoryError M", "java M",
	      "M");
	check("java -Dsecret -Dpassword=-Xmx1g -javaagent:a=1 -Xlog:gc -ea M", "java M", "M");
}

static void check_thread(const char *name, const char *want)
{
	char got[128];

	assert_int_equal(shown_thread(got, name), strlen(want));
	assert_string_equal(got, want);
}

static void test_threads(void **state)
{
	(void)state;
	check_thread("", "");
	check_thread("main", "main");
	check_thread("pool-1-thread-12", "pool-1-thread-12");
	check_thread("http-nio-8080-exec-1", "http-nio-8080-exec-1");
	check_thread("ForkJoinPool.commonPool-worker-1234", "ForkJoinPool.commonPool-worker-1234");
	check_thread("worker12345", "worker#");
	check_thread("tel +49 1701234567, 2", "tel +49 #, 2");
	check_thread("token 9f8a7b6c5d4e", "token #");
	check_thread("\xc3\xa9 12345\xc3\xa9", "\xc3\xa9 #\xc3\xa9");
	check_thread("550e8400-e29b-41d4-a716-446655440000", "#-e29b-41d4-a716-#");
}

int unit_shown(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_programs),
		cmocka_unit_test(test_argument_files),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
