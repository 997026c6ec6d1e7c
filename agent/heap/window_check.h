/* SPDX-License-Identifier: Apache-2.0 */
/* window_check.h - whether memory is a sequence of objects where we take it for one. */
#ifndef OJX_WINDOW_CHECK_H
#define OJX_WINDOW_CHECK_H

#include <jni.h>
#include <stdbool.h>

/*
 * At VMInit: makes arrays and strings of its own, one behind the other, and walks over them: each
 * must be found where it is, with its class, and where the thread allocates the walk must end.
 * If not, `*why` may be set to what is known of the cause.
 */
bool window_check(JNIEnv *jni, const char **why);

#endif
