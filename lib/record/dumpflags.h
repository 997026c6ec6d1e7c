/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dumpflags.h - options by which a JVM writes an archive of its classes.
 *
 * A JVM that does so exits at its start if it has an agent ("CDS dumping does not support native
 * JVMTI agent"), or runs no program at all. So a command with such an option has to run without the
 * agent.
 */
#ifndef OJX_DUMPFLAGS_H
#define OJX_DUMPFLAGS_H

#include <stdbool.h>

/*
 * The option by which a JVM that the command starts would write an archive: malloc'ed, or NULL
 * where none is seen. Options count where the JVM or its launcher reads them: in `argv`, in files
 * that it names, in JAVA_TOOL_OPTIONS, JDK_JAVA_OPTIONS and _JAVA_OPTIONS; the last one of a kind
 * wins. `is_launcher`: argv[0] is a `java`. Otherwise the arguments are searched for such options
 * and for a `java` that has some (env, nice, sh -c).
 */
char *dumpflags_find(char *const *argv, bool is_launcher);

#endif
