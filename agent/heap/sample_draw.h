/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sample_draw.h - the sample points that the VM draws for a thread.
 *
 * The VM draws a thread's first point when it makes the thread, and each further one just before
 * the callback of a sample. HotSpot seeds a thread's random numbers with the address of its thread
 * structure. Short threads often get the same address one after another; then they draw the same
 * points.
 */
#ifndef OJX_SAMPLE_DRAW_H
#define OJX_SAMPLE_DRAW_H

#include "core/state.h"

/* To be called before the functions below. */
void sample_draw_init(void);

/* The calling thread begins: the VM drew its first point with the interval in force. */
void sample_draw_begin(JNIEnv *jni);

/*
 * The calling thread got a sample. *interval receives the interval with which it was drawn; the
 * next sample has been drawn with the interval in force. False if this sample stands for nothing:
 * from JDK 25 on, what a thread allocates before the event is enabled counts towards its next
 * sample, which then is certain to come.
 */
bool sample_draw_taken(double *interval);

/* Tells the user once if there are many threads with the address of an earlier one. */
void sample_draw_tell(void);

#endif
