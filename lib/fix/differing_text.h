/* SPDX-License-Identifier: Apache-2.0 */
/*
 * differing_text.h - names the few positions in which a row's objects differ: "id (int), next
 * (Node)", or ranges of an array's elements: "[3], [8]..[11]".
 */
#ifndef OJX_DIFFERING_TEXT_H
#define OJX_DIFFERING_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/style.h"
#include "report/rows.h"

enum { DIFFERING_NAMED = 4 }; /* fields or ranges; the others are counted */

/* Positions in which a row's objects differ; adjacent elements of an array are combined. */
struct differing_range {
	uint64_t first, last;
};
/* In order of position. Returns the number of ranges. */
size_t differing_ranges(const struct row *row, struct differing_range ranges[WIRE_SLOTS]);

/* Writes the first DIFFERING_NAMED of n ranges, and the number of others. */
void differing_put_ranges(FILE *out, const struct style *s, const struct row *row,
			  const struct differing_range *ranges, size_t n);

/* The same for all ranges of a row. */
void differing_put(FILE *out, const struct style *s, const struct row *row);

#endif
