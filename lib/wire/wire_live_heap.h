/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire_live_heap.h - a part of wire.h: what is alive.
 *
 * From time to time the agent looks at the sampled objects that it holds on to weakly and that have
 * survived a collection: one WIRE_ALIVE record for each, a struct wire_snapshot, then a WIRE_VIEW
 * that says how many there were. A view of which not all records arrived is none, and a later one
 * takes the place of an earlier one.
 */
#ifndef OJX_WIRE_LIVE_HEAP_H
#define OJX_WIRE_LIVE_HEAP_H

#include <stdint.h>

#include "wire/wire_rec.h"

/* Types of records, as in enum wire_type. */
#define WIRE_ALIVE 39
#define WIRE_VIEW  40

/* A flag of a WIRE_ALIVE record, beside wire_evidence_flags: there was no time to look at it, it is
 * only known to be alive. */
#define WIRE_UNSEEN (1 << 12)

/* Of a record that stands for no object: of some of the context it is not known whether they are
 * alive. */
#define WIRE_UNHELD (1 << 14)

/* Added to wire_view.leaves: strings are held as well, if they are not larger than that with their
 * arrays. */
#define WIRE_STRINGS_HELD (1u << 31)

/* The end of a view. */
struct wire_view {
	struct wire_rec rec;
	uint32_t objects; /* WIRE_ALIVE records since the last view */
	/* bytes; objects that are larger, or refer to others, are not held. 0: any are */
	uint32_t leaves;
	double interval; /* they are kept as if one in so many bytes had been sampled; 0: all
			    samples are */
	uint64_t age_ms; /* so long ago there was the collection that they have all survived, at
			    most */
};

#endif
