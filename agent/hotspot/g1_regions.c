/* SPDX-License-Identifier: Apache-2.0 */
/* g1_regions.c - see g1_regions.h. Names of HotSpot's tables changed with JDK 17 and 24. */
#include "hotspot/g1_regions.h"

#include "core/peek.h"
#include "core/state.h"
#include "hotspot/vmstructs.h"

/* Offsets, 0 where there is none of that name, though some fields do lie at 0. */
static struct {
	uintptr_t *heap, *grain;
	size_t manager, regions, base, length, bias, shift;
	long bottom;
	size_t space_bottom, top, type, tag;
} vm;

static uintptr_t heap_low, heap_high;
static struct {
	uintptr_t base, length, bias;
	uint32_t shift;
} table;

/* [pause] */
static bool read_word(uintptr_t at, uintptr_t *to)
{
	return at && at % sizeof *to == 0 && peek(at, to, sizeof *to);
}

static bool find_tables(const struct vmstructs *from)
{
	const struct vmstructs_wanted wanted[] = {
		{ "Universe", "_collectedHeap", .address = &vm.heap },
		{ "G1CollectedHeap", "_hrm", .offset = &vm.manager },
		{ "HeapRegionManager", "_regions", .offset = &vm.regions },
		{ "G1HeapRegionManager", "_regions", .offset = &vm.regions },
		{ "G1HeapRegionTable", "_base", .offset = &vm.base },
		{ "G1HeapRegionTable", "_length", .offset = &vm.length },
		{ "G1HeapRegionTable", "_bias", .offset = &vm.bias },
		{ "G1HeapRegionTable", "_shift_by", .offset = &vm.shift },
		{ "HeapRegion", "_bottom", .signed_offset = &vm.bottom },
		{ "G1HeapRegion", "_bottom", .signed_offset = &vm.bottom },
		{ "Space", "_bottom", .offset = &vm.space_bottom },
		{ "HeapRegion", "_top", .offset = &vm.top },
		{ "G1HeapRegion", "_top", .offset = &vm.top },
		{ "G1ContiguousSpace", "_top", .offset = &vm.top },
		{ "HeapRegion", "_type", .offset = &vm.type },
		{ "G1HeapRegion", "_type", .offset = &vm.type },
		{ "HeapRegionType", "_tag", .offset = &vm.tag },
		{ "G1HeapRegionType", "_tag", .offset = &vm.tag },
		{ "HeapRegion", "GrainBytes", .address = &vm.grain },
		{ "G1HeapRegion", "GrainBytes", .address = &vm.grain },
	};

	vm.bottom = -1;
	vmstructs_find(ojx.dl, wanted, sizeof wanted / sizeof wanted[0]);
	if (vm.bottom < 0) /* up to JDK 11 it is that of any space */
		vm.bottom = (long)vm.space_bottom;
	return vmstructs_heap_range(from, &heap_low, &heap_high) && vm.heap && vm.manager &&
	       vm.length && vm.shift && vm.top && vm.type && vm.grain;
}

/* Where the table of regions is, which the VM makes once. */
static bool find_regions(void)
{
	uintptr_t heap = 0, grain = 0;

	if (!read_word((uintptr_t)vm.heap, &heap) || !heap)
		return false;
	uintptr_t at = heap + vm.manager + vm.regions;
	return read_word(at + vm.base, &table.base) && table.base &&
	       read_word(at + vm.length, &table.length) && read_word(at + vm.bias, &table.bias) &&
	       peek(at + vm.shift, &table.shift, sizeof table.shift) && table.shift < 48 &&
	       read_word((uintptr_t)vm.grain, &grain) && grain == (uintptr_t)1 << table.shift;
}

bool g1_regions_init(const struct vmstructs *from)
{
	static bool asked, known; /* once: eden and humongous objects ask */

	if (peek_works() && !asked) {
		known = find_tables(from) && find_regions();
		asked = true;
	}
	return peek_works() && known;
}

uintptr_t g1_regions_size(void)
{
	return (uintptr_t)1 << table.shift;
}

bool g1_regions_find(uintptr_t at, struct g1_region *r)
{
	uintptr_t region = 0, its = 0, size = g1_regions_size();
	uintptr_t index = (at >> table.shift) - table.bias;

	if (index >= table.length || !read_word(table.base + index * sizeof region, &region) ||
	    !region || region % sizeof region)
		return false;
	*r = (struct g1_region){ .bottom = at & ~(size - 1), .type_at = region + vm.type + vm.tag };
	struct peek_piece pieces[] = {
		{ r->type_at, &r->type, sizeof r->type, false },
		{ region + (uintptr_t)vm.bottom, &its, sizeof its, false },
		{ region + vm.top, &r->top, sizeof r->top, false },
	};
	peek_batch(pieces, 3);
	return pieces[0].ok && pieces[1].ok && pieces[2].ok && its == r->bottom &&
	       r->bottom >= heap_low && r->bottom <= r->top && r->top <= r->bottom + size &&
	       r->top <= heap_high && r->top % 8 == 0;
}
