/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deep.h - compares objects by deep content: with what they refer to.
 *
 * Two lists of equal elements, or two equal strings, never have equal contents: their parts lie at
 * different addresses. For a deep content, the agent follows the references and hashes what they
 * lead to instead of the addresses. All that is computed of contents is computed of these hashes,
 * too, by the same code.
 *
 * The hash does not depend on addresses, so it is compared over the whole run. If it includes
 * something that equals only itself, such as a thread (WIRE_DEEP_REFS), it is compared within an
 * epoch. A walk that hit a bound (WIRE_DEEP_CUT) shows equality only up to the bound. Such an
 * object counts as equal to none for a claim, and as equal where equality must be excluded.
 */
#ifndef OJX_DEEP_H
#define OJX_DEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyse/replica/combine.h"
#include "analyse/replica/replica_result.h"
#include "model/model.h"
#include "stats/bounds.h"
#include "stats/groups.h"

struct deep {
	uint64_t scanned; /* kept snapshots that have deep contents */
	/*
	 * nothing here refers to anything: deep contents equal contents and are not measured again
	 */
	bool same;
	double cut; /* share of the objects whose walk hit a bound; NAN without deep contents */
	/* the largest group counts contents as equal if they are so up to the bound */
	struct groups groups;
	struct groups at_end; /* the same, with nothing left out because of `change` */
	struct combine pairs;
	struct combined equal;
};

struct deep_options {
	double objects;	     /* allocated in all contexts */
	const double *share; /* of each context in the row's objects; NULL: form no pairs */
	const bool *change;  /* see observations_list_snapshots */
	double z;	     /* see bounds_z */
	uint64_t seed;
};

/* Measures `n` contexts as one row. */
void deep_measure(struct deep *d, struct model_context *const *contexts, size_t n,
		  const struct deep_options *options);

/* ---- the part of a row about deep contents; used by replica.c. */

struct replica_deep_input {
	struct model_context *const *contexts;
	size_t n;
	const double *share; /* of each context in the row's objects */
	const bool *change;  /* see observations_list_snapshots */
	const struct replica_options *options;
	double z;
	double objects; /* of all contexts, see replica_objects */
	bool identity;	/* see verdict.h */
	struct bounds_range
		lasting; /* largest share of the objects that can be merged; NAN: no limit */
};

/* Adds the deep figures to a row that is complete otherwise. */
void replica_add_deep(struct replica *row, const struct replica_deep_input *input);

#endif
