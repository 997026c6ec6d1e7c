/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agentfile.h - a path of the agent that stays good.
 *
 * A JVM ends at its start when it cannot open its agent. The path that it is told is handed on, in
 *the environment or by programs that start themselves again, and so outlives the recording: a
 *daemon may use it days later, when ojx was built again, upgraded or removed. So JVMs are not told
 *the path of the build or the installation but that of a copy, which nothing replaces or removes:
 *
 *	/var/cache/ojx/ID/libojx-agent.so		for root
 *	$XDG_CACHE_HOME/ojx/ID/..., ~/.cache/ojx/ID/...	otherwise, or where that cannot be had
 *
 * ID is a hash of the content. A copy is used only if it belongs to us, nobody else can write to it
 *or to the directories on the way, its content is right, and code can be run from there. An
 *installation that is root's all the way is used in place by other users: other users and sandboxes
 *can read it as well, and only an administrator removes it.
 */
#ifndef OJX_AGENTFILE_H
#define OJX_AGENTFILE_H

#include <stdbool.h>

struct agentfile {
	char *path;    /* owned; no '=' in it */
	bool in_place; /* it is the one that was asked for, and goes when that goes */
	int error;     /* errno of what kept us from a copy, 0: none was wanted, or there is one */
};

/*
 * Finds or makes the copy of `agent`, an absolute path without symbolic links. 0, or -1 with errno:
 * EINVAL where there is no copy, and the path itself has a '=', at which the JVM would cut it.
 * Release with agentfile_release.
 */
int agentfile_settle(struct agentfile *f, const char *agent);
void agentfile_release(struct agentfile *f);

/* Whether no blank, comma, quote, '=' or the like is in the path: it survives whatever programs do
 * with options. */
bool agentfile_plain(const char *path);

/*
 * Whether only root could have put the file there: it and all directories on the way are root's,
 * nobody else can write to them, and everybody can read it.
 */
bool agentfile_of_system(const char *path);

#endif
