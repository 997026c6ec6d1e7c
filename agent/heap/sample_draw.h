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

/* Before the first of these calls. */
void sample_draw_init(void);

/* The calling thread begins: the VM drew with the interval in force. */
void sample_draw_begin(JNIEnv *jni);

/*
 * A sample of the calling thread, drawn with *interval; the next one has been drawn with the
 * interval in force. False if the sample stands for nothing: from JDK 25 on, what a thread
 * allocates before the event is enabled counts towards its next sample, which then comes for sure.
 */
bool sample_draw_taken(double *interval);

/* Tells the user once if there are many threads with the address of an earlier one. */
void sample_draw_tell(void);

#endif
