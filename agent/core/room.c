/* SPDX-License-Identifier: Apache-2.0 */
/* room.c - see room.h. */
#define _GNU_SOURCE
#include "core/room.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MB (1ull << 20)
/*
 * What stays free for the JVM: the stacks of some threads, memory of the JIT compilers, a piece of
 * metaspace, or one of malloc's arenas, which takes 64 MB of addresses.
 */
#define RESERVE (96 * MB)

/*
 * Measured with all analyses on JDK 25: 65 MB of addresses, of which 34 are the shared memory and
 * 19 the library; 32 MB of data. The library is there already.
 */
static const struct {
	const char *name; /* in /proc/PID/status */
	int limit;
	uint64_t need;
} kinds[ROOM_KINDS] = {
	[ROOM_ADDRESSES] = { "VmSize:", RLIMIT_AS, 56 * MB },
	[ROOM_DATA] = { "VmData:", RLIMIT_DATA, 24 * MB },
};

static void read_limits(rlim_t limits[ROOM_KINDS])
{
	for (int i = 0; i < ROOM_KINDS; i++) {
		struct rlimit limit = { .rlim_cur = RLIM_INFINITY };
		getrlimit((__rlimit_resource_t)kinds[i].limit, &limit);
		limits[i] = limit.rlim_cur;
	}
}

bool room_is_limited(void)
{
	rlim_t limits[ROOM_KINDS];

	read_limits(limits);
	return limits[ROOM_ADDRESSES] != RLIM_INFINITY || limits[ROOM_DATA] != RLIM_INFINITY;
}

bool room_fits_in(const char *status, const rlim_t limits[ROOM_KINDS], struct room *r)
{
	for (int i = 0; i < ROOM_KINDS; i++) {
		const char *at = limits[i] == RLIM_INFINITY ? NULL : strstr(status, kinds[i].name);
		if (!at)
			continue;
		uint64_t used = strtoull(at + strlen(kinds[i].name), NULL, 10) * 1024;
		*r = (struct room){ .limit = kinds[i].limit,
				    .left = used < limits[i] ? limits[i] - used : 0,
				    .need = kinds[i].need + RESERVE };
		if (r->left < r->need)
			return false;
	}
	return true;
}

bool room_fits(struct room *r)
{
	rlim_t limits[ROOM_KINDS];
	char status[4096] = "";
	int fd = room_is_limited() ? open("/proc/self/status", O_RDONLY | O_CLOEXEC) : -1;

	if (fd < 0)
		return true; /* no limit, or nothing is known */
	ssize_t n = read(fd, status, sizeof status - 1);
	close(fd);
	status[n > 0 ? n : 0] = '\0';
	read_limits(limits);
	return room_fits_in(status, limits, r);
}
