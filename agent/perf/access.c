/* SPDX-License-Identifier: Apache-2.0 */
/* access.c - see access.h. */
#define _GNU_SOURCE
#include "perf/access.h"

#include "arch/arch.h"
#include "hotspot/walk.h"

uint32_t access_stack(struct thread *t, const struct access *a)
{
	/* with registers of later code, its instruction would be that of another frame */
	bool known = a->end && !a->past;

	return walk_stack(t, a->ucontext, known ? a->ip : walk_within(arch_pc(a->ucontext), 0));
}
