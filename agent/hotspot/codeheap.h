/* SPDX-License-Identifier: Apache-2.0 */
/*
 * codeheap.h - what HotSpot knows of a return address: the CodeBlob that it lies in, and how large
 * its frames are.
 *
 * A blob that has a frame on the calling thread's stack is neither freed nor moved while it has, so
 * all that is said here is good for such addresses only, on that thread, until it returns to Java.
 * Other addresses are not understood or answered wrongly, without a fault: only committed memory of
 * the code cache is read.
 */
#ifndef OJX_CODEHEAP_H
#define OJX_CODEHEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct code_at {
	uintptr_t blob;
	uint32_t id;	/* of the compilation; 0: of a stub of the VM's */
	uint32_t words; /* of a frame, the return address and the caller's rbp included */
	bool native;	/* compiled glue of a native method */
	uint32_t noted; /* see codeheap_note; 0: nothing */
};

/* Once the VM is initialised. False where its tables lack what is needed. */
bool codeheap_init(void *dl);

/*
 * False where the address is not understood. So is that of a frame which is being deoptimised.
 * Unless it is looked up `anew`, the answer may be about code that was there before: it is good if
 * codeheap_holds says so. That is asked later, when the memory has come.
 */
bool codeheap_at(uintptr_t pc, bool anew, struct code_at *to);
bool codeheap_holds(uintptr_t blob, uint32_t id);

/* Has codeheap_at tell a number other than 0 with this address from now on, unless another one
 * takes its place in the cache. */
void codeheap_note(const struct code_at *c, uintptr_t pc, uint32_t number);

/* Whether all of that is committed memory of the code cache, which can be read. */
bool codeheap_has(uintptr_t from, size_t n);

/* What fields of a compilation hold. */
uintptr_t codeheap_method(const struct code_at *c);

#endif
