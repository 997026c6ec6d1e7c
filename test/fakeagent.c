/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fakeagent ACTION... - a program for `ojx record` to run in a JVM's place: it finds the tool as a
 *JVM would, through JAVA_TOOL_OPTIONS or an -agentpath argument, and then does the actions one by
 *one.
 *
 *	join		connect and be accepted (exit 90 if not)
 *	refuse N	connect and say that this JVM cannot be profiled (wire_refusal N)
 *	silent		connect and say nothing
 *	garbage		connect and say something else
 *	objects N	send N objects of 24 bytes, of class com.acme.Point, without waiting
 *	flood N		the same; print how many were lost
 *	noise		overwrite the shared memory with anything
 *	note TEXT	leave a word for the user
 *	refused LIMIT N		count what a bound (enum wire_limit) refused
 *	cpu MS CALLBACK_MS	claim CPU time of the process, and of the callbacks
 *	serve		record until the tool says stop, then say that all is sent; or until the
 *tool is gone daemon		go on in a background process; this one exits 0 args
 *print one line for each argument, and one for JAVA_TOOL_OPTIONS pid FILE	write the process id
 *to FILE touch FILE kill SIGNAL	by number exit N
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit/fake.h"
#include "wire/ring.h"

static struct fake tool;

/*
 * The socket's path: what follows "=" in the last -agentpath. Takes the quotes of
 * JAVA_TOOL_OPTIONS away; a path that had quotes itself is not for this.
 */
static const char *find_socket(int argc, char **argv)
{
	static char text[4096];
	const char *env = getenv("JAVA_TOOL_OPTIONS");
	const char *option = NULL;

	for (int i = 1; i < argc; i++)
		if (strncmp(argv[i], "-agentpath:", 11) == 0)
			option = argv[i];
	for (const char *p = env; p && (p = strstr(p, "-agentpath:")); p++)
		option = p;
	if (!option)
		return NULL;
	snprintf(text, sizeof text, "%s", strchr(option, '=') + 1);
	text[strcspn(text, "'")] = '\0';
	return text;
}

static void connect_or_die(const char *path, const void *hello, size_t len)
{
	if (!path || !fake_connect(&tool, path, hello, len))
		exit(91);
}

static void join(const char *path)
{
	struct wire_hello hello = fake_hello();

	connect_or_die(path, &hello, sizeof hello);
	if (!fake_welcome(&tool))
		exit(90);
	fake_state(&tool, WIRE_RECORDING);
}

static void refuse(const char *path, int why)
{
	struct wire_hello hello = fake_hello();

	hello.refused = why;
	connect_or_die(path, &hello, sizeof hello);
	fake_close(&tool);
}

static void send_objects(unsigned n, bool tell)
{
	struct builder b = BUILDER_INIT;
	unsigned lost = 0;

	build_site(&b, 1, "Lcom/acme/Point;", "Lcom/acme/Main;", "run", 12);
	fake_send_all(&tool, 1, &b);
	build_alloc(&b, 1, 0, 24, 1.0);
	for (unsigned i = 0; i < n; i++) {
		lost += !fake_send(&tool, 1, builder_next(&b, NULL));
		atomic_fetch_add(&tool.shm->status.sampled, 1);
	}
	builder_release(&b);
	if (tell)
		printf("%u\n", lost);
	fflush(stdout);
}

static void noise(void)
{
	uint64_t rings = tool.layout.rings_offset;

	for (uint64_t n = 0; n < 200000; n += 3) {
		uint64_t range = n % 2 ? 256 * sizeof(struct wire_ring) : 8192;
		uint64_t at = (n % 2 ? rings : 0) + (build_random(n) % range & ~7ull);
		uint64_t value = build_random(n + 1) >> (build_random(n + 2) & 63);
		memcpy(tool.base + at, &value, sizeof value);
		/* the tool is not told that all is over */
		atomic_store(&tool.shm->status.state, WIRE_RECORDING);
		if (n % 1000 == 0)
			usleep(1000);
	}
}

/* Nobody else would end us where a test is interrupted. */
static bool tool_is_gone(void)
{
	struct pollfd fd = { .fd = tool.sock, .events = POLLIN };

	return poll(&fd, 1, 0) > 0 && (fd.revents & (POLLHUP | POLLERR));
}

static void serve(void)
{
	while (!atomic_load(&tool.shm->stop) && !tool_is_gone())
		usleep(5000);
	fake_state(&tool, WIRE_STOPPED);
}

/* Lets go of the streams, too, so that nobody waits for their end. */
static void go_on_in_background(void)
{
	if (fork() != 0)
		_exit(0);
	setsid();
	int null = open("/dev/null", O_RDWR);
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
}

static void print_args(int argc, char **argv)
{
	const char *env = getenv("JAVA_TOOL_OPTIONS");

	for (int i = 1; i < argc; i++)
		puts(argv[i]);
	printf("env %s\n", env ? env : "(unset)");
	fflush(stdout);
}

static void write_file(const char *path, int number)
{
	FILE *f = fopen(path, "w");

	if (!f)
		exit(92);
	fprintf(f, "%d\n", number);
	fclose(f);
}

static void claim_cpu(const char *ms, const char *callback_ms)
{
	tool.shm->status.cost.cpu_ns = 1000000ull * (unsigned)atoi(ms);
	tool.shm->status.cost.callback_ns = 1000000ull * (unsigned)atoi(callback_ms);
}

static void count_refused(int limit, const char *n)
{
	if (limit >= 0 && limit < WIRE_LIMITS)
		tool.shm->status.refused[limit] = (unsigned)atoi(n);
}

int main(int argc, char **argv)
{
	const char *path = find_socket(argc, argv);
	struct wire_hello hello = fake_hello();

	for (int i = 1; i < argc; i++) {
		const char *action = argv[i];
		const char *next = i + 1 < argc ? argv[i + 1] : "";
		if (strcmp(action, "join") == 0) {
			join(path);
		} else if (strcmp(action, "refuse") == 0) {
			refuse(path, atoi(next));
		} else if (strcmp(action, "silent") == 0) {
			connect_or_die(path, &hello, 0);
		} else if (strcmp(action, "garbage") == 0) {
			memset(&hello, '!', sizeof hello);
			connect_or_die(path, &hello, sizeof hello);
		} else if (strcmp(action, "objects") == 0) {
			send_objects((unsigned)atoi(next), false);
		} else if (strcmp(action, "flood") == 0) {
			send_objects((unsigned)atoi(next), true);
		} else if (strcmp(action, "noise") == 0) {
			noise();
		} else if (strcmp(action, "note") == 0) {
			fake_note(&tool, next);
		} else if (strcmp(action, "refused") == 0) {
			count_refused(atoi(next), i + 2 < argc ? argv[i + 2] : "");
		} else if (strcmp(action, "cpu") == 0) {
			claim_cpu(next, i + 2 < argc ? argv[i + 2] : "");
		} else if (strcmp(action, "serve") == 0) {
			serve();
		} else if (strcmp(action, "daemon") == 0) {
			go_on_in_background();
		} else if (strcmp(action, "args") == 0) {
			print_args(argc, argv);
		} else if (strcmp(action, "pid") == 0) {
			write_file(next, getpid());
		} else if (strcmp(action, "touch") == 0) {
			write_file(next, 0);
		} else if (strcmp(action, "kill") == 0) {
			raise(atoi(next));
		} else if (strcmp(action, "exit") == 0) {
			return atoi(next);
		}
	}
	return 0;
}
