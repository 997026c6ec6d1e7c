/* SPDX-License-Identifier: Apache-2.0 */
/* access.c - see access.h. */
#define _GNU_SOURCE
#include "perf/access.h"

#include <ucontext.h>

#include "hotspot/walk.h"

uint32_t access_stack(struct thread *t, const struct access *a)
{
	ucontext_t context = *(const ucontext_t *)a->ucontext;

	/* with registers of later code, its instruction would be that of another frame */
	if (!a->end || a->past)
		return walk_stack(t, &context, 0);
	context.uc_mcontext.gregs[REG_RIP] = (greg_t)a->end;
	return walk_stack(t, &context, (uint8_t)(a->end - a->ip));
}
