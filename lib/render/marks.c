/* SPDX-License-Identifier: Apache-2.0 */
/*
 * marks.c - see marks.h. Texts of a mark are written when it is handed out, and freed behind it.
 */
#include "render/marks.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/names.h"
#include "base/units.h"
#include "model/frame_text.h"
#include "render/render_findings.h"
#include "render/source_path.h"
#include "report/advice.h"

static const struct style plain = { .utf8 = true };

/* ---- hashes -------------------------------------------------------------------------------- */

/* The NUL goes in as well. */
static uint64_t hash_text(uint64_t seed, const char *text)
{
	return text ? XXH3_64bits_withSeed(text, strlen(text) + 1, seed) : seed + 1;
}

static uint64_t hash_frame(uint64_t seed, const struct model_frame *frame)
{
	return frame ? hash_text(hash_text(seed, frame->class_name), frame->method) : seed + 1;
}

/* What a reader calls the same finding: no amount, no verdict, no process. */
static void fingerprint(struct mark *m)
{
	int lines[2] = { m->frame ? m->frame->line : 0, m->second ? m->second->line : 0 };
	uint64_t hash = m->finding ? hash_text(0, m->finding->analysis->key) : 0;

	hash = hash_text(hash_text(hash, m->kind), m->class_name);

	m->method_hash = hash_frame(hash_frame(hash, m->frame), m->second);
	m->line_hash = XXH3_64bits_withSeed(lines, sizeof lines, m->method_hash);
}

/* ---- rows ---------------------------------------------------------------------------------- */

static void put_row_title(FILE *out, const struct row *row)
{
	const struct replica *x = &row->replica;
	char text[UNITS_TEXT];
	bool deep;

	style_put(out, &plain, names_simple(row_class(row)));
	if (replica_saved(x) > 0) {
		fprintf(out, ": likely %s are duplicate", units_bytes(text, replica_likely(x)));
		return;
	}
	fprintf(out, ": %s, %s", units_bytes(text, x->bytes),
		replica_verdict_name(replica_shown(x, &deep)));
	fputs(deep ? " (deep)" : "", out);
}

static int put_row_text(FILE *out, const struct report *r, const struct row *row)
{
	struct advice_facts facts;

	render_amounts(out, r, &plain, row);
	if (advice_facts_collect(&facts, row) < 0)
		return -1;
	const struct advice_rule *rule = advice_find(&facts);
	if (rule) {
		fputs("Problem: ", out);
		advice_put(out, &plain, &facts, rule->problem);
		fputs("\nFix: ", out);
		advice_put(out, &plain, &facts, rule->fix);
		putc('\n', out);
	}
	advice_facts_release(&facts);
	return 0;
}

/* ---- findings ------------------------------------------------------------------------------ */

/* The line that a reader can change, as platform_line finds it. */
static const struct model_frame *own_frame(const struct report *r, const struct callstack *stack)
{
	for (size_t i = 0; i < stack->n; i++)
		if (!platform_frame(r->platform, &stack->frames[i]))
			return &stack->frames[i];
	return stack->n ? &stack->frames[0] : NULL;
}

static void put_found_title(FILE *out, const struct finding *f, const struct finding_row *row)
{
	char text[UNITS_TEXT];

	fprintf(out, "%s: %s %% of the %s", f->kind->title, units_percent(text, row->share),
		f->kind->counted);
}

/* "stored at Shop.load:12 and stored again, unread, at Shop.store:20" */
static void put_places(FILE *out, const struct finding_table_kind *t, const struct mark *m)
{
	fprintf(out, "%s ", t->stack_title[0]);
	frame_put_site(out, &plain, m->frame);
	if (m->second) {
		fprintf(out, " %s ", t->stack_title[1]);
		frame_put_site(out, &plain, m->second);
	}
}

static void put_found_text(FILE *out, const struct finding_table_kind *t, const struct mark *m)
{
	render_finding_head(out, &plain, m->finding, t, m->found);
	fputs(", ", out);
	put_places(out, t, m);
	putc('\n', out);
	if (t->lines)
		t->lines(out, &plain, m->finding, m->found);
}

/* ---- marks --------------------------------------------------------------------------------- */

/* Writes the texts and hands out. 0, or -1. */
static int hand_out(struct mark *m, const struct report *r, const struct finding_table_kind *t,
		    mark_fn *fn, void *arg)
{
	char *title = NULL, *text = NULL, *path = NULL, *second = NULL;
	size_t len;
	FILE *one = open_memstream(&title, &len), *all = open_memstream(&text, &len);
	int result = one && all ? 0 : -1;

	if (result == 0 && m->row) {
		put_row_title(one, m->row);
		result = put_row_text(all, r, m->row);
	} else if (result == 0) {
		put_found_title(one, m->finding, m->found);
		put_found_text(all, t, m);
	}
	if (one && fclose(one) != 0)
		result = -1;
	if (all && fclose(all) != 0)
		result = -1;
	if (result == 0 && (source_path_of(&path, r->sources, m->frame) < 0 ||
			    source_path_of(&second, r->sources, m->second) < 0))
		result = -1;
	m->title = title;
	m->text = text;
	m->path = path;
	m->second_path = second;
	fingerprint(m);
	if (result == 0)
		result = fn(m, arg);
	free(title);
	free(text);
	free(path);
	free(second);
	return result;
}

static int mark_row(const struct report *r, const struct row *row, mark_fn *fn, void *arg)
{
	int worth = row_worth(row);
	struct mark m = {
		.kind = MARK_OF_ROWS,
		.level = worth == WORTH_SAVE ? MARK_WARNING : MARK_NOTE,
		.row = row,
		.class_name = row_class(row),
		.stack = &row->stack,
		.frame = row->line < row->stack.n ? &row->stack.frames[row->line] : NULL,
	};

	if (worth != WORTH_SAVE && worth != WORTH_FIX)
		return worth < 0 ? -1 : 0;
	return hand_out(&m, r, NULL, fn, arg);
}

static int mark_table(const struct report *r, const struct finding *f,
		      const struct finding_table *t, mark_fn *fn, void *arg)
{
	size_t most = r->limited ? SIZE_MAX : t->kind->shown, marked = 0;

	for (size_t i = 0; i < t->n && marked < most; i++) {
		const struct finding_row *row = finding_row(t, i);
		bool pair = !t->kind->of_objects && t->kind->stack_title[1];
		struct mark m = {
			.kind = f->kind->name,
			.found = row,
			.finding = f,
			.class_name = row->class_name,
			.stack = &row->stack[0],
			.frame = own_frame(r, &row->stack[0]),
			.second = pair ? own_frame(r, &row->stack[1]) : NULL,
		};
		if (row->weak || row->minor || !m.frame || !t->kind->stack_title[0])
			continue;
		if (hand_out(&m, r, t->kind, fn, arg) < 0)
			return -1;
		marked++;
	}
	return 0;
}

int marks_of_findings(const struct report *r, mark_fn *fn, void *arg)
{
	for (size_t i = 0; r->findings && i < r->findings->n; i++) {
		const struct finding *f = &r->findings->item[i];
		for (size_t k = 0; f->seen && finding_is_enough(f) && k < f->ntables; k++)
			if (mark_table(r, f, &f->table[k], fn, arg) < 0)
				return -1;
	}
	return 0;
}

int marks_each(const struct report *r, mark_fn *fn, void *arg)
{
	for (size_t i = 0; i < r->shown; i++)
		if (mark_row(r, &r->rows->row[i], fn, arg) < 0)
			return -1;
	return marks_of_findings(r, fn, arg);
}
