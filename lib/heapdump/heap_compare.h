/* SPDX-License-Identifier: Apache-2.0 */
/* heap_compare.h - what changed between two heap dumps: a finding, of the analysis "change". */
#ifndef OJX_HEAP_COMPARE_H
#define OJX_HEAP_COMPARE_H

#include "heapdump/heap_report.h"

/* As heap_analyses. */
extern const struct analysis *const heap_compare_analyses[];

struct heap_compare {
	const struct heap_report *old, *new;
	struct findings findings; /* one, with a table of classes and one of holders */
};

/*
 * Compares two reports, which must outlive the result; rows that have not changed are left
 * out. Release it.
 */
void heap_compare_make(struct heap_compare *c, const struct heap_report *old,
		       const struct heap_report *new);
void heap_compare_release(struct heap_compare *c);

#endif
