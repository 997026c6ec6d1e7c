/* SPDX-License-Identifier: Apache-2.0 */
/*
 * eden_windows.h - windows of eden: copies of the memory behind sampled objects, taken at the start
 * of a collection (lib/wire/wire_rec.h).
 *
 * The VM samples bytes: any allocated byte is a sample point with the same small probability. A
 * window reaches a fixed number of bytes from its sample point on. So any object begins in a window
 * with the same probability, whatever it holds and whatever lies before it. The sampled object
 * itself is left out, since large objects are sampled more often.
 *
 * In the pause the agent only copies. eden_send.c reads the copies later, on the service thread.
 */
#ifndef OJX_EDEN_WINDOWS_H
#define OJX_EDEN_WINDOWS_H

#include "core/part.h"
#include "heap/allocation.h"
#include "heap/eden/eden_walk.h"

#define EDEN_WINDOWS 64u

/* See struct part. A note tells why there are none. */
const char *eden_windows_init(const struct part_start *start);

/* [pause] Whether windows are taken. */
bool eden_windows_wanted(void);

/* [pause] No more windows are taken. */
void eden_windows_stop(void);

/* Service thread: sends a note if a pause found that windows cannot be taken any more. */
void eden_windows_tell_end(void);

/* In the allocation callback. */
void eden_windows_offer(struct allocation *a);

/* [pause] Takes windows; keeps them if the pause was a collection. */
void eden_windows_gc_start(void);
void eden_windows_gc_finish(uint64_t epoch);

/* Window i of EDEN_WINDOWS. */
struct eden_window *eden_windows_get(uint32_t i);

#endif
