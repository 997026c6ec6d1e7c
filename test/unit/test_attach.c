/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_attach.c - HotSpot's protocol, with a process in the JVM's place that does what the test
 * says.
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
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "attach/hotspot.h"
#include "attach/place.h"
#include "attach/target.h"

#define SECOND_NS 1000000000u
#define NO_PID	  1000000000l /* more than Linux gives */

/* ---- the protocol -------------------------------------------------------------------------- */

/* A process in the JVM's place. */
struct jvm {
	pid_t pid;
	int orders, done; /* a byte is an order; another that it was carried out */
	char socket[64], trigger[64];
	struct target target;
	struct hotspot_request request;
	struct hotspot h;
};

static volatile sig_atomic_t signals;

static void count_signal(int signal)
{
	(void)signal;
	signals++;
}

/* Listens, as the JVM does when it has found the trigger. */
static int listen_at(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	strcpy(address.sun_path, path);
	if (bind(fd, (struct sockaddr *)&address, sizeof address) < 0 || listen(fd, 1) < 0)
		_exit(1);
	return fd;
}

/* Answers a request whose five parts are as they must be. */
static void answer(int listener, const char *text)
{
	static const char want[] = "1\0load\0/lib.so\0true\0/socket";
	char got[sizeof want];
	size_t n = 0;
	int fd = accept(listener, NULL, NULL);

	while (n < sizeof got) {
		ssize_t more = read(fd, got + n, sizeof got - n);
		if (more <= 0)
			_exit(2);
		n += (size_t)more;
	}
	if (memcmp(got, want, sizeof want) != 0)
		text = "a wrong request";
	if (write(fd, text, strlen(text)) < 0)
		_exit(3);
	close(fd);
}

static _Noreturn void be_jvm(int orders, int done)
{
	static const char *const answers[] = { "0\nreturn code: 0\n",
					       "0\n/lib.so was not loaded.\nwhy",
					       "-1\nno such file\n", "" };
	char path[64], order;
	int listener = -1;

	signal(SIGQUIT, count_signal);
	snprintf(path, sizeof path, "/tmp/.java_pid%d", (int)getpid());
	if (write(done, "x", 1) != 1)
		_exit(4);
	for (;;) {
		ssize_t n = read(orders, &order, 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n != 1)
			break;
		if (order == 'l')
			listener = listen_at(path);
		else if (order == 's')
			order = (char)('0' + signals);
		else
			answer(listener, answers[order - '0']);
		if (write(done, &order, 1) != 1)
			break;
	}
	unlink(path);
	_exit(0);
}

static char order(struct jvm *j, char what)
{
	char done;

	if (what)
		assert_int_equal(write(j->orders, &what, 1), 1);
	assert_int_equal(read(j->done, &done, 1), 1);
	return done;
}

static int setup(void **state)
{
	struct jvm *j = calloc(1, sizeof *j);
	int orders[2], done[2];

	*state = j;
	alarm(60);
	if (!j || pipe2(orders, O_CLOEXEC) < 0 || pipe2(done, O_CLOEXEC) < 0)
		return -1;
	fflush(NULL);
	j->pid = fork();
	if (j->pid == 0) {
		close(orders[1]);
		close(done[0]);
		be_jvm(orders[0], done[1]);
	}
	close(orders[0]);
	close(done[1]);
	j->orders = orders[1];
	j->done = done[0];
	order(j, 0);
	target_read(&j->target, j->pid);
	snprintf(j->socket, sizeof j->socket, "/tmp/.java_pid%d", (int)j->pid);
	snprintf(j->trigger, sizeof j->trigger, "/tmp/.attach_pid%d", (int)j->pid);
	/* a JVM that was killed, and had this number, may have left them; HotSpot does the same */
	unlink(j->socket);
	unlink(j->trigger);
	j->h.dir = j->h.fd = -1;
	return 0;
}

static int teardown(void **state)
{
	struct jvm *j = *state;
	int status;

	close(j->orders); /* which ends it */
	waitpid(j->pid, &status, 0);
	hotspot_release(&j->h);
	close(j->done);
	target_release(&j->target);
	unlink(j->socket);
	unlink(j->trigger);
	free(j);
	return 0;
}

static void load(struct jvm *j)
{
	j->request = hotspot_load("/lib.so", "/socket", SECOND_NS);
	hotspot_ask(&j->h, &j->target, &j->request, SECOND_NS, SECOND_NS);
}

/* Steps until the JVM has answered. */
static void await_end(struct jvm *j)
{
	while (hotspot_step(&j->h, SECOND_NS) < HOTSPOT_DONE)
		usleep(1000);
}

static void test_load(void **state)
{
	struct jvm *j = *state;
	struct stat st;

	load(j);
	assert_int_equal(stat(j->trigger, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	while (order(j, 's') == '0')
		;
	assert_int_equal(hotspot_step(&j->h, SECOND_NS), HOTSPOT_TRIGGERED);
	order(j, 'l');
	assert_true(hotspot_listens(&j->target));
	assert_int_equal(hotspot_step(&j->h, SECOND_NS), HOTSPOT_ASKED);
	assert_int_equal(stat(j->trigger, &st), -1);
	order(j, '0');
	await_end(j);
	assert_int_equal(j->h.state, HOTSPOT_DONE);
	assert_string_equal(j->h.answer, "return code: 0");
	assert_true(hotspot_release(&j->h));
	assert_int_equal(order(j, 's'), '1');
	/* a JVM that listens gets no signal, for which it would print its threads */
	load(j);
	assert_int_equal(hotspot_step(&j->h, SECOND_NS), HOTSPOT_ASKED);
	order(j, '0');
	await_end(j);
	assert_int_equal(j->h.state, HOTSPOT_DONE);
	assert_int_equal(order(j, 's'), '1');
}

/* JDKs differ in how they say that a library was not loaded. */
static void test_not_loaded(void **state)
{
	static const char *const said[] = { NULL, "why", "no such file",
					    "it closed the connection without a word" };
	struct jvm *j = *state;

	order(j, 'l');
	for (int i = 1; i <= 3; i++) {
		load(j);
		hotspot_step(&j->h, SECOND_NS);
		order(j, (char)('0' + i));
		await_end(j);
		assert_int_equal(j->h.state, HOTSPOT_FAILED);
		assert_string_equal(j->h.answer, said[i]);
		assert_true(hotspot_release(&j->h));
	}
}

/* The trigger stays until SIGQUIT was handled, which may be later. */
static void test_late(void **state)
{
	struct jvm *j = *state;
	struct stat st;

	load(j);
	assert_int_equal(hotspot_step(&j->h, 2 * SECOND_NS + 1u), HOTSPOT_FAILED);
	assert_non_null(strstr(j->h.answer, "does not answer"));
	assert_false(hotspot_release(&j->h));
	assert_int_equal(stat(j->trigger, &st), 0);
	/* the next one takes it over */
	load(j);
	order(j, 'l');
	assert_int_equal(hotspot_step(&j->h, SECOND_NS), HOTSPOT_ASKED);
	assert_int_equal(stat(j->trigger, &st), -1);
	assert_int_equal(hotspot_step(&j->h, 3 * (uint64_t)SECOND_NS), HOTSPOT_FAILED);
	assert_non_null(strstr(j->h.answer, "in time"));
	order(j, '0');
}

/* A trigger that is left beside the socket goes: the JVM does not need it. */
static void test_left_beside_socket(void **state)
{
	struct jvm *j = *state;

	order(j, 'l');
	assert_int_equal(close(open(j->trigger, O_CREAT | O_EXCL | O_WRONLY, 0600)), 0);
	load(j);
	assert_int_equal(hotspot_step(&j->h, SECOND_NS), HOTSPOT_ASKED);
	assert_int_equal(access(j->trigger, F_OK), -1);
	order(j, '0');
	await_end(j);
	assert_int_equal(order(j, 's'), '0');
	hotspot_release(&j->h);
	/* one that others can read is jcmd's */
	assert_int_equal(close(open(j->trigger, O_CREAT | O_EXCL | O_WRONLY, 0644)), 0);
	load(j);
	assert_int_equal(hotspot_step(&j->h, SECOND_NS), HOTSPOT_ASKED);
	assert_int_equal(access(j->trigger, F_OK), 0);
	order(j, '0');
	await_end(j);
}

/* A trigger that is as old as this, for a JVM of that number. */
static void leave_trigger(long number, time_t age, mode_t mode)
{
	char name[64];
	struct timespec times[2] = { { .tv_sec = time(NULL) - age } };

	times[1] = times[0];
	snprintf(name, sizeof name, "/tmp/.attach_pid%ld", number);
	unlink(name);
	int fd = open(name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode);
	assert_true(fd >= 0);
	assert_int_equal(futimens(fd, times), 0);
	close(fd);
}

static bool take_trigger(long number)
{
	char name[64];

	snprintf(name, sizeof name, "/tmp/.attach_pid%ld", number);
	return unlink(name) == 0;
}

/* Triggers of JVMs that have ended are removed when the next one is asked. */
static void test_left_by_others(void **state)
{
	enum { HOURS = 2 * 3600 };
	struct jvm *j = *state;
	/* other numbers than those of this test in another process */
	long none = NO_PID + 3 * getpid();

	leave_trigger(none, HOURS, 0600);
	leave_trigger(none + 1, 0, 0600);
	leave_trigger(none + 2, HOURS, 0644);
	leave_trigger(getpid(), HOURS, 0600);
	order(j, 'l');
	load(j);
	assert_false(take_trigger(none));
	assert_true(take_trigger(none + 1)); /* may be in use in another container */
	assert_true(take_trigger(none + 2)); /* not ojx's */
	assert_true(take_trigger(getpid())); /* which may still get the signal */
}

/* When ojx ends in the middle, the trigger goes as soon as the JVM listens. */
static void test_end(void **state)
{
	struct jvm *j = *state;
	char done, what = 'l';

	load(j);
	assert_int_equal(access(j->trigger, F_OK), 0);
	assert_int_equal(write(j->orders, &what, 1), 1);
	assert_true(hotspot_release(&j->h));
	assert_int_equal(access(j->trigger, F_OK), -1);
	assert_int_equal(read(j->done, &done, 1), 1);
}

/* A process that has ended gets no signal, whoever has its pid now. */
static void test_gone(void **state)
{
	struct jvm *j = *state;
	struct stat st;

	j->target.process.start++;
	load(j);
	assert_int_equal(j->h.state, HOTSPOT_FAILED);
	assert_string_equal(j->h.answer, "it has ended");
	assert_int_equal(stat(j->trigger, &st), -1);
	assert_int_equal(order(j, 's'), '0');
	hotspot_release(&j->h);
}

/* A socket of that name that is not the target's. */
static void test_foreign_socket(void **state)
{
	struct jvm *j = *state;
	int fd = open(j->socket, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	close(fd);
	load(j);
	assert_int_equal(j->h.state, HOTSPOT_FAILED);
	assert_non_null(strstr(j->h.answer, "belongs to somebody else"));
	hotspot_release(&j->h);
	unlink(j->socket);
	fd = listen_at(j->socket);
	load(j);
	assert_int_equal(hotspot_step(&j->h, SECOND_NS), HOTSPOT_FAILED);
	assert_string_equal(j->h.answer, "another process listens at its socket");
	hotspot_release(&j->h);
	close(fd);
	assert_int_equal(order(j, 's'), '0');
}

/* ---- the place ----------------------------------------------------------------------------- */

static void test_place(void **state)
{
	struct jvm *j = *state;
	struct place p, second;
	char why[PLACE_WHY], dir[64], want[96];
	struct stat st;

	snprintf(dir, sizeof dir, "/tmp/.ojx_pid%d", (int)j->pid);
	assert_int_equal(place_make(&p, &j->target, "/bin/sh", why), 0);
	assert_int_equal(stat(dir, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	snprintf(want, sizeof want, "%s/control", dir);
	assert_string_equal(p.socket_path, want);
	assert_int_equal(stat(want, &st), 0);
	/* it sees our file, if code can run there */
	assert_non_null(p.library);
	assert_int_equal(place_make(&second, &j->target, "/bin/sh", why), -1);
	snprintf(want, sizeof want, "is recorded already, by the ojx with pid %d", (int)getpid());
	assert_string_equal(why, want);
	place_remove(&p);
	assert_int_equal(stat(dir, &st), -1);
	/* what a killed one has left is taken over, but not what is open to others */
	assert_int_equal(mkdir(dir, 0700), 0);
	assert_int_equal(place_make(&p, &j->target, "/bin/sh", why), 0);
	place_remove(&p);
	assert_int_equal(mkdir(dir, 0700), 0);
	assert_int_equal(chmod(dir, 0711), 0);
	assert_int_equal(place_make(&p, &j->target, "/bin/sh", why), -1);
	assert_non_null(strstr(why, "another user"));
	assert_int_equal(rmdir(dir), 0);
	assert_int_equal(place_make(&p, &j->target, "/bin/none", why), -1);
	assert_non_null(strstr(why, "cannot read the agent"));
	assert_int_equal(stat(dir, &st), -1);
}

int unit_attach(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_load, setup, teardown),
		cmocka_unit_test_setup_teardown(test_not_loaded, setup, teardown),
		cmocka_unit_test_setup_teardown(test_late, setup, teardown),
		cmocka_unit_test_setup_teardown(test_left_beside_socket, setup, teardown),
		cmocka_unit_test_setup_teardown(test_left_by_others, setup, teardown),
		cmocka_unit_test_setup_teardown(test_end, setup, teardown),
		cmocka_unit_test_setup_teardown(test_gone, setup, teardown),
		cmocka_unit_test_setup_teardown(test_foreign_socket, setup, teardown),
		cmocka_unit_test_setup_teardown(test_place, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
