/* SPDX-License-Identifier: Apache-2.0 */
/* deep_private.h - the state of a walk, for deep.c, deep_together.c and deep_fixed.c. */
#ifndef OJX_AGENT_DEEP_PRIVATE_H
#define OJX_AGENT_DEEP_PRIVATE_H

#include "heap/deep.h"
#include "hotspot/metadata/shape.h"
#include "hotspot/reader.h"

#define DEEP_TABLE  256u /* addresses to numbers; more than DEEP_NODES */
#define DEEP_CUT    255u /* in place of a number: not followed */
#define DEEP_PAGES  160u /* most pages that one walk may copy */
#define DEEP_VISITS 24u	 /* objects that deep_fixed reads; one that is met twice counts twice */

enum { DEEP_UNSEEN, DEEP_OPEN, DEEP_DONE };

struct deep_node {
	uintptr_t at;
	uint64_t hash; /* of its own bytes, later with the objects that it refers to */
	uint16_t first_edge, nedges;
	uint8_t level, state;
};

struct deep_edge {
	uint32_t slot; /* offset from the object's start */
	uint32_t to;
};

struct deep {
	struct reader *reader;
	struct shape_cache *shapes;
	uint64_t epoch;
	/* the current walk */
	bool bad;
	bool string; /* the root is a string */
	bool text;   /* the object behind the root is an array of numbers */
	uint8_t coder;
	uint16_t flags;
	uint32_t nnodes, nedges;
	uint32_t next; /* nodes before it were read */
	uint64_t left; /* bytes of content */
	uint64_t bytes;
	struct deep_node nodes[DEEP_NODES];
	struct deep_edge edges[DEEP_EDGES];
	uint8_t table[DEEP_TABLE]; /* number + 1 */
	uint8_t stack[DEEP_NODES];
	uint16_t cursor[DEEP_NODES];
	unsigned char own[READER_MAX];
	uintptr_t visits[DEEP_VISITS]; /* of deep_fixed */
};

_Static_assert(DEEP_NODES < DEEP_CUT && DEEP_NODES < DEEP_TABLE, "numbers fit");

/*
 * [pause] The number of the object at an address, a new one if necessary; DEEP_CUT if there is no
 * room.
 */
uint32_t deep_number(struct deep *d, uintptr_t at, uint32_t level);
/* [pause] Reads one object: its own hash, and its edges. */
void deep_read(struct deep *d, struct deep_node *n);

/*
 * [pause] The steps of deep_hash before deep_end: begins a walk; reads the objects that were met
 * and not read yet, and returns whether these led to others.
 */
void deep_start(struct deep *d, uintptr_t object);
bool deep_level(struct deep *d);

#endif
