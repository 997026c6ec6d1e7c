/* SPDX-License-Identifier: Apache-2.0 */
/* jdk_release.h - the version of a JDK, as its file `release` says. */
#ifndef OJX_JDK_RELEASE_H
#define OJX_JDK_RELEASE_H

#include <stdbool.h>

enum { JDK_VERSION_MAX = 64 };

/*
 * The version of the JDK that a src.zip is part of, "17.0.15": the file `release` lies beside it or
 * one directory above. False if there is none, or the archive has another name.
 */
bool jdk_release_version(const char *archive, char version[JDK_VERSION_MAX]);

/* Whether a JVM that calls itself "17.0.15+6-Debian" is of that version. */
bool jdk_release_is_of(const char *version, const char *vm_version);

#endif
