/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sample_draw.h - the sample points that the VM draws for a thread.
 *
 * The VM draws a thread's first point when it makes the thread, and the next one just before the
 * callback of a sample. HotSpot makes the thread's address the seed of its random numbers. So
 * threads that have the same address one after another, as short ones do, get the same points.
 */
#ifndef OJX_SAMPLE_DRAW_H
#define OJX_SAMPLE_DRAW_H

#include "core/state.h"

/* The calling thread begins: the VM drew with the interval in force. */
void sample_draw_begin(JNIEnv *jni);

/*
 * A sample of the calling thread. Returns the interval with which it was drawn; the next one has
 * been drawn with the interval in force.
 */
double sample_draw_taken(void);

/* Tells the user once if there are many threads with the address of an earlier one. */
void sample_draw_tell(void);

#endif
