/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire_access.h - a part of wire.h: sampled accesses to memory, and pairs of accesses of which one
 * may be wasted.
 */
#ifndef OJX_WIRE_ACCESS_H
#define OJX_WIRE_ACCESS_H

#include <stdint.h>

#include "wire/wire_rec.h"

/* Defined in JXPerf (FSE'19), section 4. */
enum wire_waste_kind {
	WIRE_DEAD_STORE = 1,   /* stored again before any load */
	WIRE_SILENT_STORE = 2, /* the next store writes the same value */
	WIRE_SILENT_LOAD = 3,  /* the next load reads the same value */
};

/*
 * The part of an object that an accessed address belongs to. The program does not control the parts
 * of a header.
 */
enum wire_part {
	WIRE_PART_CONTENT, /* a field or an element; or not known */
	WIRE_PART_MARK,	   /* the mark word: locks, identity hash code, age */
	WIRE_PART_CLASS,   /* the class word: type checks, calls of overridden methods */
	WIRE_PART_LENGTH,  /* an array's length: bounds checks */
};

/*
 * A pair of accesses to the same bytes by one thread. The first is a store or a load. The second is
 * the next access (dead store), the next store (silent store) or the next load (silent load).
 */
struct wire_waste {
	struct wire_rec rec;
	uint32_t watched, trapped; /* stack ids of the first and the second access */
	uint32_t class_id;	   /* of the object; 0: not known */
	uint16_t bytes;		   /* accessed by the first */
	uint8_t kind;		   /* wire_waste_kind */
	uint8_t wasted;		   /* 1: the pair is of its kind; 0: it counts only in the total */
	uint8_t insn_len[2];	   /* bytes of machine code of the two accesses; 0: not known */
	uint8_t part;		   /* wire_part */
	uint8_t left_out;	   /* further samples that it stands for, see WIRE_GOVERNED */
	uint8_t drawn; /* 1: the first access was drawn from all of its loop; 0: as it came */
	uint8_t pad[3];
	uint8_t insn[2][16];
};

enum wire_access_flags {
	WIRE_ACCESS_LOAD = 1 << 0,
	WIRE_ACCESS_STORE = 1 << 1, /* an atomic update is both */
	/*
	 * the addresses of followed objects were unknown: just after a collection, or the object
	 * moved
	 */
	WIRE_ACCESS_UNPLACED = 1 << 2,
	WIRE_ACCESS_FAULT = 1 << 3, /* the sample is a page fault */
	WIRE_ACCESS_TIME = 1 << 4,  /* from the sampling clock: it samples time, not accesses */
};

#define WIRE_NO_NODE  (-1)
#define WIRE_LEFT_OUT 9 /* most of them: 20 samples a second instead of 200 */

/* One sampled access to the heap. */
struct wire_access {
	struct wire_rec rec;
	uint32_t context;  /* of the followed object that is accessed; 0: none */
	uint32_t class_id; /* of the object; 0: not known */
	uint32_t stack;	   /* id of the accessing stack */
	/*
	 * the number of this sample among all samples of this object, left out ones included; 0: no
	 * object
	 */
	uint32_t hit;
	double weight;		     /* objects that the followed one stands for */
	uint64_t offset;	     /* bytes from the object's start */
	uint64_t data_src;	     /* PERF_SAMPLE_DATA_SRC; 0: not known */
	uint32_t latency;	     /* PERF_SAMPLE_WEIGHT, cycles; 0: not known */
	uint16_t flags;		     /* wire_access_flags */
	uint16_t bytes;		     /* accessed */
	int16_t cpu_node, page_node; /* WIRE_NO_NODE: not known */
	uint32_t left_out;	     /* further samples that it stands for, see WIRE_GOVERNED */
};

#endif
