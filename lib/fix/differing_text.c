/* SPDX-License-Identifier: Apache-2.0 */
/* differing_text.c - see differing_text.h. */
#include "fix/differing_text.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/sort.h"
#include "model/fields.h"

/* ---- positions --------------------------------------------------------------------------- */

struct place {
	uint64_t position;
	bool differing; /* objects differ in it; otherwise it was only compared */
};

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return ORDER(x->position, y->position);
}

/* All compared positions, in order. In a long content two slots can have the same position. */
static size_t list_compared(const struct replica_differing *a, struct place places[WIRE_SLOTS])
{
	size_t n = 0, kept = 0;

	for (uint32_t k = 0; k < a->compared && k < WIRE_SLOTS; k++)
		places[n++] = (struct place){ wire_position(a->positions, k), a->slots >> k & 1 };
	qsort(places, n, sizeof *places, compare_places);
	for (size_t i = 0; i < n; i++)
		if (kept && places[kept - 1].position == places[i].position)
			places[kept - 1].differing |= places[i].differing;
		else
			places[kept++] = places[i];
	return kept;
}

size_t differing_ranges(const struct row *row, struct differing_range ranges[WIRE_SLOTS])
{
	struct place places[WIRE_SLOTS] = { 0 };
	size_t n = list_compared(&row_details(row)->differing, places), found = 0;
	bool array = row->class && row->class->is_array;

	for (size_t i = 0; i < n; i++) {
		if (!places[i].differing)
			continue;
		if (array && i > 0 && places[i - 1].differing)
			ranges[found - 1].last = places[i].position;
		else
			ranges[found++] =
				(struct differing_range){ places[i].position, places[i].position };
	}
	return found;
}

/* ---- names ------------------------------------------------------------------------------- */

static void put_range(FILE *out, const struct style *s, const struct row *row,
		      const struct differing_range *range)
{
	field_put_name(out, s, row->class, range->first, true);
	if (range->last != range->first) {
		fputs("..", out);
		field_put_name(out, s, row->class, range->last, true);
	}
	if (field_at(row->class, range->first)) {
		fputs(" (", out);
		field_put_type(out, s, row->class, range->first);
		putc(')', out);
	}
}

void differing_put_ranges(FILE *out, const struct style *s, const struct row *row,
			  const struct differing_range *ranges, size_t n)
{
	for (size_t i = 0; i < n && i < DIFFERING_NAMED; i++) {
		fputs(i ? ", " : "", out);
		put_range(out, s, row, &ranges[i]);
	}
	if (n > DIFFERING_NAMED)
		fprintf(out, " and %zu more", n - DIFFERING_NAMED);
}

void differing_put(FILE *out, const struct style *s, const struct row *row)
{
	struct differing_range ranges[WIRE_SLOTS];

	differing_put_ranges(out, s, row, ranges, differing_ranges(row, ranges));
}
