/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A handler in front of another one: what it passes on, with which signals blocked, and what is
 * there when it is gone.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "agent/perf/listener.h"

static struct listener ours;
static int heard, passed, blocked, sent_by;

static void front(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	heard++;
	passed += listener_pass_on(&ours, info, context);
}

static bool is_blocked(int sig)
{
	sigset_t now;

	return pthread_sigmask(SIG_BLOCK, NULL, &now) == 0 && sigismember(&now, sig);
}

static void program(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)context;
	blocked = is_blocked(SIGUSR1);
	sent_by = info->si_code;
}

static void simple_program(int sig)
{
	blocked = is_blocked(SIGUSR1);
	sent_by = sig;
}

static int setup(void **state)
{
	(void)state;
	ours = (struct listener){ .number = SIGURG, .handler = front };
	heard = passed = blocked = sent_by = 0;
	return signal(SIGURG, SIG_DFL) == SIG_ERR;
}

/* The program's own handler; SIGUSR1 is blocked while it runs. */
static void take(struct sigaction action)
{
	sigemptyset(&action.sa_mask);
	sigaddset(&action.sa_mask, SIGUSR1);
	assert_int_equal(sigaction(SIGURG, &action, NULL), 0);
}

static void test_passes_on(void **state)
{
	struct sigaction now;

	(void)state;
	take((struct sigaction){ .sa_sigaction = program, .sa_flags = SA_SIGINFO });
	assert_true(listener_begin(&ours));
	assert_true(listener_installed(&ours));
	assert_int_equal(raise(SIGURG), 0);
	assert_int_equal(heard, 1);
	assert_int_equal(passed, 1);
	assert_int_equal(sent_by, SI_TKILL);
	assert_true(blocked);
	assert_false(is_blocked(SIGUSR1));
	listener_end(&ours);
	assert_int_equal(sigaction(SIGURG, NULL, &now), 0);
	assert_ptr_equal(now.sa_sigaction, program);
	assert_true(sigismember(&now.sa_mask, SIGUSR1));
}

static void test_simple_handler(void **state)
{
	(void)state;
	take((struct sigaction){ .sa_handler = simple_program });
	assert_true(listener_begin(&ours));
	assert_int_equal(raise(SIGURG), 0);
	assert_int_equal(sent_by, SIGURG);
	assert_true(blocked);
	assert_false(is_blocked(SIGUSR1));
	listener_end(&ours);
}

static void test_nobody_before(void **state)
{
	(void)state;
	assert_true(listener_begin(&ours));
	assert_int_equal(raise(SIGURG), 0);
	assert_int_equal(heard, 1);
	assert_int_equal(passed, 0);
	listener_end(&ours);
	assert_false(listener_installed(&ours));
}

/* Another part of the program takes the signal: its handler stays, and ours is not put on top. */
static void test_somebody_in_front(void **state)
{
	(void)state;
	assert_true(listener_begin(&ours));
	assert_true(listener_begin(&ours)); /* does nothing */
	take((struct sigaction){ .sa_handler = simple_program });
	assert_false(listener_installed(&ours));
	listener_end(&ours);
	errno = 0;
	assert_false(listener_begin(&ours));
	assert_int_equal(errno, EBUSY);
	assert_int_equal(raise(SIGURG), 0);
	assert_int_equal(heard, 0);
	assert_int_equal(sent_by, SIGURG);
}

int unit_listener(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_passes_on, setup),
		cmocka_unit_test_setup(test_simple_handler, setup),
		cmocka_unit_test_setup(test_nobody_before, setup),
		cmocka_unit_test_setup(test_somebody_in_front, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
