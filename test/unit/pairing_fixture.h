/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pairing_fixture.h - forms pairs of made objects, and checks that they are disjoint; include it
 * after cmocka.h.
 */
#ifndef OJX_TEST_PAIRING_FIXTURE_H
#define OJX_TEST_PAIRING_FIXTURE_H

#include <math.h>
#include <stdlib.h>

#include "analyse/replica/pairing.h"
#include "objects.h"

typedef void pair_fn(struct pairs *, const struct model_context *, struct rng *);

/* Fails if an object is in two pairs. */
static inline void assert_disjoint(const struct pairs *pairs, size_t objects)
{
	unsigned char *taken = calloc(objects ? objects : 1, 1);

	for (size_t i = 0; i < pairs->n; i++) {
		const struct pair *p = &pairs->pair[i];
		assert_true(p->first < objects && p->second < objects && p->first != p->second);
		assert_int_equal(taken[p->first]++, 0);
		assert_int_equal(taken[p->second]++, 0);
		assert_true(p->weight > 0 && isfinite(p->weight));
	}
	free(taken);
}

static inline size_t count(const struct pairs *pairs, enum pair_outcome outcome)
{
	size_t n = 0;

	for (size_t i = 0; i < pairs->n; i++)
		n += pairs->pair[i].outcome == outcome;
	return n;
}

/* Weighted share of an outcome among the pairs of one kind; NAN without pairs. */
static inline double share(const struct pairs *pairs, enum pair_kind kind,
			   enum pair_outcome outcome)
{
	double sum = 0, all = 0;

	for (size_t i = 0; i < pairs->n; i++) {
		const struct pair *p = &pairs->pair[i];
		all += p->kind == kind ? p->weight : 0;
		sum += p->kind == kind && p->outcome == outcome ? p->weight : 0;
	}
	return all > 0 ? sum / all : NAN;
}

static inline void pair(struct pairs *pairs, const struct objects *o, pair_fn *fn, uint64_t seed)
{
	struct rng rng = { seed };

	fn(pairs, &o->context, &rng);
	assert_disjoint(pairs, fn == pairing_snapshots ? o->context.nsnapshots : o->context.nuses);
}

static inline void release(struct pairs *pairs, struct objects *o)
{
	pairs_release(pairs);
	objects_release(o);
}

#endif
