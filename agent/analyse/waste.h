/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waste.h - dead stores, silent stores, silent loads (JXPerf, FSE'19, section 5.1).
 *
 * A sample names an access that is about to happen. A debug register is armed on its bytes: its
 * first trap is that access, which proves the address right and gives value and calling context;
 * the second is the access it is compared with.
 */
#ifndef OJX_WASTE_H
#define OJX_WASTE_H

#include "perf/access.h"
#include "perf/slot.h"

/* What is known of a watched access. */
struct waste {
	uintptr_t address;
	uint64_t epoch;
	uint64_t end;	   /* address of the instruction behind the first access */
	uint64_t value;	   /* that it left or found */
	uint32_t stack[2]; /* of the first and second access */
	uint8_t kind;	   /* wire_waste_kind */
	uint8_t bytes;	   /* of the access */
	uint8_t len;	   /* of them, watched: 1, 2, 4, 8 */
	uint8_t floating;  /* see sampler.h */
	uint8_t part;	   /* wire_part */
	uint8_t left_out;  /* of the sample, see sampler.h */
	bool seen;	   /* the first access has come */
	bool wasted;
	uint8_t insn_len[2];
	uint8_t code[2][15]; /* the last bytes before the instruction behind; insn_len of them are
				the access */
};

/*
 * [handler] One of `n` sampled accesses is watched, if one of the kinds asked for has a use for it
 * and a register is to be had.
 */
void waste_sample(struct thread *t, const struct access *a, unsigned n);

/* Who watches; to be added to slots.h. */
extern struct slot_user waste_user;

#endif
