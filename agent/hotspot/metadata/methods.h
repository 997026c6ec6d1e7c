/* SPDX-License-Identifier: Apache-2.0 */
/* methods.h - names and line numbers of the methods on stacks. */
#ifndef OJX_METHODS_H
#define OJX_METHODS_H

#include "core/part.h"

/* The method of an unknown frame; no jmethodID of any JDK, and no number, equals it. */
#define METHODS_UNKNOWN UINT64_MAX

/* [handler] What a frame has of a method; METHODS_UNKNOWN if that cannot be read. */
uint64_t methods_number(jmethodID id);

/* [handler] Queues the methods of a new stack, which are defined in the next round. */
void methods_meet(const struct wire_frame *frames, uint32_t n);

/*
 * Sends the definition of each method that was queued since the last round. A class that was
 * unloaded meanwhile has lost its names.
 */
extern const struct part methods_part;

#endif
