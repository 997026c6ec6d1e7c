/* SPDX-License-Identifier: Apache-2.0 */
/* test_obstacles.c - what prevents attaching, and which JVMs a pattern chooses. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "attach/obstacles.h"
#include "attach/target.h"

#define QUIT   ((uint64_t)1 << (SIGQUIT - 1))
#define NO_PID 1000000000 /* more than Linux gives: no JVM has left a file with this number */

/* This process, as if it were a JVM that can be attached to. */
static struct target usual(void)
{
	static char libjvm[] = "/jdk/lib/server/libjvm.so", name[] = "com.acme.Main";

	return (struct target){
		.process = jvmproc_of(getpid()),
		.inner_pid = NO_PID,
		.uid = geteuid(),
		.gid = getegid(),
		.state = 'S',
		.caught = QUIT,
		.dispatches = true,
		.libjvm = libjvm,
		.machine = target_machine("/proc/self/exe"),
		.version = "17.0.1",
		.main = name,
	};
}

static void assert_obstacle(const struct target *t, const char *found, const char *advice)
{
	struct check_result r;

	assert_true(obstacles_find(t, true, &r));
	if (!strstr(r.found, found))
		assert_string_equal(r.found, found);
	if (!strstr(r.advice, advice))
		assert_string_equal(r.advice, advice);
}

static void test_no_obstacle(void **state)
{
	struct target t = usual();
	struct check_result r;

	(void)state;
	assert_false(obstacles_find(&t, true, &r));
	t.version[0] = '\0'; /* not known: the agent will say */
	t.machine = 0;
	assert_false(obstacles_find(&t, true, &r));
}

static void test_obstacles(void **state)
{
	static const char left[] = "/tmp/.java_pid1000000000";
	struct target t;

	(void)state;
#define WITH(change, found, advice)                 \
	do {                                        \
		t = usual();                        \
		change;                             \
		assert_obstacle(&t, found, advice); \
	} while (0)
	WITH(t.process.start = 0, "does not exist", "ojx list jvms");
	WITH((t.process.start = 0, t.zombie = true), "zombie", "ojx list jvms");
	WITH(t.unseen = EACCES, "cannot be looked into: Permission denied", "");
	WITH(t.libjvm = NULL, "is not a JVM", "ojx list jvms");
	WITH((t.unseen = EACCES, t.libjvm = NULL, t.hidden = true, t.state = 'T'), "is stopped",
	     "CONT"); /* no obstacle before */
	WITH(t.openj9 = true, "is OpenJ9", "HotSpot");
	WITH(t.machine++, "another processor", "built for it");
	WITH(strcpy(t.version, "1.8.0_412"), "runs JDK 1.8.0_412", "JDK 11 and later");
	WITH(t.state = 'T', "is stopped", "kill -CONT");
	WITH(t.state = 't', "held by a debugger", "go on");
	WITH(t.options.no_attach = true, "-XX:+DisableAttachMechanism",
	     "start it without this option");
	WITH(t.options.no_agents = true, "-XX:-EnableDynamicAgentLoading", "ojx record -- java");
	WITH(t.caught = 0, "does not handle SIGQUIT", "try again");
	WITH(t.dispatches = false, "does not handle SIGQUIT", "try again");
	WITH(close(creat(left, 0600)), "cannot listen, as /tmp/.java_pid1000000000 is not",
	     "remove");
	unlink(left);
	WITH(t.options.no_signals = true, "-Xrs", "without -Xrs");
	WITH((t.caught = 0, t.options.no_signals = true), "-Xrs", "without -Xrs");
	if (geteuid() == 0)
		return;
	WITH(t.uid++, "belongs to user", "as that user, or as root");
#undef WITH
}

static void test_match(void **state)
{
	struct target t = { .main = (char[]){ "/opt/app/app-1.2.jar" } };

	(void)state;
	assert_true(jvms_match(&t, "app-1"));
	assert_true(jvms_match(&t, "app-*.jar"));
	assert_true(jvms_match(&t, "/opt/*"));
	assert_false(jvms_match(&t, "*.war"));
	assert_false(jvms_match(&t, "App"));
	t.main = NULL;
	assert_false(jvms_match(&t, "app"));
}

int unit_obstacles(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_obstacle),
		cmocka_unit_test(test_obstacles),
		cmocka_unit_test(test_match),
	};

	return cmocka_run_group_tests_name("obstacles", tests, NULL, NULL);
}
