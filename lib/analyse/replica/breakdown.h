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

#include "analyse/replica/differing_fields.h"
#include "analyse/replica/pairing.h"
#include "analyse/replica/replica_result.h"
#include "base/tally.h"
#include "model/model.h"

struct breakdown {
	struct tally used, looked; /* by position */
	struct tally accesses;	   /* by JVM and stack */
	struct differing_fields differing;
	bool arrays;
};

/*
 * Adds the pairs of a context's uses, or snapshots. `share` is the context's share of the row's
 * objects. 0, or -1 if out of memory.
 */
int breakdown_uses(struct breakdown *b, const struct model_context *c, double share,
		   const struct pairs *pairs);
int breakdown_snapshots(struct breakdown *b, const struct model_context *c, double share,
			const struct pairs *pairs);

/*
 * Sets the row's fields and accesses, sorted; the fields come from `source`. 0, or -1 if out of
 * memory.
 */
int breakdown_finish(const struct breakdown *b, enum replica_source source, struct replica *row);
void breakdown_release(struct breakdown *b);

#endif
