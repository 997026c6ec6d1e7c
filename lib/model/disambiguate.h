/* SPDX-License-Identifier: Apache-2.0 */
/*
 * disambiguate.h - what tells lines apart that have the same title, as their stacks differ in
 * callers that the title does not show.
 *
 * Of each such stack it is the frame at which it parts from that other one of the title which it
 * has most frames in common with. "ArrayUtil.grow:295" then is "ArrayUtil.grow:295 via
 * Automaton.addTransition:149".
 */
#ifndef OJX_DISAMBIGUATE_H
#define OJX_DISAMBIGUATE_H

#include "model/callstack.h"

struct disambiguate_item {
	uint64_t title; /* equal for equal titles */
	const struct callstack *stack;
	size_t via; /* out: number of the frame; 0: nothing tells it apart, or there is no need */
};

/* Finds the frames of n items, in whatever order. 0, or -1 where memory lacks. */
int disambiguate(struct disambiguate_item *items, size_t n);

#endif
