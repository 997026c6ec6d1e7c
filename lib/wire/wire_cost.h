/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire_cost.h - what of a recording's cost no clock sees. This is the one place where that stands:
 * the agent keeps it within the budget, and reports show it.
 *
 * Clocks see the agent's callbacks, traps and thread, and the tool. They do not see that the
 * program runs slower afterwards, with other data in the caches and other predictions of branches,
 * nor what HotSpot does itself around a callback. A run cannot measure that on itself: it is a
 * percent or two of a program's time, whose speed changes more from second to second. So both
 * figures are from outside: they were chosen from runs of programs beside plain ones at the same
 * moment (docs/method.md). `make bench` compares what such programs pay with what was told.
 */
#ifndef OJX_WIRE_COST_H
#define OJX_WIRE_COST_H

#include <stdint.h>

/* The cost of a measured nanosecond, with what follows from it; */
#define WIRE_COST_TIMES 1.8
/* and HotSpot's own work for a sampled allocation, ns. */
#define WIRE_COST_SAMPLE_NS 800.0

/*
 * The whole cost, ns, of `ns` measured ones that took `samples` allocations. Ticks of the sampling
 * clock are not among these: they are measured with what they do to the caches (docs/samplers.md).
 */
static inline double wire_cost_whole(double ns, double samples)
{
	return WIRE_COST_TIMES * ns + WIRE_COST_SAMPLE_NS * samples;
}

#endif
