/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace.c - see trace.h.
 *
 * The file is opened for each line: the program may close descriptors that it does not know and
 * get their numbers for files of its own, and lines are rare. Each time it must be the regular file
 * of this user that was begun here, under its one name. A symbolic link is not followed.
 */
#define _GNU_SOURCE
#include "core/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/state.h"

#define VARIABLE "OJX_TRACE"
#define FIRST	 "ojx trace\n" /* the first line: what begins otherwise is not ours to add to */
#define LINE	 512

_Atomic bool trace_on;
static char file[PATH_MAX]; /* empty: standard error */
static uint64_t begun_ns;

/*
 * A process with rights that its caller has not, or with those of another user, believes nothing
 * that the environment says of files.
 */
static const char *wanted(void)
{
	uid_t user[3];
	gid_t group[3];

	if (getresuid(&user[0], &user[1], &user[2]) != 0 ||
	    getresgid(&group[0], &group[1], &group[2]) != 0)
		return NULL;
	if (user[0] != user[1] || user[1] != user[2] || group[0] != group[1] ||
	    group[1] != group[2])
		return NULL;
	return secure_getenv(VARIABLE);
}

/* Why the open file is none to write to; NULL if it is. */
static const char *refusal(int fd, struct stat *st)
{
	if (fstat(fd, st) != 0)
		return strerror(errno);
	if (!S_ISREG(st->st_mode))
		return "it is no regular file";
	if (st->st_uid != geteuid())
		return "it belongs to another user";
	return st->st_nlink == 1 ? NULL : "it has more than one name";
}

/* Opens the file; it is created if `flags` say so. -1 with the reason in *why. */
static int open_file(int flags, struct stat *st, const char **why)
{
	int fd =
		open(file, flags | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK, 0600);

	*why = fd < 0 ? strerror(errno) : refusal(fd, st);
	if (fd >= 0 && *why) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Why lines cannot be added to the file; NULL if they can. */
static const char *begin_file(void)
{
	char first[sizeof FIRST - 1];
	const char *why;
	struct stat st;
	int fd = open_file(O_RDWR | O_CREAT, &st, &why);

	if (fd < 0)
		return why;
	if (st.st_size == 0) {
		if (write(fd, FIRST, sizeof FIRST - 1) != sizeof FIRST - 1)
			why = "it cannot be written";
	} else if (pread(fd, first, sizeof first, 0) != sizeof first ||
		   memcmp(first, FIRST, sizeof first) != 0) {
		why = "there is another file of that name";
	}
	close(fd);
	return why;
}

/* Copies the name; %p is the process id. False if it is too long. */
static bool copy_name(const char *name)
{
	const char *id = strstr(name, "%p");
	int n = id ? snprintf(file, sizeof file, "%.*s%d%s", (int)(id - name), name, getpid(),
			      id + 2)
		   : snprintf(file, sizeof file, "%s", name);

	return n > 0 && (size_t)n < sizeof file;
}

void trace_begin(void)
{
	const char *name = wanted(), *why = NULL;

	if (!name || !*name)
		return;
	begun_ns = now_ns();
	if (strcmp(name, "stderr") != 0)
		why = copy_name(name) ? begin_file() : "the name is too long";
	if (why)
		dprintf(STDERR_FILENO, "ojx: " VARIABLE "=%s: %s: nothing is traced\n", name, why);
	atomic_store_explicit(&trace_on, !why, memory_order_relaxed);
}

static void put(const char *line, size_t n)
{
	const char *why;
	struct stat st;
	int fd = file[0] ? open_file(O_WRONLY, &st, &why) : STDERR_FILENO;

	if (fd < 0)
		return;
	/* in one piece, so that the lines of several threads and processes do not mix */
	if (write(fd, line, n) < 0)
		atomic_store_explicit(&trace_on, false, memory_order_relaxed);
	if (file[0])
		close(fd);
}

void trace_line(const char *format, ...)
{
	char line[LINE];
	uint64_t ms = (now_ns() - begun_ns) / 1000000;
	int error = errno,
	    n = snprintf(line, sizeof line, "ojx %d %llu.%03llu: ", getpid(),
			 (unsigned long long)(ms / 1000), (unsigned long long)(ms % 1000));
	va_list args;

	va_start(args, format);
	int more = vsnprintf(line + n, sizeof line - (size_t)n, format, args); /* NOLINT */
	va_end(args);
	size_t len = more < 0 ? (size_t)n : (size_t)(n + more);
	if (len > sizeof line - 2)
		len = sizeof line - 2;
	line[len] = '\n';
	put(line, len + 1);
	errno = error;
}
