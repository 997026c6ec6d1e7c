/* SPDX-License-Identifier: Apache-2.0 */
/*
 * eden.h - where new objects lie one behind the other, so that memory can be read as a sequence of
 * objects.
 *
 * At the start of a collection eden is such a sequence but for the unused ends of the buffers that
 * threads allocate in (TLABs). Between an address in eden and the next such end, or the end of what
 * is used of eden (G1: of the region), all is objects. Collectors with one eden or with regions of
 * it are known: Serial, Parallel, G1. ZGC and Shenandoah do not keep to that.
 *
 * All of the VM's own memory is read through the kernel: a table that is wrong costs the windows,
 * and not the JVM.
 */
#ifndef OJX_EDEN_H
#define OJX_EDEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vmstructs;

/* At VMInit. False with the reason in `why` where this JVM's young objects cannot be found. */
bool eden_init(const struct vmstructs *vm, const char **why);

enum eden_found {
	EDEN_KNOWN,
	EDEN_LATE,	 /* there are too many threads, or reading them takes too long */
	EDEN_UNREADABLE, /* the kernel does not let this thread read any more */
	EDEN_ODD,	 /* something is not as it should be */
};

/*
 * [pause] Looks where threads allocate now, until `deadline` (now_ns) at most. Addresses that
 * eden_end tells are good in this pause. `*threads`: how many there are, or more.
 */
enum eden_found eden_begin(uint64_t deadline, uint32_t *threads);

/*
 * [pause] Up to where objects follow one another from the object at `at` on; 0 where it is not in
 * eden. `*open`: a thread is still allocating there, so that the last object may not be finished.
 */
uintptr_t eden_end(uintptr_t at, bool *open);

#endif
