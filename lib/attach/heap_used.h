/* SPDX-License-Identifier: Apache-2.0 */
/* heap_used.h - how much a JVM's heap holds, as the JVM itself says. */
#ifndef OJX_HEAP_USED_H
#define OJX_HEAP_USED_H

/* The command to ask it with; its answer has HEAP_USED_SAID. */
#define HEAP_USED_COMMAND "GC.heap_info"
#define HEAP_USED_SAID	  "used"

/* Bytes of objects, dead ones included, as the answer tells; negative: it does not. */
double heap_used(const char *answer);

#endif
