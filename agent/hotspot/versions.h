/* SPDX-License-Identifier: Apache-2.0 */
/*
 * versions.h - what depends on the version of the JDK, and no table of HotSpot tells.
 *
 * Most of what differs between JDKs is not here. The agent finds it: places that HotSpot's tables
 * name (the names that changed stand side by side where they are looked up), layouts that objects
 * of known content show (layout.c), and forms that a table's presence tells. A row of versions.c is
 * what is left. The agent believes it, so each row says what shows at the start that it is true, or
 * what happens if it is not.
 */
#ifndef OJX_VERSIONS_H
#define OJX_VERSIONS_H

#include <stdbool.h>

enum version_fact {
	VERSION_RUNS,
	VERSION_SHENANDOAH_PLAIN,
	VERSION_COMPARING_FREES,
	VERSION_BYTES_EXCLUDE_0,
	VERSION_FILLER_CLASSES,
	VERSION_Z_YOUNG,
	VERSION_COUNTS_ALWAYS,
	VERSION_KLASS_SHIFT,
	VERSION_EDEN_TAG,
	VERSION_FACTS
};

/* [handler] The first JDK with the fact, and a number that belongs to it (0: none). */
int version_first(enum version_fact fact);
int version_value(enum version_fact fact);

/* Whether this JVM has it. Not one whose version is unknown. */
bool version_has(enum version_fact fact);

#endif
