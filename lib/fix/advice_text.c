/* SPDX-License-Identifier: Apache-2.0 */
/* advice_text.c - part of advice.h: writes the sentences of rules. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "analyse/replica/dedup.h"
#include "base/javaname.h"
#include "base/shares.h"
#include "base/style.h"
#include "base/units.h"
#include "base/utf8.h"
#include "fix/advice.h"
#include "fix/differing_text.h"
#include "model/callstack.h"

#define MOSTLY_EQUAL 0.9  /* of the pairs that compared a position */
#define NEARLY_ALL   0.95 /* of the compiled expressions */

/* "new Foo" for a constructor, otherwise "Foo.bar". */
static void put_method(FILE *out, const struct style *s, const struct model_frame *frame)
{
	bool constructor = strcmp(frame->method, "<init>") == 0;

	fputs(constructor ? "new " : "", out);
	style_put(out, s, names_short(frame->class_name));
	if (constructor)
		return;
	putc('.', out);
	style_put(out, s, frame->method);
}

static void put_class(FILE *out, const struct style *s, const struct advice_facts *f, size_t less)
{
	const char *name = names_short(f->class_name);
	size_t len = strlen(name);

	utf8_put(out, name, len > less ? len - less : len, s->utf8 ? UTF8_TERMINAL : UTF8_ASCII);
}

static void put_call(FILE *out, const struct style *s, const struct advice_facts *f, bool first)
{
	if (f->n > 0 && f->scattered) {
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

static void put_maker(FILE *out, const struct style *s, const struct advice_facts *f)
{
	const struct model_frame *call = f->own > 0 ? &f->frames[f->own - 1] : NULL;

	if (call && !f->scattered)
		style_put(out, s, names_short(call->class_name));
	else
		put_class(out, s, f, 0);
}

/* An array that a method of the JDK makes may be no result, but a buffer that the object keeps. */
static void put_reuse(FILE *out, const struct style *s, const struct advice_facts *f)
{
	if (!f->array || f->scattered || f->own == 0)
		return;
	fputs("; if the array is its own, use one ", out);
	put_maker(out, s, f);
	fputs(" for several calls", out);
}

/* "; new byte[64] is enough for 95 % of them" */
static void put_needs(FILE *out, const struct style *s, const struct advice_facts *f)
{
	if (!capacity_is_named(&f->capacity))
		return;
	fputs("; ", out);
	if (f->array && f->own == 0) {
		fputs("new ", out);
		put_class(out, s, f, strlen("]"));
		fprintf(out, "%.0f]", f->capacity.enough);
	} else {
		fprintf(out, "a capacity of %.0f", f->capacity.enough);
	}
	fprintf(out, " is enough for %.0f %% of them", 100 * CAPACITY_OF);
}

static void put_at(FILE *out, const struct style *s, const struct advice_facts *f, size_t frame)
{
	if (f->n == 0 || f->scattered) {
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
	uint64_t snapshots = row->replica.own.scanned;

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

	for (size_t i = 0; i < row_details(row)->nfields && n < WIRE_SLOTS; i++) {
		const struct replica_field *f = &row_details(row)->fields[i];
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

/* Where most of a line is not known yet, nothing is said of all of it. */
static void put_again(FILE *out, const struct advice_facts *f)
{
	fputs(f->undecided ? "more than once; how often is not known yet" : "again and again", out);
}

/* Of most lines an expression is a constant, but not where the program makes it. */
static void put_varies(FILE *out, const struct advice_facts *f)
{
	if (isnan(f->commonest) || f->commonest < NEARLY_ALL)
		fputs("; where the expression varies, keep Patterns by their expression", out);
}

/* What was seen of objects that are alike at the end, before that. */
static void put_same(FILE *out, const struct replica *x)
{
	if (x->used_alike)
		fprintf(out, "%llu of %llu seen in use were the same then",
			(unsigned long long)x->used_same, (unsigned long long)x->used_alike);
	else
		fputs("some of them cannot change", out);
}

/* What a sentence is about. */
struct subject {
	const struct row *row;
	const struct advice_facts *facts;
};

static void put_word(FILE *out, const struct style *s, const struct subject *about,
		     const char *word, size_t len, bool first)
{
	const struct advice_facts *f = about->facts;
	const struct row *row = about->row;

	if (strncmp(word, "class", len) == 0)
		put_class(out, s, f, 0);
	else if (strncmp(word, "element", len) == 0)
		put_class(out, s, f, strlen("[]"));
	else if (strncmp(word, "call", len) == 0)
		put_call(out, s, f, first);
	else if (strncmp(word, "owner", len) == 0)
		style_put(out, s, f->n ? names_short(f->frames[0].class_name) : "?");
	else if (strncmp(word, "maker", len) == 0)
		put_maker(out, s, f);
	else if (strncmp(word, "reuse", len) == 0)
		put_reuse(out, s, f);
	else if (strncmp(word, "watches", len) == 0)
		fprintf(out, "%llu", (unsigned long long)f->watches);
	else if (strncmp(word, "needs", len) == 0)
		put_needs(out, s, f);
	else if (strncmp(word, "varies", len) == 0)
		put_varies(out, f);
	else if (strncmp(word, "at", len) == 0)
		put_at(out, s, f, f->own);
	else if (strncmp(word, "caller", len) == 0)
		put_at(out, s, f, find_caller(f));
	else if (strncmp(word, "grown", len) == 0)
		put_at(out, s, f, find_grown(f));
	else if (strncmp(word, "zero", len) == 0)
		share_put(out, f->zero);
	else if (strncmp(word, "empty", len) == 0)
		share_put(out, f->empty);
	else if (strncmp(word, "missing", len) == 0)
		put_few(out, row);
	else if (strncmp(word, "fields", len) == 0)
		differing_put(out, s, row);
	else if (strncmp(word, "dedup", len) == 0)
		put_deduplication(out, row);
	else if (strncmp(word, "again", len) == 0)
		put_again(out, f);
	else if (strncmp(word, "same", len) == 0)
		put_same(out, &row->replica);
	else if (strncmp(word, "varying", len) == 0)
		put_varying(out, s, row);
}

void advice_put_of(FILE *out, const struct style *s, const struct row *row,
		   const struct advice_facts *f, const char *sentence)
{
	const struct subject about = { row, f };

	for (const char *at = sentence; *at;) {
		const char *end = *at == '{' ? strchr(at, '}') : NULL;
		if (!end) {
			putc(*at++, out);
			continue;
		}
		put_word(out, s, &about, at + 1, (size_t)(end - at - 1), at == sentence);
		at = end + 1;
	}
}

/* Whether a frame's method is one of the objects' own class. */
static bool is_of_class(const struct advice_facts *f, size_t frame)
{
	return frame < f->n && strcmp(f->frames[frame].class_name, f->class_name) == 0;
}

static bool word_names_class(const struct advice_facts *f, const char *word, size_t len)
{
	bool made = f->n == 0 || f->own == 0; /* by the reader's code itself */

	if (strncmp(word, "class", len) == 0)
		return true;
	if (strncmp(word, "call", len) == 0)
		return !(f->n > 0 && f->scattered) && (made || is_of_class(f, f->own - 1));
	if (strncmp(word, "maker", len) == 0)
		return f->own == 0 || f->scattered || is_of_class(f, f->own - 1);
	return strncmp(word, "owner", len) == 0 && is_of_class(f, 0);
}

bool advice_names_class(const struct advice_facts *f, const char *sentence)
{
	for (const char *at = sentence; (at = strchr(at, '{')); at++)
		if (word_names_class(f, at + 1, strcspn(at + 1, "}")))
			return true;
	return false;
}

static const char *general_word(const char *word, size_t len)
{
	static const struct {
		const char *word, *general;
	} words[] = {
		{ "class", "X" },
		{ "again", "again and again" },
		{ "same", "some are known not to change" },
		{ "element", "X" },
		{ "call", "a call" },
		{ "maker", "object" },
		{ "reuse", "" },
		{ "needs", "" },
		{ "watches", "many" },
		{ "varies", "" },
		{ "owner", "owner" },
		{ "at", "at a line" },
		{ "caller", "at a line" },
		{ "grown", "at a line" },
		{ "zero", "many" },
		{ "empty", "many" },
		{ "missing", "there is too little evidence" },
		{ "fields", "a few fields" },
		{ "dedup", "" },
		{ "varying", "some of them" },
	};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strlen(words[i].word) == len && memcmp(words[i].word, word, len) == 0)
			return words[i].general;
	return "";
}

void advice_put_general(FILE *out, const char *sentence)
{
	for (const char *at = sentence; *at;) {
		const char *end = *at == '{' ? strchr(at, '}') : NULL;
		if (!end) {
			putc(*at++, out);
			continue;
		}
		const char *word = general_word(at + 1, (size_t)(end - at - 1));
		if (at == sentence && *word)
			putc(toupper((unsigned char)*word++), out);
		fputs(word, out);
		at = end + 1;
	}
}

void advice_put(FILE *out, const struct style *s, const struct row *row, const char *sentence)
{
	advice_put_of(out, s, row, &row->advice->facts, sentence);
}
