/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_csv.c - the contexts as a table for spreadsheets and data frames: RFC 4180, a line for each
 * context, under the names that the JSON report has (docs/json.md); the ends of an interval are two
 * columns, and a stack is one. Numbers are as they are, without units; what was not measured is empty.
 *
 * A spreadsheet takes a text that begins with '=', '+', '-' or '@' for a formula. No name in a Java
 * program does, unless somebody wants it to: such a text gets an apostrophe in front.
 */
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "utf8.h"

/* The numbers of an analysis, as they are stored; an interval has two columns. */
enum csv_kind { CSV_REAL, CSV_COUNT, CSV_INTERVAL };

struct csv_number {
	const char *name;
	enum csv_kind kind;
	size_t offset; /* in struct replica */
};

#define AT(name, kind, member)                               \
	{                                                    \
		name, kind, offsetof(struct replica, member) \
	}
#define REAL(member)	 AT(#member, CSV_REAL, member)
#define COUNT(member)	 AT(#member, CSV_COUNT, member)
#define INTERVAL(member) AT(#member, CSV_INTERVAL, member)

static const struct csv_number numbers[] = {
	REAL(objects),
	REAL(bytes),
	COUNT(sampled),
	COUNT(pairs),
	COUNT(a),
	COUNT(b),
	COUNT(c),
	REAL(unused),
	REAL(theta),
	INTERVAL(theta_ci),
	REAL(alpha),
	REAL(omega),
	REAL(gamma),
	REAL(identical),
	INTERVAL(identical_ci),
	COUNT(scanned),
	REAL(largest_group),
	INTERVAL(largest_group_ci),
	COUNT(deep_scanned),
	REAL(deep_cut),
	AT("largest_group_deep", CSV_REAL, largest_deep),
	AT("largest_group_deep_ci", CSV_INTERVAL, largest_deep_ci),
	REAL(distinct),
	REAL(distinct_deep),
	REAL(saved_bytes),
	INTERVAL(saved_bytes_ci),
	REAL(saved_objects),
	INTERVAL(saved_objects_ci),
	AT("saved_bytes_deep", CSV_REAL, saved_deep_bytes),
	AT("saved_bytes_deep_ci", CSV_INTERVAL, saved_deep_bytes_ci),
	AT("saved_objects_deep", CSV_REAL, saved_deep_objects),
	AT("saved_objects_deep_ci", CSV_INTERVAL, saved_deep_objects_ci),
	AT("dedup_bytes", CSV_REAL, dedup_ci.low),
	AT("dedup_bytes_ci", CSV_INTERVAL, dedup_ci),
	REAL(identity),
	INTERVAL(identity_ci),
	REAL(immutable),
	INTERVAL(immutable_ci),
	REAL(lasting),
	REAL(constant),
	INTERVAL(constant_ci),
};
enum { NUMBERS = sizeof numbers / sizeof numbers[0] };

/* ---- cells ------------------------------------------------------------------------------- */

/* The shorter of two forms that reads as the same number; nothing where it was not measured. */
static void put_real(FILE *out, double value)
{
	char text[32];

	if (!isfinite(value))
		return;
	snprintf(text, sizeof text, "%.15g", value);
	if (strtod(text, NULL) != value)
		snprintf(text, sizeof text, "%.17g", value);
	fputs(text, out);
}

/* As an interval has two ends or none. */
static void put_interval(FILE *out, const struct replica_interval *ci)
{
	bool known = isfinite(ci->low) && isfinite(ci->high);

	put_real(out, known ? ci->low : NAN);
	putc(',', out);
	put_real(out, known ? ci->high : NAN);
}

static void put_number(FILE *out, const struct replica *x, const struct csv_number *n)
{
	const void *at = (const char *)x + n->offset;

	switch (n->kind) {
	case CSV_REAL:
		put_real(out, *(const double *)at);
		break;
	case CSV_COUNT:
		fprintf(out, "%" PRIu64, *(const uint64_t *)at);
		break;
	case CSV_INTERVAL:
		put_interval(out, at);
		break;
	}
}

/* A piece of a quoted text. In a stack a ';' would end a frame: it becomes '|'. */
static void put_inside(FILE *out, const char *text, bool stack)
{
	text = text ? text : "?";
	const char *end = text + strlen(text);

	while (text < end) {
		const char *at = text;
		uint32_t c = utf8_next(&text, end);
		if (c == '"')
			fputs("\"\"", out);
		else if (c == ';' && stack)
			putc('|', out);
		else
			utf8_put(out, at, (size_t)(text - at), UTF8_TERMINAL);
	}
}

/* Begins a quoted text that starts with `first`. */
static void open_text(FILE *out, const char *first)
{
	putc('"', out);
	if (first && *first && strchr("=+-@", *first))
		putc('\'', out);
}

/* NULL gives nothing. */
static void put_text(FILE *out, const char *text)
{
	if (!text)
		return;
	open_text(out, text);
	put_inside(out, text, false);
	putc('"', out);
}

/* As in the stack traces of Java. */
static void put_frame(FILE *out, const struct export_frame *f)
{
	if (f->kind != EXPORT_METHOD) {
		export_put_name(out, f);
		return;
	}
	put_inside(out, f->class_name, true);
	putc('.', out);
	put_inside(out, f->method, true);
	putc('(', out);
	put_inside(out, f->file ? f->file : "Unknown Source", true);
	if (f->file && f->number > 0)
		fprintf(out, ":%d", f->number);
	putc(')', out);
}

/* Innermost frame first, as in JSON; whose stack it is and whether it is cut has other columns. */
static void put_stack(FILE *out, const struct export_sample *s)
{
	bool any = false;

	for (size_t i = s->n; i-- > 0;) {
		const struct export_frame *f = &s->frames[i];
		if (f->kind != EXPORT_METHOD && f->kind != EXPORT_FOLDED)
			continue;
		if (any)
			putc(';', out);
		else
			open_text(out, f->class_name);
		any = true;
		put_frame(out, f);
	}
	if (any)
		putc('"', out);
}

static bool is_cut(const struct export_sample *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->frames[i].kind == EXPORT_CUT)
			return true;
	return false;
}

/* ---- lines ------------------------------------------------------------------------------- */

static void put_header(FILE *out)
{
	fputs("class,pid,verdict,verdict_deep,source", out);
	for (size_t i = 0; i < NUMBERS; i++) {
		const char *name = numbers[i].name;
		if (numbers[i].kind == CSV_INTERVAL)
			fprintf(out, ",%s_low,%s_high", name, name);
		else
			fprintf(out, ",%s", name);
	}
	fputs(",alloc_stack_cut,alloc_stack\r\n", out);
}

static int put_line(const struct export_sample *s, void *arg)
{
	const struct replica *x = &s->row->replica;
	FILE *out = arg;

	put_text(out, row_class(s->row));
	fprintf(out, ",%d,", s->row->pid);
	put_text(out, replica_verdict_name(x->verdict));
	putc(',', out);
	put_text(out, x->deep_scanned ? replica_verdict_name(x->verdict_deep) : NULL);
	putc(',', out);
	put_text(out, replica_source_name(x->source));
	for (size_t i = 0; i < NUMBERS; i++) {
		putc(',', out);
		put_number(out, x, &numbers[i]);
	}
	fprintf(out, ",%s,", is_cut(s) ? "true" : "false");
	put_stack(out, s);
	return fputs("\r\n", out) < 0 ? -1 : 0;
}

int render_csv(FILE *out, const struct report *r)
{
	put_header(out);
	int result = export_allocations(r, put_line, out);
	return result < 0 || ferror(out) ? -1 : 0;
}
