/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findings_filter.h - applies the filters of a report to findings.
 *
 * Rows of objects are selected like contexts: by class, by where the objects were allocated, by
 * where they are accessed. If the allocation was not seen, patterns for it do not select the row.
 * Of other rows only the accesses are known: `method_glob` and `access_glob` select by either
 * stack, and the other two are ignored. Minor rows are left out unless requested.
 *
 * Fractions and shares stay shares of the whole.
 */
#ifndef OJX_FINDINGS_FILTER_H
#define OJX_FINDINGS_FILTER_H

#include "model/finding.h"
#include "report/filter.h"

struct findings_filter {
	const struct filter *filter;
	double least; /* the share of a row that is shown, 0..1 */
	size_t limit; /* rows of each table; SIZE_MAX: all */
	bool minor;   /* show minor rows, too */
};

/*
 * Counts the rows that are not shown, and puts them behind the others, which keep their order. 0,
 * or -1 if out of memory.
 */
int findings_narrow(struct findings *f, const struct findings_filter *how);

/*
 * The subject of findings that exist but that the patterns of the filter cannot select; NULL: there
 * are none.
 */
const char *findings_filter_ignores(const struct filter *filter, const struct findings *f);

#endif
