/* SPDX-License-Identifier: Apache-2.0 */
/*
 * apart_text.h - the few positions that keep a row's objects apart, by name: "id (int), next
 * (Node)", or as ranges of an array's elements: "[3], [8]..[11]".
 */
#ifndef OJX_APART_TEXT_H
#define OJX_APART_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/style.h"
#include "report/rows.h"

enum { APART_NAMED = 4 }; /* fields or ranges; the others are counted */

/* The positions that keep a row's objects apart, neighbours of an array put together. */
struct apart_range {
	uint64_t first, last;
};
/* By position. Returns how many there are. */
size_t apart_ranges(const struct row *row, struct apart_range ranges[WIRE_SLOTS]);

/* Writes the first APART_NAMED of n ranges, and how many more there are. */
void apart_put_ranges(FILE *out, const struct style *s, const struct row *row,
		      const struct apart_range *ranges, size_t n);

/* The same of all that there are. */
void apart_put(FILE *out, const struct style *s, const struct row *row);

#endif
