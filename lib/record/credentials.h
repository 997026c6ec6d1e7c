/* SPDX-License-Identifier: Apache-2.0 */
/*
 * credentials.h - acting as the user of a process. Inside a user namespace root of the host is
 * nobody: it can create no file there, and a JVM there does not talk to it. And what root does in a
 * directory that a user can change is safer done with that user's rights.
 */
#ifndef OJX_CREDENTIALS_H
#define OJX_CREDENTIALS_H

#include <stdbool.h>
#include <sys/types.h>

struct credentials {
	bool changed;
	uid_t uid; /* what to return to */
	gid_t gid;
	gid_t *groups; /* supplementary ones, owned; NULL: they were not changed */
	int ngroups;
	int dumpable;
};

/*
 * Changes the effective user and group, and drops the other groups, if the user is another than
 * ours. 0, or -1 with errno. The process must have one thread.
 */
int credentials_become(struct credentials *old, uid_t uid, gid_t gid);
void credentials_return(struct credentials *old);

#endif
