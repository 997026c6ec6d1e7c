/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waste_store.h - what the model keeps of pairs of accesses to the same bytes: counts by kind, by
 * the two stacks, and by the part of the object that is accessed.
 */
#ifndef OJX_WASTE_STORE_H
#define OJX_WASTE_STORE_H

#include "model/analysis.h"
#include "model/sums.h"

/*
 * Pairs of one kind, two calling contexts (wire.h, struct wire_waste) and a place. `wasted` counts
 * pairs that are what the kind says. Bytes are those of all samples for which the pairs stand;
 * `squares` is the sum of the squares of the pairs' bytes.
 */
struct model_waste {
	uint32_t jvm;	   /* index, 1.. */
	uint32_t stack[2]; /* ids: of the first and the second access */
	enum wire_waste_kind kind;
	enum wire_part part;
	uint32_t place; /* see struct file_waste */
	uint64_t count, wasted_count;
	uint64_t bytes, wasted_bytes, squares;
	uint8_t insn_len[2]; /* bytes of machine code of one such pair; 0: not known */
	uint8_t insn[2][16];
};

/* Of struct analysis. The store is a struct sums_store. */
extern const struct analysis_record waste_records[];
int waste_flush(struct model *m, void *store, analysis_emit_fn *emit, void *arg);

size_t model_nwastes(const struct model *m);
const struct model_waste *model_waste(const struct model *m, size_t i); /* 0..nwastes-1 */

#endif
