/* SPDX-License-Identifier: Apache-2.0 */
/* loop_truth.h - what the accesses of a loop are, for the loops of loop_code.h. */
#ifndef OJX_TEST_LOOP_TRUTH_H
#define OJX_TEST_LOOP_TRUTH_H

#include <stddef.h>
#include <stdint.h>

/* What a loop is: `stores` and `loads` of `size` bytes, side by side in an iteration. */
struct loop_truth {
	const uint8_t *bytes;
	size_t len, inside; /* offset of one of its instructions */
	uint32_t stores, loads;
	int64_t stride, size;
	uint32_t same_stores, same_loads; /* stores, loads of each place */
};

#endif
