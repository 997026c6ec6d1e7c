/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pause.h - what the agent adds to GC pauses, by its CPU time and by the clock. The work of a pause
 * is in two parts, at its start and at its end. All of it is the VM thread's.
 */
#ifndef OJX_PAUSE_H
#define OJX_PAUSE_H

#include <stdbool.h>
#include <stdint.h>

/* [pause] Around each part of the work. `last`: the pause's work is over with it. */
void pause_work_begin(void);
void pause_work_end(bool last);

/* [pause] What is left of `ns`, the usual time of some work: less if the processor is short. */
uint64_t pause_allowed(uint64_t ns);

#endif
