/* SPDX-License-Identifier: Apache-2.0 */
/*
 * humongous.h - holds objects that are larger than half a region of G1, without a reference.
 *
 * G1 takes back such an array as soon as a young collection finds no reference to it. A weak
 * reference would be one: young collections take all that is not young for alive, and keep what a
 * weak reference leads to. Arrays that a program drops would then stay until the next marking, and
 * fill its heap. (With weak references Soot's heap was 214 MB after a collection instead of 58, and
 * G1 marked thirteen times instead of once.) But G1 does not move these objects, and each has
 * regions of its own. So an object is there as long as its first region is the first one of such an
 * object at the end of each pause.
 *
 * A handle stands for the reference's: its slot has the address, or 0 once the object is gone. It
 * is released outside the VM, so that may happen in a pause, and the slot may get another object
 * there. Who reads a slot in a pause and has its handle from elsewhere must bear that.
 */
#ifndef OJX_HUMONGOUS_H
#define OJX_HUMONGOUS_H

#include <jni.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vmstructs;

/* At VMInit. False if out of memory. With other collectors nothing is humongous. */
bool humongous_init(const struct vmstructs *vm);

/* Whether an object of that size is not to be held by a weak reference. */
bool humongous_is(uint64_t size);

/*
 * Holds the object at `at`; NULL if there is no room, which `*lacks` tells, or its region makes no
 * sense. In the allocation callback.
 */
jweak humongous_hold(uintptr_t at, bool *lacks);

/* [pause] Whether a handle is one of these. */
bool humongous_has(jweak handle);

void humongous_release(jweak handle);

/* [pause] The collection is over: clears the slots of objects that are gone. */
void humongous_clear(void);

#endif
