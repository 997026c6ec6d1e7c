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

/* What a walk has found. */
struct javastack {
	uint32_t id; /* of the calling context as stacks_take gives it; 0: it is a new one */
	uint32_t n;  /* frames of a new one, in t->frames, for stacks_take */
	bool check;  /* the VM is to be asked all the same, for javastack_compare */
	uint64_t key;
};

/* In an allocation callback: walks the thread's stack. False: the VM has to be asked. */
bool javastack_find(struct thread *t, JNIEnv *jni, struct javastack *s);
/* The id of what was found, if it is to be known from now on. */
void javastack_remember(const struct javastack *s, uint32_t id);
void javastack_compare(uint32_t own, uint32_t asked);

/* At the end: says what was compared, where a test wants to know. */
void javastack_tell(void);

#endif
