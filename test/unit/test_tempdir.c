/* SPDX-License-Identifier: Apache-2.0 */
/* Directories of killed processes are removed; those of others are not. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/tempdir.h"

enum { PATH = 256 };

static char parent[PATH];

static int setup(void **state)
{
	const char *above = getenv("TMPDIR");

	(void)state;
	snprintf(parent, sizeof parent, "%s/tempdir-XXXXXX", above && *above ? above : "/tmp");
	return mkdtemp(parent) ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	return rmdir(parent); /* fails if anything is left */
}

static bool exists(const char *path)
{
	return access(path, F_OK) == 0;
}

static void make_file(const char *dir, const char *name)
{
	char path[2 * PATH];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	close(fd);
}

/* The directory of a process that was killed, with a file in it. */
static void leave_one(char path[PATH])
{
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	pid_t pid = fork();
	if (pid == 0) {
		tempdir_make(path, PATH, parent, "ojx-run-");
		make_file(path, "control");
		if (write(fds[1], path, PATH) != PATH)
			_exit(1);
		raise(SIGKILL);
	}
	assert_int_equal(read(fds[0], path, PATH), PATH);
	waitpid(pid, NULL, 0);
	close(fds[0]);
	close(fds[1]);
	assert_true(exists(path));
}

static void test_killed(void **state)
{
	char left[PATH], other[PATH], path[PATH];

	(void)state;
	leave_one(left);
	int b = tempdir_make(other, sizeof other, parent, "ojx-top-");
	assert_true(b >= 0);
	assert_true(exists(left)); /* of another kind */
	int a = tempdir_make(path, sizeof path, parent, "ojx-run-");
	assert_true(a >= 0);
	assert_false(exists(left));
	tempdir_remove(path, a);
	tempdir_remove(other, b);
	assert_false(exists(path));
}

static void test_alive(void **state)
{
	char first[PATH], second[PATH];

	(void)state;
	int a = tempdir_make(first, sizeof first, parent, "ojx-run-");
	int b = tempdir_make(second, sizeof second, parent, "ojx-run-");
	assert_true(a >= 0 && b >= 0);
	assert_true(exists(first));
	assert_string_not_equal(first, second);
	struct stat st;
	assert_int_equal(stat(first, &st), 0);
	assert_int_equal(st.st_mode & ALLPERMS, S_IRWXU);
	tempdir_remove(first, a);
	tempdir_remove(second, b);
}

/* A directory that a user has made has no lock, or is of another mode. */
static void test_of_users(void **state)
{
	char mine[2 * PATH], open_to_all[2 * PATH], path[PATH];

	(void)state;
	snprintf(mine, sizeof mine, "%s/ojx-run-report", parent);
	snprintf(open_to_all, sizeof open_to_all, "%s/ojx-run-public", parent);
	assert_int_equal(mkdir(mine, 0700), 0);
	make_file(mine, "ojx.data");
	assert_int_equal(mkdir(open_to_all, 0755), 0);
	make_file(open_to_all, ".lock");
	int a = tempdir_make(path, sizeof path, parent, "ojx-run-");
	strcat(mine, "/ojx.data");
	strcat(open_to_all, "/.lock");
	assert_int_equal(unlink(mine), 0);
	assert_int_equal(unlink(open_to_all), 0);
	*strrchr(mine, '/') = *strrchr(open_to_all, '/') = '\0';
	assert_int_equal(rmdir(mine), 0);
	assert_int_equal(rmdir(open_to_all), 0);
	tempdir_remove(path, a);
}

static void test_long(void **state)
{
	char path[16];

	(void)state;
	assert_int_equal(tempdir_make(path, sizeof path, parent, "ojx-run-"), -1);
}

int unit_tempdir(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_killed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_alive, setup, teardown),
		cmocka_unit_test_setup_teardown(test_of_users, setup, teardown),
		cmocka_unit_test_setup_teardown(test_long, setup, teardown),
	};

	return cmocka_run_group_tests_name("tempdir", tests, NULL, NULL);
}
