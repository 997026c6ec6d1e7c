/* SPDX-License-Identifier: Apache-2.0 */
/*
 * threadname.h - numbers for threads, by their names: an event has 16 bits to say whose it is.
 *
 * Threads of one name share a number, and where there are many names, so do those that differ in
 * their digits (namefold.h). Virtual threads have all one: they come by the million, and mostly
 * have no name.
 */
#ifndef OJX_THREADNAME_H
#define OJX_THREADNAME_H

#include "core/thread.h"

/* Finds out what tells virtual threads. At the VM's start. */
void threadname_init(JNIEnv *jni);

/* The number of a living thread, defined if it is new; 0 where it has none. Not in handlers. */
uint16_t threadname_number(JNIEnv *jni, jthread thread);

/* Not in handlers. NULL is none. */
bool threadname_is_virtual(JNIEnv *jni, jthread thread);

/*
 * Gives the calling thread `t` the number of its name, or of that of the virtual thread that it
 * runs. Once it `samples`, that is for good, but for carriers, which become known by and by. Not in
 * handlers.
 */
void thread_name(struct thread *t, JNIEnv *jni, jthread thread, bool samples);

#endif
