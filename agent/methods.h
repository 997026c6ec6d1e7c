/* SPDX-License-Identifier: Apache-2.0 */
/*
 * methods.h - names and line numbers of the methods that stacks mention.
 */
#ifndef OJX_METHODS_H
#define OJX_METHODS_H

#include "agent.h"

/*
 * Defines for the tool each method of the stacks that were published since the last call. Service thread,
 * or the thread of VMDeath; not both at a time. A class that was unloaded meanwhile has lost its names.
 */
void methods_resolve(void);

#endif
