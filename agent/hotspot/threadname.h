/* SPDX-License-Identifier: Apache-2.0 */
/*
 * threadname.h - numbers for threads by their names, since an event has 16 bits for its thread.
 *
 * Threads with the same name share a number. When there are many names, so do names that differ
 * only in digits (name_numbers.h). All virtual threads share one number: they come by the million,
 * and most have no name.
 */
#ifndef OJX_THREADNAME_H
#define OJX_THREADNAME_H

#include "core/part.h"
#include "core/thread.h"

extern const struct part threadname_part;

/*
 * The number of a living thread, which is defined if new; 0 if it has none. Takes a lock: not in
 * handlers.
 */
uint16_t threadname_number(JNIEnv *jni, jthread thread);

/* Not in handlers. False for NULL. */
bool threadname_is_virtual(JNIEnv *jni, jthread thread);

/*
 * Sets the number of the calling thread `t` from its name, or from that of the virtual thread that
 * it runs. With `samples` the number is final, except that a thread may later turn out to be a
 * carrier. Not in handlers.
 */
void thread_name(struct thread *t, JNIEnv *jni, jthread thread, bool samples);

#endif
