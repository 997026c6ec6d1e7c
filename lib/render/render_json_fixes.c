/* SPDX-License-Identifier: Apache-2.0 */
/* render_json_fixes.c - the member `findings` of a report as JSON: what it ranks (fix/fix.h). */
#include <math.h>
#include <stdlib.h>

#include "fix/fix.h"
#include "render/render_json_rows.h"

static void put_sentence(struct json_text *t, const char *name, const struct fix *f,
			 const char *sentence)
{
	const struct style style = { .utf8 = true };
	FILE *out = sentence ? json_text_begin_string(t) : NULL;

	if (!sentence)
		json_text_null(t, name);
	if (!out)
		return;
	const struct fix_part *first = fix_first(f);
	advice_put_of(out, &style, first->row, &first->advice->facts, sentence);
	json_text_end_string(t, name);
}

/* Its parts of one class, as they come: the one that avoids most comes first. */
static void put_classes(struct json_text *t, const struct fix *f)
{
	json_text_open(t, "classes", '[');
	for (size_t i = 0, n; i < f->nparts; i++) {
		double bytes, objects;
		n = fix_class_of(f, i, &bytes, &objects);
		if (n > 0) /* told already */
			continue;
		json_text_open(t, NULL, '{');
		json_text_string(t, "class", f->part[i].class_name);
		json_text_number(t, "bytes", bytes);
		json_text_number(t, "objects", objects);
		json_text_close(t, '}');
	}
	json_text_close(t, ']');
}

static void put_lines(struct json_text *t, const struct fix *f)
{
	size_t n;
	int *lines = fix_lines_of(f, &n);

	json_text_open(t, "lines", '[');
	for (size_t i = 0; i < n; i++)
		json_text_whole(t, NULL, lines[i]);
	json_text_close(t, ']');
	free(lines);
}

static void put_method(struct json_text *t, const struct model_frame *frame)
{
	json_text_string(t, "class", frame->class_name);
	json_text_string(t, "method", frame->method);
	json_text_string(t, "file", frame->file);
}

static void put_key(struct json_text *t, const struct fix *f)
{
	bool known = fix_has_key(f);
	FILE *out = known ? json_text_begin_string(t) : NULL;

	if (!known)
		json_text_null(t, "key");
	if (!out)
		return;
	fix_put_key(out, f);
	json_text_end_string(t, "key");
}

static void put_fix(struct json_text *t, const struct fix *f, size_t rank, double all)
{
	json_text_break(t);
	json_text_open(t, NULL, '{');
	json_text_whole(t, "rank", (int64_t)rank);
	json_text_string(t, "rule", f->rule ? fix_name(f) : NULL);
	json_text_string(t, "kind", f->rule ? fix_kind_name(f->kind) : NULL);
	json_text_whole(t, "pid", f->pid);
	put_method(t, &fix_first(f)->line);
	put_lines(t, f);
	put_classes(t, f);
	json_text_number(t, "bytes", f->bytes);
	json_text_number(t, "objects", f->objects);
	json_text_number(t, "share", all > 0 ? f->bytes / all : NAN);
	json_text_number(t, "avoidable_bytes", f->avoidable.value);
	json_text_range(t, "avoidable_ci", f->avoidable.range.low, f->avoidable.range.high);
	json_text_number(t, "certain_bytes", f->certain.value);
	json_text_range(t, "certain_ci", f->certain.range.low, f->certain.range.high);
	json_text_number(t, "likely_bytes", f->likely.value);
	json_text_range(t, "likely_ci", f->likely.range.low, f->likely.range.high);
	json_text_number(t, "possible_bytes", f->possible);
	json_text_number(t, "expected_bytes", f->expected);
	put_sentence(t, "problem", f, f->rule ? f->rule->problem : NULL);
	put_sentence(t, "fix", f, f->rule ? f->rule->fix : NULL);
	put_key(t, f);
	json_text_close(t, '}');
}

void render_json_fixes(struct json_text *t, const struct fixes *fixes)
{
	json_text_break(t);
	json_text_open(t, "findings", '[');
	for (size_t i = 0; i < fixes->n; i++)
		if (fix_is_shown(fixes, i))
			put_fix(t, &fixes->fix[i], i + 1, fixes->bytes);
	json_text_close(t, ']');
}
