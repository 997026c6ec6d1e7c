/* SPDX-License-Identifier: Apache-2.0 */
/* newcomers.h: which processes are looked at again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attach/newcomers.h"

enum { SETTLED = 60 };

/* How often one process was seen. */
struct seen {
	pid_t pid;
	unsigned times, all;
};

static void see(const struct target *t, void *arg)
{
	struct seen *s = arg;

	s->all++;
	s->times += t->process.pid == s->pid;
}

static bool is_seen(struct newcomers *n, uint64_t now, pid_t pid)
{
	struct seen s = { .pid = pid };

	newcomers_look(n, now, SETTLED, see, &s);
	assert_in_range(s.times, 0, 1);
	return s.times == 1;
}

/* A process that becomes another program once a byte comes. */
static pid_t begin(int *go)
{
	int fds[2];
	char byte;

	assert_int_equal(pipe(fds), 0);
	pid_t pid = fork();
	if (pid == 0) {
		close(fds[1]);
		if (read(fds[0], &byte, 1) == 1)
			execl("/bin/sleep", "sleep", "600", (char *)NULL);
		_exit(1);
	}
	assert_true(pid > 0);
	close(fds[0]);
	*go = fds[1];
	return pid;
}

static void a_process(void **state)
{
	struct newcomers *n = newcomers_new();
	int go;
	pid_t pid = begin(&go);

	(void)state;
	assert_non_null(n);
	assert_true(is_seen(n, 1000, pid));
	assert_true(is_seen(n, 1001, pid));
	assert_true(is_seen(n, 1030, pid));
	assert_false(is_seen(n, 1059, pid));
	assert_true(is_seen(n, 1060, pid));
	assert_false(is_seen(n, 5000, pid));
	/* the same process runs another program: it is new */
	assert_int_equal(write(go, "x", 1), 1);
	while (!is_seen(n, 6000, pid))
		usleep(1000);
	assert_true(is_seen(n, 6000 + SETTLED, pid));
	assert_false(is_seen(n, 7000, pid));
	newcomers_forget(n);
	assert_true(is_seen(n, 7000, pid));
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_false(is_seen(n, 7001, pid));
	close(go);
	newcomers_free(n);
}

/* All that there are, the first time. */
static void all_at_first(void **state)
{
	struct newcomers *n = newcomers_new();
	struct seen s = { .pid = getpid() };

	(void)state;
	assert_non_null(n);
	newcomers_look(n, 1, SETTLED, see, &s);
	assert_int_equal(s.times, 1);
	assert_in_range(s.all, 1, 1 << 22);
	newcomers_free(n);
	newcomers_free(NULL);
}

int unit_newcomers(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_process),
		cmocka_unit_test(all_at_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
