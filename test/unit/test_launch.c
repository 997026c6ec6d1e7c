/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the agent gets into the program: which file is a java launcher, and how argv and the
 * environment change.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "record/launch.h"
#include "record/rundir.h"

struct fixture {
	char dir[64];
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);

	*state = f;
	strcpy(f->dir, "/tmp/ojx-test-XXXXXX");
	unsetenv("JAVA_TOOL_OPTIONS");
	return mkdtemp(f->dir) ? 0 : -1;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	char command[128];

	snprintf(command, sizeof command, "rm -rf %s", f->dir);
	int result = system(command);
	free(f);
	return result;
}

/* A path in the test's directory, valid until the fourth call after it. */
static const char *path(const struct fixture *f, const char *name)
{
	static char paths[4][256];
	static unsigned next;
	char *p = paths[next++ % 4];

	snprintf(p, sizeof paths[0], "%s/%s", f->dir, name);
	return p;
}

static void make_dir(const struct fixture *f, const char *name)
{
	assert_int_equal(mkdir(path(f, name), 0700), 0);
}

static void make_file(const struct fixture *f, const char *name, mode_t mode, const char *content)
{
	FILE *file = fopen(path(f, name), "w");

	assert_non_null(file);
	fputs(content, file);
	fclose(file);
	assert_int_equal(chmod(path(f, name), mode), 0);
}

static void copy_self(const struct fixture *f, const char *name)
{
	char command[512];

	snprintf(command, sizeof command, "cp /proc/%d/exe '%s'", getpid(), path(f, name));
	assert_int_equal(system(command), 0);
}

/* ---- launchers --------------------------------------------------------------------------- */

/* The installed JDKs; also through a link with another name, as in /etc/alternatives. */
static void test_real_launchers(void **state)
{
	const struct fixture *f = *state;
	glob_t found;

	if (glob("/usr/lib/jvm/*/bin/java", 0, NULL, &found) != 0)
		skip();
	for (size_t i = 0; i < found.gl_pathc; i++) {
		char javac[4096];
		assert_true(jvmkind_is_launcher(found.gl_pathv[i]));
		snprintf(javac, sizeof javac, "%sc", found.gl_pathv[i]);
		if (access(javac, X_OK) == 0)
			assert_false(jvmkind_is_launcher(javac));
	}
	assert_int_equal(symlink(found.gl_pathv[0], path(f, "my-java")), 0);
	assert_true(jvmkind_is_launcher(path(f, "my-java")));
	globfree(&found);
}

static void test_static_launcher(void **state)
{
	const struct fixture *f = *state;

	make_dir(f, "jdk");
	make_dir(f, "jdk/bin");
	copy_self(f, "jdk/bin/java");
	assert_false(jvmkind_is_launcher(path(f, "jdk/bin/java")));
	make_dir(f, "jdk/lib");
	make_dir(f, "jdk/lib/server");
	make_file(f, "jdk/lib/server/libjvm.so", 0644, "");
	assert_true(jvmkind_is_launcher(path(f, "jdk/bin/java")));
	copy_self(f, "jdk/bin/javac");
	assert_false(jvmkind_is_launcher(path(f, "jdk/bin/javac")));
}

static void test_no_launchers(void **state)
{
	const struct fixture *f = *state;

	make_file(f, "java", 0755, "#!/bin/sh\nexec /usr/bin/java \"$@\"\n");
	assert_false(jvmkind_is_launcher(path(f, "java")));
	make_file(f, "java", 0755, "\177ELF\2\1\1");
	assert_false(jvmkind_is_launcher(path(f, "java")));
	make_file(f, "java", 0755, "");
	assert_false(jvmkind_is_launcher(path(f, "java")));
	assert_false(jvmkind_is_launcher("/bin/sh"));
	assert_false(jvmkind_is_launcher("/nonexistent/java"));
	unlink(path(f, "java"));
	make_dir(f, "java");
	assert_false(jvmkind_is_launcher(path(f, "java")));
	rmdir(path(f, "java"));
	/* opening it would wait for a writer */
	assert_int_equal(mkfifo(path(f, "java"), 0700), 0);
	assert_false(jvmkind_is_launcher(path(f, "java")));
}

/* An ELF file cut short at any length. */
static void test_damaged_elf(void **state)
{
	const struct fixture *f = *state;
	struct stat st;

	copy_self(f, "java");
	assert_int_equal(stat(path(f, "java"), &st), 0);
	for (off_t size = st.st_size; size > 0; size = size * 3 / 4) {
		assert_int_equal(truncate(path(f, "java"), size), 0);
		assert_false(jvmkind_is_launcher(path(f, "java")));
	}
}

/* ---- finding ----------------------------------------------------------------------------- */

static void assert_found(const char *file, const char *want)
{
	char *found = launch_find(file);

	assert_non_null(found);
	assert_string_equal(found, want);
	free(found);
}

static void assert_not_found(const char *file, int error)
{
	errno = 0;
	assert_null(launch_find(file));
	assert_int_equal(errno, error);
}

static void test_find(void **state)
{
	const struct fixture *f = *state;
	char *old = strdup(getenv("PATH"));
	char list[256];

	make_dir(f, "a");
	make_dir(f, "b");
	make_file(f, "a/tool", 0644, "");
	make_file(f, "a/text", 0644, "");
	make_file(f, "b/tool", 0755, "");
	make_dir(f, "a/dir");
	snprintf(list, sizeof list, "/nonexistent:%s:%s", path(f, "a"), path(f, "b"));
	setenv("PATH", list, 1);
	assert_found("tool", path(f, "b/tool"));
	assert_found(path(f, "b/tool"), path(f, "b/tool"));
	assert_not_found("text", EACCES);
	assert_not_found("dir", EACCES);
	assert_not_found("nothing", ENOENT);
	assert_not_found("", ENOENT);
	assert_not_found(path(f, "a/tool"), EACCES);
	assert_not_found(path(f, "a/nothing"), ENOENT);
	unsetenv("PATH");
	assert_found("sh", "/bin/sh");
	setenv("PATH", old, 1);
	free(old);
}

/* ---- JAVA_TOOL_OPTIONS ------------------------------------------------------------------- */

static void assert_appended(const char *existing, const char *option, const char *want)
{
	char *value = launch_append_option(existing, option);

	assert_non_null(value);
	assert_string_equal(value, want);
	free(value);
}

static void test_quoting(void **state)
{
	(void)state;
	assert_appended(NULL, "-agentpath:/a/b.so=/c", "-agentpath:/a/b.so=/c");
	assert_appended("", "-x", "-x");
	assert_appended("-Da=b", "-x", "-Da=b -x");
	assert_appended(NULL, "/a b", "'/a b'");
	assert_appended(NULL, "/a,b", "/a,b");
	assert_appended(NULL, "/a\"b", "'/a\"b'");
	assert_appended(NULL, "/a'b", "'/a'\"'\"'b'");
	assert_appended("-Da='b c'", "/a\tb", "-Da='b c' '/a\tb'");
}

/* Splits the value as HotSpot does (Arguments::parse_options_buffer). */
static size_t split(char *text, char **words)
{
	size_t n = 0;

	for (char *from = text;;) {
		while (*from && strchr(" \t\n\v\f\r", *from))
			from++;
		if (!*from)
			return n;
		char *to = from;
		words[n++] = to;
		while (*from && !strchr(" \t\n\v\f\r", *from)) {
			if (*from == '\'' || *from == '"') {
				char quote = *from++;
				while (*from && *from != quote)
					*to++ = *from++;
				from += *from != '\0';
			} else {
				*to++ = *from++;
			}
		}
		from += *from != '\0';
		*to = '\0';
	}
}

static void test_quoting_is_undone(void **state)
{
	(void)state;
	static const char *const options[] = {
		"-agentpath:/a=b", "/a b/c,d",	 "/a'b\"c", "''", "\"", " ",
		"/tab\there",	   "/new\nline",
	};

	for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
		char *words[8];
		char *value = launch_append_option("-Da='x y'", options[i]);
		assert_int_equal(split(value, words), 2);
		assert_string_equal(words[0], "-Da=x y");
		assert_string_equal(words[1], options[i]);
		free(value);
	}
}

/* ---- planning ---------------------------------------------------------------------------- */

static void make_jdk(const struct fixture *f)
{
	make_dir(f, "bin");
	make_dir(f, "lib");
	make_dir(f, "lib/server");
	copy_self(f, "bin/java");
	make_file(f, "lib/server/libjvm.so", 0644, "");
}

static void test_plan_java(void **state)
{
	const struct fixture *f = *state;
	char *argv[] = { "java", "-jar", "a b.jar", NULL };
	struct launch l;

	make_jdk(f);
	assert_int_equal(launch_plan(&l, argv, path(f, "bin/java"), "/x y/a.so", "/s,t", false), 0);
	assert_int_equal(l.how, LAUNCH_AGENTPATH);
	assert_string_equal(l.argv[0], "java");
	assert_string_equal(l.argv[1], "-agentpath:/x y/a.so=/s,t");
	assert_string_equal(l.argv[2], "-jar");
	assert_string_equal(l.argv[3], "a b.jar");
	assert_null(l.argv[4]);
	assert_null(l.tool_options);
	launch_release(&l);
}

/* With --children the option must not appear twice. */
static void test_plan_children(void **state)
{
	const struct fixture *f = *state;
	char *argv[] = { "java", "Main", NULL };
	struct launch l;

	make_jdk(f);
	setenv("JAVA_TOOL_OPTIONS", "-Xmx1g", 1);
	assert_int_equal(launch_plan(&l, argv, path(f, "bin/java"), "/x y/a.so", "/s", true), 0);
	assert_int_equal(l.how, LAUNCH_ENVIRONMENT);
	assert_string_equal(l.argv[1], "Main");
	assert_null(l.argv[2]);
	assert_string_equal(l.tool_options, "-Xmx1g '-agentpath:/x y/a.so=/s'");
	launch_release(&l);
	unsetenv("JAVA_TOOL_OPTIONS");
}

static void test_plan_other(void **state)
{
	(void)state;
	char *argv[] = { "mvn", "test", NULL };
	struct launch l;

	assert_int_equal(launch_plan(&l, argv, "/bin/sh", "/a.so", "/s", false), 0);
	assert_int_equal(l.how, LAUNCH_ENVIRONMENT);
	assert_string_equal(l.argv[0], "mvn");
	assert_string_equal(l.argv[1], "test");
	assert_null(l.argv[2]);
	assert_string_equal(l.tool_options, "-agentpath:/a.so=/s");
	launch_release(&l);
	assert_int_equal(launch_plan(&l, argv, "/bin/sh", "/a=b.so", "/s", false), -1);
	assert_int_equal(errno, EINVAL);
}

static void test_plan_without(void **state)
{
	const struct fixture *f = *state;
	char *argv[] = { "java", "-Xshare:dump", NULL };
	struct launch l;

	make_jdk(f);
	setenv("JAVA_TOOL_OPTIONS", "-Xmx1g", 1);
	assert_int_equal(launch_plan(&l, argv, path(f, "bin/java"), NULL, "/s", true), 0);
	assert_int_equal(l.how, LAUNCH_WITHOUT);
	assert_string_equal(l.argv[0], "java");
	assert_string_equal(l.argv[1], "-Xshare:dump");
	assert_null(l.argv[2]);
	assert_null(l.tool_options);
	launch_release(&l);
	unsetenv("JAVA_TOOL_OPTIONS");
}

/* ---- the private directory --------------------------------------------------------------- */

static void test_rundir(void **state)
{
	const struct fixture *f = *state;
	struct rundir d;
	struct stat st;

	setenv("XDG_RUNTIME_DIR", "/nonexistent", 1);
	setenv("TMPDIR", f->dir, 1);
	assert_int_equal(rundir_create(&d), 0);
	assert_memory_equal(d.dir, f->dir, strlen(f->dir));
	assert_int_equal(stat(d.dir, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_int_equal(stat(d.socket_path, &st), 0);
	assert_true(S_ISSOCK(st.st_mode));
	char dir[RUNDIR_PATH];
	strcpy(dir, d.dir);
	rundir_remove(&d);
	assert_int_equal(stat(dir, &st), -1);
	rundir_remove(&d);
	unsetenv("XDG_RUNTIME_DIR");
	unsetenv("TMPDIR");
}

/* A directory that leaves no room for the socket's name is skipped. */
static void test_long_rundir(void **state)
{
	const struct fixture *f = *state;
	char name[90];
	struct rundir d;

	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	make_dir(f, name);
	setenv("TMPDIR", path(f, name), 1);
	unsetenv("XDG_RUNTIME_DIR");
	assert_int_equal(rundir_create(&d), 0);
	assert_memory_equal(d.dir, "/tmp/ojx-", 9);
	rundir_remove(&d);
	unsetenv("TMPDIR");
}

/* Whether a directory with this mode and owner is skipped. */
static bool is_passed_over(const struct fixture *f, mode_t mode, uid_t uid, const char *below)
{
	struct rundir d;

	assert_int_equal(chmod(path(f, "parent"), mode), 0);
	assert_int_equal(chown(path(f, "parent"), uid, (gid_t)-1), 0);
	setenv("TMPDIR", path(f, below), 1);
	assert_int_equal(rundir_create(&d), 0);
	bool over = strncmp(d.dir, f->dir, strlen(f->dir)) != 0;
	rundir_remove(&d);
	unsetenv("TMPDIR");
	return over;
}

/* Directories in which somebody else could replace ours. */
static void test_unsafe_rundir(void **state)
{
	const struct fixture *f = *state;
	uid_t me = geteuid();

	unsetenv("XDG_RUNTIME_DIR");
	make_dir(f, "parent");
	make_dir(f, "parent/below");
	for (int i = 0; i < 2; i++) {
		const char *below = i ? "parent/below" : "parent";
		assert_false(is_passed_over(f, 0755, me, below));
		assert_true(is_passed_over(f, 0777, me, below));
		assert_true(is_passed_over(f, 0775, me, below));
		assert_false(is_passed_over(f, 01777, me, below));
		if (me == 0) {
			assert_true(is_passed_over(f, 0755, 65534, below));
			assert_true(is_passed_over(f, 01777, 65534, below));
		}
	}
}

/*
 * The umask of the process is unchanged, and nobody else can use the socket even if the umask
 * permits much.
 */
static void test_rundir_mask(void **state)
{
	const struct fixture *f = *state;
	struct rundir d;
	struct stat st;
	mode_t mask = umask(0);

	setenv("TMPDIR", f->dir, 1);
	assert_int_equal(rundir_create(&d), 0);
	assert_int_equal(stat(d.socket_path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(umask(mask), 0);
	rundir_remove(&d);
	unsetenv("TMPDIR");
}

int unit_launch(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_real_launchers, setup, teardown),
		cmocka_unit_test_setup_teardown(test_static_launcher, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_launchers, setup, teardown),
		cmocka_unit_test_setup_teardown(test_damaged_elf, setup, teardown),
		cmocka_unit_test_setup_teardown(test_find, setup, teardown),
		cmocka_unit_test(test_quoting),
		cmocka_unit_test(test_quoting_is_undone),
		cmocka_unit_test_setup_teardown(test_plan_java, setup, teardown),
		cmocka_unit_test_setup_teardown(test_plan_children, setup, teardown),
		cmocka_unit_test_setup_teardown(test_plan_other, setup, teardown),
		cmocka_unit_test_setup_teardown(test_plan_without, setup, teardown),
		cmocka_unit_test_setup_teardown(test_rundir, setup, teardown),
		cmocka_unit_test_setup_teardown(test_long_rundir, setup, teardown),
		cmocka_unit_test_setup_teardown(test_unsafe_rundir, setup, teardown),
		cmocka_unit_test_setup_teardown(test_rundir_mask, setup, teardown),
	};

	return cmocka_run_group_tests_name("launch", tests, NULL, NULL);
}
