/* SPDX-License-Identifier: Apache-2.0 */
/*
 * at_once.c - see at_once.h.
 *
 * That two objects refer to different objects does not tell that these differ, so deep contents
 * have to be distinct as well. They are compared at about the same time, so that a change of what
 * many objects refer to does not make them differ.
 */
#include "analyse/replica/at_once.h"

#include <math.h>
#include <stdlib.h>

#include "analyse/replica/observations.h"
#include "base/rng.h"
#include "base/xmalloc.h"

#define MOST 0.5 /* share of the bytes that must have references, and be followed */

/* What was found of a row. */
struct found {
	struct epoch_snapshot *own, *deep;
	size_t nown, ndeep;
	double all, referring, followed; /* bytes */
};

static void add(struct found *f, const struct model_context *c, const struct model_snapshot *l,
		double v)
{
	uint64_t epoch = (uint64_t)c->jvm << 32 | l->epoch;
	uint64_t length = rng_mix(l->array_length + 1ull);

	f->all += v;
	f->referring += l->flags & WIRE_REFS ? v : 0;
	f->own[f->nown++] = (struct epoch_snapshot){ epoch, l->content ^ length, v };
	if (!(l->flags & WIRE_DEEP))
		return;
	f->followed += v;
	f->deep[f->ndeep++] = (struct epoch_snapshot){ epoch, l->deep ^ length, v };
}

void at_once_measure(struct at_once *a, struct model_context *const *contexts, size_t n,
		     double largest, double design)
{
	struct found f = { .all = 0 };
	size_t all, at = 0;
	struct observation *o = observations_list_snapshots(contexts, n, NULL, &all);

	*a = (struct at_once){ .own = { .alone = 1 }, .deep = { .alone = 1 } };
	f.own = xmallocarray(all + 1, sizeof *f.own);
	f.deep = xmallocarray(all + 1, sizeof *f.deep);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < contexts[i]->nsnapshots; k++, at++) {
			double v = o[at].weight * (o[at].bytes > 0 ? o[at].bytes : 1);
			if (v > 0)
				add(&f, contexts[i], contexts[i]->snapshots[k], v);
		}
	if (f.referring > MOST * f.all && f.followed > MOST * f.all) {
		epochs_measure(&a->own, f.own, f.nown, largest, design);
		epochs_measure(&a->deep, f.deep, f.ndeep, largest, design);
		a->unfollowed = 1 - f.followed / f.all;
	}
	free(f.own);
	free(f.deep);
	free(o);
}

/* Of what was not followed, all may be equal. */
static double with_unfollowed(const struct at_once *a, double share)
{
	return a->unfollowed + (1 - a->unfollowed) * share;
}

double at_once_high(const struct at_once *a, unsigned k, double alpha)
{
	return fmax(epochs_high(&a->own, k, alpha),
		    with_unfollowed(a, epochs_high(&a->deep, k, alpha)));
}

struct at_once at_once_more(const struct at_once *a, double times)
{
	return (struct at_once){ epochs_more(&a->own, times), epochs_more(&a->deep, times),
				 a->unfollowed };
}

double at_once_covered(const struct at_once *a, double least)
{
	return fmax(epochs_covered(&a->own, least),
		    with_unfollowed(a, epochs_covered(&a->deep, least)));
}

double at_once_covered_high(const struct at_once *a, double least, double alpha)
{
	return fmax(epochs_covered_high(&a->own, least, alpha),
		    with_unfollowed(a, epochs_covered_high(&a->deep, least, alpha)));
}
