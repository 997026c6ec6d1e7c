/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findings_filter.h - findings narrowed to what a report was asked for: pairs of accesses, and
 * objects that accesses go to.
 *
 * Objects are selected as contexts are: by class, by where they were allocated, by where they are
 * accessed. Of those that are not followed, no place of allocation is known, so that none selects
 * them. Of a pair's object nothing is known but who accesses it: `method_glob` and `access_glob`
 * select by either stack, the other two are not looked at.
 *
 * Pairs that are of objects' headers are left out where nobody asks for them: the program can do
 * little about them.
 *
 * Lines are left out. What is told of all of them, fractions and shares, stays what it was: shares
 * are of the whole.
 */
#ifndef OJX_FINDINGS_FILTER_H
#define OJX_FINDINGS_FILTER_H

#include "analyse/locality/locality.h"
#include "analyse/waste/waste.h"
#include "report/filter.h"

struct findings_filter {
	const struct filter *filter;
	double least; /* the share of a line that is shown, 0..1 */
	size_t limit; /* lines of each kind or metric; SIZE_MAX: all */
	bool headers; /* pairs of objects' headers, too */
};

/* Takes out the lines that are not shown, and counts them. The order of the rest stays. */
void findings_filter_waste(struct waste_sum waste[WASTE_KINDS], const struct findings_filter *how);
void findings_filter_locality(struct locality l[LOCALITY_METRICS],
			      const struct findings_filter *how);

/* Whether the filter has patterns that do not select pairs. */
bool findings_filter_ignores(const struct filter *filter);

#endif
