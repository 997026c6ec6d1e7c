/* SPDX-License-Identifier: Apache-2.0 */
/*
 * breakdown.h - the pairs of a row by position of the content, and by access stack.
 *
 * A pair of uses compared one position, at one stack; a pair of looks compared every slot. Weights
 * are those of an object that is compared with a random other one of its context and size.
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

/* Adds the pairs of a context's uses, or looks; `share` is the context's of the row's objects. 0,
 * or -1 where memory lacks. */
int breakdown_uses(struct breakdown *b, const struct model_context *c, double share,
		   const struct pairs *pairs);
int breakdown_snapshots(struct breakdown *b, const struct model_context *c, double share,
			const struct pairs *pairs);

/*
 * Sets a row's fields and accesses, in their order; the fields are those of `source`. 0, or -1
 * where memory lacks.
 */
int breakdown_finish(const struct breakdown *b, enum replica_source source, struct replica *row);
void breakdown_release(struct breakdown *b);

#endif
