/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire_live_heap.h - a part of wire.h: the objects that are alive.
 *
 * From time to time the agent takes a view: it looks at the sampled objects that it holds by weak
 * references and that survived a collection. It sends a WIRE_ALIVE record (a struct wire_snapshot)
 * for each, then a WIRE_VIEW with their number. The reader drops a view of which records are
 * missing. A later view replaces an earlier one.
 */
#ifndef OJX_WIRE_LIVE_HEAP_H
#define OJX_WIRE_LIVE_HEAP_H

#include <stdint.h>

#include "wire/wire_rec.h"

/* Record types, as in enum wire_type. */
#define WIRE_ALIVE 39
#define WIRE_VIEW  40

/*
 * Flag of a WIRE_ALIVE record, beside those of wire_evidence_flags that are of snapshots: there was
 * no time for a snapshot; the object is alive, its content unknown. The bit is that of
 * WIRE_SAMPLED, a flag of uses; bit 15 is the model's.
 */
#define WIRE_UNSEEN (1 << 13)

/*
 * Flag of a WIRE_ALIVE record that stands for no object: it is unknown whether some objects of the
 * context are alive.
 */
#define WIRE_UNHELD (1 << 14)

/*
 * Added to wire_view.leaves: strings are held, too, if they with their arrays are not larger than
 * that.
 */
#define WIRE_STRINGS_HELD (1u << 31)

/* The end of a view. */
struct wire_view {
	struct wire_rec rec;
	uint32_t objects; /* WIRE_ALIVE records since the last view */
	/* bytes; larger objects and objects with references are not held. 0: no limit */
	uint32_t leaves;
	double interval; /* bytes; the objects are a sample with this interval. 0: all samples */
	uint64_t age_ms; /* most time since the collection that all of them survived */
};

#endif
