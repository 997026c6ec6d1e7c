/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deep.h - objects compared with what they refer to.
 *
 * Two lists of equal elements, or two equal strings, are never equal as such: their parts lie at
 * different addresses. A look that followed the references gives a hash in which each address is
 * replaced by what it leads to. What was computed of contents is computed of these hashes once
 * more, by the same code.
 *
 * The hash does not depend on addresses, so that it is compared over the whole run; unless
 * something is in it that is only itself, such as a thread (WIRE_DEEP_REFS), then within an epoch.
 * An object of which a bound was hit (WIRE_DEEP_CUT) is equal to another only as far as was looked:
 * it counts as equal to none where something is claimed, and as it looks where something is to be
 * excluded.
 */
#ifndef OJX_DEEP_H
#define OJX_DEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyse/replica/combine.h"
#include "model/model.h"
#include "stats/groups.h"

struct deep {
	uint64_t scanned; /* looks at hand that followed references */
	bool same;  /* nothing here refers to anything: deep contents are contents, not measured
		       again */
	double cut; /* share of the objects of which a bound was hit; NAN where none was looked at
		     */
	/* largest: as far as was looked, its interval from what is proven to what is possible */
	struct groups groups;
	struct combine pairs;
	struct combined equal;
};

struct deep_options {
	double objects;	     /* allocated, of all contexts */
	const double *share; /* of each context in the row's objects; NULL: no pairs are made */
	double z;	     /* see bounds_z */
	uint64_t seed;
};

/* Measures `n` contexts as one row. 0, or -1 where memory lacks. */
int deep_measure(struct deep *d, struct model_context *const *contexts, size_t n,
		 const struct deep_options *options);

#endif
