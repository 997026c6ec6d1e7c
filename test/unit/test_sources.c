/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_sources.c - finds source files in directories and archives, packs the lines that a report
 * shows, and writes JSON that is safe in a page.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <zip.h>

#include "base/json_text.h"
#include "source/source_snippets.h"
#include "source/sources.h"

struct fixture {
	char folder[64];
	struct sources *sources;
};

/* ---- files ------------------------------------------------------------------------------- */

/* Writes a file below the directory, with the directories above it. */
static void put_file(const struct fixture *f, const char *name, const char *text)
{
	char path[256];

	snprintf(path, sizeof path, "%s/%s", f->folder, name);
	for (char *slash = path + strlen(f->folder) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	FILE *out = fopen(path, "w");
	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

static void put_archive(const struct fixture *f, const char *name, const char *entry,
			const char *text)
{
	char path[256];
	int error;

	snprintf(path, sizeof path, "%s/%s", f->folder, name);
	zip_t *archive = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &error);
	assert_non_null(archive);
	zip_source_t *source = zip_source_buffer(archive, text, strlen(text), 0);
	assert_true(zip_file_add(archive, entry, source, 0) >= 0);
	assert_int_equal(zip_close(archive), 0);
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);

	assert_non_null(f);
	strcpy(f->folder, "/tmp/ojx-sources.XXXXXX");
	assert_non_null(mkdtemp(f->folder));
	f->sources = sources_new();
	assert_non_null(f->sources);
	put_file(f, "secret.java", "");
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	char command[128];

	sources_free(f->sources);
	snprintf(command, sizeof command, "rm -rf '%s'", f->folder);
	assert_int_equal(system(command), 0); /* NOLINT */
	free(f);
	return 0;
}

static void add(const struct fixture *f, const char *name)
{
	char path[256];
	const char *bad;

	snprintf(path, sizeof path, "%s/%s", f->folder, name);
	assert_int_equal(sources_add(f->sources, path, &bad), 0);
}

/* Checks that the second line of the file begins with `mark`; NULL: there is no such file. */
static void assert_found(const struct fixture *f, const char *class_name, const char *file,
			 const char *mark)
{
	struct source_place where;
	size_t len;
	char *text = sources_read(f->sources, class_name, file, &len, &where);

	if (!mark) {
		assert_null(text);
		assert_int_equal(errno, ENOENT);
		return;
	}
	assert_non_null(text);
	assert_int_equal(strlen(text), len);
	const char *line = strchr(text, '\n');
	assert_non_null(line);
	assert_memory_equal(line + 1, mark, strlen(mark));
	free(text);
}

/* ---- finding ----------------------------------------------------------------------------- */

static void test_folders(void **state)
{
	const struct fixture *f = *state;

	put_file(f, "a/src/main/java/com/acme/Main.java", "package com.acme;\nacme");
	put_file(f, "a/src/main/java/com/other/Main.java", "package com.other;\nother");
	put_file(f, "a/src/test/java/Main.java", "\nbare");
	put_file(f, "a/src/Short.kt", "package com.acme.kotlin\nkotlin");
	put_file(f, "a/.git/com/acme/Hidden.java", "package com.acme;\nhidden");
	put_file(f, "a/com/acme/Wrong.java", "package com.another;\nwrong");
	put_file(f, "a/com/acme/Comment.java",
		 "/*\nabout\n package foo of it */ \n\tpackage com.acme ;\n");
	add(f, "a");
	assert_found(f, "com.acme.Main", "Main.java", "acme");
	assert_found(f, "com.acme.Main$Inner", "Main.java", "acme");
	assert_found(f, "com.other.Main", "Main.java", "other");
	assert_found(f, "Main", "Main.java", "bare");
	assert_found(f, "acme.Main", "Main.java", NULL);
	assert_found(f, "com.acme.kotlin.Short", "Short.kt", "kotlin");
	assert_found(f, "com.acme.Hidden", "Hidden.java", NULL);
	assert_found(f, "com.acme.Wrong", "Wrong.java", NULL);
	assert_found(f, "com.acme.Comment", "Comment.java", "about");
	assert_found(f, "com.acme.None", "None.java", NULL);
}

/* A recording can come from somebody else: its file names cannot leave the directory. */
static void test_escapes(void **state)
{
	const struct fixture *f = *state;

	put_file(f, "a/b/X.java", "\nx");
	add(f, "a/b");
	assert_found(f, "X", "X.java", "x");
	assert_found(f, "X", "../../secret.java", NULL);
	assert_found(f, "X", "secret.java", NULL);
	assert_found(f, "..X", "X.java", NULL);
	assert_found(f, "X", "", NULL);
}

static void test_archives(void **state)
{
	const struct fixture *f = *state;

	put_archive(f, "src.zip", "java.base/java/util/List.java", "package java.util;\nlist");
	put_file(f, "mine/java/util/List.java", "package java.util;\nmine");
	add(f, "src.zip");
	assert_found(f, "java.util.List", "List.java", "list");
	assert_found(f, "util.List", "List.java", NULL);
	add(f, "mine");
	assert_found(f, "java.util.List", "List.java", "list"); /* the first in the path wins */
	assert_int_equal(sources_count(f->sources), 2);
	assert_non_null(strstr(sources_element(f->sources, 1), "/mine"));
	assert_null(sources_element(f->sources, 2));
}

static void test_bad_elements(void **state)
{
	const struct fixture *f = *state;
	char path[256];
	const char *bad;

	put_file(f, "text.txt", "no archive");
	snprintf(path, sizeof path, ":%s::%s/nowhere", f->folder, f->folder);
	assert_int_equal(sources_add(f->sources, path, &bad), -1);
	assert_int_equal(errno, ENOENT);
	assert_non_null(strstr(bad, "/nowhere"));
	assert_null(strchr(bad, ':'));
	snprintf(path, sizeof path, "%s/text.txt", f->folder);
	assert_int_equal(sources_add(f->sources, path, &bad), -1);
	assert_int_equal(errno, EINVAL);
	assert_string_equal(bad, path);
}

/*
 * ---- source snippets ----------------------------------------------------------------------------
 */

/* What is written for the requested lines; allocated. */
static char *excerpt(const struct fixture *f, const uint32_t *lines, size_t n)
{
	struct source_snippets *e = source_snippets_new();
	char *text = NULL;
	size_t len;
	uint32_t id;

	assert_non_null(e);
	for (size_t i = 0; i < n; i++) {
		id = source_snippets_want(e, "com.acme.Main", "Main.java", lines[i]);
		assert_int_equal(id, 0);
	}
	id = source_snippets_want(e, "com.none.Main", "Main.java", 3);
	assert_int_equal(id, 1);
	FILE *out = open_memstream(&text, &len);
	assert_non_null(out);
	struct json_text t = { .out = out, .html = true };
	source_snippets_put(&t, NULL, e, f->sources);
	assert_int_equal(json_text_flush(&t), 0);
	json_text_release(&t);
	fclose(out);
	source_snippets_free(e);
	return text;
}

static void test_excerpts(void **state)
{
	const struct fixture *f = *state;
	char file[8192] = "package com.acme;\n";
	const uint32_t lines[] = { 200, 70, 2, 14, 70, 4000000000 };
	static const char *const parts[] = { "\"parts\":[[1,[\"package com.acme;\",\"l2\"",
					     "\"l24\"]],[60,[\"l60\"", "\"l80\"]],[190,[\"l190\"",
					     "\"l210\"]]]},null]" };

	for (int i = 2; i <= 300; i++)
		sprintf(file + strlen(file), "l%d%s", i, i % 2 ? "\r\n" : "\n");
	put_file(f, "a/com/acme/Main.java", file);
	add(f, "a");
	char *text = excerpt(f, lines, 6);
	for (size_t i = 0; i < 4; i++)
		if (!strstr(text, parts[i]))
			fail_msg("no '%s' in %s", parts[i], text);
	assert_null(strstr(text, "\\r"));
	free(text);
}

static void test_long_lines(void **state)
{
	const struct fixture *f = *state;
	char file[2000] = "package com.acme;\n";
	const uint32_t line = 2;

	memset(file + strlen(file), 'x', 1500);
	put_file(f, "a/com/acme/Main.java", file);
	add(f, "a");
	char *text = excerpt(f, &line, 1);
	assert_int_equal(strspn(strstr(text, "xx"), "x"), SNIPPET_MAX_LINE);
	free(text);
}

/* ---- JSON -------------------------------------------------------------------------------- */

/* The version is beside the archive or above it, and a JVM's is compared as a whole. */
static void test_jdk_release(void **state)
{
	const struct fixture *f = *state;
	char path[256], version[JDK_VERSION_MAX];

	snprintf(path, sizeof path, "%s/jdk/lib/src.zip", f->folder);
	put_file(f, "jdk/lib/src.zip", "");
	assert_false(jdk_release_version(path, version));
	put_file(f, "jdk/release", "IMPLEMENTOR=\"X\"\nJAVA_VERSION=\"17.0.15\"\n");
	assert_true(jdk_release_version(path, version));
	assert_string_equal(version, "17.0.15");
	snprintf(path, sizeof path, "%s/jdk/lib/other.zip", f->folder);
	assert_false(jdk_release_version(path, version));
	assert_true(jdk_release_is_of("17.0.15", "17.0.15+6-Debian-1deb12u1"));
	assert_true(jdk_release_is_of("25", "25-ea+3"));
	assert_false(jdk_release_is_of("17.0.1", "17.0.15+6"));
	assert_false(jdk_release_is_of("17.0.15", "17.0.1+6"));
}

int unit_sources(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_folders, setup, teardown),
		cmocka_unit_test_setup_teardown(test_escapes, setup, teardown),
		cmocka_unit_test_setup_teardown(test_archives, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bad_elements, setup, teardown),
		cmocka_unit_test_setup_teardown(test_excerpts, setup, teardown),
		cmocka_unit_test_setup_teardown(test_long_lines, setup, teardown),
		cmocka_unit_test_setup_teardown(test_jdk_release, setup, teardown),
	};

	return cmocka_run_group_tests_name("sources", tests, NULL, NULL);
}
