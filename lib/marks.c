/* SPDX-License-Identifier: Apache-2.0 */
/* marks.c - see marks.h. */
#include "marks.h"

#include <math.h>

/* Weights of objects that a look could tell something of, and of those of which it told so. */
struct sum {
	double all, squares, so;
};

static void sum_add(struct sum *s, double weight, int so)
{
	s->all += weight;
	s->squares += weight * weight;
	s->so += so ? weight : 0;
}

static struct marks_share sum_share(const struct sum *s, double z)
{
	struct marks_share share = { NAN, { NAN, NAN } };

	if (!(s->all > 0))
		return share;
	share.share = fmin(1, s->so / s->all);
	share.range = bounds_wilson(share.share, bounds_effective(s->all, s->squares), z);
	return share;
}

void marks_count(struct marks *m, struct model_context *const *contexts, size_t n, double z)
{
	struct sum identity = { .all = 0 }, immutable = { .all = 0 };

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < contexts[i]->nlooks; k++) {
			const struct model_look *l = contexts[i]->looks[k];
			sum_add(&identity, l->weight, l->flags & (WIRE_HASHED | WIRE_LOCKED));
			if (l->flags & WIRE_TWICE)
				sum_add(&immutable, l->weight, !(l->flags & WIRE_CHANGED));
		}
	m->identity = sum_share(&identity, z);
	m->immutable = sum_share(&immutable, z);
}

struct marks_share marks_constant(const struct marks *m, double lasting,
				  const struct bounds_range *lasting_range)
{
	struct marks_share constant = m->immutable;

	if (isnan(lasting))
		return constant;
	if (isnan(constant.share))
		return (struct marks_share){ lasting, *lasting_range };
	constant.range.low = fmax(0, constant.range.low + lasting_range->low - 1);
	constant.range.high = fmin(constant.range.high, lasting_range->high);
	constant.share = fmin(constant.share, lasting);
	constant.share = fmin(constant.share, constant.range.high);
	return constant;
}
