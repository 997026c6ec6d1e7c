/* SPDX-License-Identifier: Apache-2.0 */
/* waste_analysis.c - see waste_analysis.h. */
#include "analyse/waste/waste_analysis.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "analyse/waste/waste.h"
#include "base/shares.h"
#include "base/units.h"
#include "model/finding.h"
#include "model/finding_rule.h"

/* ---- wasteful memory operations in words, for struct finding_kind and its tables. */

enum { INSN_MAX = FIGURE_TEXT_MAX };

/* The words for a kind. */
static const struct {
	const char *verb, *meaning;
} wordings[] = {
	[WIRE_DEAD_STORE] = { "stored", "stored again before any load" },
	[WIRE_SILENT_STORE] = { "stored", "the next store writes the same value" },
	[WIRE_SILENT_LOAD] = { "loaded", "the next load finds the same value" },
};

static void put_part(FILE *out, const struct waste_sum *w, enum wire_part part, const char **comma)
{
	if (!w->in_part[part])
		return;
	fprintf(out, "%s%s: %llu", *comma, waste_part_name(part),
		(unsigned long long)w->in_part[part]);
	*comma = ", ";
}

/* Writes how many pairs are of headers, and the fraction of the others. */
static void tell_headers(FILE *out, const struct style *s, const struct waste_sum *w)
{
	const struct waste_fraction *c = &w->content;
	const char *comma = "";

	if (c->count == w->count)
		return;
	fprintf(out, "%llu of these are of object headers, and so mostly the compiler's (",
		(unsigned long long)(w->count - c->count));
	for (int part = WIRE_PART_CLASS; part < WASTE_PARTS; part++)
		put_part(out, w, part, &comma);
	put_part(out, w, WIRE_PART_MARK, &comma);
	fputs(")", out);
	if (c->count >= SHARE_FEW) {
		fprintf(out, "; of the other %llu: ", (unsigned long long)c->count);
		share_put_estimate(out, s, c->fraction, c->range.low, c->range.high);
	}
	putc('\n', out);
}

static void waste_tell(FILE *out, const struct style *s, const struct finding *f)
{
	const struct waste_sum *w = f->own;
	char bytes[UNITS_TEXT];

	fprintf(out, "%s%s%s: ", style_on(s, INK_BOLD), f->kind->title, style_off(s, INK_BOLD));
	if (!finding_is_enough(f)) {
		fprintf(out, "too few pairs of accesses were seen (%llu < %llu)\n",
			(unsigned long long)f->count, (unsigned long long)f->least);
		return;
	}
	fputs(style_on(s, INK_BOLD), out);
	share_put(out, w->fraction);
	fprintf(out, "%s ", style_off(s, INK_BOLD));
	share_put_ends(out, s, w->range.low, w->range.high);
	fprintf(out, " of %s %s in %llu pairs of accesses: %s\n",
		units_bytes(bytes, (double)w->bytes), wordings[w->kind].verb,
		(unsigned long long)w->count, wordings[w->kind].meaning);
	tell_headers(out, s, w);
}

static void waste_head(FILE *out, const struct style *s, const struct finding *f,
		       const struct finding_row *row)
{
	const struct waste_pair *p = (const struct waste_pair *)row;
	char share[UNITS_TEXT];

	fprintf(out, "%s%s %%%s  %llu of %llu pairs", style_on(s, INK_BOLD),
		units_percent(share, row->share), style_off(s, INK_BOLD),
		(unsigned long long)p->wasted_count, (unsigned long long)f->count);
	if (p->part != WIRE_PART_CONTENT)
		fprintf(out, ", %s%s", waste_part_name(p->part),
			p->part == WIRE_PART_CLASS ? " (type check)" : "");
}

/* Writes an put_instruction, or why there is none: its code was removed, or never decoded. */
static const char *put_instruction(char text[INSN_MAX], const struct waste_pair *p, int which)
{
	waste_instruction(text, INSN_MAX, p, which);
	return p->insn_len[which] ? text : "(not decoded)";
}

static void waste_lines(FILE *out, const struct style *s, const struct finding *f,
			const struct finding_row *row)
{
	const struct waste_pair *p = (const struct waste_pair *)row;
	char first[INSN_MAX], second[INSN_MAX];

	(void)f;
	fprintf(out, "%sby  %s  and  %s%s\n", style_on(s, INK_DIM), put_instruction(first, p, 0),
		put_instruction(second, p, 1), style_off(s, INK_DIM));
}

/* ---- what was recorded ----------------------------------------------------------------------- */

static void sum_up_kind(FILE *out, const struct model *m, enum wire_waste_kind kind)
{
	uint64_t count = 0, bytes = 0, wasted = 0;
	char share[UNITS_TEXT];

	for (size_t i = 0; i < model_nwastes(m); i++) {
		const struct model_waste *w = model_waste(m, i);
		if (w->kind != kind)
			continue;
		count += w->count;
		bytes += w->bytes;
		wasted += w->wasted_bytes;
	}
	fprintf(out, "%s ", waste_name(kind));
	if (count >= ANALYSIS_MIN_PAIRS && bytes)
		fprintf(out, "%s %% of ", units_percent(share, (double)wasted / (double)bytes));
	fprintf(out, "%" PRIu64 " pairs, ", count);
}

static void sum_up(FILE *out, const struct model *m, const struct analysis_needs *needs,
		   const struct file_status *all)
{
	fprintf(out, "%" PRIu64 " accesses watched, ", all->trapped);
	for (enum wire_waste_kind k = WIRE_DEAD_STORE; k <= WIRE_SILENT_LOAD; k++)
		if (needs->pairs & 1u << k)
			sum_up_kind(out, m, k);
}

static bool seen(const struct model *m)
{
	return model_nwastes(m) > 0;
}

/* ---- figures of pairs ------------------------------------------------------------------------ */

static const char *header(const void *row, char room[FIGURE_TEXT_MAX])
{
	(void)room;
	return waste_part_name(((const struct waste_pair *)row)->part);
}

static const char *instruction(const struct waste_pair *p, int which, char room[FIGURE_TEXT_MAX])
{
	waste_instruction(room, FIGURE_TEXT_MAX, p, which);
	return room;
}

static const char *trapped_instruction(const void *row, char room[FIGURE_TEXT_MAX])
{
	return instruction(row, 1, room);
}

static const char *watched_instruction(const void *row, char room[FIGURE_TEXT_MAX])
{
	return instruction(row, 0, room);
}

enum {
	BOTH = FIGURE_JSON | FIGURE_CSV,
	NUMBER = BOTH | FIGURE_KEY,
};

static const struct figure pair_figures[] = {
	{ "kind", NULL, FIGURE_TEXT, FIGURE_CSV, .text = finding_row_kind },
	{ "watched", NULL, FIGURE_STACK, BOTH, .at = 0 },
	{ "trapped", NULL, FIGURE_STACK, BOTH, .at = 1 },
	{ "pid", NULL, FIGURE_NUMBER, BOTH, .value = finding_pid },
	{ "count", "count", FIGURE_NUMBER, NUMBER | FIGURE_PAGE | FIGURE_LINES,
	  .value = finding_count, .help = "wasteful pairs of accesses" },
	{ "wasted_bytes", "bytes", FIGURE_NUMBER, NUMBER | FIGURE_LINES,
	  FIGURE_MEMBER(struct waste_pair, wasted_bytes),
	  .help = "bytes that were stored or loaded in vain" },
	{ "share", "share", FIGURE_NUMBER, NUMBER | FIGURE_PAGE, .value = finding_share,
	  .range = finding_share_range, .range_name = "share_ci",
	  .help = "share of wasted bytes in the bytes of all pairs of the kind" },
	{ "header", NULL, FIGURE_TEXT, BOTH, .text = header },
	{ "instruction", NULL, FIGURE_TEXT, BOTH, .text = trapped_instruction },
	{ "watched_instruction", NULL, FIGURE_TEXT, BOTH, .text = watched_instruction },
	{ .name = NULL },
};

static const char *at_line_text(const struct finding_row *row, int which,
				char room[FIGURE_TEXT_MAX])
{
	const struct waste_pair *p = (const struct waste_pair *)row;

	return p->insn_len[which] ? instruction(p, which, room) : NULL;
}

static const char *aspect(const struct finding_row *row)
{
	return waste_part_name(((const struct waste_pair *)row)->part);
}

/* ---- figures of a kind ----------------------------------------------------------------------- */

static const struct waste_sum *sum_of(const void *finding)
{
	return ((const struct finding *)finding)->own;
}

static struct bounds_range fraction_range(const void *finding, double z)
{
	return waste_range(sum_of(finding), z);
}

static struct bounds_range content_range(const void *finding, double z)
{
	const struct waste_fraction *c = &sum_of(finding)->content;
	const struct bounds_range none = { NAN, NAN };

	return c->bytes ? bounds_wilson(c->fraction, c->effective, z) : none;
}

#define OWN(name) FIGURE_OWN(struct waste_sum, name)

static const struct figure kind_figures[] = {
	{ "kind", NULL, FIGURE_TEXT, FIGURE_JSON, .text = finding_name },
	{ "fraction", "share", FIGURE_NUMBER, FIGURE_JSON | FIGURE_HEADLINE, OWN(fraction),
	  .range = fraction_range, .range_name = "fraction_ci" },
	{ "observed_pairs", "count", FIGURE_NUMBER, FIGURE_JSON, OWN(count) },
	{ "observed_bytes", "bytes", FIGURE_NUMBER, FIGURE_JSON, OWN(bytes) },
	{ "wasted_bytes", "bytes", FIGURE_NUMBER, FIGURE_JSON, OWN(wasted_bytes) },
	{ "content_pairs", "count", FIGURE_NUMBER, FIGURE_JSON, OWN(content.count) },
	{ "content_fraction", "share", FIGURE_NUMBER, FIGURE_JSON, OWN(content.fraction),
	  .range = content_range, .range_name = "content_fraction_ci" },
	{ .name = NULL },
};

/* ---- what to do about pairs ------------------------------------------------------------------ */

/* The same value comes again, so the second access is in vain; of dead stores it is the first. */
static const struct finding_rule rules[] = {
	[WIRE_DEAD_STORE] = { .name = "dead-store",
			      .problem = "The value stored there is overwritten before anybody "
					 "loads it.",
			      .fix = "Store it when it is final: keep it in a local variable until "
				     "then, and do not clear what is filled at once.",
			      .figure = "share",
			      .before = "stores ",
			      .after = " of all stored bytes in vain",
			      .at = 0 },
	[WIRE_SILENT_STORE] = { .name = "silent-store",
				.problem = "The value stored there is the one that is there.",
				.fix = "Store only what differs: compare first, or leave out the "
				       "pass that changes nothing.",
				.figure = "share",
				.before = "stores ",
				.after = " of all stored bytes though they are there",
				.at = 1 },
	[WIRE_SILENT_LOAD] = { .name = "silent-load",
			       .problem = "The value loaded there was loaded before, and has not "
					  "changed.",
			       .fix = "Keep it in a local variable across the loop or calls, or "
				      "leave out the search or computation that comes again.",
			       .figure = "share",
			       .before = "loads ",
			       .after = " of all loaded bytes again, unchanged",
			       .at = 1 },
};

/* Accesses to headers are the compiler's. */
static const struct finding_rule *rule_of(const struct finding *f, const struct finding_row *row)
{
	return row->minor ? NULL : &rules[((const struct waste_sum *)f->own)->kind];
}

/* ---- kinds ----------------------------------------------------------------------------------- */

#define PAIRS                                                                                     \
	.key = "pairs", .one = "pair of places", .many = "pairs of places",                       \
	.minor = " of object headers; --headers shows them", .figures = pair_figures, .shown = 5, \
	.at_line_key = "instruction", .head = waste_head, .lines = waste_lines,                   \
	.at_line_text = at_line_text, .aspect = aspect, .rule = rule_of

static const struct finding_table_kind dead_stores = {
	PAIRS,
	.stack_title = { "stored at", "and stored again, unread, at" },
	.between = "[stored again, unread, at]",
	.at_line = { "dead store", "stores again what nobody has read" },
};

static const struct finding_table_kind silent_stores = {
	PAIRS,
	.stack_title = { "stored at", "and the same value again at" },
	.between = "[same value stored again at]",
	.at_line = { "silent store, of a value that is stored again",
		     "silent store, of the value that is there" },
};

static const struct finding_table_kind silent_loads = {
	PAIRS,
	.stack_title = { "loaded at", "and the same value again at" },
	.between = "[same value loaded again at]",
	.at_line = { "silent load, of a value that is loaded again",
		     "silent load, of the value as before" },
};

#define KIND                                                                               \
	.counted = "pairs", .figures = kind_figures, .own_size = sizeof(struct waste_sum), \
	.tell = waste_tell

static const struct finding_kind kind_dead_store = { KIND, .name = "dead-store",
						     .title = "dead stores",
						     .tables = { &dead_stores } };
static const struct finding_kind kind_silent_store = { KIND, .name = "silent-store",
						       .title = "silent stores",
						       .tables = { &silent_stores } };
static const struct finding_kind kind_silent_load = { KIND, .name = "silent-load",
						      .title = "silent loads",
						      .tables = { &silent_loads } };

static void find(struct finding *to, const struct model *m, const struct findings_options *options)
{
	struct waste_sum waste[WASTE_KINDS];

	if (options->contexts) /* it is unknown which objects are accessed */
		return;
	waste_compute(waste, m, options->confidence);
	for (int k = 0; k < WASTE_KINDS; k++) {
		struct waste_sum *own = to[k].own;
		*own = waste[k];
		to[k].seen = own->count > 0;
		to[k].count = own->count;
		finding_add_table(&to[k], own->pairs, own->npairs, sizeof *own->pairs);
	}
}

/* ---- the analysis ---------------------------------------------------------------------------- */

const struct analysis waste_analysis = {
	.key = "waste",
	.title = "Wasted accesses",
	.about = "wasteful accesses",
	.events = { { "dead-store",
		      "stores that are overwritten before anybody reads them",
		      { .watches = true, .stores = true, .pairs = 1u << WIRE_DEAD_STORE } },
		    { "silent-store",
		      "stores of the value that is there already",
		      { .watches = true, .stores = true, .pairs = 1u << WIRE_SILENT_STORE } },
		    { "silent-load",
		      "loads of a value that was loaded before and has not changed",
		      { .watches = true, .loads = true, .pairs = 1u << WIRE_SILENT_LOAD } } },
	.store_size = sizeof(struct sums_store),
	.records = waste_records,
	.flush = waste_flush,
	.release = model_sums_release,
	.seen = seen,
	.sum_up = sum_up,
	/* in the order of enum wire_waste_kind */
	.kinds = { &kind_dead_store, &kind_silent_store, &kind_silent_load },
	.metrics = { { "dead-store", "bytes", "bytes stored and not loaded, by the two stores",
		       "wasted_bytes", &kind_dead_store },
		     { "silent-store", "bytes",
		       "bytes stored with the value that was there, by the two stores",
		       "wasted_bytes", &kind_silent_store },
		     { "silent-load", "bytes", "bytes loaded again unchanged, by the two loads",
		       "wasted_bytes", &kind_silent_load } },
	.find = find,
};
