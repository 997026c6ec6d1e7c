/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_jvmproc.c - processes that look like JVMs: what they run, whether they still run, and whose
 * they are.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "record/jvmproc.h"

#define STRANGER 65534

static char folder[64], java[96];

/* Makes a program of that name that waits. */
static int setup(void **state)
{
	char command[256];

	(void)state;
	strcpy(folder, "/tmp/ojx-jvmproc.XXXXXX");
	if (!mkdtemp(folder) || chmod(folder, 0755) < 0)
		return -1;
	snprintf(java, sizeof java, "%s/java", folder);
	snprintf(command, sizeof command, "cp /bin/sleep '%s'", java);
	return system(command);
}

static int teardown(void **state)
{
	(void)state;
	unlink(java);
	return rmdir(folder);
}

/* Starts it as that user (0: ours); `deep`: as a grandchild. Returns its pid once it runs. */
static pid_t start(uid_t uid, bool deep)
{
	int ready[2];
	char byte;

	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	pid_t pid = fork();
	if (pid == 0) {
		setpgid(0, 0);
		pid_t below = deep ? fork() : 0;
		if (below > 0) {
			close(ready[1]);
			pause();
		}
		if (below == 0 && (!uid || setresuid(uid, uid, uid) == 0))
			execl(java, "java", "60", NULL);
		_exit(127);
	}
	close(ready[1]);
	/* all other ends are closed when the program starts */
	assert_int_equal(read(ready[0], &byte, 1), 0);
	close(ready[0]);
	return pid;
}

static void end(pid_t pid)
{
	kill(-pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void test_runs(void **state)
{
	(void)state;
	pid_t pid = start(0, false);
	struct jvmproc p = jvmproc_of(pid), another = p;
	char *name = jvmproc_main(pid, true);

	assert_string_equal(name, "60"); /* the main class, as a launcher would read it */
	free(name);
	assert_true(jvmproc_runs(&p));
	another.start++;
	assert_false(jvmproc_runs(&another));
	kill(pid, SIGKILL);
	siginfo_t info;
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	assert_false(jvmproc_runs(&p)); /* a zombie */
	end(pid);
	assert_false(jvmproc_runs(&p));
	p = jvmproc_of(pid);
	assert_false(jvmproc_runs(&p));
	assert_null(jvmproc_main(pid, true));
	name = jvmproc_main(getpid(), true); /* no launcher */
	assert_string_equal(name, program_invocation_short_name);
	free(name);
}

struct seen {
	unsigned n;
	uid_t uid;
};

static bool see(const struct jvmproc *p, uid_t uid, void *arg)
{
	struct seen *s = arg;

	assert_true(jvmproc_runs(p));
	s->n++;
	s->uid = uid;
	return false;
}

static void assert_below(uid_t uid, bool deep, unsigned want)
{
	struct seen s = { 0 };
	pid_t pid = start(uid, deep);

	jvmproc_below(pid, see, &s);
	end(pid);
	assert_int_equal(s.n, want);
	if (want)
		assert_int_equal(s.uid, uid);
}

static void test_below(void **state)
{
	struct seen s = { 0 };

	(void)state;
	assert_below(geteuid(), false, 1);
	assert_below(geteuid(), true, 1);
	jvmproc_below(getpid(), see, &s);
	assert_int_equal(s.n, 0); /* none that is named java */
	if (geteuid() != 0)
		return;
	assert_below(STRANGER, false, 1);
	assert_below(STRANGER, true, 1);
}

/* The process writes its environment. Copies of that length, so that a sanitiser sees the end. */
static void test_variable(void **state)
{
	static const struct {
		const char *text;
		size_t len;
		const char *value; /* of NAME */
	} rows[] = {
#define TEXT(text) text, sizeof text - 1
		{ TEXT(""), NULL },
		{ TEXT("NAME=a\0"), "a" },
		{ TEXT("NAME=a"), "a" }, /* no NUL but the one that jvmproc_strings adds */
		{ TEXT("A=b\0NAME=a"), "a" },
		{ TEXT("A=b"), NULL },
		{ TEXT("NAM"), NULL },
		{ TEXT("NAME"), NULL },
		{ TEXT("NAME="), "" },
		{ TEXT("NAMES=a\0ANAME=b\0"), NULL },
		{ TEXT("\0\0NAME=a\0"), "a" }, /* empty ones end nothing */
		{ TEXT("NAME=a\0NAME=b\0"), "a" },
		{ TEXT("A=NAME=b\0NAME==c\0"), "=c" },
#undef TEXT
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *text = malloc(rows[i].len + 1);
		assert_non_null(text);
		memcpy(text, rows[i].text, rows[i].len + 1);
		const char *value = jvmproc_variable(text, rows[i].len, "NAME");
		if (!value || !rows[i].value)
			assert_true(!value && !rows[i].value);
		else
			assert_string_equal(value, rows[i].value);
		free(text);
	}
	assert_null(jvmproc_variable(NULL, 0, "NAME"));
}

/* A process that ends is gone before it is a zombie: its memory cannot be read any more. */
static void test_start(void **state)
{
#define REST " 76 0 0 0 1 2 0 0 20 0 1 0 51180 430080 33 18446744073709551615 0 0"
	static const struct {
		const char *stat;
		uint64_t start;
	} rows[] = {
		{ "42 (java) S 1 42 1501 0 -1 4194304" REST, 51180 },
		{ "42 (a ) R 4 (b) R 1 42 1501 34816 42 4194304" REST, 51180 },
		{ "42 (java) R 1 42 1501 0 -1 4194308" REST, 0 },
		{ "42 (java) D 1 42 1501 0 -1 4260100" REST, 0 },
		{ "42 (java) Z 1 42 1501 0 -1 4194316" REST, 0 },
		{ "42 (java) X 1 42 1501 0 -1 4194304" REST, 0 },
		{ "42 (java) S 1 42", 0 },
		{ "", 0 },
	};
#undef REST
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_int_equal(jvmproc_start(rows[i].stat), rows[i].start);
}

int unit_jvmproc(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_runs, setup, teardown),
		cmocka_unit_test_setup_teardown(test_below, setup, teardown),
		cmocka_unit_test(test_variable),
		cmocka_unit_test(test_start),
	};

	return cmocka_run_group_tests_name("jvmproc", tests, NULL, NULL);
}
