/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agentfile.h - a path of the agent that stays valid.
 *
 * A JVM that cannot open its agent exits at its start. The agent's path outlives the recording,
 * since the environment and programs that restart themselves pass it on. A daemon may use it days
 * later, after ojx was rebuilt, upgraded or removed. So JVMs get the path of a copy, which nothing
 * replaces or removes:
 *
 *	/var/cache/ojx/ID/libojx-agent.so		for root
 *	$XDG_CACHE_HOME/ojx/ID/..., ~/.cache/ojx/ID/...	otherwise, or where that cannot be had
 *
 * ID is a hash of the content. A copy is used only if it belongs to us, nobody else can write to it
 * or to the directories above it, its content is right, and code there can be executed. Users other
 * than root use an installation in place if it and all directories above it are root's: other users
 * and sandboxes can read it, and only an administrator removes it.
 */
#ifndef OJX_AGENTFILE_H
#define OJX_AGENTFILE_H

#include <stdbool.h>
#include <stddef.h>

struct agentfile {
	char *path;    /* owned; no '=' in it */
	bool in_place; /* it is the original, and goes away with it */
	int error;     /* errno that prevented a copy; 0: there is one, or none was wanted */
};

/*
 * Finds or makes the copy of `agent`, an absolute path without symbolic links. 0, or -1 with errno:
 * EINVAL if there is no copy and the path contains a '=', where the JVM would cut it. Release with
 * agentfile_release.
 */
int agentfile_settle(struct agentfile *f, const char *agent);
void agentfile_release(struct agentfile *f);

/*
 * Whether the path contains no blank, comma, quote, '=' or the like, so that it survives whatever
 * programs do with options.
 */
bool agentfile_plain(const char *path);

/*
 * Whether only root can have put the file there: it and all directories above it are root's, nobody
 * else can write to them, and everybody can read them.
 */
bool agentfile_of_system(const char *path);

/* ---- copies of the agent in one directory, with a subdirectory for each content. */

/*
 * Returns the path of the copy of this content below `base`; makes the copy if it is missing or
 * invalid. malloc'ed; NULL with errno: EPERM if others could write to it, EACCES if code there
 * cannot be executed.
 */
char *agentcopy_get(const char *base, const void *content, size_t size);

/*
 * Removes copies that were not used in the last `seconds`, except `path` and copies that a process
 * names in its environment or arguments. Copies that cannot be removed stay.
 */
void agentcopy_clean(const char *path, unsigned seconds);

#endif
