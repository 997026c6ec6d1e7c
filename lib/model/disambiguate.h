/* SPDX-License-Identifier: Apache-2.0 */
/*
 * disambiguate.h - distinguishes lines with the same title, whose stacks differ in callers that the
 * title does not show.
 *
 * It compares each such stack with the one of the same title that has most frames in common with
 * it. The frame at which the two differ distinguishes the stack: "ArrayUtil.grow:295" becomes
 * "ArrayUtil.grow:295 via Automaton.addTransition:149".
 */
#ifndef OJX_DISAMBIGUATE_H
#define OJX_DISAMBIGUATE_H

#include "model/callstack.h"

struct disambiguate_item {
	uint64_t title; /* equal for equal titles */
	const struct callstack *stack;
	size_t via; /* out: number of the frame; 0: nothing distinguishes it, or nothing needs to */
};

/* Finds the frames of n items; reorders the items. */
void disambiguate(struct disambiguate_item *items, size_t n);

#endif
