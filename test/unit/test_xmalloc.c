/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for reports: what there is enough of is given, and what there is not ends the program. */
#include "base/xmalloc.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/big.h"
#include "base/grow.h"

static void gives(void **state)
{
	(void)state;
	free(xmalloc(0));
	free(xmallocarray(0, 8));
	char *zero = xcalloc(3, 5);
	for (int i = 0; i < 15; i++)
		assert_int_equal(zero[i], 0);
	zero = xreallocarray(zero, 100, 7);
	memset(zero, 1, 700);
	free(xrealloc(zero, 0));
	char *text = xasprintf("%d %s", 12, "bytes");
	assert_string_equal(text, "12 bytes");
	char *copy = xstrndup(text, 2);
	assert_string_equal(copy, "12");
	free(copy);
	copy = xstrdup(text);
	assert_string_equal(copy, text);
	free(copy);
	free(text);
}

static volatile size_t too_much = SIZE_MAX / 4;

static void ask(int what)
{
	char *items = NULL;
	size_t room = 0;

	switch (what) {
	case 0:
		xmalloc(too_much);
		break;
	case 1: /* the product would not fit */
		xcalloc(too_much, 8);
		break;
	case 2:
		xreallocarray(NULL, too_much, 8);
		break;
	case 3:
		xgiven(NULL);
		break;
	case 4:
		xbig_alloc(too_much, 8);
		break;
	case 5:
		XGROW(items, 0, room, too_much);
		break;
	}
}

/* In a process of its own; a program without an out_of_memory() aborts. */
static void ends(void **state)
{
	(void)state;
	for (int what = 0; what < 6; what++) {
		const struct rlimit no_core = { 0, 0 };
		int status;
		pid_t pid = fork();
		if (pid == 0) {
			setrlimit(RLIMIT_CORE, &no_core);
			signal(SIGABRT, SIG_DFL);
			close(STDERR_FILENO); /* a sanitiser would say what we know */
			ask(what);
			_exit(0);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) != 0);
	}
}

int unit_xmalloc(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(gives), cmocka_unit_test(ends) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
