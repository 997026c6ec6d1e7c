/* SPDX-License-Identifier: Apache-2.0 */
/* rootfile.c - see rootfile.h. */
#define _GNU_SOURCE
#include "record/rootfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Goes from directory to directory, since a link would lead from our root directory. */
static int walk(int root, const char *path, int flags)
{
	char name[NAME_MAX + 1];
	int at = openat(root, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);

	for (path += strspn(path, "/"); at >= 0 && *path; path += strspn(path, "/")) {
		size_t len = strcspn(path, "/");
		int next = -1;
		snprintf(name, sizeof name, "%.*s", (int)len, path);
		path += len;
		if (len >= sizeof name)
			errno = ENAMETOOLONG;
		else if (strcmp(name, "..") == 0)
			errno = ELOOP;
		else
			next = openat(at, name,
				      O_PATH | O_NOFOLLOW | O_CLOEXEC |
					      (*path ? O_DIRECTORY : flags));
		int saved = errno;
		close(at);
		errno = saved;
		at = next;
	}
	return at;
}

int rootfile_find(int root, const char *path, int flags)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC | (unsigned)flags,
				.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS };

	if (root == AT_FDCWD)
		return open(path, O_PATH | O_CLOEXEC | flags);
	int fd = (int)syscall(SYS_openat2, root, path, &how, sizeof how);
	return fd < 0 && errno == ENOSYS ? walk(root, path, flags) : fd;
}

int rootfile_open(int found)
{
	char path[64];
	struct stat st;

	if (fstat(found, &st) < 0)
		return -1;
	if (!S_ISREG(st.st_mode)) {
		errno = EINVAL;
		return -1;
	}
	snprintf(path, sizeof path, "/proc/self/fd/%d", found);
	return open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}
