/* SPDX-License-Identifier: Apache-2.0 */
/* descriptor.c - see descriptor.h. */
#define _GNU_SOURCE
#include "core/descriptor.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#define FIRST 4096 /* where the limit allows */

int descriptor_move_up(int fd)
{
	struct rlimit limit = { .rlim_cur = 2 * FIRST };

	getrlimit(RLIMIT_NOFILE, &limit);
	int first = limit.rlim_cur > 2 * FIRST ? FIRST : (int)(limit.rlim_cur / 2);
	int high = fcntl(fd, F_DUPFD_CLOEXEC, first);
	if (high < 0)
		return fd;
	close(fd);
	return high;
}
