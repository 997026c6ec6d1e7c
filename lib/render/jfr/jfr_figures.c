/* SPDX-License-Identifier: Apache-2.0 */
/* jfr_figures.c - see jfr_figures.h. */
#include "render/jfr/jfr_figures.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "model/finding.h"

enum { PARTS_TEXT = FIGURE_PARTS_MAX * 64 };

/* By the promise of docs/json.md, a name that ends in _s is of seconds. */
static bool is_seconds(const struct figure *f)
{
	size_t len = strlen(f->name);

	return f->kind == FIGURE_NUMBER && len > 2 && strcmp(f->name + len - 2, "_s") == 0;
}

static bool is_pid(const struct figure *f)
{
	return f->kind == FIGURE_NUMBER && f->value == finding_pid;
}

static bool is_class(const struct figure *f)
{
	return f->kind == FIGURE_TEXT && f->text == finding_class;
}

static enum jfr_kind kind_of(const struct figure *f)
{
	if (f->kind == FIGURE_STACK)
		return JFR_STACK;
	if (f->kind != FIGURE_NUMBER)
		return is_class(f) ? JFR_CLASS : JFR_STRING;
	if (is_pid(f))
		return JFR_INT;
	return is_seconds(f) ? JFR_LONG : figure_is_share(f) ? JFR_FLOAT : JFR_DOUBLE;
}

static enum jfr_unit unit_of(const struct figure *f)
{
	if (f->kind != FIGURE_NUMBER)
		return JFR_PLAIN;
	if (is_seconds(f))
		return JFR_NANOSECONDS;
	return figure_is_bytes(f) ? JFR_BYTES : figure_is_share(f) ? JFR_SHARE : JFR_PLAIN;
}

void jfr_figure_fields(struct jfr_types *types, struct jfr_type *type, const struct figure *f)
{
	struct jfr_field field = { f->name, "", kind_of(f), unit_of(f), f->help };

	if (f->kind == FIGURE_PATHS || f->kind == FIGURE_CURVE)
		return;
	jfr_type_field(types, type, &field);
	if (f->kind != FIGURE_NUMBER || !f->range_name)
		return;
	field.help = NULL;
	field.suffix = "low";
	jfr_type_field(types, type, &field);
	field.suffix = "high";
	jfr_type_field(types, type, &field);
}

static void add_seconds(struct jfr_chunk *c, double seconds)
{
	double ns = round(seconds * 1e9);

	jfr_add_number(c, fabs(ns) < (double)INT64_MAX ? (int64_t)ns : INT64_MIN);
}

static void add_number(struct jfr_chunk *c, const struct figure *f, double value)
{
	switch (kind_of(f)) {
	case JFR_INT:
		jfr_add_number(c, (int64_t)value);
		break;
	case JFR_LONG:
		add_seconds(c, value);
		break;
	case JFR_FLOAT:
		jfr_add_float(c, value);
		break;
	default:
		jfr_add_double(c, value);
	}
}

/* "L1 12, L2 3"; no text if they are not known. */
static void add_parts(struct jfr_chunk *c, const struct figure *f, const void *of)
{
	struct figure_part parts[FIGURE_PARTS_MAX];
	char text[PARTS_TEXT];
	size_t n = f->parts(of, parts), len = 0;

	for (size_t i = 0; i < n && len < sizeof text; i++)
		len += (size_t)snprintf(text + len, sizeof text - len, "%s%s %" PRIu64,
					i > 0 ? ", " : "", parts[i].name, parts[i].count);
	jfr_add_text(c, n > 0 ? text : NULL);
}

static void add_numbers(struct jfr_chunk *c, const struct figure *f, const void *of, double z,
			double least)
{
	add_number(c, f, figure_value(f, of, least));
	if (!f->range_name)
		return;
	const struct bounds_range none = { NAN, NAN };
	struct bounds_range range = figure_is_enough(f, of, least) ? figure_range(f, of, z) : none;
	add_number(c, f, range.low);
	add_number(c, f, range.high);
}

void jfr_figure_values(struct jfr_chunk *c, const struct figure *f, const void *of, double z,
		       double least)
{
	char room[FIGURE_TEXT_MAX];

	switch (f->kind) {
	case FIGURE_NUMBER:
		add_numbers(c, f, of, z, least);
		break;
	case FIGURE_TEXT:
		if (is_class(f))
			jfr_add_class(c, f->text(of, room));
		else
			jfr_add_text(c, f->text(of, room));
		break;
	case FIGURE_PARTS:
		add_parts(c, f, of);
		break;
	case FIGURE_STACK:
	case FIGURE_PATHS:
	case FIGURE_CURVE:
		break;
	}
}
