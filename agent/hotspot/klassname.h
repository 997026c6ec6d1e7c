/* SPDX-License-Identifier: Apache-2.0 */
/*
 * klassname.h - classes of objects that accesses were sampled of, and allocations were not: made
 * before the recording, or few. The VM's own class, which the object's header leads to, has the
 * name.
 *
 * What seems to be a header may be anything, where the start of an object was guessed wrong. A
 * class of the VM is told by its first superclass, java.lang.Object. All is read through the
 * kernel.
 */
#ifndef OJX_KLASSNAME_H
#define OJX_KLASSNAME_H

#include <jni.h>
#include <stdbool.h>
#include <stdint.h>

struct vmstructs;

/* At start, when the layout of objects is known. Without what it needs to know of the VM no class
 * is ever named. */
void klassname_init(const struct vmstructs *vm, JNIEnv *jni);

/* Service thread: the word of a class that is one for sure. */
void klassname_learn(uint64_t word);

/* [handler] Whether this class word (layout_klass) is that of a class; *array: of arrays. */
bool klassname_is_class(uint64_t word, bool *array);

/*
 * [handler] The id of the class of this class word (layout_klass), by which the tool knows its
 * name; never one of classes.h. 0 where it is no class's, or there is no room.
 */
uint32_t klassname_of(uint64_t word);

#endif
