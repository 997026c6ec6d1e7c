/* SPDX-License-Identifier: Apache-2.0 */
/* equality_analysis.c - see equality_analysis.h. */
#include "analyse/equality/equality_analysis.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/equality/equality.h"
#include "base/shares.h"
#include "base/units.h"
#include "model/finding.h"
#include "model/finding_rule.h"

/* ---- what equality_compute found, in words. */

#define SOME 0.005 /* share that is worth a word */

/* "12 % [10-14]" */
static void put_share(FILE *out, const struct style *s, const struct estimate *e)
{
	if (isnan(e->value))
		fputs("unknown", out);
	else
		share_put_estimate(out, s, e->value, e->range.low, e->range.high);
}

/* As in struct finding_kind and struct finding_table_kind. */
static void equality_tell(FILE *out, const struct style *s, const struct finding *f)
{
	const struct equality *e = f->own;
	char objects[UNITS_TEXT];

	if (!e->objects) {
		fputs("equality: no objects were looked at\n", out);
		return;
	}
	fprintf(out, "%sequality%s: %s new objects in %llu windows of memory were compared\n",
		style_on(s, INK_BOLD), style_off(s, INK_BOLD),
		units_count(objects, (double)e->objects), (unsigned long long)e->windows);
	fputs("at least ", out);
	share_put(out, e->equal.range.low);
	fputs(" of their bytes have an equal elsewhere; with more objects it can only be more\n",
	      out);
}

/* ---- a class ------------------------------------------------------------------------------- */

static void put_head(FILE *out, const struct style *s, const struct finding_row *row)
{
	fputs(style_on(s, INK_BOLD), out);
	share_put(out, row->share);
	fprintf(out, "%s of bytes  ", style_off(s, INK_BOLD));
	style_put(out, s, row->class_name ? row->class_name : "(class not known)");
}

static void equality_head(FILE *out, const struct style *s, const struct finding *f,
			  const struct finding_row *row)
{
	(void)f;
	put_head(out, s, row);
}

static void put_caches(FILE *out, const struct style *s, const struct estimate *of)
{
	for (int i = 0; i < EQUALITY_CACHES; i++) {
		fprintf(out, i ? ", %u in " : "the %u commonest contents are in ",
			equality_caches[i]);
		put_share(out, s, &of[i]);
		fputs(i ? "" : " of the objects", out);
	}
	putc('\n', out);
}

static void put_conditions(FILE *out, const struct equality_row *r)
{
	fputs("conditions ", out);
	for (int i = 0; i < EQUALITY_CONDITIONS; i++)
		fprintf(out, "%s%s: %s", i ? ", " : "",
			equality_condition_name((enum equality_condition)i),
			equality_state_name(r->condition[i]));
	putc('\n', out);
	if (r->hashed || r->locked)
		fprintf(out,
			"identity   of %llu objects looked at, %llu had an identity hash code and "
			"%llu were locked\n",
			(unsigned long long)r->looked, (unsigned long long)r->hashed,
			(unsigned long long)r->locked);
}

static void equality_put_lines(FILE *out, const struct style *s, const struct finding *f,
			       const struct finding_row *row)
{
	const struct equality_row *r = (const struct equality_row *)row;
	char objects[UNITS_TEXT], bytes[UNITS_TEXT], looked[UNITS_TEXT];

	(void)f;
	fprintf(out, "made       %s objects, %s; %s looked at, %zu contents\n",
		units_count(objects, r->objects), units_bytes(bytes, r->bytes),
		units_count(looked, (double)r->looked), r->contents);
	fputs("equal      at least ", out);
	share_put(out, r->equal.range.low);
	fprintf(out, " of the objects, %s; more if more were looked at\n",
		units_bytes(bytes, r->mergeable.range.low));
	fputs("commonest  one content has ", out);
	put_share(out, s, &r->largest);
	fputs("; two objects are equal in ", out);
	put_share(out, s, &r->pairs);
	fputs(" of cases\nfew hold   ", out);
	put_caches(out, s, r->held);
	if (r->unknown > SOME || r->addresses > SOME) {
		fputs("compared   ", out);
		share_put(out, r->addresses);
		fputs(" by the addresses of others, within a collection; ", out);
		share_put(out, r->unknown);
		fputs(" not at all\n", out);
	}
	put_conditions(out, r);
}

/* ---- a line -------------------------------------------------------------------------------- */

static void equality_line_head(FILE *out, const struct style *s, const struct finding *f,
			       const struct finding_row *row)
{
	const struct equality_line *l = (const struct equality_line *)row;

	(void)f;
	put_head(out, s, row);
	fprintf(out, "  %llu looked at, ", (unsigned long long)row->count);
	put_share(out, s, &l->equal);
	fprintf(out, " equal to others, the %u commonest contents in ",
		equality_caches[EQUALITY_CACHES - 1]);
	put_share(out, s, &l->hits[EQUALITY_CACHES - 1]);
}

static void equality_of_context(FILE *out, const struct style *s, const struct finding *f,
				const struct finding_row *row)
{
	const struct equality_line *l = (const struct equality_line *)row;

	(void)f;
	fprintf(out, "equality   of %llu objects: ", (unsigned long long)row->count);
	put_share(out, s, &l->equal);
	fputs(" have an equal elsewhere\n           ", out);
	put_caches(out, s, l->hits);
}

/* ---- what was recorded ----------------------------------------------------------------------- */

static void sum_up(FILE *out, const struct model *m, const struct analysis_needs *needs,
		   const struct file_status *all)
{
	const struct equality_store *store = equality_store_of(m);

	if (!needs->objects)
		fprintf(out, "%" PRIu64 " objects sampled, ", all->sampled);
	fprintf(out, "%" PRIu64 " new objects compared, ", store->objects);
}

static bool seen(const struct model *m)
{
	const struct equality_store *store = equality_store_of(m);

	return store && store->windows > 0;
}

/* ---- figures --------------------------------------------------------------------------------- */

static const struct equality_row *row_of(const void *row)
{
	return row;
}

#define CONDITION(name, which)                                               \
	static const char *name(const void *row, char room[FIGURE_TEXT_MAX]) \
	{                                                                    \
		(void)room;                                                  \
		return equality_state_name(row_of(row)->condition[which]);   \
	}

CONDITION(same_class, EQUALITY_SAME_CLASS)
CONDITION(same_fields, EQUALITY_SAME_FIELDS)
CONDITION(no_identity, EQUALITY_NO_IDENTITY)
CONDITION(unchanged, EQUALITY_UNCHANGED)
CONDITION(no_side_effects, EQUALITY_NO_SIDE_EFFECTS)

enum {
	BOTH = FIGURE_JSON | FIGURE_CSV,
	SHOWN = BOTH | FIGURE_PAGE,
	NUMBER = BOTH | FIGURE_KEY,
	COLUMN = NUMBER | FIGURE_PAGE,
};

#define MEMBER(of) FIGURE_MEMBER(struct equality_row, of)
#define LINE(of)   FIGURE_MEMBER(struct equality_line, of)
#define OWN(of)	   FIGURE_OWN(struct equality, of)
#define NUMBERS(figure, unit_of, row, of, ...)                                                    \
	{                                                                                         \
		.name = figure, .unit = unit_of, .kind = FIGURE_NUMBER, FIGURE_ESTIMATE(row, of), \
		.range_name = figure "_ci", __VA_ARGS__                                           \
	}

static const struct figure class_figures[] = {
	{ "class", NULL, FIGURE_TEXT, SHOWN, .text = finding_class },
	{ "pid", NULL, FIGURE_NUMBER, BOTH, .value = finding_pid },
	{ "objects", "count", FIGURE_NUMBER, NUMBER, MEMBER(objects), .help = "objects allocated" },
	{ "bytes", "bytes", FIGURE_NUMBER, COLUMN, MEMBER(bytes), .help = "bytes allocated" },
	{ "share", "share", FIGURE_NUMBER, COLUMN, .value = finding_share,
	  .help = "share of the bytes that all classes allocate" },
	{ "looked_at", "count", FIGURE_NUMBER, NUMBER, .value = finding_count,
	  .help = "objects that were compared" },
	{ "windows", "count", FIGURE_NUMBER, BOTH, MEMBER(windows) },
	{ "contents", "count", FIGURE_NUMBER, BOTH, MEMBER(contents) },
	NUMBERS("mergeable_bytes", "bytes", struct equality_row, mergeable, .flags = COLUMN,
		.key = "mergeable", .help = "bytes of objects that have an equal, at least"),
	NUMBERS("equal", "share", struct equality_row, equal, .flags = COLUMN,
		.help = "objects that have an equal, at least"),
	NUMBERS("equal_bytes", "share", struct equality_row, equal_bytes, .flags = NUMBER,
		.help = "share of the bytes in objects that have an equal, at least"),
	NUMBERS("largest", "share", struct equality_row, largest, .flags = COLUMN,
		.help = "objects with the commonest content"),
	NUMBERS("pair_probability", "share", struct equality_row, pairs, .flags = NUMBER,
		.help = "probability that two objects are equal"),
	NUMBERS("held_16", "share", struct equality_row, held[0], .flags = COLUMN,
		.help = "objects with one of the 16 commonest contents"),
	NUMBERS("held_256", "share", struct equality_row, held[1], .flags = NUMBER,
		.help = "objects with one of the 256 commonest contents"),
	NUMBERS("held_4096", "share", struct equality_row, held[2], .flags = NUMBER,
		.help = "objects with one of the 4096 commonest contents"),
	{ "unknown", "share", FIGURE_NUMBER, BOTH, MEMBER(unknown) },
	{ "by_address", "share", FIGURE_NUMBER, BOTH, MEMBER(addresses) },
	{ "hashed", "count", FIGURE_NUMBER, BOTH, MEMBER(hashed) },
	{ "locked", "count", FIGURE_NUMBER, BOTH, MEMBER(locked) },
	{ "same_class", NULL, FIGURE_TEXT, BOTH, .text = same_class },
	{ "equal_fields", NULL, FIGURE_TEXT, BOTH, .text = same_fields },
	{ "identity_not_used", NULL, FIGURE_TEXT, BOTH, .text = no_identity },
	{ "never_changed", NULL, FIGURE_TEXT, BOTH, .text = unchanged },
	{ "no_side_effects", NULL, FIGURE_TEXT, BOTH, .text = no_side_effects },
	{ .name = NULL },
};

static const struct figure line_figures[] = {
	{ "class", NULL, FIGURE_TEXT, SHOWN, .text = finding_class },
	{ "alloc_stack", NULL, FIGURE_STACK, BOTH, .at = 0 },
	{ "pid", NULL, FIGURE_NUMBER, BOTH, .value = finding_pid },
	{ "objects", "count", FIGURE_NUMBER, BOTH, LINE(objects) },
	{ "bytes", "bytes", FIGURE_NUMBER, SHOWN, LINE(bytes) },
	{ "share", "share", FIGURE_NUMBER, SHOWN, .value = finding_share },
	{ "looked_at", "count", FIGURE_NUMBER, BOTH, .value = finding_count },
	NUMBERS("equal", "share", struct equality_line, equal, .flags = SHOWN),
	NUMBERS("equal_bytes", "bytes", struct equality_line, equal_bytes, .flags = BOTH,
		.help = "bytes of objects that have an equal, at least"),
	NUMBERS("hits_16", "share", struct equality_line, hits[0], .flags = SHOWN),
	NUMBERS("hits_256", "share", struct equality_line, hits[1], .flags = BOTH),
	NUMBERS("hits_4096", "share", struct equality_line, hits[2], .flags = SHOWN),
	{ .name = NULL },
};

static const struct figure all_figures[] = {
	{ "kind", NULL, FIGURE_TEXT, FIGURE_JSON, .text = finding_name },
	{ "looked_at", "count", FIGURE_NUMBER, FIGURE_JSON, OWN(objects) },
	{ "windows", "count", FIGURE_NUMBER, FIGURE_JSON, OWN(windows) },
	{ "equal_bytes", "share", FIGURE_NUMBER, FIGURE_JSON | FIGURE_HEADLINE,
	  FIGURE_OWN_ESTIMATE(struct equality, equal), .range_name = "equal_bytes_ci",
	  .help = "bytes of objects that have an equal, at least" },
	{ .name = NULL },
};

/* ---- what to do about lines ------------------------------------------------------------------ */

#define MUCH 0.01 /* share of a line's bytes that has an equal */
#define HALF 0.5

enum { FEW_CONTENTS, FEW_CONTENTS_PERHAPS, EQUAL_OBJECTS, EQUAL_OBJECTS_PERHAPS };

#define FEW                                                                                \
	.name = "few-contents", .problem = "A few contents are in most of these objects.", \
	.fix = "Make constants of the commonest ones, or keep them in a field or a table."
#define EQUAL                                                                                \
	.name = "equal-objects", .problem = "Many of these objects are equal to others.",    \
	.fix = "Keep the common ones, or pass what they are made of. A table of those made " \
	       "before pays only if they are large or live long."
#define AMOUNT                                       \
	.figure = "equal_bytes", .before = "makes ", \
	.after = " of objects that have an equal elsewhere"

static const struct finding_rule rules[] = {
	[FEW_CONTENTS] = { FEW, AMOUNT },
	[FEW_CONTENTS_PERHAPS] = { FEW, AMOUNT, .possible = true },
	[EQUAL_OBJECTS] = { EQUAL, AMOUNT },
	[EQUAL_OBJECTS_PERHAPS] = { EQUAL, AMOUNT, .possible = true },
};

/* Objects whose identity is used, or that change, cannot be merged; if it is not known, perhaps. */
static const struct finding_rule *rule_of(const struct finding *f, const struct finding_row *row)
{
	const struct equality_line *l = (const struct equality_line *)row;
	const struct equality *e = f->own;
	size_t i = 0;

	while (i < e->nrows && (e->rows[i].row.jvm != row->jvm || !row->class_name ||
				strcmp(e->rows[i].row.class_name, row->class_name) != 0))
		i++;
	if (i == e->nrows || row->weak || !(l->equal.range.low > MUCH))
		return NULL;
	const enum equality_state *is = e->rows[i].condition;
	if (is[EQUALITY_NO_IDENTITY] == EQUALITY_BROKEN ||
	    is[EQUALITY_UNCHANGED] == EQUALITY_BROKEN)
		return NULL;
	bool sure = is[EQUALITY_NO_IDENTITY] == EQUALITY_HELD &&
		    is[EQUALITY_UNCHANGED] == EQUALITY_HELD;
	return &rules[(l->hits[0].range.low > HALF ? FEW_CONTENTS : EQUAL_OBJECTS) + !sure];
}

/* ---- the kind -------------------------------------------------------------------------------- */

static const struct finding_table_kind classes = {
	.one = "class",
	.many = "classes",
	.figures = class_figures,
	.shown = 10,
	.of_objects = true,
	.head = equality_head,
	.lines = equality_put_lines,
};

static const struct finding_table_kind lines = {
	.key = "lines",
	.title = "the lines that make them, by sampled objects",
	.one = "line",
	.many = "lines",
	.figures = line_figures,
	.shown = 10,
	.of_objects = true,
	.stack_title = { "allocated at" },
	.head = equality_line_head,
	.of_context = equality_of_context,
	.rule = rule_of,
};

static const struct finding_kind kind = { .name = "equality",
					  .title = "equality",
					  .counted = "objects",
					  .figures = all_figures,
					  .own_size = sizeof(struct equality),
					  .tables = { &classes, &lines },
					  .tell = equality_tell };

static void find(struct finding *to, const struct model *m, const struct findings_options *options)
{
	struct equality *own = to->own;

	equality_compute(own, m, options);
	to->seen = own->nrows > 0 || (!options->contexts && seen(m));
	to->count = own->objects;
	to->least = 0;
	finding_add_table(to, own->rows, own->nrows, sizeof *own->rows);
	finding_add_table(to, own->lines, own->nlines, sizeof *own->lines);
}

const struct analysis equality_analysis = {
	.key = "equality",
	.title = "Equality",
	.about = "equal objects",
	.events = { { "equality",
		      "which new objects of any class have an equal one, and what a cache would "
		      "hold",
		      { .allocations = true, .flags = WIRE_WINDOWS } } },
	.store_size = sizeof(struct equality_store),
	.records = equality_records,
	.release = equality_store_release,
	.seen = seen,
	.sum_up = sum_up,
	.totals_key = "equality_totals",
	.kinds = { &kind },
	.find = find,
};
