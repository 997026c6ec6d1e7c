/* SPDX-License-Identifier: Apache-2.0 */
/*
 * codeheap.h - looks up the CodeBlob of a return address and the size of its frames.
 *
 * HotSpot neither frees nor moves a blob that has a frame on a thread's stack. So an answer is
 * valid only for a return address on the calling thread's stack, on that thread, until it returns
 * to Java. For other addresses the lookup fails or its answer is wrong, but it never faults: it
 * reads only committed memory of the code cache.
 */
#ifndef OJX_CODEHEAP_H
#define OJX_CODEHEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct code_at {
	uintptr_t blob;
	uint32_t id;	/* id of the compilation; 0: a stub of the VM */
	uint32_t words; /* size of a frame, with return address and caller's frame pointer */
	bool native;	/* compiled wrapper of a native method */
	uint32_t noted; /* see codeheap_note; 0: none */
};

/* To be called once the VM is initialised. False if its tables lack what is needed. */
bool codeheap_init(void *dl);

/*
 * [handler] Looks up an address. False if it is not understood; that includes frames that are being
 * deoptimised. Unless `anew` is set, the answer may come from the cache and be about code that was
 * there before. codeheap_holds tells whether it is valid; it is a separate call, for when the
 * prefetched memory has arrived.
 */
bool codeheap_at(uintptr_t pc, bool anew, struct code_at *to);
bool codeheap_holds(uintptr_t blob, uint32_t id);

/*
 * [handler] Makes codeheap_at return a number other than 0 with this address from now on, until
 * another address takes its place in the cache.
 */
void codeheap_note(const struct code_at *c, uintptr_t pc, uint32_t number);

/* [handler] Whether all of this range is committed, readable memory of the code cache. */
bool codeheap_has(uintptr_t from, size_t n);

/* [handler] The Method of a compilation. */
uintptr_t codeheap_method(const struct code_at *c);

#endif
