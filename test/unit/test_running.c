/* SPDX-License-Identifier: Apache-2.0 */
/* Which processes of this program have a recording open for writing; the test forks them. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "datafile_fixture.h"
#include "live/running.h"

/* Reports that it is there, and stays until the test ends it or has ended. */
static _Noreturn void stay(int say)
{
	char ready = 1;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (write(say, &ready, 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

static void await_ready(int hear)
{
	char ready;

	assert_int_equal(read(hear, &ready, 1), 1);
}

/* Starts a process that has the recording open; `forks`: it has a child that has it open, too. */
static pid_t start(const char *path, int flags, bool forks)
{
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		if (open(path, flags) < 0)
			_exit(1);
		if (forks && fork() == 0)
			stay(fds[1]);
		stay(fds[1]);
	}
	await_ready(fds[0]);
	if (forks)
		await_ready(fds[0]);
	close(fds[0]);
	close(fds[1]);
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Number of recordings found for this file; the last one in `r`. */
static size_t count(const struct fixture *f, struct running *r)
{
	struct running list[RUNNING_MAX];
	size_t all = running_find(list), n = 0;
	struct stat want, st;

	assert_int_equal(stat(f->path, &want), 0);
	for (size_t i = 0; i < all; i++)
		if (stat(list[i].path, &st) == 0 && st.st_ino == want.st_ino) {
			*r = list[i];
			n++;
		}
	return n;
}

static void make_recording(const struct fixture *f)
{
	struct datafile_writer *w = datafile_create(f->path);

	assert_non_null(w);
	assert_int_equal(datafile_close(w), 0);
}

static void test_found(void **state)
{
	struct fixture *f = *state;
	struct running r;

	make_recording(f);
	assert_int_equal(count(f, &r), 0);
	pid_t pid = start(f->path, O_WRONLY, false);
	assert_int_equal(count(f, &r), 1);
	assert_int_equal(r.pid, pid);
	assert_int_equal(running_by(pid, &r), 0);
	assert_non_null(strstr(r.command, "running"));
	end(pid);
	assert_int_equal(count(f, &r), 0);
}

static void test_two(void **state)
{
	struct fixture *f = *state;
	struct running r;

	make_recording(f);
	pid_t one = start(f->path, O_WRONLY, false), other = start(f->path, O_WRONLY, false);
	assert_int_equal(count(f, &r), 2);
	end(one);
	end(other);
}

/* A process that reads it, like `ojx top`, is not a recorder. */
static void test_reader(void **state)
{
	struct fixture *f = *state;
	struct running r;

	make_recording(f);
	pid_t pid = start(f->path, O_RDONLY, false);
	assert_int_equal(count(f, &r), 0);
	assert_int_equal(running_by(pid, &r), -1);
	end(pid);
}

/* Before its exec, a recorder's child is not another recorder. */
static void test_child(void **state)
{
	struct fixture *f = *state;
	struct running r;

	make_recording(f);
	pid_t pid = start(f->path, O_WRONLY, true);
	assert_int_equal(count(f, &r), 1);
	assert_int_equal(r.pid, pid);
	end(pid);
}

/* Another file that is open for writing is not a recording. */
static void test_other_file(void **state)
{
	struct fixture *f = *state;
	struct running r;

	FILE *out = fopen(f->path, "w");
	assert_non_null(out);
	fputs("nothing that ojx wrote", out);
	fclose(out);
	pid_t pid = start(f->path, O_WRONLY, false);
	assert_int_equal(count(f, &r), 0);
	end(pid);
}

int unit_running(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_found, setup, teardown),
		cmocka_unit_test_setup_teardown(test_two, setup, teardown),
		cmocka_unit_test_setup_teardown(test_reader, setup, teardown),
		cmocka_unit_test_setup_teardown(test_child, setup, teardown),
		cmocka_unit_test_setup_teardown(test_other_file, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
