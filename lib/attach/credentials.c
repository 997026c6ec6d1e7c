/* SPDX-License-Identifier: Apache-2.0 */
/* credentials.c - see credentials.h. */
#define _GNU_SOURCE
#include "attach/credentials.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

int credentials_become(struct credentials *old, uid_t uid, gid_t gid)
{
	*old = (struct credentials){ .uid = geteuid(),
				     .gid = getegid(),
				     .dumpable = prctl(PR_GET_DUMPABLE) };
	if (uid == old->uid)
		return 0;
	if (setegid(gid) < 0)
		return -1;
	old->changed = true;
	if (seteuid(uid) == 0)
		return 0;
	int saved = errno;
	credentials_return(old);
	errno = saved;
	return -1;
}

void credentials_return(const struct credentials *old)
{
	int saved = errno;

	if (!old->changed)
		return;
	/* from root, which can always return */
	if (seteuid(old->uid) < 0 || setegid(old->gid) < 0)
		abort();
	prctl(PR_SET_DUMPABLE, old->dumpable); /* the kernel has cleared it */
	errno = saved;
}
