/* SPDX-License-Identifier: Apache-2.0 */
/*
 * seccomp.c - see seccomp.h. prctl tells whether the calling thread has a filter. Only /proc tells
 * how many, and only since Linux 5.9. On older kernels a second filter behind a container's is not
 * seen.
 */
#define _GNU_SOURCE
#include "core/seccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define FRESH_NS 1000000
#define CHUNK	 512 /* bytes: a signal stack may be small */
#define KEY	 "\nSeccomp_filters:"

enum comparison { SAME, OTHER, UNKNOWN };

static int expected_mode, expected_filters = -1;
static _Atomic bool differs;
static __thread uint64_t snapped_ns; /* last count of the calling thread's filters */

/* ---- counting -------------------------------------------------------------------------- */

/* Search for the number behind a key in text that comes piece by piece. */
struct search {
	size_t matched; /* characters of the key */
	int number;	/* -1: not found yet */
	bool over;
};

/* [handler] Correct since the key's first character occurs in it only once. */
static void take_char(struct search *s, char c)
{
	if (s->matched < sizeof KEY - 1) {
		s->matched = c == KEY[s->matched] ? s->matched + 1 : c == KEY[0];
	} else if (c >= '0' && c <= '9') {
		s->number = (s->number < 0 ? 0 : s->number * 10) + (c - '0');
	} else if (s->number >= 0) {
		s->over = true;
	}
}

/* [handler] Number of filters of the calling thread; -1: unknown. */
static int count_filters(void)
{
	struct search s = { .number = -1 };
	char text[CHUNK];
	ssize_t n = 1;
	int fd = open("/proc/thread-self/status", O_RDONLY | O_CLOEXEC);

	while (fd >= 0 && n > 0 && !s.over) {
		n = read(fd, text, sizeof text);
		for (ssize_t i = 0; i < n && !s.over; i++)
			take_char(&s, text[i]);
	}
	if (fd >= 0)
		close(fd);
	return s.over ? s.number : -1;
}

/* ---- comparing ------------------------------------------------------------------------- */

/* [handler] */
static uint64_t clock_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* [handler] The calling thread's filters, compared with the tool's. */
static enum comparison compare(bool now)
{
	int mode = prctl(PR_GET_SECCOMP, 0, 0, 0, 0);

	if (mode == 0)
		return SAME;
	if (mode != expected_mode)
		return OTHER;
	if (expected_filters < 0) /* the kernel does not count */
		return SAME;
	uint64_t time = clock_ns();
	if (!now && time - snapped_ns < FRESH_NS)
		return SAME;
	int filters = count_filters();
	if (filters != expected_filters)
		return filters < 0 ? UNKNOWN : OTHER;
	snapped_ns = time;
	return SAME;
}

void seccomp_expect(int mode, int filters)
{
	expected_mode = mode;
	expected_filters = filters;
	atomic_store_explicit(&differs, compare(true) != SAME, memory_order_release);
}

/* [handler] If no descriptor is free just now, the answer is no, but may be yes later. */
static bool permits(bool now)
{
	if (seccomp_differs())
		return false;
	int saved = errno;
	enum comparison found = compare(now);
	errno = saved;
	if (found == OTHER)
		atomic_store_explicit(&differs, true, memory_order_release);
	return found == SAME;
}

bool seccomp_permits(void)
{
	return permits(false);
}

bool seccomp_permits_now(void)
{
	return permits(true);
}

bool seccomp_differs(void)
{
	return atomic_load_explicit(&differs, memory_order_relaxed);
}
