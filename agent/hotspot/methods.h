/* SPDX-License-Identifier: Apache-2.0 */
/*
 * methods.h - names and line numbers of the methods that stacks mention.
 */
#ifndef OJX_METHODS_H
#define OJX_METHODS_H

#include "core/state.h"

/* [handler] Has the methods of a stack that was defined just now defined as well, soon. */
void methods_meet(const struct wire_frame *frames, uint32_t n);

/*
 * Defines for the tool each method that was met since the last call. Service thread, or the thread
 * of VMDeath; not both at a time. A class that was unloaded meanwhile has lost its names.
 */
void methods_resolve(void);

#endif
