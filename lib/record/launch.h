/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch.h - passes the agent to the program that is recorded.
 *
 * A `java` launcher gets `-agentpath` behind argv[0]: the JVM prints nothing, and its children do
 * not inherit it. Any other command (mvn, gradle, a script) gets JAVA_TOOL_OPTIONS in its
 * environment; every JVM below it reads the variable and announces this on standard error.
 */
#ifndef OJX_LAUNCH_H
#define OJX_LAUNCH_H

#include <stdbool.h>

enum launch_how {
	LAUNCH_AGENTPATH,   /* in argv */
	LAUNCH_ENVIRONMENT, /* in JAVA_TOOL_OPTIONS */
	LAUNCH_WITHOUT,	    /* no agent */
};

struct launch {
	enum launch_how how;
	char **argv;	    /* ends with NULL; new entries are owned, the others are the caller's */
	char *agent_option; /* owned: "-agentpath:AGENT=SOCKET", or NULL */
	char *tool_options; /* owned: the new value of JAVA_TOOL_OPTIONS, or NULL */
};

/*
 * Resolves `file` like execvp: a malloc'ed path, or NULL with errno (ENOENT: not found, EACCES:
 * found, but not executable).
 */
char *launch_find(const char *file);

/*
 * Finds libojx-agent.so beside the running program (a build tree) or else in ../lib/ojx (an
 * installation). A malloc'ed absolute path, or NULL with errno; then `tried` names both paths (room
 * for two of PATH_MAX).
 */
char *launch_find_agent(char (*tried)[4096]);

/*
 * Plans the start of `argv`, whose argv[0] is the file `program` (from launch_find). `agent` must
 * not contain '=', at which the JVM would cut it; NULL: the command runs without the agent.
 * `children`: JVMs below this one are recorded, too. 0, or -1 with errno. Release with
 * launch_release.
 */
int launch_plan(struct launch *l, char *const *argv, const char *program, const char *agent,
		const char *socket_path, bool children);
void launch_release(struct launch *l);

/*
 * Appends `option` to the value of JAVA_TOOL_OPTIONS (NULL or empty: none), quoted by HotSpot's
 * rules: white space separates, single and double quotes protect, nothing escapes. malloc'ed; NULL
 * if out of memory.
 */
char *launch_append_option(const char *existing, const char *option);

/* ---- recognises java launchers. */

/*
 * Whether `path` is a JDK's `java` launcher, which takes JVM options from its command line. The
 * file's name, after resolving symbolic links, must be "java". It must be an ELF file that needs
 * libjli.so or has lib/server/libjvm.so in its JDK. Scripts named java (shims of version managers,
 * wrappers) do not count: they may do anything with their arguments.
 */
bool jvmkind_is_launcher(const char *path);

#endif
