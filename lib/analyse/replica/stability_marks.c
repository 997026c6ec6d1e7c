/* SPDX-License-Identifier: Apache-2.0 */
/* stability_marks.c - see stability_marks.h. */
#include "analyse/replica/stability_marks.h"

#include <math.h>

#include "stats/weighed.h"

static struct stability_share share_of(const struct weighed *w, double z)
{
	return (struct stability_share){ weighed_share(w), weighed_range(w, z) };
}

void stability_marks_count(struct stability_marks *m, struct model_context *const *contexts,
			   size_t n, double z)
{
	struct weighed identity = { .all = 0 }, immutable = { .all = 0 };

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < contexts[i]->nsnapshots; k++) {
			const struct model_snapshot *l = contexts[i]->snapshots[k];
			weighed_add(&identity, l->weight, l->flags & (WIRE_HASHED | WIRE_LOCKED));
			if (l->flags & WIRE_TWICE)
				weighed_add(&immutable, l->weight, !(l->flags & WIRE_CHANGED));
		}
	m->identity = share_of(&identity, z);
	m->immutable = share_of(&immutable, z);
}

struct stability_share stability_marks_constant(const struct stability_marks *m, double lasting,
						const struct bounds_range *lasting_range)
{
	struct stability_share constant = m->immutable;

	if (isnan(lasting))
		return constant;
	if (isnan(constant.share))
		return (struct stability_share){ lasting, *lasting_range };
	constant.range.low = fmax(0, constant.range.low + lasting_range->low - 1);
	constant.range.high = fmin(constant.range.high, lasting_range->high);
	constant.share = fmin(constant.share, lasting);
	constant.share = fmin(constant.share, constant.range.high);
	return constant;
}
