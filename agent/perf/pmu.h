/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pmu.h - samplers whose addresses come from the kernel: page faults, and events of the processor
 * that tell the address of what they count.
 *
 * The kernel writes each sample into a small memory of the thread's and then signals it, so that
 * the handler has both the sample and the thread's stack. Where that memory cannot be had (there
 * is a limit on it), the address comes with the signal, and the rest is not known.
 */
#ifndef OJX_PMU_H
#define OJX_PMU_H

#include "perf/access.h"

/* See struct sampler. */
void pmu_start(uint32_t event, int handle);
int pmu_open(struct thread *t, uint32_t event);
void pmu_close(struct thread *t, uint32_t event, int handle);
unsigned pmu_find(struct thread *t, uint32_t event, const void *ucontext,
		  struct access to[SAMPLER_ACCESSES]);
unsigned pmu_find_fault(struct thread *t, uint32_t event, const void *ucontext,
			struct access to[SAMPLER_ACCESSES]);

#endif
