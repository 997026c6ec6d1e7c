/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stability_marks.h - what snapshots tell about an object besides its content: whether its identity
 * was used, and whether it changed between two snapshots.
 */
#ifndef OJX_STABILITY_MARKS_H
#define OJX_STABILITY_MARKS_H

#include <stddef.h>

#include "model/model.h"
#include "stats/bounds.h"

/* A share of objects; NAN if no snapshot tells. */
struct stability_share {
	double share;
	struct bounds_range range; /* Wilson's interval */
};

struct stability_marks {
	struct stability_share identity;  /* has an identity hash code, or was used as a monitor */
	struct stability_share immutable; /* had not changed, of those with two snapshots */
};

/* Counts over all snapshots of `n` contexts, by weight; z: the quantile of the intervals. */
void stability_marks_count(struct stability_marks *m, struct model_context *const *contexts,
			   size_t n, double z);

/*
 * The share that never changed from first use to end. Objects unchanged between two snapshots, and
 * objects whose content when used also occurs at the end of life (`lasting`, NAN if unknown), need
 * not be the same objects. So the share lies between that of both together and the smaller one.
 */
struct stability_share stability_marks_constant(const struct stability_marks *m, double lasting,
						const struct bounds_range *lasting_range);

#endif
