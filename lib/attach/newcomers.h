/* SPDX-License-Identifier: Apache-2.0 */
/*
 * newcomers.h - looks at the machine's processes again and again at little cost: one that was
 * looked at is left out while it runs the same program.
 *
 * To look at a process is to read its memory map and more, which takes some 20 us. To see that it
 * is the same as before takes a tenth of that.
 */
#ifndef OJX_NEWCOMERS_H
#define OJX_NEWCOMERS_H

#include <stdint.h>

#include "attach/target.h"

struct newcomers;

/* NULL if out of memory. */
struct newcomers *newcomers_new(void);
void newcomers_free(struct newcomers *n);

/*
 * Calls `see` for each process that is new or has begun to run another program, in no order. It is
 * seen again when it is twice as old as the last time, for the last time at `settled_ns` or later,
 * since a program is not all there when it begins. The target is valid during the call.
 */
void newcomers_look(struct newcomers *n, uint64_t now_ns, uint64_t settled_ns,
		    void (*see)(const struct target *t, void *arg), void *arg);

/* The next time is the first again. */
void newcomers_forget(struct newcomers *n);

#endif
