/* SPDX-License-Identifier: Apache-2.0 */
/* credentials.c - see credentials.h. */
#define _GNU_SOURCE
#include "record/credentials.h"

#include <errno.h>
#include <grp.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

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
	prctl(PR_SET_DUMPABLE, old->dumpable); /* the kernel has cleared it */
	errno = saved;
}
