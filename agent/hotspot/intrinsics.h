/* SPDX-License-Identifier: Apache-2.0 */
/*
 * intrinsics.h - innermost frames that are there or not, by whether code is compiled.
 *
 * For some methods of the JDK that allocate or copy, compilers put code of their own in place of
 * the call, which has no frame: Object.clone, Arrays.copyOf and the like. A place that is
 * interpreted first and compiled later would be two contexts. So these frames are left out where
 * they are innermost.
 */
#ifndef OJX_INTRINSICS_H
#define OJX_INTRINSICS_H

#include <jni.h>
#include <stdint.h>

#include "wire/wire.h"

/* At start. Methods that this JDK does not have are none of these. */
void intrinsics_init(JNIEnv *jni);

/* [handler] How many of the `n` frames (innermost first) are to be left out; fewer than n. */
uint32_t intrinsics_of(const struct wire_frame *frames, uint32_t n);

#endif
