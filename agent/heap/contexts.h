/* SPDX-License-Identifier: Apache-2.0 */
/* contexts.h - allocation contexts, and the watch's data for each of their strata. */
#ifndef OJX_CONTEXTS_H
#define OJX_CONTEXTS_H

#include "core/state.h"

/* A uniform sample of all positions that were ever added. For handlers, too. */
struct reservoir {
	_Atomic uint32_t seen; /* positions added */
	_Atomic uint32_t room; /* where they are kept; 0: nowhere yet */
};

/*
 * The objects of one context and one size. The watch's lock guards the fields that are not atomic.
 */
struct stratum {
	_Atomic uint64_t pending; /* 1/16 objects: those allocated since the last watch was armed */
	double gap;		  /* objects between watches, smoothed */
	_Atomic uint32_t samples; /* objects that could have been watched */
	uint32_t turn;		  /* odd: a partner's turn */
	uint32_t armed;
	uint32_t used, unused; /* watches that ended with a use, and without one in time */
	struct reservoir seeds;
	struct reservoir sampled; /* positions found by sampled accesses */
};

/*
 * The id of an allocation context, which is defined if new; 0 if the table is full. Takes a lock:
 * not in handlers.
 */
uint32_t contexts_intern(uint32_t class_id, uint32_t stack_id);

/* The entry of a context and size; NULL if the table is full. Takes a lock: not in handlers. */
struct stratum *contexts_stratum(uint32_t context, uint32_t array_length);

/* [handler] The entry of a context and size; NULL if there is none. */
struct stratum *contexts_stratum_known(uint32_t context, uint32_t array_length);

/* [handler] Adds a position to a reservoir. */
void reservoir_add(struct reservoir *r, uint32_t position, uint64_t *random);

/* [handler] A random position from a reservoir; false if it is empty. */
bool reservoir_draw(struct reservoir *r, uint32_t *position, uint64_t *random);

#endif
