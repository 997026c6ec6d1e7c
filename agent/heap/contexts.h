/* SPDX-License-Identifier: Apache-2.0 */
/*
 * contexts.h - allocation contexts, and what the watch keeps for each of their sizes.
 */
#ifndef OJX_CONTEXTS_H
#define OJX_CONTEXTS_H

#include "core/state.h"

/* Positions, each of all that were ever added being equally likely to be among those that are kept.
 * For handlers, too. */
struct reservoir {
	_Atomic uint32_t seen; /* that were added */
	_Atomic uint32_t room; /* where they are kept; 0: nowhere yet */
};

/*
 * The objects of one context and one size. Fields are guarded by the watch's lock, but for those
 * that are atomic.
 */
struct stratum {
	_Atomic uint64_t pending; /* 1/16 objects allocated since the last watch was armed */
	double gap;		  /* objects between watches, smoothed */
	_Atomic uint32_t samples; /* objects that could have been watched */
	uint32_t turn;		  /* odd: a partner's turn */
	uint32_t armed;
	uint32_t used, unused; /* watches that ended with a use, and without one in time */
	struct reservoir seeds;
	struct reservoir sampled; /* positions that sampled accesses led to */
};

/* The id of an allocation context, defined when new; 0 where the table is full. Not in handlers. */
uint32_t contexts_intern(uint32_t class_id, uint32_t stack_id);

/* The entry of a context and size; NULL where the table is full. Not in handlers. */
struct stratum *contexts_stratum(uint32_t context, uint32_t array_length);

/* [handler] The entry of a context and size if there is one. */
struct stratum *contexts_stratum_known(uint32_t context, uint32_t array_length);

/* [handler] A position enters a reservoir. */
void reservoir_add(struct reservoir *r, uint32_t position, uint64_t *random);

/* [handler] A random one of those that are kept; false where there is none. */
bool reservoir_draw(struct reservoir *r, uint32_t *position, uint64_t *random);

#endif
