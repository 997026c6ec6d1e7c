/* SPDX-License-Identifier: Apache-2.0 */
/* alloc_interval.h - the VM's sampling interval of allocations, and its owner. */
#ifndef OJX_ALLOC_INTERVAL_H
#define OJX_ALLOC_INTERVAL_H

#include "core/part.h"

/* Keeps the interval within the budget. */
extern const struct part alloc_interval_part;

/*
 * While the JVM loads the agent: sets the interval before the JVM has a thread that could draw with
 * HotSpot's own. A first sample drawn with 512 KiB would stand for more objects than a small
 * program makes.
 */
void alloc_interval_at_load(void);

/* The interval with which a thread drew its first sample if the agent did not see it begin. */
uint64_t alloc_interval_unseen(void);

/*
 * The VM has one sampler of allocations, and HotSpot gives it to one agent at a time. So nobody
 * else changes the interval while the agent has it. Once the event is disabled, this restores the
 * interval and releases the sampler.
 */
void alloc_give_back(void);

/*
 * From here on the calling thread's allocations are the agent's own and give no samples; or they
 * give samples again.
 */
void alloc_ignore(bool on);
bool alloc_ignored(void);

/* [pause] The interval in force. */
uint64_t alloc_interval(void);

/* [pause] Whether every allocation is sampled (--exact). */
static inline bool alloc_exact(void)
{
	return ojx.config.flags & WIRE_EXACT;
}

/*
 * ---- the sample points that the VM draws for a thread. The VM draws a thread's first point
 * when it makes the thread, and each further one just before the callback of a sample. HotSpot
 * seeds a thread's random numbers with the address of its thread structure. Short threads
 * often get the same address one after another; then they draw the same points.
 */

/* The calling thread begins: the VM drew its first point with the interval in force. */
void sample_draw_begin(JNIEnv *jni);

/*
 * The calling thread got a sample. *interval receives the interval with which it was drawn; the
 * next sample has been drawn with the interval in force. False if this sample stands for nothing:
 * from JDK 25 on, what a thread allocates before the event is enabled counts towards its next
 * sample, which then is certain to come (8356372). With such samples, 200 threads that made 19 MB
 * after an attachment were told as 107 MB; without them as 16 MB, since what a thread puts into the
 * rest of its buffer is not seen.
 */
bool sample_draw_taken(double *interval);

#endif
