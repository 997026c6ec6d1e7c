/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waste.h - the analysis of wasteful memory operations: dead stores, silent stores, silent loads
 * (JXPerf, FSE'19).
 *
 * For each kind it has the watched pairs of accesses, most wasteful first. Pairs are merged over
 * threads, and if their two stacks read the same.
 */
#ifndef OJX_WASTE_H
#define OJX_WASTE_H

#include "analyse/waste/waste_store.h"
#include "model/finding.h"
#include "stats/bounds.h"

#define WASTE_KINDS 3
#define WASTE_PARTS 4 /* of enum wire_part */

/* Pairs of one kind whose two stacks read the same, and that access the same part of objects. */
struct waste_pair {
	/*
	 * stacks of the first and second access; the share is the wasted bytes divided by all
	 * observed bytes of the kind (JXPerf equation 2)
	 */
	struct finding_row row;
	enum wire_part part;
	uint64_t count, wasted_count;
	uint64_t wasted_bytes; /* of all samples for which the pairs stand, like all bytes here */
	const char *machine;   /* whose instructions they are, see insn_text */
	uint8_t insn_len[2];
	uint8_t insn[2][16]; /* of the most wasteful pair */
	uint64_t insn_bytes; /* that this instruction wasted */
};

/* A fraction, and the evidence for it. */
struct waste_fraction {
	uint64_t count, bytes, wasted_bytes; /* observed, in pairs */
	double fraction;		     /* NAN without pairs */
	double effective;		     /* see waste_effective */
	struct bounds_range range;	     /* its interval */
};

/*
 * The compiler decides when to load a class word or a length from a header. Pairs of headers count
 * in the fraction, as in the paper. `content` is the fraction of the other pairs, which the program
 * itself causes.
 */
struct waste_sum {
	enum wire_waste_kind kind;
	uint64_t count, bytes, wasted_bytes; /* observed, in pairs */
	double fraction;		     /* JXPerf equation 1; NAN without pairs */
	double effective;		     /* see waste_effective */
	struct bounds_range range;	     /* its interval */
	uint64_t in_part[WASTE_PARTS];	     /* pairs by wire_part */
	struct waste_fraction content;	     /* of the pairs that are not of headers */
	size_t npairs;
	struct waste_pair *pairs; /* those that waste something, by wasted bytes, most first */
};

/*
 * Computes all kinds, in the order of enum wire_waste_kind; `confidence` is that of the intervals.
 * Release with waste_release.
 */
void waste_compute(struct waste_sum waste[WASTE_KINDS], const struct model *m, double confidence);
void waste_release(struct waste_sum waste[WASTE_KINDS]);

/* The interval of the fraction with the quantile `z` (bounds_z); NAN without pairs. */
struct bounds_range waste_range(const struct waste_sum *w, double z);

/* "dead-store", "silent-store", "silent-load", as -e spells them; NULL for anything else. */
const char *waste_name(enum wire_waste_kind kind);

/* "mark word", "class word", "array length"; NULL if it is not part of a header. */
const char *waste_part_name(enum wire_part part);

/*
 * Writes the instruction of the first (0) or second (1) access as an assembler would: "mov dword
 * ptr [rax + 8], ecx". For AVX-512 it writes the effect ("64-byte store to [rax + 0x10]") or the
 * bytes; "?" if the instruction is unknown. `to` has room for `room` bytes.
 */
void waste_instruction(char *to, size_t room, const struct waste_pair *p, int which);

#endif
