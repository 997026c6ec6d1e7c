/* SPDX-License-Identifier: Apache-2.0 */
/* heap_time.c - see heap_time.h. */
#include "heap/heap_time.h"

#include "hotspot/vmstructs.h"

static _Atomic uint64_t allocated;	    /* bytes */
static _Atomic uint32_t pauses;		    /* that collected */
static const _Atomic uint32_t *collections; /* the VM's count */

bool heap_time_init(const struct vmstructs *vm)
{
	collections = vmstructs_collections(vm);
	return collections != NULL;
}

void heap_time_allocated(double bytes)
{
	atomic_fetch_add_explicit(&allocated, (uint64_t)bytes, memory_order_relaxed);
}

void heap_time_collected(void)
{
	atomic_fetch_add(&pauses, 1);
}

uint32_t heap_time_vm_collections(void)
{
	return collections ? atomic_load_explicit(collections, memory_order_acquire) : 0;
}

uint32_t heap_time_full_collections(void)
{
	return collections ? atomic_load_explicit(collections + 1, memory_order_acquire) : 0;
}

struct wire_heap_time heap_time_now(void)
{
	return (struct wire_heap_time){
		.ns = now_ns() - ojx.start_ns,
		.bytes = atomic_load_explicit(&allocated, memory_order_relaxed),
		.collections = ojx.stays ? atomic_load(&pauses) : heap_time_vm_collections(),
	};
}
