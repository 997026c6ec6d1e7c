/* SPDX-License-Identifier: Apache-2.0 */
/* live_heap_private.h - the table of held objects, for those who fill it (live_heap.c) and those
 * who look at them (live_heap_view.c). */
#ifndef OJX_LIVE_HEAP_PRIVATE_H
#define OJX_LIVE_HEAP_PRIVATE_H

#include "heap/live_heap.h"

#define ALIVE_MAX 4096u
#define ALIVE_LEAF_MAX \
	4096u /* bytes of one object where what is held lives longer; of a string, with its array \
	       */

/* UNHELD: nothing is held, but it is known that the context has strings that are too long for it.
 */
enum live_heap_state { ALIVE_FREE, ALIVE_BUSY, ALIVE_HELD, ALIVE_UNHELD };

struct live_heap_held {
	_Atomic uint32_t state;
	uint32_t context, class_id, array_length, ticket;
	uint16_t thread;
	bool open; /* a string of whose array the length was not seen yet */
	uint64_t size, time;
	uint64_t array;	      /* bytes of a string's array, where these count */
	double first, weight; /* as sampled; as kept */
	jweak handle;
};

extern struct live_heap_table {
	struct live_heap_held *entries; /* NULL: nothing is held */
	_Atomic uint32_t used;		/* entries that were ever taken are below it */
	_Atomic double interval;	/* see downsample_weight */
	bool leaves;			/* see live_heap.h */
	_Atomic bool strings;		/* and strings besides */
	/* of strings, a look at whose arrays has to be prepared for; NULL where that is not needed
	 */
	jclass string;
	jfieldID string_value;
} live_heap_table;

bool live_heap_is_held(const struct live_heap_held *e);

/* Makes room; false where there is none. */
bool live_heap_view_init(void);

/* Sends a view if there is something new to tell, and it was not long ago that there was. */
void live_heap_view(JNIEnv *jni, struct link_ring *ring, bool final);

#endif
