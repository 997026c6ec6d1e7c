/* SPDX-License-Identifier: Apache-2.0 */
/* render_json_fixes.c - the member `findings` of a report as JSON: what it ranks (fix/fix.h). */
#include <math.h>
#include <stdlib.h>

#include "fix/fix_course.h"
#include "fix/fix_figures.h"
#include "fix/fix_total.h"
#include "render/export.h"
#include "render/json_build.h"
#include "render/render_fix.h"
#include "render/render_json_rows.h"

/* Its parts of one class, as they come: the one that avoids most comes first. */
static void put_classes(struct json_text *t, const struct fix *f)
{
	json_text_open(t, "classes", '[');
	for (size_t i = 0; i < f->nparts; i++) {
		double bytes, objects;
		if (fix_class_of(f, i, &bytes, &objects) > 0) /* told already */
			continue;
		json_text_open(t, NULL, '{');
		json_text_string(t, "class", f->part[i].class_name);
		json_text_number(t, "bytes", bytes);
		json_text_number(t, "objects", objects);
		json_text_close(t, '}');
	}
	json_text_close(t, ']');
}

void json_line_numbers(struct json_text *t, const int *lines, size_t n)
{
	json_text_open(t, "lines", '[');
	for (size_t i = 0; i < n; i++)
		if (lines[i] > 0)
			json_text_whole(t, NULL, lines[i]);
	json_text_close(t, ']');
}

static void put_lines(struct json_text *t, const struct fix *f)
{
	size_t n;
	int *lines = fix_lines_of(f, &n);

	json_line_numbers(t, lines, n);
	free(lines);
}

static void put_texts(struct json_text *t, const struct fix *f)
{
	struct memtext text;

	for (const struct fix_text *x = fix_texts; x->name; x++) {
		if (x->list)
			continue;
		x->put(memtext_begin(&text), f);
		memtext_end(&text);
		json_text_string(t, x->name, text.len > 0 ? text.text : NULL);
		free(text.text);
	}
}

static void put_callers(struct json_text *t, const struct fix *f, const struct model *m, double z)
{
	struct callers callers;

	fix_callers(&callers, f, m, 1, z);
	render_json_callers(t, &callers);
	callers_release(&callers);
}

/* When its bytes were made. */
static void put_course(struct json_text *t, const struct fix *f)
{
	struct fix_course course;

	if (!fix_course(f->part, f->nparts, &course)) {
		json_text_null(t, "course");
		return;
	}
	json_text_open(t, "course", '{');
	json_text_short(t, "from_s", course.from_s);
	json_text_short(t, "to_s", course.to_s);
	json_text_open(t, "bytes_per_s", '[');
	for (size_t i = 0; i < FIX_COURSE; i++)
		json_text_short(t, NULL, course.rate[i]);
	json_text_close(t, ']');
	json_text_close(t, '}');
}

void json_fix_members(struct json_text *t, const struct fix *f)
{
	json_figures(t, fix_figures, f, 0, true);
	put_lines(t, f);
	put_classes(t, f);
	put_texts(t, f);
}

void json_fix(struct json_text *t, const char *name, const struct fix *f, const struct model *m,
	      double z)
{
	json_text_open(t, name, '{');
	json_fix_members(t, f);
	put_course(t, f);
	put_callers(t, f, m, z);
	json_text_open(t, "evidence", '{');
	json_figures(t, fix_figures, f, 0, false);
	json_text_close(t, '}');
	json_text_close(t, '}');
}

/* What the first `n` are expected to avoid. */
static void put_expected(struct json_text *t, const char *name, const struct report *r, size_t n)
{
	const struct estimate e = fixes_expected(r->fixes, n);

	json_text_open(t, name, '{');
	json_text_whole(t, "findings", (int64_t)n);
	json_text_number(t, "expected_bytes", e.value);
	json_text_range(t, "expected_ci", e.range.low, e.range.high);
	json_text_number(t, "share", r->fixes->bytes > 0 ? e.value / r->fixes->bytes : NAN);
	json_text_close(t, '}');
}

/* What all lines could do without. */
static void put_total(struct json_text *t, const struct fixes *fixes)
{
	const struct fix_total total = fixes_total(fixes);

	json_text_open(t, "total", '{');
	json_text_number(t, "expected_bytes", total.value);
	json_text_range(t, "expected_ci", total.range.low, total.range.high);
	json_text_number(t, "calls_bytes", total.calls.value);
	json_text_range(t, "calls_ci", total.calls.range.low, total.calls.range.high);
	json_text_close(t, '}');
}

/* The sentence that a report for people begins with. */
static void put_sums(struct json_text *t, const struct report *r)
{
	const size_t gain = r->fixes->gains;

	json_text_break(t);
	json_text_open(t, "avoidable", '{');
	put_expected(t, "first", r, gain < FIXES_FIRST ? gain : FIXES_FIRST);
	put_expected(t, "all", r, gain);
	put_total(t, r->fixes);
	json_text_close(t, '}');
}

void render_json_fixes(struct json_text *t, const struct report *r)
{
	const struct estimate *sum = &r->fixes->accepted.avoidable;

	put_sums(t, r);
	json_text_break(t);
	json_text_open(t, "findings", '[');
	for (size_t i = 0; i < r->fixes->n; i++)
		if (export_has_fix(r, i)) {
			json_text_break(t);
			json_fix(t, NULL, &r->fixes->fix[i], r->recording->model,
				 bounds_z(r->confidence));
		}
	json_text_close(t, ']');
	json_text_break(t);
	json_text_open(t, "accepted", '{');
	json_text_whole(t, "findings", (int64_t)r->fixes->accepted.n);
	json_text_number(t, "avoidable_bytes", sum->value);
	json_text_range(t, "avoidable_ci", sum->range.low, sum->range.high);
	json_text_number(t, "expected_bytes", r->fixes->accepted.expected);
	json_text_close(t, '}');
}
