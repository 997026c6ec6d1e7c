/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stability_contents.h - whether the contents of objects when used also occur at the end of life.
 *
 * A cursor that has reached its end, a buffer that was cleared: at the end of life all are equal,
 * yet none could have been shared. Only objects whose content at a use also occurs at the end of
 * life can be. Their share limits what snapshots alone would claim.
 */
#ifndef OJX_STABILITY_CONTENTS_H
#define OJX_STABILITY_CONTENTS_H

#include <stddef.h>
#include <stdint.h>

#include "model/model.h"
#include "stats/bounds.h"

struct stability_contents {
	uint64_t uses; /* number that could be checked */
	/*
	 * of these, the content was also seen at the end of life, of any object of these contexts
	 */
	uint64_t lasted;
};

/* Counts over some contexts together. */
void stability_contents_count(struct stability_contents *l, struct model_context *const *contexts,
			      size_t n);

/*
 * Share of the objects that lasted: 1 as long as no use contradicts, then Wilson's interval. NAN if
 * no use could be checked.
 */
struct bounds_range stability_contents_range(const struct stability_contents *l, double z);

/*
 * ---- what snapshots tell about an object besides its content: whether its identity was used,
 * and whether it changed between two snapshots.
 */

/* A share of objects; NAN if no snapshot tells. */
struct stability_share {
	double share;
	struct bounds_range range; /* Wilson's interval */
};

struct stability_flags {
	struct stability_share identity;  /* has an identity hash code, or was used as a monitor */
	struct stability_share immutable; /* had not changed, of those with two snapshots */
	uint64_t twice, unchanged;	  /* number of these */
};

/* Counts over all snapshots of `n` contexts, by weight; z: the quantile of the intervals. */
void stability_flags_count(struct stability_flags *m, struct model_context *const *contexts,
			   size_t n, double z);

/*
 * The share that never changed from first use to end. Objects unchanged between two snapshots, and
 * objects whose content when used also occurs at the end of life (`lasting`, NAN if unknown), need
 * not be the same objects. So the share lies between that of both together and the smaller one.
 */
struct stability_share stability_flags_constant(const struct stability_flags *m, double lasting,
						const struct bounds_range *lasting_range);

#endif
