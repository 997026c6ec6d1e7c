/* SPDX-License-Identifier: Apache-2.0 */
/* ranges.c - see ranges.h. */
#include "hotspot/ranges.h"

#include "hotspot/vmstructs.h"

static const struct vmstructs *structs;

/*
 * The range if the collector does not tell: ZGC's heap lies between 4 TB and 80 TB, even one of 5
 * TB, and the program and its libraries lie above.
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

/* Reads the range each time, since the code cache may grow. */
bool ranges_in_code(uint64_t ip)
{
	uintptr_t low, high;

	return vmstructs_code_range(structs, &low, &high) && ip >= low && ip < high;
}
