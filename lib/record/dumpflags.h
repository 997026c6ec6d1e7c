/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dumpflags.h - finds options by which a JVM writes an archive of its classes.
 *
 * Such a JVM exits at its start if it has an agent ("CDS dumping does not support native JVMTI
 * agent"), or runs no program. So a command with such an option must run without the agent.
 */
#ifndef OJX_DUMPFLAGS_H
#define OJX_DUMPFLAGS_H

#include <stdbool.h>

/*
 * Returns the option by which a JVM started by the command would write an archive: malloc'ed, or
 * NULL if there is none. Searches where the JVM or its launcher reads options: `argv`, files that
 * it names, JAVA_TOOL_OPTIONS, JDK_JAVA_OPTIONS and _JAVA_OPTIONS. The last one of a kind wins.
 * `is_launcher`: argv[0] is a `java`. Otherwise the arguments are searched for such options and for
 * a `java` with options (env, nice, sh -c).
 */
char *dumpflags_find(char *const *argv, bool is_launcher);

#endif
