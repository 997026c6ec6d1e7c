/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_scan.c - the lines of a row's block that come from snapshots: savings, groups by content
 * and deep content, identity, change, strings.
 */
#include <math.h>

#include "analyse/replica/dedup.h"
#include "base/shares.h"
#include "base/units.h"
#include "fix/differing_text.h"
#include "model/value_text.h"
#include "render/render.h"

/* ---- writes in which fields or elements the objects of a row differ. */

/* share of the unequal pairs from which on the difference is said to be unseen */
#define MOSTLY 0.9

static const char *positions_word(const struct row *row)
{
	return row->class && row->class->is_array ? "elements" : "fields";
}

/* Limits the claim to what was compared, if that is only a part. */
static void put_of_compared(FILE *out, const struct row *row)
{
	const struct replica_differing *a = &row_details(row)->differing;
	char text[UNITS_TEXT];

	if (a->positions > a->compared)
		fprintf(out, ", of the %u of %s %s that were compared", a->compared,
			units_count(text, (double)a->positions), positions_word(row));
}

/* ---- the verdict ------------------------------------------------------------------------- */

static void put_apart(FILE *out, const struct style *s, const struct row *row)
{
	const struct replica_differing *a = &row_details(row)->differing;
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
	const struct replica_differing *a = &row_details(row)->differing;
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
		units_percent(text, row_details(row)->differing.differing), positions_word(row));
}

/*
 * Uses compare one position each, so they tell which positions differ, but not which differ at
 * once.
 */
static size_t list_differing(const struct replica_details *x,
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
	const struct replica_details *x = row_details(row);
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
	const struct replica_differing *a = &row_details(row)->differing;
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

enum { VALUES_SHOWN = 5 };
#define VALUES_LEAST 0.01 /* least share of a value that gets a line */

/* ---- what merging saves -------------------------------------------------------------------- */

static void put_rate(FILE *out, const struct report *r, double bytes, double objects)
{
	char text[UNITS_TEXT];

	if (!(r->recording->duration_s > 0) || !(bytes > 0))
		return;
	fprintf(out, "; %s and ", units_bytes(text, bytes / r->recording->duration_s));
	fprintf(out, "%s objects a second", units_rate(text, objects / r->recording->duration_s));
}

/*
 * Objects alike at the end of life that are not proven to have been alike before. Written if they
 * have at least a tenth of the bytes.
 */
static void put_unproven(struct evidence *e, const struct replica *x)
{
	FILE *out = e->out;
	char text[UNITS_TEXT];

	if (!(x->saved_end_bytes > 0.1 * x->bytes))
		return;
	evidence_label(e, "saves");
	fprintf(out, "nothing for sure: alike at the end of life, which would be %s",
		units_bytes(text, x->saved_end_bytes));
	if (x->used_alike)
		fprintf(out, "; %llu of the %llu seen in use before were the same then",
			(unsigned long long)x->used_same, (unsigned long long)x->used_alike);
	else if (!x->constant_class)
		fputs("; none was seen in use before", out);
	putc('\n', out);
}

/* Writes what uses showed of these objects. */
static void put_uses(FILE *out, const struct replica *x)
{
	if (x->constant_class)
		return;
	fprintf(out, "; %llu of %llu seen in use before were the same then",
		(unsigned long long)x->used_same, (unsigned long long)x->used_alike);
}

/* Writes the larger of the two bounds, which one it is, and what the other says. */
void render_saved(struct evidence *e, const struct report *r, const struct row *row)
{
	FILE *out = e->out;
	const struct style *s = e->style;
	const struct replica *x = &row->replica;
	bool deep = replica_saved_deep(x);
	const struct replica_interval *bytes =
		deep ? &x->deep.saved_bytes_ci : &x->own.saved_bytes_ci;
	double objects = deep ? x->deep.saved_objects : x->own.saved_objects;
	char text[UNITS_TEXT];

	if (!(replica_saved(x) > 0)) {
		put_unproven(e, x);
		return;
	}
	evidence_label(e, "saves");
	fprintf(out, "at least %s%s%s", style_on(s, INK_BOLD), units_bytes(text, replica_saved(x)),
		style_off(s, INK_BOLD));
	if (x->bytes > 0)
		fprintf(out, " (%s %%)", units_percent(text, replica_saved(x) / x->bytes));
	if (bytes->high > bytes->low)
		fprintf(out, ", at most %s", units_bytes(text, bytes->high));
	put_rate(out, r, replica_saved(x), objects);
	if (deep)
		fprintf(out,
			"; of objects equal with what they refer to (by their own content: %s)",
			isnan(x->own.saved_bytes) ? "not measured"
						  : units_bytes(text, x->own.saved_bytes));
	put_uses(out, x);
	putc('\n', out);
}

/* ---- what is alive ------------------------------------------------------------------------- */

/* Writes what had survived a collection at the last view, and what merging would free of it. */
void render_live(struct evidence *e, const struct row *row)
{
	FILE *out = e->out;
	const struct replica *x = &row->replica;
	struct replica_interval saved = replica_saved_live(x);
	char text[UNITS_TEXT];

	if (!(x->live_sampled > 0))
		return;
	evidence_label(e, "live");
	fprintf(out, "%s", units_bytes(text, x->live_bytes));
	fprintf(out, " in %s object%s at the last view", units_count(text, x->live_objects),
		round(x->live_objects) == 1 ? "" : "s");
	if (saved.low > 0)
		fprintf(out, "; merging frees at least %s", units_bytes(text, saved.low));
	if (saved.low > 0 && saved.high > saved.low)
		fprintf(out, ", at most %s", units_bytes(text, saved.high));
	if (saved.low > 0 && !(x->own.saved_live_ci.low >= saved.low))
		fputs(", of objects equal with what they refer to", out);
	putc('\n', out);
}

/* ---- groups -------------------------------------------------------------------------------- */

static void put_groups(FILE *out, const struct style *s, double largest,
		       const struct replica_interval *ci, double distinct)
{
	char text[UNITS_TEXT];

	if (!isnan(largest) && !share_says_nothing(ci->low, ci->high))
		render_share(out, s, "; largest identical group", largest, ci);
	if (!isnan(distinct))
		fprintf(out, "; about %s different content%s", units_count(text, distinct),
			round(distinct) == 1 ? "" : "s");
}

static void put_deep(struct evidence *e, const struct report *r, const struct replica *x)
{
	FILE *out = e->out;
	const struct style *s = e->style;
	char text[UNITS_TEXT];

	if (!x->deep.scanned)
		return;
	evidence_label(e, "deep");
	fprintf(out, "%llu with what they refer to", (unsigned long long)x->deep.scanned);
	if (x->deep.scanned < r->min_pairs) {
		fprintf(out, ": too few (%llu < %llu) for any share\n",
			(unsigned long long)x->deep.scanned, (unsigned long long)r->min_pairs);
		return;
	}
	put_groups(out, s, x->deep.largest, &x->deep.largest_ci, x->deep.distinct);
	if (x->deep_cut > 0)
		fprintf(out,
			"; %s %% are too large to be followed as a whole: equal as far as followed",
			units_percent(text, x->deep_cut));
	putc('\n', out);
}

/* ---- identity and change --------------------------------------------------------------------- */

static void put_identity(struct evidence *e, const struct replica *x)
{
	FILE *out = e->out;
	char text[UNITS_TEXT];

	if (!(x->identity > 0))
		return;
	evidence_label(e, "identity");
	fprintf(out,
		"%s %% had their identity hash asked for or were locked: cannot simply be shared\n",
		units_percent(text, x->identity));
}

/* Whether objects change: between two snapshots, and between a use and the end of life. */
static void put_immutable(struct evidence *e, const struct row *row)
{
	FILE *out = e->out;
	const struct replica *x = &row->replica;
	char text[UNITS_TEXT];

	if (isnan(x->immutable) && isnan(x->lasting))
		return;
	evidence_label(e, "unchanged");
	if (!isnan(x->immutable))
		fprintf(out, "%s between two collections%s",
			share_among(text, x->immutable, x->unchanged, x->twice),
			isnan(x->lasting) ? "" : "; ");
	if (!isnan(x->lasting))
		fprintf(out, "%s had, when used, a content that is also found at the end of life",
			share_among(text, x->lasting, x->lasted, x->lasting_uses));
	if (x->by_value)
		fputs(" (a cached hash code counts as a change)", out);
	putc('\n', out);
}

/* ---- strings ------------------------------------------------------------------------------- */

static void put_values(struct evidence *e, const struct replica_details *x)
{
	FILE *out = e->out;
	const struct style *s = e->style;
	char text[UNITS_TEXT];

	for (size_t i = 0; i < x->nvalues && i < VALUES_SHOWN; i++) {
		const struct replica_value *v = &x->values[i];
		if (v->share < VALUES_LEAST)
			break;
		evidence_label(e, i ? "" : "values");
		fprintf(out, "%5s %% ", units_percent(text, v->share));
		value_put(out, s, v->value);
		if (value_is_cut(v->value))
			fprintf(out, " (%u characters)", v->value->chars);
		putc('\n', out);
	}
}

/* "OPTION gives back", as far as this JVM has it. */
static const char *const dedup_words[] = {
	[DEDUPLICATION_UNKNOWN] = "-XX:+UseStringDeduplication, if the collector has it, gives",
	[DEDUPLICATION_OFF] = "-XX:+UseStringDeduplication gives",
	[DEDUPLICATION_ON] = "-XX:+UseStringDeduplication, which is on, gives",
};

static void put_dedup(struct evidence *e, const struct row *row)
{
	FILE *out = e->out;
	const struct replica *x = &row->replica;
	enum deduplication jvm = deduplication_at(row->contexts, row->ncontexts);
	char text[UNITS_TEXT];

	if (!(x->dedup_ci.low > 0))
		return;
	evidence_label(e, "arrays");
	fprintf(out, "at least %s of their value arrays repeat another's",
		units_bytes(text, x->dedup_ci.low));
	if (jvm == DEDUPLICATION_NONE)
		fputs("; this JVM's collector does not deduplicate strings\n", out);
	else if (!(x->dedup_live_ci.low > 0))
		fprintf(out, ": of strings that stay, %s these back\n", dedup_words[jvm]);
	else
		fprintf(out, "; of what is alive, %s back at least %s\n", dedup_words[jvm],
			units_bytes(text, x->dedup_live_ci.low));
}

void render_scan(struct evidence *e, const struct report *r, const struct row *row)
{
	FILE *out = e->out;
	const struct style *s = e->style;
	const struct replica *x = &row->replica;

	if (!x->own.scanned)
		return;
	evidence_label(e, "scan");
	fprintf(out, "%llu object%s looked at", (unsigned long long)x->own.scanned,
		x->own.scanned == 1 ? "" : "s");
	if (x->own.scanned < r->min_pairs) {
		fprintf(out, ": too few (%llu < %llu) for any share\n",
			(unsigned long long)x->own.scanned, (unsigned long long)r->min_pairs);
		return;
	}
	put_groups(out, s, x->own.largest, &x->own.largest_ci, x->own.distinct);
	putc('\n', out);
	if (row->references)
		put_deep(e, r, x);
	put_identity(e, x);
	put_immutable(e, row);
	put_values(e, row_details(row));
	put_dedup(e, row);
}
