/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_time.h - the three clocks by which lives are measured: time, bytes allocated, collections.
 *
 * The bytes are a sum over sampled allocations, each with the bytes that it stands for. So they are
 * an estimate, which grows by about the sampling interval at a time. Pauses that only mark are no
 * collections. With Serial, Parallel and G1 each pause that collects counts once, although a full
 * collection that was asked for makes Parallel do two in one pause. With Z and Shenandoah the VM's
 * own count is used.
 */
#ifndef OJX_HEAP_TIME_H
#define OJX_HEAP_TIME_H

#include "core/state.h"

struct vmstructs;

/* False if the VM's count of collections is not known. */
bool heap_time_init(const struct vmstructs *vm);

/* Counts a sampled allocation that stands for so many bytes. */
void heap_time_allocated(double bytes);

/* [pause] */
struct wire_heap_time heap_time_now(void);

/* [pause] Counts the collection of this pause. With Serial, Parallel and G1. */
void heap_time_collected(void);

/* [pause] Collections that the VM has begun by its own count. */
uint32_t heap_time_vm_collections(void);

/*
 * [pause] How many of them were full collections. The VM's tables do not name this counter. In all
 * JDKs from 11 to 25 it follows the other one. So a caller must not rely on it alone.
 */
uint32_t heap_time_full_collections(void);

#endif
