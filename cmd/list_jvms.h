/* SPDX-License-Identifier: Apache-2.0 */
/* list_jvms.h - `ojx list jvms`: the JVMs that run, and whether they can be recorded. */
#ifndef OJX_LIST_JVMS_H
#define OJX_LIST_JVMS_H

#include "simple.h"

/* Writes them to standard output. 0, or -1 after a message. */
int list_jvms(const struct simple_output *out);

#endif
