/* SPDX-License-Identifier: Apache-2.0 */
/*
 * objects.h - allocation contexts made in memory, for tests of the statistics.
 *
 * An object is an array of values, one for each position. The test sets the values of a sampled
 * object; hashes, slots and counts follow. If out of memory, the test ends.
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

#define OBJECT_VALUES 8 /* further positions repeat the last value */

struct object {
	uint64_t values[OBJECT_VALUES];
	double weight;
	uint32_t array_length, epoch;
	uint16_t flags;	 /* wire_evidence_flags */
	uint32_t ticket; /* a snapshot and a use with the same ticket belong to one object */
	/* with WIRE_DEEP: its deep content, and the bytes of what it refers to */
	uint64_t deep;
	uint32_t deep_bytes;
	struct wire_fill fill; /* of a snapshot, if it has a kind */
};

struct objects {
	struct model_context context;
	struct model_class class;
	struct model_field fields[OBJECT_VALUES];
	size_t snapshots_room, uses_room, strata_room;
};

/* A context of objects with `nfields` final int fields (at most OBJECT_VALUES); 0: of arrays. */
void objects_init(struct objects *o, uint32_t nfields, uint32_t id);
void objects_release(struct objects *o);
void objects_may_change(struct objects *o); /* the fields are not final */

/* Adds `samples` allocation samples that stand for `objects` objects of `size` bytes. */
void objects_allocate(struct objects *o, uint32_t array_length, uint64_t size, uint64_t samples,
		      double objects);

/* Adds an object seen at the end of its life; or used at `position`, access stack `access`. */
void objects_snapshot(struct objects *o, const struct object *object);
void objects_use(struct objects *o, const struct object *object, uint32_t access,
		 uint32_t position);

#endif
