/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire_fill.h - a part of wire.h: how full an object was when a snapshot was taken of it, of
 * collections, buffers and arrays (WIRE_FILLED).
 */
#ifndef OJX_WIRE_FILL_H
#define OJX_WIRE_FILL_H

#include <stdint.h>

/* What the object is, and how large its table must be for a number of elements. */
enum wire_fill_kind {
	/*
	 * `size` counts up to the last element that is not 0 or null; of a long array it can be
	 * more
	 */
	WIRE_FILL_ARRAY = 1,
	WIRE_FILL_LIST,	    /* a place for each element */
	WIRE_FILL_BUFFER,   /* the same, of numbers or characters */
	WIRE_FILL_HASH,	    /* a power of two of places, of which 3/4 are used */
	WIRE_FILL_IDENTITY, /* two places for each of a power of two, of which 2/3 are used */
	WIRE_FILL_LINKED,   /* no table: each element has an object */
	WIRE_FILL_KINDS,
};

enum wire_fill_flags {
	WIRE_FILL_SIZE = 1 << 0,     /* `size` is known */
	WIRE_FILL_CHANGES = 1 << 1,  /* `changes` is known */
	WIRE_FILL_CAPACITY = 1 << 2, /* `capacity` and `table_bytes` are known */
	WIRE_FILL_NEVER = 1 << 3,    /* it has never held anything so far */
	/* nothing has been taken out of it so far: `size` is the most that it has held */
	WIRE_FILL_GREW = 1 << 4,
	/*
	 * the snapshot was taken when a collection began, which found the object dead: so it ended;
	 * or found it alive. Neither: not known
	 */
	WIRE_FILL_DIED = 1 << 5,
	WIRE_FILL_SURVIVED = 1 << 6,
};

/* What is not known is 0. */
struct wire_fill {
	uint32_t size;	      /* elements; of a large one, UINT32_MAX */
	uint32_t changes;     /* the object's own count of changes */
	uint32_t capacity;    /* places of its table, used or not */
	uint32_t table_bytes; /* of the arrays that belong to it, with headers and padding */
	uint16_t kind;	      /* wire_fill_kind */
	uint16_t flags;	      /* wire_fill_flags */
	uint32_t pad;
};

_Static_assert(sizeof(struct wire_fill) == 24, "wire_fill changed size");

#define WIRE_FILL_LOAD	  0.75
#define WIRE_FILL_ROUNDED (1 - 1e-9)

/* The least power of two that is not less, but for rounding. */
static inline double wire_fill_power_of_two(double least)
{
	double n = 1;

	while (n < least * WIRE_FILL_ROUNDED)
		n *= 2;
	return n;
}

/* Places that a table of a kind needs for so many elements. */
static inline double wire_fill_places(unsigned kind, double elements)
{
	if (kind == WIRE_FILL_HASH)
		return wire_fill_power_of_two(elements / WIRE_FILL_LOAD);
	if (kind == WIRE_FILL_IDENTITY) {
		double pairs = wire_fill_power_of_two(elements * 3 / 2);
		return 2 * (pairs > 4 ? pairs : 4);
	}
	return elements;
}

#endif
