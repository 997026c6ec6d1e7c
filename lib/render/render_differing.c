/* SPDX-License-Identifier: Apache-2.0 */
/* render_differing.c - writes in which fields or elements the objects of a row differ. */
#include "base/units.h"
#include "render/render.h"
#include "report/differing_text.h"

/* share of the unequal pairs from which on the difference is said to be unseen */
#define MOSTLY 0.9

static const char *positions_word(const struct row *row)
{
	return row->class && row->class->is_array ? "elements" : "fields";
}

/* Limits the claim to what was compared, if that is only a part. */
static void put_of_compared(FILE *out, const struct row *row)
{
	const struct replica_differing *a = &row->replica.differing;
	char text[UNITS_TEXT];

	if (a->positions > a->compared)
		fprintf(out, ", of the %u of %s %s that were compared", a->compared,
			units_count(text, (double)a->positions), positions_word(row));
}

/* ---- the verdict ------------------------------------------------------------------------- */

static void put_apart(FILE *out, const struct style *s, const struct row *row)
{
	const struct replica_differing *a = &row->replica.differing;
	bool array = row->class && row->class->is_array;
	struct differing_range ranges[WIRE_SLOTS];
	size_t n = differing_ranges(row, ranges);
	char text[UNITS_TEXT];

	if (array && a->without >= 1)
		fputs("differ only in ", out);
	else if (a->without >= 1)
		fputs("all pairs equal but for ", out);
	else
		fprintf(out, "%s %% of the pairs equal but for ", units_percent(text, a->without));
	differing_put_ranges(out, s, row, ranges, n);
	put_of_compared(out, row);
}

/* Most elements are the same, since none of the compared ones differs. */
static void put_unseen(FILE *out, const struct row *row)
{
	const struct replica_differing *a = &row->replica.differing;
	char text[UNITS_TEXT];

	fprintf(out, "differ, but in none of the %u of %s %s that were compared", a->compared,
		units_count(text, (double)a->positions), positions_word(row));
}

/* Objects differ in many positions, but each pair in few. */
static void put_differing(FILE *out, const struct row *row)
{
	char text[UNITS_TEXT];

	fprintf(out,
		"unequal pairs differ in %s %% of their %s on average, not always the same ones",
		units_percent(text, row->replica.differing.differing), positions_word(row));
}

/*
 * Uses compare one position each, so they tell which positions differ, but not which differ at
 * once.
 */
static size_t list_differing(const struct replica *x,
			     struct differing_range ranges[DIFFERING_NAMED])
{
	size_t n = 0;

	for (size_t i = 0; i < x->nfields; i++) {
		if (x->fields[i].equal == x->fields[i].pairs)
			continue;
		if (n == DIFFERING_NAMED)
			return 0;
		ranges[n++] =
			(struct differing_range){ x->fields[i].position, x->fields[i].position };
	}
	return 2 * n <= x->nfields ? n : 0;
}

bool render_partial(FILE *out, const struct report *r, const struct style *s, const struct row *row)
{
	const struct replica *x = &row->replica;
	struct differing_range ranges[DIFFERING_NAMED];
	bool enough = x->differing.pairs >= r->min_pairs;

	if (enough && x->differing.slots) {
		put_apart(out, s, row);
		return true;
	}
	if (enough && x->differing.unseen > MOSTLY * (1 - x->differing.equal)) {
		put_unseen(out, row);
		return true;
	}
	if (enough && x->differing.unequal) {
		put_differing(out, row);
		return true;
	}
	size_t n = x->fields_source == REPLICA_WATCH ? list_differing(x, ranges) : 0;
	if (n) {
		fputs("were seen to differ only in ", out);
		differing_put_ranges(out, s, row, ranges, n);
	}
	return n > 0;
}

void render_without(FILE *out, const struct report *r, const struct style *s, const struct row *row)
{
	const struct replica_differing *a = &row->replica.differing;
	struct differing_range ranges[WIRE_SLOTS];
	char text[UNITS_TEXT];

	if (!a->slots || a->pairs < r->min_pairs)
		return;
	fputs("        without ", out);
	differing_put_ranges(out, s, row, ranges, differing_ranges(row, ranges));
	fprintf(out, ", %s %% of the pairs would be equal", units_percent(text, a->without));
	if (a->positions > a->compared)
		fputs(" in what was compared", out);
	fprintf(out, " (now %s %%)\n", units_percent(text, a->equal));
}
