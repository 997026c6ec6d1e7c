/* SPDX-License-Identifier: Apache-2.0 */
/*
 * attach PID LIBRARY [OPTIONS] - has a running HotSpot JVM load an agent, by its attach protocol.
 * Without OPTIONS takes the socket of the `ojx record` that runs this program, from
 * JAVA_TOOL_OPTIONS. Prints the JVM's answer; the exit status is 0 if the agent has accepted.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define STEP_NS 10000000
#define STEPS	1500

static void die(const char *what)
{
	fprintf(stderr, "attach: %s: %s\n", what, strerror(errno));
	exit(2);
}

static int connect_to(int pid)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof address.sun_path, "/tmp/.java_pid%d", pid);
	if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
		return fd;
	close(fd);
	return -1;
}

/* The JVM listens once it has seen the trigger at a SIGQUIT. */
static int wake(int pid)
{
	const struct timespec step = { .tv_nsec = STEP_NS };
	char trigger[64];
	int fd = -1;

	snprintf(trigger, sizeof trigger, "/proc/%d/cwd/.attach_pid%d", pid, pid);
	int file = open(trigger, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	if (file < 0)
		die(trigger);
	close(file);
	if (kill(pid, SIGQUIT) < 0)
		die("kill");
	for (int i = 0; i < STEPS && fd < 0; i++) {
		nanosleep(&step, NULL);
		fd = connect_to(pid);
	}
	unlink(trigger);
	return fd;
}

static const char *socket_of_record(void)
{
	static char text[4096];
	const char *option = getenv("JAVA_TOOL_OPTIONS"), *at = NULL;

	for (const char *p = option; p && (p = strstr(p, "-agentpath:")); p++)
		at = strchr(p, '=');
	if (!at)
		die("no option, and no JAVA_TOOL_OPTIONS");
	snprintf(text, sizeof text, "%s", at + 1);
	text[strcspn(text, "' \"")] = '\0';
	return text;
}

static void put(int fd, const char *word)
{
	if (write(fd, word, strlen(word) + 1) < 0)
		die("write");
}

int main(int argc, char **argv)
{
	char answer[4096];
	size_t n = 0;
	ssize_t got = 1;

	if (argc < 3)
		return 2;
	const char *options = argc > 3 ? argv[3] : socket_of_record();
	int pid = atoi(argv[1]), fd = connect_to(pid);
	if (fd < 0)
		fd = wake(pid);
	if (fd < 0)
		die("the JVM does not listen");
	put(fd, "1");
	put(fd, "load");
	put(fd, argv[2]);
	put(fd, "true");
	put(fd, options);
	while (n < sizeof answer - 1 && got > 0) {
		got = read(fd, answer + n, sizeof answer - 1 - n);
		n += got > 0 ? (size_t)got : 0;
	}
	answer[n] = '\0';
	fputs(answer, stdout);
	return !strstr(answer, "return code: 0") && strcmp(answer, "0\n0") != 0;
}
