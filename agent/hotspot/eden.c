/* SPDX-License-Identifier: Apache-2.0 */
/*
 * eden.c - see eden.h. Names of HotSpot's tables changed with JDK 17, 21 and 24.
 */
#include "hotspot/eden.h"

#include <string.h>

#include "core/peek.h"
#include "core/state.h"
#include "hotspot/g1_regions.h"
#include "hotspot/versions.h"
#include "hotspot/vmstructs.h"

#define THREADS	 512 /* with more of them, no pause is made longer by asking all */
#define TLAB_MAX 128 /* bytes of a buffer's description that are read */

/* Offsets, 0 where there is none of that name, though some fields do lie at 0. */
static struct {
	uintptr_t *smr_list, *first_thread; /* of ThreadsList, of JavaThread */
	size_t list_length, list_threads, next;
	size_t tlab, tlab_start, tlab_top, tlab_end, tlab_bytes;
	uintptr_t *heap;
	size_t serial_young, old_serial_young, serial_eden, space_bottom, space_top;
	uintptr_t *parallel_young;
	size_t parallel_eden, mutable_bottom, mutable_top;
} vm;

struct tlab {
	uintptr_t start, top, end;
};

static enum { NONE, SERIAL, PARALLEL, G1 } collector;
static struct tlab tlabs[THREADS]; /* by start */
static uint32_t ntlabs;
static uintptr_t heap_low, heap_high;
static uintptr_t eden_bottom, eden_top; /* G1: of the region that was asked for last */

/* ---- start ------------------------------------------------------------------------------- */

static void read_tables(void)
{
	const struct vmstructs_wanted wanted[] = {
		{ "ThreadsSMRSupport", "_java_thread_list", .address = &vm.smr_list },
		{ "ThreadsList", "_length", .offset = &vm.list_length },
		{ "ThreadsList", "_threads", .offset = &vm.list_threads },
		{ "Threads", "_thread_list", .address = &vm.first_thread },
		{ "JavaThread", "_next", .offset = &vm.next },
		{ "Thread", "_tlab", .offset = &vm.tlab },
		{ "ThreadLocalAllocBuffer", "_start", .offset = &vm.tlab_start },
		{ "ThreadLocalAllocBuffer", "_top", .offset = &vm.tlab_top },
		{ "ThreadLocalAllocBuffer", "_end", .offset = &vm.tlab_end },
		{ "Universe", "_collectedHeap", .address = &vm.heap },
		{ "GenCollectedHeap", "_young_gen", .offset = &vm.old_serial_young },
		{ "SerialHeap", "_young_gen", .offset = &vm.serial_young },
		{ "DefNewGeneration", "_eden_space", .offset = &vm.serial_eden },
		{ "Space", "_bottom", .offset = &vm.space_bottom },
		{ "ContiguousSpace", "_bottom", .offset = &vm.space_bottom },
		{ "ContiguousSpace", "_top", .offset = &vm.space_top },
		{ "ParallelScavengeHeap", "_young_gen", .address = &vm.parallel_young },
		{ "PSYoungGen", "_eden_space", .offset = &vm.parallel_eden },
		{ "ImmutableSpace", "_bottom", .offset = &vm.mutable_bottom },
		{ "MutableSpace", "_bottom", .offset = &vm.mutable_bottom },
		{ "MutableSpace", "_top", .offset = &vm.mutable_top },
	};

	vmstructs_find(ojx.dl, wanted, sizeof wanted / sizeof wanted[0]);
	vm.tlab_bytes = vm.tlab_start > vm.tlab_top ? vm.tlab_start : vm.tlab_top;
	if (vm.tlab_end > vm.tlab_bytes)
		vm.tlab_bytes = vm.tlab_end;
	vm.tlab_bytes += sizeof(uintptr_t);
}

static bool tables_complete(const struct vmstructs *from)
{
	bool list = vm.smr_list && vm.list_threads;
	bool threads = list || (vm.first_thread && vm.next);

	if (!threads || !vm.tlab || vm.tlab_top == vm.tlab_start || vm.tlab_end == vm.tlab_start ||
	    vm.tlab_bytes > TLAB_MAX || !vm.heap)
		return false;
	switch (collector) {
	case G1:
		return g1_regions_init(from);
	case SERIAL:
		return (vm.serial_young || vm.old_serial_young) && vm.serial_eden && vm.space_top;
	case PARALLEL:
		return vm.parallel_young && vm.parallel_eden && vm.mutable_top;
	default:
		return false;
	}
}

bool eden_init(const struct vmstructs *from, const char **why)
{
	collector = strcmp(ojx.gc, "Serial") == 0     ? SERIAL
		    : strcmp(ojx.gc, "Parallel") == 0 ? PARALLEL
		    : strcmp(ojx.gc, "G1") == 0	      ? G1
						      : NONE;
	*why = "of this collector";
	if (collector == NONE)
		return false;
	*why = "of UseNUMA";
	if (vmstructs_flag(from, "UseNUMA") && collector == PARALLEL)
		return false;
	*why = "of ObjectAlignmentInBytes";
	if ((uint32_t)vmstructs_size_flag(from, "ObjectAlignmentInBytes") !=
	    8) /* an int since 21 */
		return false;
	*why = "TLABs are off";
	if (!vmstructs_flag(from, "UseTLAB"))
		return false;
	*why = "the kernel does not let us read";
	if (!peek_works())
		return false;
	*why = "the VM's tables lack something";
	read_tables();
	return vmstructs_heap_range(from, &heap_low, &heap_high) && tables_complete(from);
}

/* ---- threads ----------------------------------------------------------------------------- */

/* [pause] */
static bool read_word(uintptr_t at, uintptr_t *to)
{
	return at && at % sizeof *to == 0 && peek(at, to, sizeof *to);
}

/* [pause] Adds a buffer to those in order; false where it makes no sense. */
static bool add_tlab(const struct tlab *t)
{
	uint32_t i = ntlabs;

	if (!t->start && !t->top)
		return true; /* the thread has none */
	if (t->start < heap_low || t->end > heap_high || t->top < t->start || t->top > t->end ||
	    i == THREADS)
		return false;
	ntlabs++;
	for (; i > 0 && tlabs[i - 1].start > t->start; i--)
		tlabs[i] = tlabs[i - 1];
	tlabs[i] = *t;
	return true;
}

/* [pause] */
static uintptr_t word_in(const unsigned char *bytes, size_t offset)
{
	uintptr_t word;

	memcpy(&word, bytes + offset, sizeof word);
	return word;
}

/* [pause] The buffers of some threads, n <= PEEK_BATCH: one piece each, since pieces cost. */
static bool read_tlabs(const uintptr_t *threads, size_t n)
{
	unsigned char bytes[PEEK_BATCH][TLAB_MAX];
	struct peek_piece pieces[PEEK_BATCH];

	for (size_t i = 0; i < n; i++) {
		if (!threads[i] || threads[i] % sizeof *threads)
			return false;
		pieces[i] = (struct peek_piece){ threads[i] + vm.tlab, &bytes[i], vm.tlab_bytes,
						 false };
	}
	peek_batch(pieces, n);
	for (size_t i = 0; i < n; i++) {
		const struct tlab t = { word_in(bytes[i], vm.tlab_start),
					word_in(bytes[i], vm.tlab_top),
					word_in(bytes[i], vm.tlab_end) };
		if (!pieces[i].ok || !add_tlab(&t))
			return false;
	}
	return true;
}

/* [pause] HotSpot's threads, as a list that leads from one to the next. */
static enum eden_found follow_threads(uintptr_t *threads, uint32_t *n, uint64_t deadline)
{
	uintptr_t at = 0;

	if (!read_word((uintptr_t)vm.first_thread, &at))
		return EDEN_ODD;
	for (*n = 0; at; ++*n) {
		if (*n == THREADS || now_ns() > deadline)
			return EDEN_LATE;
		threads[*n] = at;
		if (!read_word(at + vm.next, &at))
			return EDEN_ODD;
	}
	return EDEN_KNOWN;
}

/* [pause] All of HotSpot's threads. */
static enum eden_found list_threads(uintptr_t *threads, uint32_t *n, uint64_t deadline)
{
	uintptr_t at = 0, array = 0;

	*n = 0;
	if (!vm.smr_list || !vm.list_threads)
		return follow_threads(threads, n, deadline);
	if (!read_word((uintptr_t)vm.smr_list, &at) || !at ||
	    !peek(at + vm.list_length, n, sizeof *n) || *n > INT32_MAX)
		return EDEN_ODD;
	if (*n > THREADS)
		return EDEN_LATE;
	if (!read_word(at + vm.list_threads, &array) ||
	    (*n && !peek(array, threads, *n * sizeof *threads)))
		return EDEN_ODD;
	return EDEN_KNOWN;
}

/* ---- eden -------------------------------------------------------------------------------- */

/* [pause] */
static bool good_range(uintptr_t bottom, uintptr_t top)
{
	return bottom >= heap_low && bottom <= top && top <= heap_high && bottom % 8 == 0 &&
	       top % 8 == 0;
}

/* [pause] Serial's and Parallel's, which is one. */
static bool read_eden(void)
{
	bool serial = collector == SERIAL;
	uintptr_t young = 0, eden = 0;
	uintptr_t heap = 0;

	if (serial) {
		size_t offset = vm.serial_young ? vm.serial_young : vm.old_serial_young;
		if (!read_word((uintptr_t)vm.heap, &heap) || !heap ||
		    !read_word(heap + offset, &young))
			return false;
	} else if (!read_word((uintptr_t)vm.parallel_young, &young))
		return false;
	return young && read_word(young + (serial ? vm.serial_eden : vm.parallel_eden), &eden) &&
	       eden &&
	       read_word(eden + (serial ? vm.space_bottom : vm.mutable_bottom), &eden_bottom) &&
	       read_word(eden + (serial ? vm.space_top : vm.mutable_top), &eden_top) &&
	       good_range(eden_bottom, eden_top);
}

/* [pause] G1: the region that `at` is in, if it is one of eden. */
static bool read_region(uintptr_t at)
{
	struct g1_region region;

	eden_bottom = eden_top = 0;
	if (!g1_regions_find(at, &region) ||
	    region.type != (uint32_t)version_value(VERSION_EDEN_TAG))
		return false;
	eden_bottom = region.bottom;
	eden_top = region.top;
	return true;
}

/* ---- in a pause -------------------------------------------------------------------------- */

enum eden_found eden_begin(uint64_t deadline, uint32_t *threads)
{
	static uintptr_t list[THREADS];

	ntlabs = 0;
	eden_bottom = eden_top = 0;
	*threads = 0;
	if (!peek_works_now())
		return EDEN_UNREADABLE;
	enum eden_found found = list_threads(list, threads, deadline);
	for (size_t i = 0; i < *threads && found == EDEN_KNOWN; i += PEEK_BATCH) {
		size_t left = *threads - i;
		if (now_ns() > deadline)
			found = EDEN_LATE;
		else if (!read_tlabs(list + i, left < PEEK_BATCH ? left : PEEK_BATCH))
			found = EDEN_ODD;
	}
	if (found == EDEN_KNOWN && collector != G1 && !read_eden())
		found = EDEN_ODD;
	return found;
}

uintptr_t eden_end(uintptr_t at, bool *open)
{
	uint32_t low = 0, high = ntlabs;

	*open = false;
	if (at < heap_low || at >= heap_high)
		return 0;
	if (collector == G1 && (at < eden_bottom || at >= eden_top) && !read_region(at))
		return 0;
	if (at < eden_bottom || at >= eden_top)
		return 0;
	/* the next unused end of a buffer; `at` may lie in the buffer itself */
	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (tlabs[middle].end > at)
			high = middle;
		else
			low = middle + 1;
	}
	if (low == ntlabs || tlabs[low].top >= eden_top)
		return eden_top;
	*open = true;
	return tlabs[low].top > at ? tlabs[low].top : 0;
}
