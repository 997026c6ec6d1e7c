/* SPDX-License-Identifier: Apache-2.0 */
/* wire_slots.h - a part of wire.h: which positions of an object are kept as slots of a snapshot. */
#ifndef OJX_WIRE_SLOTS_H
#define OJX_WIRE_SLOTS_H

#include <stdint.h>

#define WIRE_SLOTS 32 /* most values of one object that are kept as hashes */

/* How many of an object's positions (fields or elements) are kept as slots. */
static inline uint32_t wire_slots(uint64_t positions)
{
	return positions < WIRE_SLOTS ? (uint32_t)positions : WIRE_SLOTS;
}

/*
 * The position that slot k of an object stands for. All positions if they fit in the slots;
 * otherwise a fixed pseudo-random choice that depends only on their number, so that two objects of
 * the same size can be compared slot by slot. (splitmix64's finalizer.)
 */
static inline uint64_t wire_position(uint64_t positions, uint32_t k)
{
	if (positions <= WIRE_SLOTS)
		return k;
	uint64_t z = positions * 0x9e3779b97f4a7c15u + (k + 1) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return (z ^ (z >> 31)) % positions;
}

#endif
