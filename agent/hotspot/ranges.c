/* SPDX-License-Identifier: Apache-2.0 */
/* ranges.c - see ranges.h. */
#include "hotspot/ranges.h"

#include "hotspot/vmstructs.h"

static const struct vmstructs *structs;

/*
 * Where the collector does not tell: ZGC's heap is above libraries' usual places and below the
 * program's own; of 5 TB, up to there.
 */
static uintptr_t heap_low = 1ull << 42, heap_high = 5ull << 44;

void ranges_init(const struct vmstructs *vm)
{
	uintptr_t low, high;

	structs = vm;
	if (vmstructs_heap_range(vm, &low, &high)) {
		heap_low = low;
		heap_high = high;
	}
}

bool ranges_in_heap(uintptr_t address, size_t size)
{
	return address >= heap_low && address < heap_high && size <= heap_high - address;
}

/* The code cache may have grown. */
bool ranges_in_code(uint64_t ip)
{
	uintptr_t low, high;

	return vmstructs_code_range(structs, &low, &high) && ip >= low && ip < high;
}
