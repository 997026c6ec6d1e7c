/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_apart.c - the few positions that keep objects apart, by name: "id (int), next (Node)", or as
 * ranges of an array's elements: "[3], [8]..[11]".
 */
#include <stdlib.h>

#include "base/units.h"
#include "model/fields.h"
#include "render/render.h"

enum {
	MAX_NAMED = 4, /* fields or ranges; the others are counted */
};
#define MOSTLY 0.9 /* of the unequal pairs, what is said to be unseen */

/* ---- positions --------------------------------------------------------------------------- */

struct place {
	uint64_t position;
	bool apart; /* it keeps them apart; otherwise it was compared only */
};

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return (x->position > y->position) - (x->position < y->position);
}

/* All that were compared, by position. Of long contents two slots can be one position. */
static size_t list_compared(const struct replica_apart *a, struct place places[WIRE_SLOTS])
{
	size_t n = 0, kept = 0;

	for (uint32_t k = 0; k < a->compared && k < WIRE_SLOTS; k++)
		places[n++] = (struct place){ wire_position(a->positions, k), a->slots >> k & 1 };
	qsort(places, n, sizeof *places, compare_places);
	for (size_t i = 0; i < n; i++)
		if (kept && places[kept - 1].position == places[i].position)
			places[kept - 1].apart |= places[i].apart;
		else
			places[kept++] = places[i];
	return kept;
}

size_t apart_ranges(const struct row *row, struct apart_range ranges[WIRE_SLOTS])
{
	struct place places[WIRE_SLOTS] = { 0 };
	size_t n = list_compared(&row->replica.apart, places), found = 0;
	bool array = row->class && row->class->is_array;

	for (size_t i = 0; i < n; i++) {
		if (!places[i].apart)
			continue;
		if (array && i > 0 && places[i - 1].apart)
			ranges[found - 1].last = places[i].position;
		else
			ranges[found++] =
				(struct apart_range){ places[i].position, places[i].position };
	}
	return found;
}

/* ---- names ------------------------------------------------------------------------------- */

static void put_range(FILE *out, const struct style *s, const struct row *row,
		      const struct apart_range *range)
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

static void put_ranges(FILE *out, const struct style *s, const struct row *row,
		       const struct apart_range *ranges, size_t n)
{
	for (size_t i = 0; i < n && i < MAX_NAMED; i++) {
		fputs(i ? ", " : "", out);
		put_range(out, s, row, &ranges[i]);
	}
	if (n > MAX_NAMED)
		fprintf(out, " and %zu more", n - MAX_NAMED);
}

static const char *positions_word(const struct row *row)
{
	return row->class && row->class->is_array ? "elements" : "fields";
}

/* Where only a part was compared, that part is all that is spoken of. */
static void put_of_compared(FILE *out, const struct row *row)
{
	const struct replica_apart *a = &row->replica.apart;
	char text[UNITS_TEXT];

	if (a->positions > a->compared)
		fprintf(out, ", of the %u of %s %s that were compared", a->compared,
			units_count(text, (double)a->positions), positions_word(row));
}

void render_apart(FILE *out, const struct style *s, const struct row *row)
{
	struct apart_range ranges[WIRE_SLOTS];

	put_ranges(out, s, row, ranges, apart_ranges(row, ranges));
}

/* ---- the verdict ------------------------------------------------------------------------- */

static void put_apart(FILE *out, const struct style *s, const struct row *row)
{
	const struct replica_apart *a = &row->replica.apart;
	bool array = row->class && row->class->is_array;
	struct apart_range ranges[WIRE_SLOTS];
	size_t n = apart_ranges(row, ranges);
	char text[UNITS_TEXT];

	if (array && a->without >= 1)
		fputs("differ only in ", out);
	else if (a->without >= 1)
		fputs("all pairs equal but for ", out);
	else
		fprintf(out, "%s %% of the pairs equal but for ", units_percent(text, a->without));
	put_ranges(out, s, row, ranges, n);
	put_of_compared(out, row);
}

/* Most elements are the same, since none of those that were compared differs. */
static void put_unseen(FILE *out, const struct row *row)
{
	const struct replica_apart *a = &row->replica.apart;
	char text[UNITS_TEXT];

	fprintf(out, "differ, but in none of the %u of %s %s that were compared", a->compared,
		units_count(text, (double)a->positions), positions_word(row));
}

/* No few positions, but not many in each pair. */
static void put_differing(FILE *out, const struct row *row)
{
	char text[UNITS_TEXT];

	fprintf(out,
		"unequal pairs differ in %s %% of their %s on average, not always the same ones",
		units_percent(text, row->replica.apart.differing), positions_word(row));
}

/* Uses compare one position each, so that they tell which differ, but not which differ at once. */
static size_t list_differing(const struct replica *x, struct apart_range ranges[MAX_NAMED])
{
	size_t n = 0;

	for (size_t i = 0; i < x->nfields; i++) {
		if (x->fields[i].equal == x->fields[i].pairs)
			continue;
		if (n == MAX_NAMED)
			return 0;
		ranges[n++] = (struct apart_range){ x->fields[i].position, x->fields[i].position };
	}
	return 2 * n <= x->nfields ? n : 0;
}

bool render_partial(FILE *out, const struct report *r, const struct style *s, const struct row *row)
{
	const struct replica *x = &row->replica;
	struct apart_range ranges[MAX_NAMED];
	bool enough = x->apart.pairs >= r->min_pairs;

	if (enough && x->apart.slots) {
		put_apart(out, s, row);
		return true;
	}
	if (enough && x->apart.unseen > MOSTLY * (1 - x->apart.equal)) {
		put_unseen(out, row);
		return true;
	}
	if (enough && x->apart.unequal) {
		put_differing(out, row);
		return true;
	}
	size_t n = x->fields_source == REPLICA_WATCH ? list_differing(x, ranges) : 0;
	if (n) {
		fputs("were seen to differ only in ", out);
		put_ranges(out, s, row, ranges, n);
	}
	return n > 0;
}

void render_without(FILE *out, const struct report *r, const struct style *s, const struct row *row)
{
	const struct replica_apart *a = &row->replica.apart;
	struct apart_range ranges[WIRE_SLOTS];
	char text[UNITS_TEXT];

	if (!a->slots || a->pairs < r->min_pairs)
		return;
	fputs("        without ", out);
	put_ranges(out, s, row, ranges, apart_ranges(row, ranges));
	fprintf(out, ", %s %% of the pairs would be equal", units_percent(text, a->without));
	if (a->positions > a->compared)
		fputs(" in what was compared", out);
	fprintf(out, " (now %s %%)\n", units_percent(text, a->equal));
}
