/* SPDX-License-Identifier: Apache-2.0 */
/* advice.c - see advice.h. Collects the facts that rules use, and writes their sentences. */
#include "report/advice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/javaname.h"
#include "base/style.h"
#include "base/units.h"
#include "base/utf8.h"
#include "base/xmalloc.h"
#include "model/callstack.h"
#include "model/deduplication.h"
#include "report/differing_text.h"
#include "report/telling_slots.h"

/* ---- a row's advice for programs: {"rule", "problem", "fix"}, or null. */

static void put_sentence(struct json_text *t, const char *name, const struct row *row,
			 const char *sentence)
{
	const struct style style = { .utf8 = true };
	FILE *out = json_text_begin_string(t);

	if (!out)
		return;
	advice_put(out, &style, row, sentence);
	json_text_end_string(t, name);
}

void advice_json(struct json_text *t, const struct row *row)
{
	const struct advice *advice = row_advice(row);

	if (!advice) {
		json_text_null(t, "advice");
		return;
	}
	json_text_open(t, "advice", '{');
	json_text_string(t, "rule", advice->rule->name);
	put_sentence(t, "problem", row, advice->rule->problem);
	put_sentence(t, "fix", row, advice->rule->fix);
	json_text_close(t, '}');
}

#define MOSTLY_EQUAL 0.9 /* of the pairs that compared a position */

/* ---- facts --------------------------------------------------------------------------------- */

/* Sums over snapshots, by weight. */
struct sums {
	uint32_t held, depth; /* slots, a bit each: telling_slots.h */
	double all, zero, empty, traced;
};

static void add_snapshot(struct sums *sums, const struct model_snapshot *l)
{
	int zeros = __builtin_popcount(l->zeros);

	sums->all += l->weight;
	sums->zero += l->nslots ? l->weight * zeros / l->nslots : 0;
	if (sums->held && (l->zeros & sums->held) == sums->held)
		sums->empty += l->weight;
	if (sums->depth && !(l->zeros & sums->depth))
		sums->traced += l->weight;
}

static void collect_values(struct advice_facts *f, const struct row *row)
{
	double arrays = 0, no_length = 0;
	struct sums sums = { .held = never_held_slots(row->class),
			     .depth = trace_depth_slot(row->class) };

	for (size_t i = 0; i < row->ncontexts; i++) {
		const struct model_context *c = row->contexts[i];
		for (size_t k = 0; k < c->nsnapshots; k++)
			add_snapshot(&sums, c->snapshots[k]);
		for (size_t k = 0; k < c->nstrata; k++) {
			arrays += c->strata[k].objects;
			no_length += c->strata[k].array_length == 0 ? c->strata[k].objects : 0;
		}
	}
	f->zero = sums.all > 0 ? sums.zero / sums.all : NAN;
	f->empty = sums.all > 0 && sums.held ? sums.empty / sums.all : NAN;
	f->traced = sums.all > 0 && sums.depth ? sums.traced / sums.all : NAN;
	f->no_length = f->array && arrays > 0 ? no_length / arrays : 0;
}

/* Copies the frames that all contexts have in common to `frames`. */
static void collect_frames(struct advice_facts *f, const struct row *row,
			   struct model_frame *frames)
{
	f->frames = frames;
	for (size_t i = 0; i < row->common; i++)
		if (row->row.stack[0].frames[i].folded <= 0 &&
		    row->row.stack[0].frames[i].class_name)
			frames[f->n++] = row->row.stack[0].frames[i];
	while (f->own < f->n && frames[f->own].platform)
		f->own++;
}

static void collect(struct advice_facts *f, const struct row *row, struct model_frame *frames)
{
	const struct replica *x = &row->replica;
	bool compared = x->differing.pairs >= REPLICA_MIN_PAIRS;

	*f = (struct advice_facts){
		.class_name = row->class && row->class->name ? row->class->name : "",
		.array = row->class && row->class->is_array,
		.verdict = x->verdict,
		.doubt = replica_decided(x)->doubt,
		.saves = replica_saved(x) > 0,
		.only_used = x->scanned == 0 && row->uses > 0,
		.ndiffering = compared ? __builtin_popcount(x->differing.slots) : 0,
	};
	collect_frames(f, row, frames);
	collect_values(f, row);
}

/* As in the rules: the verdict that the report shows. */
static unsigned verdict_bits(const struct row *row)
{
	bool deep;
	enum replica_verdict shown = replica_shown(&row->replica, &deep);
	bool open = shown == VERDICT_UNKNOWN || shown == VERDICT_ALIKE;

	return 1U << shown | (open && replica_saved(&row->replica) > 0 ? ADVICE_SOME : 0);
}

bool advice_is_possible(const struct row *row)
{
	unsigned verdict = verdict_bits(row);

	for (const struct advice_rule *r = advice_rules; r->name; r++)
		if (r->verdicts & verdict)
			return true;
	return false;
}

/* The rule for the verdict that the report shows, or NULL. */
static const struct advice_rule *find_rule(const struct row *row, const struct advice_facts *f)
{
	unsigned verdict = verdict_bits(row);

	for (const struct advice_rule *r = advice_rules; r->name; r++)
		if (r->verdicts & verdict && r->match(f))
			return r;
	return NULL;
}

static struct advice *find(const struct row *row)
{
	struct advice *advice = xmalloc(sizeof *advice + row->common * sizeof advice->frames[0]);

	collect(&advice->facts, row, advice->frames);
	advice->rule = find_rule(row, &advice->facts);
	if (advice->rule)
		return advice;
	free(advice);
	return NULL;
}

const struct advice *row_advice(const struct row *row)
{
	struct row *kept = (struct row *)row; /* what is kept is no change that anyone sees */

	if (!row->advised) {
		kept->advice = advice_is_possible(row) ? find(row) : NULL;
		kept->advised = true;
	}
	return row->advice;
}

/* ---- sentences ----------------------------------------------------------------------------- */

static void put_percent(FILE *out, double share)
{
	char text[UNITS_TEXT];

	fprintf(out, "%s %%", units_percent(text, share));
}

/* "new Foo" for a constructor, otherwise "Foo.bar". */
static void put_method(FILE *out, const struct style *s, const struct model_frame *frame)
{
	bool constructor = strcmp(frame->method, "<init>") == 0;

	fputs(constructor ? "new " : "", out);
	style_put(out, s, names_simple(frame->class_name));
	if (constructor)
		return;
	putc('.', out);
	style_put(out, s, frame->method);
}

static void put_class(FILE *out, const struct style *s, const struct advice_facts *f, size_t less)
{
	const char *name = names_simple(f->class_name);
	size_t len = strlen(name);

	utf8_put(out, name, len > less ? len - less : len, s->utf8 ? UTF8_TERMINAL : UTF8_ASCII);
}

/*
 * In a row of several contexts, all common frames may be the JDK's, which is not a place to change.
 */
static bool is_scattered(const struct row *row)
{
	const struct advice_facts *f = &row->advice->facts;

	return f->own == f->n && row->common < row->row.stack[0].n;
}

static void put_call(FILE *out, const struct style *s, const struct row *row, bool first)
{
	const struct advice_facts *f = &row->advice->facts;

	if (f->n > 0 && is_scattered(row)) {
		fputs(first ? "The JDK" : "the JDK", out);
		return;
	}
	if (f->n == 0 || f->own == 0) {
		fputs("new ", out);
		put_class(out, s, f, 0);
		return;
	}
	put_method(out, s, &f->frames[f->own - 1]);
}

static void put_at(FILE *out, const struct style *s, const struct row *row, size_t frame)
{
	const struct advice_facts *f = &row->advice->facts;

	if (f->n == 0 || is_scattered(row)) {
		fputs("at several places", out);
		return;
	}
	fputs("at ", out);
	frame_put_site(out, s, &f->frames[frame < f->n ? frame : 0]);
}

static bool is_inner(const struct model_frame *frame)
{
	static const char *const methods[] = { "<init>",   "fillInStackTrace", "values",
					       "iterator", "elements",	       "keys",
					       NULL };

	for (size_t i = 0; methods[i]; i++)
		if (strcmp(frame->method, methods[i]) == 0)
			return true;
	return frame->platform;
}

/* Skips the reader's own exceptions, enums and collections, which are not the problem. */
static size_t find_caller(const struct advice_facts *f)
{
	size_t at = f->own;

	while (at < f->n && is_inner(&f->frames[at]))
		at++;
	return at < f->n ? at : f->own;
}

/* Skips the reader's own helpers that grow arrays. */
static size_t find_grown(const struct advice_facts *f)
{
	size_t at = f->own;

	while (at < f->n && advice_grows(f->frames[at].method))
		at++;
	return at < f->n ? at : f->own;
}

/* A claim needs both a use and a snapshot of the same objects. */
static void put_few(FILE *out, const struct row *row)
{
	uint64_t snapshots = row->replica.scanned;

	if (snapshots < REPLICA_MIN_PAIRS)
		fprintf(out, "%s looked at at the end of life",
			snapshots == 0 ? "none was" : "too few were");
	else
		fputs("too few were seen both in use and at the end of life", out);
}

/* Writes the positions that were often unequal, of those compared at uses. */
static void put_varying(FILE *out, const struct style *s, const struct row *row)
{
	struct differing_range ranges[WIRE_SLOTS];
	size_t n = 0;

	for (size_t i = 0; i < row->replica.nfields && n < WIRE_SLOTS; i++) {
		const struct replica_field *f = &row->replica.fields[i];
		if (f->pairs < REPLICA_MIN_PAIRS || f->share >= MOSTLY_EQUAL)
			continue;
		if (n > 0 && row->class && row->class->is_array &&
		    ranges[n - 1].last + 1 == f->position)
			ranges[n - 1].last = f->position;
		else
			ranges[n++] = (struct differing_range){ f->position, f->position };
	}
	if (n > 0)
		differing_put_ranges(out, s, row, ranges, n);
	else
		fputs("some of them", out);
}

/* What the JVM's option does for strings that are made again and again. */
static void put_deduplication(FILE *out, const struct row *row)
{
	static const char *const texts[] = {
		[DEDUPLICATION_UNKNOWN] = "; -XX:+UseStringDeduplication, if the collector has it, "
					  "lets long-lived ones share their bytes",
		[DEDUPLICATION_NONE] = "",
		[DEDUPLICATION_OFF] = "; -XX:+UseStringDeduplication lets long-lived ones share "
				      "their bytes",
		[DEDUPLICATION_ON] = "; -XX:+UseStringDeduplication, which is on, only lets "
				     "long-lived ones share their bytes",
	};

	fputs(texts[deduplication_at(row->contexts, row->ncontexts)], out);
}

static void put_word(FILE *out, const struct style *s, const struct row *row, const char *word,
		     size_t len, bool first)
{
	const struct advice_facts *f = &row->advice->facts;

	if (strncmp(word, "class", len) == 0)
		put_class(out, s, f, 0);
	else if (strncmp(word, "element", len) == 0)
		put_class(out, s, f, strlen("[]"));
	else if (strncmp(word, "call", len) == 0)
		put_call(out, s, row, first);
	else if (strncmp(word, "owner", len) == 0)
		style_put(out, s, f->n ? names_simple(f->frames[0].class_name) : "?");
	else if (strncmp(word, "at", len) == 0)
		put_at(out, s, row, f->own);
	else if (strncmp(word, "caller", len) == 0)
		put_at(out, s, row, find_caller(f));
	else if (strncmp(word, "grown", len) == 0)
		put_at(out, s, row, find_grown(f));
	else if (strncmp(word, "zero", len) == 0)
		put_percent(out, f->zero);
	else if (strncmp(word, "empty", len) == 0)
		put_percent(out, f->empty);
	else if (strncmp(word, "missing", len) == 0)
		put_few(out, row);
	else if (strncmp(word, "fields", len) == 0)
		differing_put(out, s, row);
	else if (strncmp(word, "dedup", len) == 0)
		put_deduplication(out, row);
	else if (strncmp(word, "varying", len) == 0)
		put_varying(out, s, row);
}

void advice_put(FILE *out, const struct style *s, const struct row *row, const char *sentence)
{
	for (const char *at = sentence; *at;) {
		const char *end = *at == '{' ? strchr(at, '}') : NULL;
		if (!end) {
			putc(*at++, out);
			continue;
		}
		put_word(out, s, row, at + 1, (size_t)(end - at - 1), at == sentence);
		at = end + 1;
	}
}
