/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findings_filter.h - findings narrowed to what a report was asked for.
 *
 * Rows of objects are selected as contexts are: by class, by where they were allocated, by where
 * they are accessed. Of those whose allocation was not seen, no place of allocation is known, so
 * that none selects them. Of other rows nothing is known but who accesses: `method_glob` and
 * `access_glob` select by either stack, the other two are not looked at.
 *
 * Rows that are minor are left out where nobody asks for them.
 *
 * Rows are left out. What is told of all of them, fractions and shares, stays what it was: shares
 * are of the whole.
 */
#ifndef OJX_FINDINGS_FILTER_H
#define OJX_FINDINGS_FILTER_H

#include "model/finding.h"
#include "report/filter.h"

struct findings_filter {
	const struct filter *filter;
	double least; /* the share of a row that is shown, 0..1 */
	size_t limit; /* rows of each table; SIZE_MAX: all */
	bool minor;   /* rows that are, too */
};

/*
 * Counts rows that are not shown, and puts them behind those that are. The order of these stays.
 * 0, or -1 if out of memory.
 */
int findings_narrow(struct findings *f, const struct findings_filter *how);

/* What the findings are about of which some were made, and which the filter has patterns for that
 * select no rows of theirs; NULL: there are none. */
const char *findings_filter_ignores(const struct filter *filter, const struct findings *f);

#endif
