/* SPDX-License-Identifier: Apache-2.0 */
/*
 * objects.h - allocation contexts made in memory, for tests of the statistics.
 *
 * An object is an array of values, one for each position. The test says what a sampled object
 * holds; hashes, slots and counts follow. Where memory lacks, the test ends.
 *
 *	struct objects o;
 *	objects_init(&o, 4, 1);
 *	objects_allocate(&o, 0, 32, 1000, 1e6);
 *	objects_snapshot(&o, &(struct object){ .weight = 1000, .values = { 1, 2, 3, 4 } });
 *	... &o.context ...
 *	objects_release(&o);
 */
#ifndef OJX_TEST_OBJECTS_H
#define OJX_TEST_OBJECTS_H

#include "model/model.h"

#define OBJECT_VALUES 8 /* positions beyond repeat the last value */

struct object {
	uint64_t values[OBJECT_VALUES];
	double weight;
	uint32_t array_length, epoch;
	uint16_t flags;	 /* wire_evidence_flags */
	uint32_t ticket; /* a look and a use of the same are of one object */
	/* with WIRE_DEEP: what it is with all it refers to, and the bytes of that */
	uint64_t deep;
	uint32_t deep_bytes;
};

struct objects {
	struct model_context context;
	struct model_class class;
	struct model_field fields[OBJECT_VALUES];
	size_t snapshots_room, uses_room, strata_room;
};

/* A context of objects with `nfields` final int fields (at most OBJECT_VALUES), or of arrays for 0.
 */
void objects_init(struct objects *o, uint32_t nfields, uint32_t id);
void objects_release(struct objects *o);
void objects_may_change(struct objects *o); /* the fields are not final */

/* `samples` allocation samples that stand for `objects` objects of `size` bytes. */
void objects_allocate(struct objects *o, uint32_t array_length, uint64_t size, uint64_t samples,
		      double objects);

/* The object was seen at the end of its life; or used at `position`, access stack `access`. */
void objects_snapshot(struct objects *o, const struct object *object);
void objects_use(struct objects *o, const struct object *object, uint32_t access,
		 uint32_t position);

#endif
