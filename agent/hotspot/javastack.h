/* SPDX-License-Identifier: Apache-2.0 */
/*
 * javastack.h - the calling thread's Java stack, read from the stack itself.
 *
 * Asking the VM for a deep stack costs more than all the rest of a sample: it decodes where each
 * frame is, again and again. Here the frames are walked by what HotSpot's tables tell
 * (vmstructs.h), and their addresses make a hash; what stack was found for a hash is remembered.
 * For a new one the frames are put together from what compilers have written (scopes.h). What is
 * not understood is left to the VM: virtual threads, whose frames may lie in the heap, frames that
 * are being deoptimised.
 *
 * Is it right? The first stacks are compared with what the VM says, and one in a thousand after
 * that. One that differs, and the VM is asked from then on.
 */
#ifndef OJX_JAVASTACK_H
#define OJX_JAVASTACK_H

#include "core/state.h"

struct thread;

/* At start, on `current`. Where it cannot be used, that is said to those who want to know. */
void javastack_init(JNIEnv *jni, jthread current);

/*
 * In an allocation callback: the id of the calling context as stacks_take gives it. 0: the VM has
 * to be asked. *check: it is to be asked all the same, and its answer given to javastack_compare.
 */
uint32_t javastack_id(struct thread *t, JNIEnv *jni, bool *check);
void javastack_compare(uint32_t own, uint32_t asked);

/* At the end: says what was compared, where a test wants to know. */
void javastack_tell(void);

#endif
