/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waste.h - dead stores, silent stores, silent loads (JXPerf, FSE'19, section 5.1).
 *
 * A sample names an access that is about to happen. A debug register is armed on its bytes. The
 * trap of that access confirms the address, and gives the value and the calling context. The next
 * trap is the access to compare with.
 */
#ifndef OJX_WASTE_H
#define OJX_WASTE_H

#include "perf/access.h"
#include "perf/slot.h"

/* A watched access. */
struct waste {
	uintptr_t address;
	uint64_t epoch;
	uint64_t end;	   /* address of the instruction after the first access */
	uint64_t value;	   /* value stored or loaded */
	uint32_t stack[2]; /* of the first and second access */
	uint8_t kind;	   /* wire_waste_kind */
	uint8_t bytes;	   /* bytes of the access */
	uint8_t len;	   /* watched bytes of it: 1, 2, 4, 8 */
	uint8_t floating;  /* see access.h */
	uint8_t part;	   /* wire_part */
	uint8_t left_out;  /* of the sample, see access.h */
	bool drawn;	   /* see access.h */
	bool seen;	   /* the first access has come */
	bool wasted;
	uint8_t insn_len[2];
	uint8_t code[2][15]; /* before the next instruction; the last insn_len bytes count */
};

/*
 * [handler] Watches one of `n` sampled accesses, if it suits one of the requested kinds and a
 * register is available.
 */
void waste_sample(struct thread *t, const struct access *a, unsigned n);

/* The user of watches; to be added to slots.h. */
extern struct slot_user waste_user;

#endif
