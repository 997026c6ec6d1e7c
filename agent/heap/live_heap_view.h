/* SPDX-License-Identifier: Apache-2.0 */
/*
 * live_heap_view.h - the table of held objects, for those who fill it (live_heap.c), take
 * snapshots (live_heap_view.c), and follow lives (lifetimes.c).
 */
#ifndef OJX_LIVE_HEAP_VIEW_H
#define OJX_LIVE_HEAP_VIEW_H

#include "core/state.h"

struct link_ring;

#define ALIVE_MAX 4096u
#define ALIVE_LEAF_MAX \
	4096u /* most bytes of an object (a string: with its array) if held objects live longer */

/* UNHELD: nothing is held, but the context is known to have strings that are too long. */
enum live_heap_state { ALIVE_FREE, ALIVE_BUSY, ALIVE_HELD, ALIVE_UNHELD };

struct live_heap_held {
	_Atomic uint32_t state;
	uint32_t context, class_id, array_length, ticket;
	uint32_t object_ticket; /* that of the object's snapshot */
	uint16_t thread;
	bool open; /* a string whose array's length is not known yet */
	uint64_t size, time;
	uint64_t array;	      /* bytes of a string's array, if they count */
	double first, weight; /* as sampled; as kept */
	jweak handle;
};

extern struct live_heap_table {
	struct live_heap_held *entries; /* NULL: nothing is held */
	_Atomic uint32_t used;		/* all entries ever used are below it */
	_Atomic double interval;	/* see downsample_weight */
	_Atomic uint32_t room;		/* objects that may be held, <= ALIVE_MAX */
	_Atomic uint32_t count;		/* objects held */
	bool leaves;			/* only objects without references, see live_heap.h */
	_Atomic bool strings;		/* and strings */
	/* for strings, whose array must be loaded before a snapshot; NULL if that is not needed */
	jclass string;
	jfieldID string_value;
} live_heap_table;

/* [pause] */
bool live_heap_is_held(const struct live_heap_held *e);

/* Allocates its memory; false when out of memory. */
bool live_heap_view_init(void);

/* Sends a view if there is something new and the last view was not recent. */
void live_heap_view(JNIEnv *jni, struct link_ring *ring, bool final);

#endif
