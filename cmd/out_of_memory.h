/* SPDX-License-Identifier: Apache-2.0 */
/*
 * out_of_memory.h - how ojx ends where a report gets no memory (base/xmalloc.h): it does what must
 * be done even then, says so in one line, and exits.
 *
 * No other message follows, and what was not yet written of the result is not written.
 */
#ifndef OJX_OUT_OF_MEMORY_H
#define OJX_OUT_OF_MEMORY_H

#include "base/xmalloc.h"

/* The exit status from then on. */
void out_of_memory_status(int status);

/*
 * Has `step` called before the message, the last one first: it gives the terminal back, or removes
 * an unfinished file. It may run on any thread, and there is no memory. out_of_memory_forget takes
 * back the last one.
 */
void out_of_memory_before(void (*step)(void *arg), void *arg);
void out_of_memory_forget(void);

/* Has `rest` called after the message: it returns the exit status. NULL: nothing. */
void out_of_memory_after(int (*rest)(void *arg), void *arg);

#endif
