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
 * The first stacks, and later fewer and fewer, are compared with the VM's. After one difference all
 * stacks come from the VM.
 */
#ifndef OJX_JAVASTACK_H
#define OJX_JAVASTACK_H

#include "core/part.h"

struct thread;

/* If it does not work, verbose recordings say why. */
extern const struct part javastack_part;

/* What a walk has found. */
struct javastack {
	uint32_t id; /* of the calling context as stacks_take gives it; 0: it is a new one */
	uint32_t n;  /* frames of a new one, in t->frames, for stacks_take */
	bool entry;  /* it is of a continuation */
	bool check;  /* the VM is to be asked all the same, for javastack_compare */
	uint64_t key;
};

/* In an allocation callback: walks the thread's stack. False: the VM has to be asked. */
bool javastack_find(struct thread *t, JNIEnv *jni, struct javastack *s);
/* The id of what was found, if it is to be known from now on. */
void javastack_remember(const struct javastack *s, uint32_t id);
/* Compares it with the id of the VM's answer. */
void javastack_compare(const struct javastack *s, uint32_t asked);

/* Where a signal interrupted Java code, or code that Java has called. */
struct javastack_place {
	uintptr_t pc, sp, fp;
};

/*
 * [handler] Puts methods into the frames that AsyncGetCallTrace found at `from` and that have
 * METHODS_UNKNOWN, as far as this walk finds the same bytecodes. Returns how many.
 */
uint32_t javastack_fill(const struct thread *t, const struct javastack_place *from,
			struct wire_frame *frames, uint32_t n);

#endif
