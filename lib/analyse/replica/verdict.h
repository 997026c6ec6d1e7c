/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verdict.h - the rule by which a context is called replica, few-values, partial or distinct.
 *
 * It is stated in verdict.c and nowhere else; docs/method.md has it as a table.
 */
#ifndef OJX_VERDICT_H
#define OJX_VERDICT_H

#include <stdbool.h>

#include "analyse/replica/replica_result.h"
#include "stats/bounds.h"

/* What the verdict rests on. Ranges are NAN where not measured. */
struct verdict_evidence {
	uint64_t pairs, min_pairs;
	uint64_t looks;		       /* whole objects looked at: what group and covered rest on */
	bool one_context;	       /* of several, A/n is a mean */
	struct bounds_range identical; /* A/n; low: by all pairs of the objects, where known */
	struct bounds_range within;    /* equal content among objects of one size */
	struct bounds_range alike; /* equal values among pairs of one size and unequal content */
	struct bounds_range other; /* A/n by the other source: end of life against use */
	struct bounds_range other_within;
	struct bounds_range group;   /* X_N/X */
	struct bounds_range covered; /* objects whose content is among those seen */
	double covered_deep_high; /* the same of contents with what they refer to, its upper end */
	double lasting; /* share of the objects that can be at their end what they were when used */
	double contents_share; /* those contents, by objects; NAN where none were looked at */
	double sizes_share;    /* sizes, by objects */
};

/* The first rule that holds. */
enum replica_verdict verdict_of(const struct verdict_evidence *e);

#endif
