/* SPDX-License-Identifier: Apache-2.0 */
/* jvms.h - finds the JVMs that run on this machine. */
#ifndef OJX_JVMS_H
#define OJX_JVMS_H

#include <stddef.h>

#include "attach/target.h"

enum { JVMS_MOST = 256 };

struct jvms {
	struct target jvm[JVMS_MOST]; /* ordered by pid */
	size_t n;
};

/* Finds them, at most JVMS_MOST. NULL if out of memory. Release with jvms_free. */
struct jvms *jvms_find(void);
void jvms_free(struct jvms *j);

/*
 * Whether what the JVM runs matches: a glob over all of it or its last part ('*.Kafka',
 * 'app-*.jar'), or a part of it ('kafka.Kafka').
 */
bool jvms_match(const struct target *t, const char *pattern);

#endif
