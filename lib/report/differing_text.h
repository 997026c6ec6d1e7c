/* SPDX-License-Identifier: Apache-2.0 */
/*
 * differing_text.h - the few positions that keep a row's objects apart, by name: "id (int), next
 * (Node)", or as ranges of an array's elements: "[3], [8]..[11]".
 */
#ifndef OJX_DIFFERING_TEXT_H
#define OJX_DIFFERING_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/style.h"
#include "report/rows.h"

enum { DIFFERING_NAMED = 4 }; /* fields or ranges; the others are counted */

/* The positions that keep a row's objects apart, neighbours of an array put together. */
struct differing_range {
	uint64_t first, last;
};
/* By position. Returns how many there are. */
size_t differing_ranges(const struct row *row, struct differing_range ranges[WIRE_SLOTS]);

/* Writes the first DIFFERING_NAMED of n ranges, and how many more there are. */
void differing_put_ranges(FILE *out, const struct style *s, const struct row *row,
			  const struct differing_range *ranges, size_t n);

/* The same of all that there are. */
void differing_put(FILE *out, const struct style *s, const struct row *row);

#endif
