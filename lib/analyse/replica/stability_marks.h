/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stability_marks.h - what looks tell of an object besides its content: whether its identity was
 * used, whether it changed between two looks.
 */
#ifndef OJX_STABILITY_MARKS_H
#define OJX_STABILITY_MARKS_H

#include <stddef.h>

#include "model/model.h"
#include "stats/bounds.h"

/* A share of objects; NAN where no look tells. */
struct stability_share {
	double share;
	struct bounds_range range; /* Wilson's interval */
};

struct stability_marks {
	struct stability_share identity;  /* identity hash asked for, or used as a monitor */
	struct stability_share immutable; /* of those looked at twice: had not changed */
};

/* Over all looks of `n` contexts, by their weights; z: the quantile of the intervals. */
void stability_marks_count(struct stability_marks *m, struct model_context *const *contexts,
			   size_t n, double z);

/*
 * The share that never changed from its first use to its end: an object that is unchanged between
 * two looks and one whose content when used is one at the end of life (`lasting`, NAN where not
 * known) need not be the same, so that it lies between both together and the lesser of them.
 */
struct stability_share stability_marks_constant(const struct stability_marks *m, double lasting,
						const struct bounds_range *lasting_range);

#endif
