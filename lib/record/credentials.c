/* SPDX-License-Identifier: Apache-2.0 */
/* credentials.c - see credentials.h. */
#define _GNU_SOURCE

#include "record/credentials.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
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

/* Keeps the supplementary groups in `old`, and drops them. 0, or -1 with errno. */
static int drop_groups(struct credentials *old, gid_t gid)
{
	int n = getgroups(0, NULL);

	old->groups = n < 0 ? NULL : malloc(((size_t)n + 1) * sizeof *old->groups);
	old->ngroups = old->groups ? getgroups(n, old->groups) : -1;
	if (old->ngroups >= 0 && setgroups(1, &gid) == 0)
		return 0;
	int error = errno;
	bool kept = old->ngroups >= 0 && error == EPERM; /* some user namespaces forbid it */
	free(old->groups);
	old->groups = NULL;
	errno = error;
	return kept ? 0 : -1;
}

int credentials_become(struct credentials *old, uid_t uid, gid_t gid)
{
	*old = (struct credentials){ .uid = geteuid(),
				     .gid = getegid(),
				     .dumpable = prctl(PR_GET_DUMPABLE) };
	prctl(PR_GET_PDEATHSIG, &old->death_signal);
	if (uid == old->uid)
		return 0;
	if (drop_groups(old, gid) < 0)
		return -1;
	old->changed = true;
	if (setegid(gid) == 0 && seteuid(uid) == 0)
		return 0;
	int saved = errno;
	credentials_return(old);
	errno = saved;
	return -1;
}

void credentials_return(struct credentials *old)
{
	int saved = errno;

	if (!old->changed)
		return;
	/* from root, which can always return */
	if (seteuid(old->uid) < 0 || setegid(old->gid) < 0 ||
	    (old->groups && setgroups((size_t)old->ngroups, old->groups) < 0))
		abort();
	free(old->groups);
	old->groups = NULL;
	/* the kernel has cleared these */
	prctl(PR_SET_PDEATHSIG, old->death_signal);
	prctl(PR_SET_DUMPABLE, old->dumpable);
	errno = saved;
}
