/* SPDX-License-Identifier: Apache-2.0 */
/*
 * klassname.h - names the classes of objects of which accesses were sampled, but no allocations:
 * the objects are older than the recording, or few. The VM's own class, to which the header leads,
 * has the name.
 *
 * What seems to be a header may be anything, if the start of an object was guessed wrong. A class
 * of the VM is recognised by its first superclass, java.lang.Object. All reads go through the
 * kernel.
 */
#ifndef OJX_KLASSNAME_H
#define OJX_KLASSNAME_H

#include <jni.h>
#include <stdbool.h>
#include <stdint.h>

struct vmstructs;

#define KLASSNAME_ROOM WIRE_MOST_CLASS_NAMES /* ids: from CLASS_MAX on */

/*
 * At start, once the object layout is known. Without the needed tables of the VM no class is ever
 * named.
 */
void klassname_init(const struct vmstructs *vm, JNIEnv *jni);

/* Service thread: learns from the class word of a real class. */
void klassname_learn(uint64_t word);

/* [handler] Whether this class word (layout_klass) belongs to a class; *array: an array class. */
bool klassname_is_class(uint64_t word, bool *array);

/*
 * [handler] The id of the class with this class word (layout_klass). The tool knows its name by
 * this id, which is never one of classes.h. 0 if the word belongs to no class, or there is no room.
 */
uint32_t klassname_of(uint64_t word);

#endif
