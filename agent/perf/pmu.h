/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pmu.h - samplers whose addresses come from the kernel: page faults, and processor events that
 * report the address.
 *
 * The kernel writes each sample into a small buffer of the thread and then signals the thread, so
 * the handler has both the sample and the thread's stack. A thread that cannot have a buffer (there
 * is a limit on its memory) is not sampled.
 */
#ifndef OJX_PMU_H
#define OJX_PMU_H

#include "perf/access.h"

/* See struct sampler. */
void pmu_start(uint32_t event, int handle);
int pmu_open(struct thread *t, uint32_t event);
void pmu_close(struct thread *t, uint32_t event, int handle);

/* [handler] See struct sampler. */
unsigned pmu_find(struct thread *t, uint32_t event, const void *ucontext,
		  struct access to[SAMPLER_ACCESSES]);
unsigned pmu_find_fault(struct thread *t, uint32_t event, const void *ucontext,
			struct access to[SAMPLER_ACCESSES]);

#endif
