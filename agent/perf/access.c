/* SPDX-License-Identifier: Apache-2.0 */
/* access.c - see access.h. */
#define _GNU_SOURCE
#include "perf/access.h"

#include <ucontext.h>

#include "hotspot/walk.h"

uint32_t access_stack(struct thread *t, const struct access *a)
{
	ucontext_t context = *(const ucontext_t *)a->ucontext;

	if (a->end)
		context.uc_mcontext.gregs[REG_RIP] = (greg_t)a->end;
	return walk_stack(t, &context, a->end ? (uint8_t)(a->end - a->ip) : 0);
}
