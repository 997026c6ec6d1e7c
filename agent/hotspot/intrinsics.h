/* SPDX-License-Identifier: Apache-2.0 */
/*
 * intrinsics.h - innermost frames that exist only while code is interpreted.
 *
 * For some JDK methods that allocate or copy, such as Object.clone and Arrays.copyOf, compilers put
 * code of their own in place of the call, which has no frame. So code that is interpreted first and
 * compiled later would have two contexts. Therefore these frames are left out when they are
 * innermost.
 */
#ifndef OJX_INTRINSICS_H
#define OJX_INTRINSICS_H

#include <jni.h>
#include <stdint.h>

#include "wire/wire.h"

/* At start. Methods that this JDK lacks never match. */
void intrinsics_init(JNIEnv *jni);

/* [handler] How many of the `n` frames (innermost first) to leave out; fewer than n. */
uint32_t intrinsics_of(const struct wire_frame *frames, uint32_t n);

#endif
