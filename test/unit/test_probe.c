/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a child may call, under real seccomp filters, each in a process of its own; and which
 * kernels are too old.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "host/machine.h"

enum { NO_CALL = -1 };

/* Numbers of the calls that are probed. */
static const int numbers[] = {
	[PROBE_PERF_EVENT_OPEN] = SYS_perf_event_open,
	[PROBE_PROCESS_VM_READV] = SYS_process_vm_readv,
	[PROBE_TIMER_CREATE] = SYS_timer_create,
	[PROBE_MOVE_PAGES] = SYS_move_pages,
};

enum { CALLS = sizeof numbers / sizeof *numbers };

/* The results of all probes, as an exit status: each answer plus 1 is a digit. */
static int found_out(void)
{
	int status = 0;

	for (int call = 0; call < CALLS; call++)
		status = status * 3 + probe_kills((enum probe_call)call) + 1;
	return status;
}

/* The same if the answer is `answer` for the call `only` (-1: for all) and 0 for the others. */
static int answers(int only, int answer)
{
	int status = 0;

	for (int call = 0; call < CALLS; call++)
		status = status * 3 + (only < 0 || call == only ? answer : 0) + 1;
	return status;
}

static int deny(int number, unsigned action)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = sizeof filter / sizeof *filter, .filter = filter };

	if (number == NO_CALL)
		return 0;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return -1;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* Probes under a filter; returns the exit status, or -1 if the prober itself was killed. */
static int probe_under(int number, unsigned action)
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		if (deny(number, action) != 0)
			_exit(99);
		_exit(found_out());
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void no_filter(void **state)
{
	(void)state;
	assert_int_equal(probe_under(NO_CALL, 0), answers(-1, 0));
}

static void refused(void **state)
{
	(void)state;
	for (int call = 0; call < CALLS; call++)
		assert_int_equal(probe_under(numbers[call], SECCOMP_RET_ERRNO | EPERM),
				 answers(-1, 0));
}

static void killed(void **state)
{
	static const unsigned actions[] = { SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_KILL_THREAD,
					    SECCOMP_RET_TRAP };

	(void)state;
	for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
		for (int call = 0; call < CALLS; call++)
			assert_int_equal(probe_under(numbers[call], actions[i]), answers(call, 1));
}

/* An error if no child can be created. */
static void no_child(void **state)
{
	(void)state;
	assert_int_equal(probe_under(SYS_clone, SECCOMP_RET_ERRNO | EAGAIN), answers(-1, -1));
}

/* A caller that waits for its own children notices nothing. */
static void leaves_no_trace(void **state)
{
	sigset_t chld, old, pending;

	(void)state;
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	assert_int_equal(sigprocmask(SIG_BLOCK, &chld, &old), 0);
	assert_int_equal(probe_kills(PROBE_PERF_EVENT_OPEN), 0);
	assert_int_equal(sigpending(&pending), 0);
	assert_int_equal(sigismember(&pending, SIGCHLD), 0);
	assert_int_equal(sigprocmask(SIG_SETMASK, &old, NULL), 0);
	assert_int_equal(waitpid(-1, NULL, __WALL | WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

/* If SIGCHLD is ignored, statuses of children are discarded; the probe's is not. */
static void ignored_sigchld(void **state)
{
	(void)state;
	assert_true(signal(SIGCHLD, SIG_IGN) != SIG_ERR);
	int kills = probe_kills(PROBE_PROCESS_VM_READV);
	assert_true(signal(SIGCHLD, SIG_DFL) != SIG_ERR);
	assert_int_equal(kills, 0);
}

static void old_kernels(void **state)
{
	(void)state;
	assert_false(machine_watches("3.10.0-1160.el7.x86_64"));
	assert_false(machine_watches("4.4.0"));
	assert_false(machine_watches("4.16.18"));
	assert_true(machine_watches("4.17.0"));
	assert_true(machine_watches("4.18.0-553.el8_10.x86_64"));
	assert_true(machine_watches("5.4.0"));
	assert_true(machine_watches("6.1.0-13-amd64"));
	assert_true(machine_watches("10.0"));
	assert_true(machine_watches("unheard of"));
}

int unit_probe(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_filter),	   cmocka_unit_test(refused),
		cmocka_unit_test(killed),	   cmocka_unit_test(no_child),
		cmocka_unit_test(leaves_no_trace), cmocka_unit_test(ignored_sigchld),
		cmocka_unit_test(old_kernels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
