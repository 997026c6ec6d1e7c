/* SPDX-License-Identifier: Apache-2.0 */
/* window_check.h - tests whether the agent reads memory as the right sequence of objects. */
#ifndef OJX_WINDOW_CHECK_H
#define OJX_WINDOW_CHECK_H

#include <jni.h>
#include <stdbool.h>

/*
 * At VMInit: makes arrays and strings, one behind the other, and walks over them. Each must be
 * found in its place, with its class, and the walk must end where the thread allocates next. If
 * not, `*why` may be set to a known cause.
 */
bool window_check(JNIEnv *jni, const char **why);

#endif
