/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_fields.c - how often each field or element was equal, among the pairs that compared it.
 *
 * Positions that differ matter: they are why objects are not replicas. Positions that are always or
 * never equal are combined if they are many.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memtext.h"
#include "base/units.h"
#include "model/fields.h"
#include "render/render.h"

#define INDENT "        "

enum {
	MAX_LISTED = 12, /* positions that are sometimes equal, one line each */
	MAX_FIELDS = 16, /* objects with more fields have them combined like elements */
	MAX_NAME = 32,	 /* columns; a longer name moves the rest of the line to the right */
};

enum kind { ALWAYS, NEVER, SOMETIMES };

static enum kind kind_of(const struct replica_field *f)
{
	return f->equal == f->pairs ? ALWAYS : f->equal == 0 ? NEVER : SOMETIMES;
}

/* Whether one line describes both. Arrays that differ usually do so in all elements at once. */
static bool is_alike(const struct replica_field *f, const struct replica_field *g)
{
	return kind_of(f) == kind_of(g) &&
	       (kind_of(f) != SOMETIMES || (f->equal == g->equal && f->pairs == g->pairs));
}

struct printer {
	FILE *out;
	const struct report *report;
	const struct style *style;
	const struct row *row;
	int name_width, type_width;
};

/* Writes a name or type, padded with blanks to `width` columns; returns the columns used. */
static int put_padded(const struct printer *p, FILE *out, uint64_t position, bool type, int width)
{
	struct memtext gathered;
	FILE *stream = memtext_begin(&gathered);

	if (!stream)
		return 0;
	if (type)
		field_put_type(stream, p->style, p->row->class, position);
	else
		field_put_name(stream, p->style, p->row->class, position, true);
	char *text = memtext_end(&gathered);
	if (!text)
		return 0;
	int used = (int)utf8_width(text);
	if (out)
		fprintf(out, "%s%*s", text, used < width ? width - used : 0, "");
	free(text);
	return used;
}

static void measure(struct printer *p)
{
	const struct replica_details *x = row_details(p->row);

	for (size_t i = 0; i < x->nfields; i++) {
		int name = put_padded(p, NULL, x->fields[i].position, false, 0);
		int type = put_padded(p, NULL, x->fields[i].position, true, 0);
		if (name > p->name_width && name <= MAX_NAME)
			p->name_width = name;
		if (type > p->type_width && type <= MAX_NAME)
			p->type_width = type;
	}
}

static void put_one(const struct printer *p, const struct replica_field *f)
{
	enum ink ink = kind_of(f) == ALWAYS ? INK_PLAIN : INK_YELLOW;
	char text[UNITS_TEXT];

	fprintf(p->out, INDENT "%s", style_on(p->style, ink));
	put_padded(p, p->out, f->position, false, p->name_width);
	fputs("  ", p->out);
	put_padded(p, p->out, f->position, true, p->type_width);
	bool enough = f->pairs >= p->report->min_pairs;
	if (kind_of(f) != SOMETIMES && enough) {
		fprintf(p->out, "  %s equal in %llu pairs%s\n",
			kind_of(f) == ALWAYS ? "always" : "never", (unsigned long long)f->pairs,
			style_off(p->style, ink));
		return;
	}
	fprintf(p->out, "  equal in %llu of %llu pair%s", (unsigned long long)f->equal,
		(unsigned long long)f->pairs, f->pairs == 1 ? "" : "s");
	if (enough)
		fprintf(p->out, " (%s %%)", units_percent(text, f->share));
	fprintf(p->out, "%s\n", style_off(p->style, ink));
}

/* "always equal (32 compared, each in 12 to 40 pairs)", "equal in 30 of 58 pairs (46.8 %; 32
 * compared)" */
static void put_counts(const struct printer *p, const struct replica_field *f, size_t n)
{
	uint64_t least = UINT64_MAX, most = 0;
	char text[UNITS_TEXT];

	if (kind_of(f) == SOMETIMES) {
		fprintf(p->out, "  equal in %llu of %llu pairs (", (unsigned long long)f->equal,
			(unsigned long long)f->pairs);
		if (f->pairs >= p->report->min_pairs)
			fprintf(p->out, "%s %%; ", units_percent(text, f->share));
		fprintf(p->out, "%zu compared)", n);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		least = f[i].pairs < least ? f[i].pairs : least;
		most = f[i].pairs > most ? f[i].pairs : most;
	}
	fprintf(p->out, "  %s equal (%zu compared, each in ",
		kind_of(f) == ALWAYS ? "always" : "never", n);
	if (least < most)
		fprintf(p->out, "%llu to ", (unsigned long long)least);
	fprintf(p->out, "%llu pair%s)", (unsigned long long)most, most == 1 ? "" : "s");
}

static void put_run(const struct printer *p, const struct replica_field *f, size_t n)
{
	const struct style *s = p->style;
	enum ink ink = kind_of(f) == ALWAYS ? INK_PLAIN : INK_YELLOW;

	fprintf(p->out, INDENT "%s", style_on(s, ink));
	field_put_name(p->out, s, p->row->class, f[0].position, true);
	fputs("..", p->out);
	field_put_name(p->out, s, p->row->class, f[n - 1].position, true);
	put_counts(p, f, n);
	fprintf(p->out, "%s\n", style_off(s, ink));
}

/* Writes the positions without a line of their own. */
static void put_others(const struct printer *p, size_t n, double least, double most)
{
	char low[UNITS_TEXT], high[UNITS_TEXT];

	fprintf(p->out, INDENT "%s %zu more, equal in %s", style_glyph(p->style, GLYPH_ELLIPSIS), n,
		units_percent(low, least));
	if (least < most)
		fprintf(p->out, " to %s", units_percent(high, most));
	fputs(" % of their pairs\n", p->out);
}

/* Number of positions, from `f`, that one line describes; at most `left`. */
static size_t run_length(const struct replica_field *f, size_t left)
{
	size_t n = 1;

	while (n < left && is_alike(f, f + n))
		n++;
	return n;
}

static void put_summary(const struct printer *p)
{
	const struct replica_details *x = row_details(p->row);
	size_t listed = 0, others = 0;
	double least = 1, most = 0;

	for (size_t i = 0, n; i < x->nfields; i += n) {
		const struct replica_field *f = &x->fields[i];
		n = run_length(f, x->nfields - i);
		if (kind_of(f) == SOMETIMES && ++listed > MAX_LISTED) {
			others += n;
			least = fmin(least, f->share);
			most = fmax(most, f->share);
		} else if (n > 1) {
			put_run(p, f, n);
		} else {
			put_one(p, f);
		}
	}
	if (others)
		put_others(p, others, least, most);
}

/* Whether any position was compared often enough: two equal pairs say nothing. */
static bool has_evidence(const struct report *r, const struct replica_details *x)
{
	uint64_t most = 0;

	for (size_t i = 0; i < x->nfields; i++)
		most = x->fields[i].pairs > most ? x->fields[i].pairs : most;
	return most > 0 && most >= r->min_pairs;
}

/* The bytes of a text, which its maker allocates. Nobody shares one of its characters. */
static bool holds_text(const struct row *row)
{
	static const char *const makers[] = { "java.lang.String", "java.lang.AbstractStringBuilder",
					      "java.lang.Integer", "java.lang.Long" };
	const char *class = row_class(row);

	if (strcmp(class, "byte[]") != 0 && strcmp(class, "char[]") != 0)
		return false;
	const struct callstack *stack = row_stack(row);
	for (size_t i = 0; i < stack->n && stack->frames[i].platform; i++)
		for (size_t k = 0; k < sizeof makers / sizeof makers[0]; k++)
			if (stack->frames[i].class_name &&
			    strncmp(stack->frames[i].class_name, makers[k], strlen(makers[k])) == 0)
				return true;
	return false;
}

void render_fields(FILE *out, const struct report *r, const struct style *s, const struct row *row)
{
	struct printer p = { .out = out, .report = r, .style = s, .row = row };
	const struct replica_details *x = row_details(row);
	bool array = row->class && row->class->is_array;

	if (!has_evidence(r, x) || holds_text(row))
		return;
	fprintf(out, "\n    %s, compared in pairs %s\n", array ? "elements" : "fields",
		x->fields_source == REPLICA_SCAN ? "at the end of life" : "when used");
	measure(&p);
	render_without(out, r, s, row);
	if (array || x->nfields > MAX_FIELDS) {
		put_summary(&p);
		return;
	}
	for (size_t i = 0; i < x->nfields; i++)
		put_one(&p, &x->fields[i]);
}
