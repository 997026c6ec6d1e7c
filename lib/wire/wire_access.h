/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire_access.h - a part of wire.h: accesses to memory that were sampled, and pairs of them of
 * which one may be wasted.
 */
#ifndef OJX_WIRE_ACCESS_H
#define OJX_WIRE_ACCESS_H

#include <stdint.h>

#include "wire/wire_rec.h"

/* JXPerf (FSE'19) section 4. */
enum wire_waste_kind {
	WIRE_DEAD_STORE = 1,   /* stored, and stored again before any load */
	WIRE_SILENT_STORE = 2, /* the next store writes the same value */
	WIRE_SILENT_LOAD = 3,  /* the next load finds the same value */
};

/* What an accessed address is, of an object: of a header's parts the program has no say. */
enum wire_part {
	WIRE_PART_CONTENT, /* a field or an element; or not known */
	WIRE_PART_MARK,	   /* the mark word: locks, identity hash code, age */
	WIRE_PART_CLASS,   /* the class word: type checks, calls of overridden methods */
	WIRE_PART_LENGTH,  /* an array's length: checks of bounds */
};

/*
 * Two accesses to the same bytes by one thread, the second being the next of its kind after the
 * first: a store and the next access (dead store), the next store (silent store); a load and the
 * next load (silent load).
 */
struct wire_waste {
	struct wire_rec rec;
	uint32_t watched, trapped; /* stack ids of the first and of the second access */
	uint32_t class_id;	   /* of the object; 0: not known */
	uint16_t bytes;		   /* that the first accessed */
	uint8_t kind;		   /* wire_waste_kind */
	uint8_t wasted;		   /* 1: the pair is what its kind says; 0: it only counts */
	uint8_t insn_len[2];	   /* bytes of machine code of the two accesses; 0: not known */
	uint8_t part;		   /* wire_part */
	uint8_t left_out; /* samples that it stands for besides itself, see WIRE_GOVERNED */
	uint8_t pad[4];
	uint8_t insn[2][16];
};

enum wire_access_flags {
	WIRE_ACCESS_LOAD = 1 << 0,
	WIRE_ACCESS_STORE = 1 << 1, /* an atomic update is both */
	/* nobody knew where followed objects were: just after a collection, or the object moved */
	WIRE_ACCESS_UNPLACED = 1 << 2,
	WIRE_ACCESS_FAULT = 1 << 3, /* the sample is a page fault */
	WIRE_ACCESS_TIME = 1 << 4,  /* of the sampling clock: it samples time, not accesses */
};

#define WIRE_NO_NODE  (-1)
#define WIRE_LEFT_OUT 9 /* at most: 20 samples a second instead of 200 */

/* One sampled access to the heap. */
struct wire_access {
	struct wire_rec rec;
	uint32_t context;  /* of the followed object that it is to; 0: to none */
	uint32_t class_id; /* of the object; 0: not known */
	uint32_t stack;	   /* id: who accesses */
	/* of all samples of this object, those included that were left out, the how-manieth; 0: no
	 * object */
	uint32_t hit;
	double weight;		     /* objects that the followed one stands for */
	uint64_t offset;	     /* bytes from the object's start */
	uint64_t data_src;	     /* PERF_SAMPLE_DATA_SRC; 0: not known */
	uint32_t latency;	     /* PERF_SAMPLE_WEIGHT, cycles; 0: not known */
	uint16_t flags;		     /* wire_access_flags */
	uint16_t bytes;		     /* accessed */
	int16_t cpu_node, page_node; /* WIRE_NO_NODE: not known */
	uint32_t left_out; /* samples that it stands for besides itself, see WIRE_GOVERNED */
};

#endif
