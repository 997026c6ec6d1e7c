/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire_lives.h - a part of wire.h: when sampled objects were made and when they died (WIRE_LIVES).
 *
 * The agent learns of a death at a collection, so a death lies between two moments. Each object
 * that was found dead gives a WIRE_LIFE record. From time to time, and at the end, the agent takes
 * a census: a WIRE_LIVING record for each object that it holds and has not found dead, then a
 * WIRE_CENSUS with their number. The reader drops a census of which records are missing. A later
 * census replaces an earlier one. What came after the last census is not complete: objects that
 * were made since and live are in no record.
 *
 * Where debug registers are to be had, some of the objects are watched until they are used or die:
 * a WIRE_NEXT_USE record each.
 */
#ifndef OJX_WIRE_LIVES_H
#define OJX_WIRE_LIVES_H

#include <stdint.h>

#include "wire/wire_rec.h"

/* Record types, as in enum wire_type. */
#define WIRE_LIFE     41
#define WIRE_LIVING   42
#define WIRE_CENSUS   43
#define WIRE_NEXT_USE 49

/* A moment by three clocks. All zero: there is none. */
struct wire_moment {
	uint64_t ns;	      /* since the JVM is recorded */
	uint64_t bytes;	      /* that the JVM has allocated since, estimated from samples */
	uint32_t collections; /* that looked for dead objects */
	uint32_t pad;
};

/*
 * The life of one object. It was last found alive at `alive`, and the time before at `before`;
 * either is `birth` if there was no such time. It was found dead at `dead`. It survived at least
 * alive.collections - birth.collections collections. A WIRE_LIVING record has no `dead`.
 */
struct wire_life {
	struct wire_rec rec;
	uint32_t context;
	uint32_t ticket; /* uniform random; the tool downsamples by it */
	uint64_t size;	 /* bytes */
	double weight;	 /* objects it stands for */
	struct wire_moment birth, before, alive, dead;
};

/* The end of a census. */
struct wire_census {
	struct wire_rec rec;
	uint32_t objects; /* WIRE_LIVING records since the last census */
	uint32_t pad;
	struct wire_moment now;	      /* younger objects are not in it */
	struct wire_moment collected; /* the last collection that looked for dead young objects */
	/*
	 * The last time for which a collection of the old generation told which of its objects
	 * live: dead objects from before it are known, whatever their age.
	 */
	struct wire_moment marked;
};

/* How a watch ended. */
enum wire_next_use_outcome {
	WIRE_NEXT_OPEN, /* it was given up before the object was used or found dead */
	WIRE_NEXT_USED,
	WIRE_NEXT_DIED, /* found dead, and not used before */
};

enum wire_next_use_flags {
	WIRE_NEXT_PATIENT = 1 << 0, /* not given up after WIRE_NEXT_SHORT_NS, but much later */
	WIRE_NEXT_FRESH = 1 << 1,   /* of those that have just survived their first collection */
	WIRE_NEXT_WHOLE = 1 << 2,   /* each use of the object would have been seen */
};

#define WIRE_NEXT_SHORT_NS   100000000u
#define WIRE_NEXT_PATIENT_NS 10000000000u /* a patient watch waits at least so long */

/*
 * How long it took until an object was used. It is one of the held objects that have survived a
 * collection, and was drawn at `start_ns`: half of them such that each object is equally likely,
 * half such that each byte is that they stand for. A WIRE_NEXT_FRESH one is of those that had just
 * survived their first collection, each of which was equally likely.
 */
struct wire_next_use {
	struct wire_rec rec;
	uint32_t context;
	uint32_t ticket; /* that of the object's wire_life */
	uint64_t size;	 /* bytes */
	/*
	 * Objects that it stands for, divided by the probability with which it was drawn; and times
	 * the seconds since the last draw, unless it is a fresh one.
	 */
	double weight;
	uint64_t birth_ns, start_ns, end_ns; /* as in wire_moment */
	uint16_t outcome, flags;
	uint32_t pad;
};

#endif
