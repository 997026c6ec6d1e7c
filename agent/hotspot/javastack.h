/* SPDX-License-Identifier: Apache-2.0 */
/*
 * javastack.h - the calling thread's Java stack, read from the stack itself.
 *
 * Asking the VM for a deep stack costs more than the rest of a sample, since it decodes each frame
 * again and again. This walk finds the frames with the help of HotSpot's tables (vmstructs.h).
 * Their addresses make a hash, and the stack of each hash is remembered. The frames of a new hash
 * come from the debug information of the compilers (scopes.h). The VM still walks what is not
 * understood here: virtual threads, whose frames may lie in the heap, and frames that are being
 * deoptimised.
 *
 * The first stacks, and later one in a thousand, are compared with the VM's. After one difference
 * all stacks come from the VM.
 */
#ifndef OJX_JAVASTACK_H
#define OJX_JAVASTACK_H

#include "core/state.h"

struct thread;

/* At start, on `current`. If it cannot be used, verbose recordings say why. */
void javastack_init(JNIEnv *jni, jthread current);

/*
 * In an allocation callback: the id of the calling context, as from stacks_take; 0: ask the VM.
 * *check: ask the VM as well, and pass its answer to javastack_compare.
 */
uint32_t javastack_id(struct thread *t, JNIEnv *jni, bool *check);
void javastack_compare(uint32_t own, uint32_t asked);

/* At the end: notes what was compared, if a test asks for it. */
void javastack_tell(void);

#endif
