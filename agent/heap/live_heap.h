/* SPDX-License-Identifier: Apache-2.0 */
/*
 * live_heap.h - holds sampled objects weakly until they die, to report what is alive.
 *
 * A weak global reference keeps nothing alive and tells when its object has died. From time to
 * time, and at the end, the agent takes snapshots of the objects that have survived a collection
 * (collections.h) and sends them (lib/wire/wire_rec.h): a view. Of younger objects it is
 * unknown whether the program still needs them.
 *
 * If held objects live longer (weak.h), only small objects without references are held, and strings
 * that are small with their arrays.
 */
#ifndef OJX_LIVE_HEAP_H
#define OJX_LIVE_HEAP_H

#include "core/part.h"

/* After the snapshots, whose views it sends. */
extern const struct part live_heap_part;

#endif
