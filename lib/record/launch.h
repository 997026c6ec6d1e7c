/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch.h - how the agent gets into the program that is to be recorded.
 *
 * A `java` launcher gets `-agentpath` behind argv[0]: the JVM prints nothing, and its children
 * know nothing of it. Anything else (mvn, gradle, a script) gets JAVA_TOOL_OPTIONS in its
 * environment, which every JVM below it reads and announces on standard error.
 */
#ifndef OJX_LAUNCH_H
#define OJX_LAUNCH_H

#include <stdbool.h>

enum launch_how {
	LAUNCH_AGENTPATH,   /* in argv */
	LAUNCH_ENVIRONMENT, /* in JAVA_TOOL_OPTIONS */
	LAUNCH_WITHOUT,	    /* not at all */
};

struct launch {
	enum launch_how how;
	char **argv;	    /* ends with NULL; new entries are owned, the others the caller's */
	char *agent_option; /* owned: "-agentpath:AGENT=SOCKET", or NULL */
	char *tool_options; /* owned: the new value of JAVA_TOOL_OPTIONS, or NULL */
};

/*
 * What execvp would run for `file`: a malloc'ed path, or NULL with errno (ENOENT: not found,
 * EACCES: found, but not executable).
 */
char *launch_find(const char *file);

/*
 * Finds libojx-agent.so, first beside the running program (a build tree), then in
 * ../lib/ojx (an installation). A malloc'ed absolute path, or NULL with errno; then `tried`, which
 * has room for two paths of PATH_MAX, names both.
 */
char *launch_find_agent(char (*tried)[4096]);

/*
 * Plans the start of `argv`, whose argv[0] is the file `program` (from launch_find). The JVM
 * splits the option at the first '=', so `agent` may not have one; NULL: the command runs as it is.
 * With `children`, JVMs below this one are wanted, too. 0, or -1 with errno. Release with
 * launch_release.
 */
int launch_plan(struct launch *l, char *const *argv, const char *program, const char *agent,
		const char *socket_path, bool children);
void launch_release(struct launch *l);

/*
 * `option` appended to the value of JAVA_TOOL_OPTIONS (NULL or empty: none), quoted the way
 * HotSpot takes it apart: white space separates, single and double quotes protect, nothing
 * escapes. malloc'ed; NULL where memory lacks.
 */
char *launch_append_option(const char *existing, const char *option);

#endif
