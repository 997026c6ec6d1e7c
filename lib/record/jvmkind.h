/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jvmkind.h - what kind of Java thing an executable is.
 */
#ifndef OJX_JVMKIND_H
#define OJX_JVMKIND_H

#include <stdbool.h>

/*
 * Whether `path` is a JDK's `java` launcher, which takes JVM options from its command line. The
 * file's real name, behind symbolic links, must be "java", and it must be an ELF file that either
 * needs libjli.so or has lib/server/libjvm.so in its JDK. Scripts that are called java
 * (version managers' shims, wrappers) are not: they may do anything with their arguments.
 */
bool jvmkind_is_launcher(const char *path);

#endif
