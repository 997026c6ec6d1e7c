/* SPDX-License-Identifier: Apache-2.0 */
/* jdks.h - finds the JDKs (and runtimes) of this machine. */
#ifndef OJX_JDKS_H
#define OJX_JDKS_H

#include <stddef.h>

#include "record/jvmargs.h"

enum { JDKS_MOST = 32, JDK_VERSION = 32 };

struct jdk {
	char *home;		   /* real path */
	char version[JDK_VERSION]; /* "17.0.15"; empty: unknown */
	const char *known_by;	   /* "JAVA_HOME", "PATH", "/usr/lib/jvm" */
};

struct jdks {
	struct jdk jdk[JDKS_MOST];
	size_t n;
};

/*
 * Finds $JAVA_HOME, the JDK of the `java` on PATH, and those in /usr/lib/jvm. Each is listed once;
 * those without a launcher are left out. 0, or -1 if out of memory. Release with jdks_release.
 */
int jdks_find(struct jdks *jdks);
void jdks_release(struct jdks *jdks);

/*
 * The JAVA_VERSION in HOME/release, such as "17.0.15"; empty if it cannot be read. `place`:
 * where the paths lead, and who reads; NULL: ours.
 */
void jdk_read_version(const struct process_paths *place, const char *home,
		      char version[JDK_VERSION]);

/* 17 for "17.0.15", 8 for "1.8.0_412"; 0 if unknown. */
int jdk_feature(const char *version);

#endif
