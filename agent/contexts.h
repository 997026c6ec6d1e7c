/* SPDX-License-Identifier: Apache-2.0 */
/*
 * contexts.h - allocation contexts, and what the watch keeps for each of their sizes.
 */
#ifndef OJX_CONTEXTS_H
#define OJX_CONTEXTS_H

#include "agent.h"

#define SEEDS	      64
#define SAMPLED_SEEDS 16

/*
 * The objects of one context and one size. Fields are guarded by the watch's lock, but for those that are atomic.
 */
struct stratum {
	_Atomic uint64_t key;	  /* context << 32 | extent, plus 1 */
	_Atomic uint64_t pending; /* 1/16 objects allocated since the last watch was armed */
	_Atomic uint32_t samples; /* objects that could have been watched */
	double gap;		  /* objects between watches, smoothed */
	uint32_t seen; /* seeds so far; the reservoir holds SEEDS of them, each equally likely */
	uint32_t turn; /* odd: a partner's turn */
	uint32_t armed;
	uint32_t used, unused; /* watches that ended with a use, and without one in time */
	uint32_t seeds[SEEDS]; /* positions */
	/* positions that sampled accesses led to, plus 1; 0: none yet. For handlers, too */
	_Atomic uint32_t sampled_seen, sampled[SAMPLED_SEEDS];
};

/* The id of an allocation context, defined when new; 0 where the table is full. Not in handlers. */
uint32_t contexts_intern(uint32_t class_id, uint32_t stack_id);

/* The entry of a context and size; NULL where the table is full. Not in handlers. */
struct stratum *contexts_stratum(uint32_t context, uint32_t extent);

/* [handler] The entry of a context and size if there is one. */
struct stratum *contexts_stratum_known(uint32_t context, uint32_t extent);

/* [handler] A position that a sampled access led to enters their reservoir, in which each is equally likely to be found. */
void stratum_add_sampled(struct stratum *s, uint32_t position, uint64_t *random);

/* [handler] A random one of them; false where there is none. */
bool stratum_draw_sampled(struct stratum *s, uint32_t *position, uint64_t *random);

#endif
