/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether seccomp filters differ from the expected ones: real filters, each case in a process of
 * its own.
 */
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "agent/core/seccomp.h"
#include "host/machine.h"

enum { SOME = 2 }; /* the mode with filters */

/* Adds a filter that permits everything. */
static void add_filter(unsigned flags)
{
	struct sock_filter filter[] = { BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW) };
	struct sock_fprog program = { .len = 1, .filter = filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program) != 0)
		_exit(99);
}

/* Makes the current filters of the process the expected ones. */
static void expect_those(void)
{
	seccomp_expect((int)machine_status("Seccomp"), (int)machine_status("Seccomp_filters"));
}

/* The answer of a process of its own; 2 if it was killed. */
static int answer_of(int (*run)(void))
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0)
		_exit(run());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

/* Tests may run in a container, which has a filter. */
static int run_same(void)
{
	expect_those();
	return seccomp_permits() && seccomp_permits_now() && !seccomp_differs();
}

static int run_same_later(void)
{
	add_filter(0);
	return run_same();
}

static int run_one_more(void)
{
	expect_those();
	add_filter(0);
	return !seccomp_permits_now() && seccomp_differs() && !seccomp_permits();
}

static int run_one_more_again(void)
{
	add_filter(0);
	return run_one_more();
}

/* A result that is a millisecond old is not used any more. */
static int run_old_snapshot(void)
{
	const struct timespec step = { .tv_nsec = 2000000 };

	add_filter(0);
	expect_those();
	if (!seccomp_permits())
		return 0;
	add_filter(0);
	nanosleep(&step, NULL);
	return !seccomp_permits();
}

/* A kernel that does not count filters: the mode is compared. */
static int run_no_count(void)
{
	int mode = (int)machine_status("Seccomp");

	seccomp_expect(mode, -1);
	bool before = seccomp_permits_now();
	add_filter(0);
	return before && seccomp_permits_now() == (mode == SOME);
}

/* Without a descriptor nothing can be counted: no for now, yes later. */
static int run_no_descriptor(void)
{
	struct rlimit limit;

	add_filter(0);
	expect_those();
	getrlimit(RLIMIT_NOFILE, &limit);
	rlim_t before = limit.rlim_cur;
	limit.rlim_cur = 0;
	setrlimit(RLIMIT_NOFILE, &limit);
	bool without = seccomp_permits_now();
	limit.rlim_cur = before;
	setrlimit(RLIMIT_NOFILE, &limit);
	return !without && !seccomp_differs() && seccomp_permits_now();
}

static void *permitted(void *to)
{
	*(bool *)to = seccomp_permits_now();
	return NULL;
}

/* Each thread has its own filters; once one thread differs, no thread may try. */
static int run_thread(void)
{
	pthread_t thread;
	bool there = true;

	expect_those();
	if (!seccomp_permits_now())
		return 0;
	add_filter(SECCOMP_FILTER_FLAG_TSYNC);
	if (pthread_create(&thread, NULL, permitted, &there) != 0)
		return 0;
	pthread_join(thread, NULL);
	return !there && !seccomp_permits();
}

static void same_filters(void **state)
{
	(void)state;
	assert_int_equal(answer_of(run_same), 1);
	assert_int_equal(answer_of(run_same_later), 1);
	assert_int_equal(answer_of(run_no_descriptor), 1);
}

static void another_filter(void **state)
{
	(void)state;
	assert_int_equal(answer_of(run_one_more), 1);
	assert_int_equal(answer_of(run_one_more_again), 1);
	assert_int_equal(answer_of(run_old_snapshot), 1);
	assert_int_equal(answer_of(run_no_count), 1);
}

static void another_thread(void **state)
{
	(void)state;
	assert_int_equal(answer_of(run_thread), 1);
}

int unit_seccomp(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_filters),
		cmocka_unit_test(another_filter),
		cmocka_unit_test(another_thread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
