/* SPDX-License-Identifier: Apache-2.0 */
/* jvmkind.h - recognises java launchers. */
#ifndef OJX_JVMKIND_H
#define OJX_JVMKIND_H

#include <stdbool.h>

/*
 * Whether `path` is a JDK's `java` launcher, which takes JVM options from its command line. The
 * file's name, after resolving symbolic links, must be "java". It must be an ELF file that needs
 * libjli.so or has lib/server/libjvm.so in its JDK. Scripts named java (shims of version managers,
 * wrappers) do not count: they may do anything with their arguments.
 */
bool jvmkind_is_launcher(const char *path);

#endif
