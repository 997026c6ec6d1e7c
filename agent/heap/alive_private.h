/* SPDX-License-Identifier: Apache-2.0 */
/* alive_private.h - the table of held objects, for those who fill it (alive.c) and those who look
 * at them (alive_view.c). */
#ifndef OJX_ALIVE_PRIVATE_H
#define OJX_ALIVE_PRIVATE_H

#include "heap/alive.h"

#define ALIVE_MAX 4096u
#define ALIVE_LEAF_MAX \
	4096u /* bytes of one object where what is held lives longer; of a string, with its array \
	       */

/* UNHELD: nothing is held, but it is known that the context has strings that are too long for it.
 */
enum alive_state { ALIVE_FREE, ALIVE_BUSY, ALIVE_HELD, ALIVE_UNHELD };

struct alive_held {
	_Atomic uint32_t state;
	uint32_t context, class_id, extent, ticket;
	uint16_t thread;
	bool open; /* a string of whose array the length was not seen yet */
	uint64_t size, time;
	uint64_t array;	      /* bytes of a string's array, where these count */
	double first, weight; /* as sampled; as kept */
	jweak handle;
};

extern struct alive_table {
	struct alive_held *entries; /* NULL: nothing is held */
	_Atomic uint32_t used;	    /* entries that were ever taken are below it */
	_Atomic double interval;    /* see thin_weight */
	bool leaves;		    /* see alive.h */
	_Atomic bool strings;	    /* and strings besides */
	/* of strings, a look at whose arrays has to be prepared for; NULL where that is not needed
	 */
	jclass string;
	jfieldID string_value;
} alive_table;

bool alive_is_held(const struct alive_held *e);

/* Makes room; false where there is none. */
bool alive_view_init(void);

/* Sends a view if there is something new to tell, and it was not long ago that there was. */
void alive_view(JNIEnv *jni, struct link_ring *ring, bool final);

#endif
