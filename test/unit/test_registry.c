/* SPDX-License-Identifier: Apache-2.0 */
/* Who records a process, as its agents tell each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/core/registry.h"
#include "wire/wire.h"

static void test_holder(void **state)
{
	int32_t holder = 0;

	(void)state;
	assert_true(registry_claim(false, &holder));
	assert_false(registry_claim(false, &holder));
	assert_int_equal(holder, 0); /* not known yet */

	pid_t tool = fork();
	if (tool == 0) {
		pause();
		_exit(0);
	}
	registry_set_holder(tool);
	assert_false(registry_claim(false, &holder));
	assert_int_equal(holder, tool);

	/* its pid may be another process's by now: it is named to nobody */
	kill(tool, SIGKILL);
	waitpid(tool, NULL, 0);
	assert_false(registry_claim(false, &holder));
	assert_int_equal(holder, WIRE_GONE);

	registry_set_leaving();
	assert_false(registry_claim(false, &holder));
	assert_int_equal(holder, WIRE_GONE);
	registry_release();
	assert_true(registry_claim(false, &holder));
	registry_release();
}

int unit_registry(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_holder) };

	return cmocka_run_group_tests_name("registry", tests, NULL, NULL);
}
