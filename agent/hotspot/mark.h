/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mark.h - what the mark word in an object's header tells of the use of its identity.
 *
 * An identity hash code that was asked for is kept there, and a lock leaves its traces: while it is
 * held, and as long as the object has a monitor. A lock that was always free when somebody wanted
 * it, and is free now, leaves none; and the hash code of an object that is locked or has a monitor
 * is kept elsewhere by most JDKs and not seen. So the flags are lower bounds.
 */
#ifndef OJX_MARK_H
#define OJX_MARK_H

#include "core/state.h"

/* At VMInit, after layout_measure: finds where the hash code is kept. Where it does not, that flag
 * is never set. */
void mark_measure(JNIEnv *jni);

/* [handler][pause] WIRE_HASHED and WIRE_LOCKED of the object whose first 8 bytes are at `object`.
 */
uint16_t mark_flags(const unsigned char *object);

#endif
