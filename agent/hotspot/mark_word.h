/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mark_word.h - what an object's mark word tells about the use of its identity.
 *
 * The mark word keeps an identity hash code that was requested. A lock leaves traces in it while it
 * is held, and as long as the object has a monitor. A lock that was always free when requested, and
 * is free now, leaves none. Most JDKs keep the hash code of a locked object, or of one with a
 * monitor, elsewhere, where it is not seen. So the flags are lower bounds.
 */
#ifndef OJX_MARK_WORD_H
#define OJX_MARK_WORD_H

#include <stdint.h>

#include "core/state.h"

/*
 * At VMInit, after layout_measure: finds the place of the hash code. If it fails, WIRE_HASHED is
 * never set.
 */
void mark_word_measure(JNIEnv *jni);

/* [handler][pause] WIRE_HASHED and WIRE_LOCKED of the object whose first 8 bytes are at `object`.
 */
uint16_t mark_word_flags(const unsigned char *object);

/*
 * ---- whether an address of the heap is in an object's header. Compilers alone decide when a
 * header is accessed, not the program.
 */

/*
 * [handler] The part (wire_part) of an object at `address` (in the heap, `size` bytes); content if
 * unknown. Valid in the current epoch.
 */
uint8_t header_part(uintptr_t address, uint32_t size);

#endif
