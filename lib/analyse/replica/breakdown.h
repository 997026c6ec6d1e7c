/* SPDX-License-Identifier: Apache-2.0 */
/*
 * breakdown.h - the pairs of a row by position of the content, and by access stack.
 *
 * A pair of uses compares one position, and each use has a stack; a pair of snapshots compares
 * every slot. The weight of a pair stands for an object that is compared with a random other one of
 * its context and size.
 */
#ifndef OJX_BREAKDOWN_H
#define OJX_BREAKDOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyse/replica/pairing.h"
#include "analyse/replica/replica_result.h"
#include "base/idmap.h"
#include "model/model.h"

/*
 * ---- counts of pairs by a number: a position of the content, or an access stack.
 *
 * An array holds one entry for each key met; a hash map finds it. Keys are sparse, like element
 * indices, and each pair of snapshots counts dozens of them.
 */

struct tally_entry {
	uint64_t key;
	uint64_t uses, pairs, equal;
	double weight, weight_equal; /* of the pairs */
};

struct tally {
	struct tally_entry *entries; /* in the order in which keys were first met */
	size_t n, room;
	struct idmap index;
};

/*
 * The entry of a key; a new zeroed one if there is none. Valid until the next call. It ends as
 * xmalloc.h says.
 */
struct tally_entry *tally_at(struct tally *t, uint64_t key);
void tally_release(struct tally *t);

/*
 * ---- finds the few positions in which objects differ. A pair of snapshots compares all slots
 * of two objects at once, so it tells in which slots they differ. If a small set of slots were
 * ignored, all pairs that differ in nothing else would be equal. That is the effect of
 * splitting the object, or of hoisting its constant part. Equality at single positions cannot
 * tell this: ten fields that are each equal in 90 % of the pairs may differ all at once, or
 * one at a time.
 */

struct differing_pair {
	uint64_t positions; /* of the content */
	double weight;
	uint32_t differ; /* bit k: slot k differs */
	uint8_t nslots;	 /* number of slots compared */
	bool equal;	 /* whole contents are equal */
};

struct differing_fields {
	struct differing_pair *pairs;
	size_t n, room;
};

/* Release with differing_release. */
void differing_add(struct differing_fields *a, const struct differing_pair *pair);
void differing_release(struct differing_fields *a);

/*
 * Finds the set. Objects with at most WIRE_SLOTS positions are compared whole and count together.
 * Of larger objects, only the size with most weight is used, since the slots of another size are
 * other positions. `array`: elements are shown as ranges, so more of them still count as few.
 */
void differing_find(const struct differing_fields *a, bool array, struct replica_differing *found);

struct breakdown {
	struct tally used, looked; /* by position */
	struct tally accesses;	   /* by JVM and stack */
	struct differing_fields differing;
	bool arrays;
};

/*
 * Adds the pairs of a context's uses, or snapshots. `share` is the context's share of the row's
 * objects.
 */
void breakdown_uses(struct breakdown *b, const struct model_context *c, double share,
		    const struct pairs *pairs);
void breakdown_snapshots(struct breakdown *b, const struct model_context *c, double share,
			 const struct pairs *pairs);

/* Sets the fields and accesses, sorted; the fields come from `source`. */
void breakdown_finish(const struct breakdown *b, enum replica_source source,
		      struct replica_details *to);
void breakdown_release(struct breakdown *b);

#endif
