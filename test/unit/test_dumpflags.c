/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_dumpflags.c - splits options out of texts and files as the JVM and its launcher do; finds
 * what the launcher runs, and options by which a JVM writes an archive of its classes. The expected
 * words of argument files are those of the launchers of JDK 11 to 25.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "record/dumpflags.h"
#include "record/jvmargs.h"

static char folder[64], file[96];

static void put_file(const char *text)
{
	FILE *out = fopen(file, "w");

	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

static int setup(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/ojx-dumpflags.XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(file, sizeof file, "%s/args", folder);
	unsetenv("JAVA_TOOL_OPTIONS");
	unsetenv("JDK_JAVA_OPTIONS");
	unsetenv("_JAVA_OPTIONS");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	unlink(file);
	return rmdir(folder);
}

/* ---- words ------------------------------------------------------------------------------- */

/* The words of a text, each in brackets. */
static void assert_words(const char *text, const char *want, enum jvmargs_rule rule)
{
	char word[256], got[512] = "", *to = got;

	while (jvmargs_next(&text, word, rule))
		to += sprintf(to, "[%s]", word);
	assert_string_equal(got, want);
}

static void test_options(void **state)
{
	(void)state;
	assert_words("", "", JVMARGS_OPTIONS);
	assert_words(" \t\n", "", JVMARGS_OPTIONS);
	assert_words(" a  b\tc\n", "[a][b][c]", JVMARGS_OPTIONS);
	assert_words("'a b'c\"d e\" f", "[a bcd e][f]", JVMARGS_OPTIONS);
	assert_words("a\\b '\\' \"it's\"", "[a\\b][\\][it's]", JVMARGS_OPTIONS);
	assert_words("'' a", "[][a]", JVMARGS_OPTIONS);
	assert_words("'open a", "[open a]", JVMARGS_OPTIONS);
	assert_words("#a", "[#a]", JVMARGS_OPTIONS);
}

static void test_arguments(void **state)
{
	static const char *const rows[][2] = {
		{ "", "" },
		{ "a b#c\nd", "[a][d]" },
		{ "#x\na \"b c\"d", "[a][b cd]" },
		{ "\"a\\nb\\\\c\" x\\y", "[a\nb\\c][x\\y]" },
		{ "\"ab\\\n   cd\" e", "[abcd][e]" },
		{ "\"open\nnext", "[open][next]" },
		{ "'q\"r' s\"t'u\"", "[q\"r][st'u]" },
		{ "a\"\"b \"\" c", "[ab][][c]" },
		{ "x \"# no\" #yes", "[x][# no]" },
		{ "\"a\\\"b\"", "[a\"b]" },
		{ "last\\", "[last\\]" },
		{ "a#b c\nd e", "[d][e]" },
		{ "a\"x\" #k\nb", "[ax][b]" },
		{ "\"un closed", "[un closed]" },
		{ "a\fb\tc\vd\r\ne", "[a][b][c\vd][e]" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		assert_words(rows[i][0], rows[i][1], JVMARGS_ARGFILE);
}

static void test_files(void **state)
{
	const struct process_paths anywhere = { .root = NULL }, there = { .dir = folder };

	(void)state;
	put_file("some text");
	char *text = process_file_read(&anywhere, file);
	assert_string_equal(text, "some text");
	free(text);
	text = process_file_read(&there, "args");
	assert_string_equal(text, "some text");
	free(text);
	text = process_file_read(&(struct process_paths){ .root = folder }, "/args");
	assert_string_equal(text, "some text");
	free(text);
	assert_null(process_file_read(&there, "none"));
	assert_int_equal(errno, ENOENT);
	assert_null(process_file_read(&anywhere, folder));
	unlink(file);
	/* reading it would wait for a writer */
	assert_int_equal(mkfifo(file, 0700), 0);
	assert_null(process_file_read(&anywhere, file));
	assert_int_equal(errno, EINVAL);
}

/* What root reads for another process. */
static void test_files_of_others(void **state)
{
	struct process_paths there = { .root = folder, .reader = PATHS_ITS_USER };

	(void)state;
	if (geteuid() != 0)
		skip();
	put_file("some text");
	assert_int_equal(chmod(folder, 0755), 0);
	assert_int_equal(chmod(file, 0644), 0);
	there.uid = there.gid = 65534;
	char *text = process_file_read(&there, "/args");
	assert_string_equal(text, "some text");
	free(text);
	assert_int_equal(chmod(file, 0600), 0);
	assert_null(process_file_read(&there, "/args"));
	assert_int_equal(errno, EACCES);
	assert_int_equal(geteuid(), 0);
	there.uid = 0;
	text = process_file_read(&there, "/args");
	assert_string_equal(text, "some text");
	free(text);
	there.reader = PATHS_NOBODY;
	assert_null(process_file_read(&there, "/args"));
	assert_int_equal(errno, EPERM);
	/* a working directory that is not known */
	assert_null(process_file_read(&(struct process_paths){ .dir = "" }, "args"));
	assert_int_equal(errno, ENOENT);
}

/* ---- what a launcher runs ------------------------------------------------------------------ */

static void assert_main(const char *arguments, const char *want)
{
	struct jvmargs j = { .place.dir = folder };

	jvmargs_add_text(&j, arguments);
	if (want)
		assert_string_equal(j.main, want);
	else
		assert_null(j.main);
	jvmargs_release(&j);
}

static void test_main(void **state)
{
	(void)state;
	put_file("-cp 'a b' # classes\n-Xmx1g");
	assert_main("Main a b", "Main");
	assert_main("-Xmx1g -cp x:y com.acme.Main", "com.acme.Main");
	assert_main("-cp -x Main", "Main");
	assert_main("-jar -Xmx1g app.jar arg", "app.jar");
	assert_main("-p mods -m mod/Main", "mod/Main");
	assert_main("--module=mod/Main x", "mod/Main");
	assert_main("@args Main", "Main");
	assert_main("-cp @args Main", "a b"); /* the first word of the file is the value */
	assert_main("@none Main", "Main");
	assert_main("--disable-@files @args", "@args");
	assert_main("@@args", "@args");
	assert_main("-version", NULL);
	assert_main("", NULL);
}

/* ---- dumps ------------------------------------------------------------------------------- */

enum { MAX_ARGS = 16 };

/* Parses a command whose words are separated by blanks; a tilde stands for a blank. */
static char *found(const char *command, bool is_launcher)
{
	char text[512], *argv[MAX_ARGS + 1], *next = NULL;
	size_t n = 0;

	snprintf(text, sizeof text, "%s", command);
	for (char *w = strtok_r(text, " ", &next); w && n < MAX_ARGS;
	     w = strtok_r(NULL, " ", &next)) {
		argv[n++] = w;
		for (; (w = strchr(w, '~')); *w = ' ')
			;
	}
	argv[n] = NULL;
	return dumpflags_find(argv, is_launcher);
}

static void assert_dump(const char *command, bool is_launcher, const char *want)
{
	char *got = found(command, is_launcher);

	if (!want && got)
		fail_msg("'%s' dumps by %s", command, got);
	if (want && !got)
		fail_msg("'%s' does not dump", command);
	if (want)
		assert_string_equal(got, want);
	free(got);
}

static void assert_dumps(const char *arguments, const char *want)
{
	char command[512];

	snprintf(command, sizeof command, "java %s", arguments);
	assert_dump(command, true, want);
}

static void test_dumps(void **state)
{
	(void)state;
	assert_dumps("-Xshare:dump", "-Xshare:dump");
	assert_dumps("-Xshare:dump -Xshare:auto Main", "-Xshare:dump");
	assert_dumps("-XX:ArchiveClassesAtExit=a.jsa Main", "-XX:ArchiveClassesAtExit=a.jsa");
	assert_dumps("-XX:ArchiveClassesAtExit=a -XX:ArchiveClassesAtExit= Main", NULL);
	assert_dumps("-XX:+DumpSharedSpaces", "-XX:+DumpSharedSpaces");
	assert_dumps("-XX:+DumpSharedSpaces -XX:-DumpSharedSpaces Main", NULL);
	assert_dumps("-XX:-RecordDynamicDumpInfo -XX:+RecordDynamicDumpInfo Main",
		     "-XX:+RecordDynamicDumpInfo");
	assert_dumps("-XX:+AutoCreateSharedArchive Main", "-XX:+AutoCreateSharedArchive");
	assert_dumps("-XX:AOTMode=create", "-XX:AOTMode=create");
}

static void test_no_dumps(void **state)
{
	(void)state;
	assert_dumps("", NULL);
	assert_dumps("-Xshare:auto -XX:SharedArchiveFile=a.jsa Main", NULL);
	assert_dumps("-XX:AOTMode=record -XX:AOTConfiguration=a Main", NULL);
	assert_dumps("-XX:AOTCacheOutput=a.aot Main", NULL);
	assert_dumps("-XX:AOTMode=create -XX:AOTMode=on Main", NULL);
	assert_dumps("-XX:DumpLoadedClassList=a Main", NULL);
	assert_dumps("Main -Xshare:dump", NULL);
	assert_dumps("-jar a.jar -XX:ArchiveClassesAtExit=a.jsa", NULL);
	assert_dumps("-cp -Xshare:dump Main", NULL);
	assert_dumps("-Xshare:dumps -XX:RecordDynamicDumpInfo Main", NULL);
}

static void test_dump_files(void **state)
{
	char arguments[160];

	(void)state;
	put_file("# quoted\n-cp x '-XX:ArchiveClassesAtExit=a b.jsa'\n");
	snprintf(arguments, sizeof arguments, "@%s Main", file);
	assert_dumps(arguments, "-XX:ArchiveClassesAtExit=a b.jsa");
	snprintf(arguments, sizeof arguments, "--disable-@files @%s", file);
	assert_dumps(arguments, NULL);
	snprintf(arguments, sizeof arguments, "Main @%s", file);
	assert_dumps(arguments, NULL);
	put_file("-Xmx1g -Xshare:dump -XX:VMOptionsFile=again");
	snprintf(arguments, sizeof arguments, "-XX:VMOptionsFile=%s Main", file);
	assert_dumps(arguments, "-Xshare:dump");
	put_file("+RecordDynamicDumpInfo\nMaxHeapSize=1g\n");
	snprintf(arguments, sizeof arguments, "-XX:Flags=%s Main", file);
	assert_dumps(arguments, "-XX:+RecordDynamicDumpInfo");
}

static void test_dump_environment(void **state)
{
	static const char *const names[] = { "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS",
					     "_JAVA_OPTIONS" };

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		setenv(names[i], "-Da='b c' -XX:ArchiveClassesAtExit=e", 1);
		assert_dumps("Main", "-XX:ArchiveClassesAtExit=e");
		assert_dump("mvn test", false, "-XX:ArchiveClassesAtExit=e");
		unsetenv(names[i]);
	}
	/* the last one wins */
	setenv("JAVA_TOOL_OPTIONS", "-XX:+RecordDynamicDumpInfo", 1);
	assert_dumps("-XX:-RecordDynamicDumpInfo Main", NULL);
	setenv("_JAVA_OPTIONS", "-XX:+RecordDynamicDumpInfo", 1);
	assert_dumps("-XX:-RecordDynamicDumpInfo Main", "-XX:+RecordDynamicDumpInfo");
	put_file("-Xshare:dump");
	char text[128];
	snprintf(text, sizeof text, "@%s", file);
	unsetenv("JAVA_TOOL_OPTIONS");
	unsetenv("_JAVA_OPTIONS");
	setenv("JDK_JAVA_OPTIONS", text, 1);
	assert_dumps("Main", "-Xshare:dump");
}

/* Commands that start a launcher. */
static void test_dump_others(void **state)
{
	char command[512];

	(void)state;
	put_file("-Xshare:dump");
	assert_dump("nice java -Xshare:dump", false, "-Xshare:dump");
	assert_dump("env A=b /x/bin/java -Xmx1g -XX:ArchiveClassesAtExit=a Main", false,
		    "-XX:ArchiveClassesAtExit=a");
	assert_dump("sh -c cd~/x;~java~-Xshare:dump~&&~true", false, "-Xshare:dump");
	assert_dump("sh -c java~Main;~java~-Xshare:dump", false, "-Xshare:dump");
	assert_dump("nice java Main -Xshare:dump", false, NULL);
	assert_dump("env JAVA_TOOL_OPTIONS=-Xshare:dump java Main", false, "-Xshare:dump");
	snprintf(command, sizeof command, "env JDK_JAVA_OPTIONS=@%s java Main", file);
	assert_dump(command, false, "-Xshare:dump");
	assert_dump("javac -J-Xshare:dump", false, "-Xshare:dump");
	assert_dump("mvn test", false, NULL);
	snprintf(command, sizeof command, "nice java @%s", file);
	assert_dump(command, false, "-Xshare:dump");
	snprintf(command, sizeof command, "cat @%s", file);
	assert_dump(command, false, NULL);
}

int unit_dumpflags(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_arguments),
		cmocka_unit_test_setup_teardown(test_files, setup, teardown),
		cmocka_unit_test_setup_teardown(test_files_of_others, setup, teardown),
		cmocka_unit_test_setup_teardown(test_main, setup, teardown),
		cmocka_unit_test_setup_teardown(test_dumps, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_dumps, setup, teardown),
		cmocka_unit_test_setup_teardown(test_dump_files, setup, teardown),
		cmocka_unit_test_setup_teardown(test_dump_environment, setup, teardown),
		cmocka_unit_test_setup_teardown(test_dump_others, setup, teardown),
	};

	return cmocka_run_group_tests_name("dumpflags", tests, NULL, NULL);
}
