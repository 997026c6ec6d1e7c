/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_json_rows.c - see render_json_rows.h. Several threads make the texts of some hundred rows;
 * one of them writes these in order before the next ones are made.
 */
#include "render/render_json_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fix/advice.h"
#include "fix/callers.h"
#include "fix/differing_text.h"
#include "model/callstack.h"
#include "model/fields.h"
#include "model/value_text.h"
#include "render/export.h"
#include "report/rows_group.h"

/* ---- what snapshots say about a row, as JSON, besides its figures: see render_json_rows.h. */

static void put_rates(struct json_text *t, const struct report *r, const struct replica *x)
{
	double seconds = r->recording->duration_s > 0 ? r->recording->duration_s : NAN;
	double objects = replica_saved_deep(x) ? x->deep.saved_objects : x->own.saved_objects;

	json_text_number(t, "saved_per_s", replica_saved(x) / seconds);
	json_text_number(t, "saved_objects_per_s", objects / seconds);
}

/* The text as UTF-8; a NUL would end it and becomes U+FFFD. */
static void put_value_text(struct json_text *t, const struct model_value *v)
{
	FILE *out = json_text_begin_string(t);

	for (size_t at = 0; at <= v->len; at++) {
		size_t n = strnlen(v->text + at, v->len - at);
		utf8_put(out, v->text + at, n, UTF8_DATA);
		at += n;
		if (at < v->len)
			fputs("\xef\xbf\xbd", out);
	}
	json_text_end_string(t, "text");
}

static void put_values(struct json_text *t, const struct replica_details *x)
{
	if (x->nvalues == 0) {
		json_text_null(t, "values");
		return;
	}
	json_text_open(t, "values", '[');
	for (size_t i = 0; i < x->nvalues; i++) {
		const struct replica_value *v = &x->values[i];
		json_text_open(t, NULL, '{');
		put_value_text(t, v->value);
		json_text_bool(t, "cut", value_is_cut(v->value));
		json_text_number(t, "chars", v->value->chars);
		json_text_number(t, "share", v->share);
		json_text_close(t, '}');
	}
	json_text_close(t, ']');
}

/* Part of a context: what snapshots say and is not a figure. */
static void put_scan(struct json_text *t, const struct report *r, const struct row *row)
{
	const struct replica *x = &row->replica;
	const char *verdict = x->deep.scanned ? replica_verdict_name(x->deep.verdict) : NULL;

	put_rates(t, r, x);
	put_values(t, row_details(row));
	json_text_string(t, "verdict_deep", verdict);
}

enum { BATCH = 512 /* rows, whose texts are in memory at once */ };
static const struct style json_style = { .utf8 = true };

/* ---- stacks -------------------------------------------------------------------------------- */

struct batch {
	const struct report *report;
	const struct row *row; /* the first of the batch */
	struct json_text *text;
	void (*put)(struct json_text *t, const struct batch *b, const struct row *row);
	struct frame_texts frames;
};

static void write_frame(FILE *out, const struct model_frame *f)
{
	struct json_text t = JSON_TEXT_INIT;

	json_frame(&t, NULL, f);
	fwrite(t.text, 1, t.len, out);
	json_text_release(&t);
}

static void put_frames(struct json_text *t, const struct batch *b, const char *name, uint32_t jvm,
		       const uint32_t *numbers, size_t n)
{
	json_text_open(t, name, '[');
	for (size_t i = 0; i < n; i++) {
		size_t len;
		const char *text = frame_texts_at(&b->frames, jvm, numbers[i], &len);
		json_text_raw(t, NULL, text, len);
	}
	json_text_close(t, ']');
}

/* ---- parts of a row ------------------------------------------------------------------------ */

/* The name or the type of a field. */
static void put_field_text(struct json_text *t, const char *name, const struct row *row,
			   uint64_t position)
{
	FILE *out = json_text_begin_string(t);

	if (name[0] == 't')
		field_put_kind(out, &json_style, row->class, position);
	else
		field_put_name(out, &json_style, row->class, position, false);
	json_text_end_string(t, name);
}

static void put_fields(struct json_text *t, const struct row *row)
{
	json_text_open(t, "fields", '[');
	for (size_t i = 0; i < row_details(row)->nfields; i++) {
		const struct replica_field *f = &row_details(row)->fields[i];
		const struct model_field *known = field_at(row->class, f->position);
		uint64_t offset;
		bool placed = field_offset(row->class, f->position, &offset);
		json_text_open(t, NULL, '{');
		put_field_text(t, "name", row, f->position);
		put_field_text(t, "type", row, f->position);
		json_text_number(t, "offset", placed ? (double)offset : NAN);
		json_text_string(t, "class", known ? known->declarer : NULL);
		json_text_string(t, "type_class", known ? known->class_name : NULL);
		json_text_number(t, "pairs", (double)f->pairs);
		json_text_number(t, "equal", (double)f->equal);
		json_text_number(t, "share", f->share);
		json_text_close(t, '}');
	}
	json_text_close(t, ']');
}

/* The positions in which the objects differ: of arrays, ranges from `name` to `last`. */
static void put_differing_fields(struct json_text *t, const struct row *row)
{
	struct differing_range ranges[WIRE_SLOTS];
	size_t n = differing_ranges(row, ranges);

	json_text_open(t, "fields", '[');
	for (size_t i = 0; i < n; i++) {
		const struct model_field *known = field_at(row->class, ranges[i].first);
		json_text_open(t, NULL, '{');
		put_field_text(t, "name", row, ranges[i].first);
		put_field_text(t, "last", row, ranges[i].last);
		put_field_text(t, "type", row, ranges[i].first);
		json_text_string(t, "class", known ? known->declarer : NULL);
		json_text_close(t, '}');
	}
	json_text_close(t, ']');
}

static void put_differing(struct json_text *t, const struct report *r, const struct row *row)
{
	const struct replica_differing *a = &row_details(row)->differing;

	if (a->pairs < r->min_pairs || !a->unequal) {
		json_text_null(t, "apart");
		return;
	}
	json_text_open(t, "apart", '{');
	json_text_number(t, "pairs", (double)a->pairs);
	json_text_number(t, "unequal", (double)a->unequal);
	json_text_number(t, "equal_share", a->equal);
	json_text_number(t, "without_share", a->without);
	json_text_number(t, "unseen_share", a->unseen);
	json_text_number(t, "differing", a->differing);
	json_text_number(t, "positions", (double)a->positions);
	json_text_number(t, "compared", a->compared);
	put_differing_fields(t, row);
	json_text_close(t, '}');
}

static void put_accesses(struct json_text *t, const struct batch *b, const struct row *row)
{
	const struct model *m = b->report->recording->model;

	json_text_open(t, "accesses", '[');
	for (size_t i = 0; i < row_details(row)->naccesses; i++) {
		const struct replica_access *a = &row_details(row)->accesses[i];
		const uint32_t *numbers;
		unsigned flags;
		size_t n = callstack_numbers(m, a->jvm, a->stack, &numbers, &flags);
		json_text_open(t, NULL, '{');
		put_frames(t, b, "stack", a->jvm, numbers, n);
		json_text_string(t, "kind", "load");
		json_text_number(t, "pairs", (double)a->pairs);
		json_text_number(t, "equal", (double)a->equal);
		json_text_number(t, "samples", (double)a->uses);
		json_text_bool(t, "near",
			       callstack_is_only_near(m, a->jvm, a->stack, row_class(row)));
		json_text_close(t, '}');
	}
	json_text_close(t, ']');
}

/* Adds the verdict that a report shows. */
static void put_decision(struct json_text *t, const struct replica *x)
{
	const struct replica_decision *d = replica_decided(x);
	bool deep;

	json_text_open(t, "shown", '{');
	json_text_string(t, "verdict", replica_verdict_name(replica_shown(x, &deep)));
	json_text_bool(t, "deep", deep);
	json_text_string(t, "doubt", replica_doubt_name(d->doubt));
	json_text_number(t, "snapshots", d->snapshots);
	json_text_number(t, "missing_snapshots", d->missing);
	json_text_number(t, "commonest_low", d->top_low);
	json_text_number(t, "commonest_high", d->top_high);
	json_text_number(t, "sixteen_high", d->held_high);
	json_text_close(t, '}');
}

/* ---- rows ---------------------------------------------------------------------------------- */

static void put_context(struct json_text *t, const struct batch *b, const struct row *row)
{
	const struct report *r = b->report;
	const struct replica *x = &row->replica;
	const char *missing = row_stack_missing(row);
	const uint32_t *numbers;
	unsigned flags;

	callstack_numbers(r->recording->model, row->row.jvm, row->stack_id, &numbers, &flags);
	json_text_open(t, NULL, '{');
	json_text_string(t, "class", row_class(row));
	put_frames(t, b, "alloc_stack", row->row.jvm, numbers, row->common);
	json_text_bool(t, "alloc_stack_cut", missing != NULL);
	json_text_string(t, "alloc_stack_missing", missing);
	json_text_number(t, "pid", row->row.pid);
	json_figures(t, row_figures, row, 0, true);
	json_text_open(t, "replica", '{');
	json_text_string(t, "source", replica_source_name(x->source));
	json_figures(t, row_figures, row, 0, false);
	put_scan(t, r, row);
	json_text_string(t, "verdict", replica_verdict_name(x->own.verdict));
	put_decision(t, x);
	json_text_close(t, '}');
	json_text_string(t, "fields_source", replica_source_name(row_details(row)->fields_source));
	put_fields(t, row);
	put_differing(t, r, row);
	advice_json(t, row);
	put_accesses(t, b, row);
	json_text_close(t, '}');
}

void render_json_callers(struct json_text *t, const struct callers *callers)
{
	size_t n;
	const struct caller *direct = callers_direct(callers, &n);

	json_text_open(t, "callers", '[');
	for (size_t i = 0; i < n && i < CALLERS_MOST; i++) {
		const struct caller *c = &direct[i];
		json_text_open(t, NULL, '{');
		if (c->frame.method)
			json_frame(t, "frame", &c->frame);
		else
			json_text_null(t, "frame");
		json_text_number(t, "share", c->share);
		json_text_range(t, "share_ci", c->range.low, c->range.high);
		json_text_number(t, "samples", (double)c->samples);
		json_text_close(t, '}');
	}
	json_text_close(t, ']');
	json_text_number(t, "callers_others", (double)(n < CALLERS_MOST ? 0 : n - CALLERS_MOST));
	json_text_number(t, "callers_counted", callers->counted);
}

static void put_callers(struct json_text *t, const struct report *r, const struct row *row)
{
	struct callers callers;

	callers_estimate(&callers, r->recording->model, row->contexts, row->ncontexts, 1,
			 bounds_z(r->confidence));
	render_json_callers(t, &callers);
	callers_release(&callers);
}

void json_line_figures(struct json_text *t, const struct row *row)
{
	for (const struct figure *f = row_figures; f->name; f++)
		if (f->flags & FIGURE_LINES)
			json_text_number(t, f->name, figure_of(f, row));
}

static void put_line(struct json_text *t, const struct batch *b, const struct row *row)
{
	const struct report *r = b->report;
	const struct replica *x = &row->replica;
	const uint32_t *numbers;
	unsigned flags;
	size_t n = callstack_numbers(r->recording->model, row->row.jvm, row->stack_id, &numbers,
				     &flags);

	json_text_open(t, NULL, '{');
	json_text_string(t, "class", row_class(row));
	if (n > row->first)
		put_frames(t, b, "frame", row->row.jvm, numbers + row->first, 1);
	else
		put_frames(t, b, "frame", row->row.jvm, NULL, 0);
	json_text_number(t, "pid", row->row.pid);
	json_text_number(t, "contexts", (double)row->ncontexts);
	json_text_number(t, "share", r->total->bytes > 0 ? x->bytes / r->total->bytes : NAN);
	json_line_figures(t, row);
	put_callers(t, r, row);
	put_decision(t, x);
	advice_json(t, row);
	json_text_close(t, '}');
}

/* ---- all of them --------------------------------------------------------------------------- */

struct putting {
	const struct batch *batch;
	struct json_text *text;
};

static int put_text(void *arg, const struct row *row)
{
	const struct putting *p = arg;

	p->batch->put(p->text, p->batch, row);
	return 0;
}

static void make(void *arg, size_t i)
{
	const struct batch *b = arg;
	struct putting p = { b, &b->text[i] };

	json_text_clear(p.text);
	row_visit(&b->row[i], put_text, &p);
}

/* Writes the texts of the next n rows. */
static void put_batch(struct json_text *t, struct batch *b, size_t n)
{
	const struct rows_work work = { .n = n, .make = make, .arg = b };

	rows_work_do(&work);
	for (size_t i = 0; i < n; i++) {
		json_text_break(t);
		json_text_raw(t, NULL, b->text[i].text, b->text[i].len);
	}
	progress_add(b->report->progress, n);
}

static void put_rows(struct json_text *t, struct batch *b, const char *name, const struct row *row,
		     size_t n)
{
	frame_texts_make(&b->frames, b->report->recording->model, write_frame);
	b->text = xcalloc(BATCH, sizeof *b->text);
	json_text_break(t);
	json_text_open(t, name, '[');
	progress_begin(b->report->progress, "writing", n);
	for (size_t i = 0; i < n && !t->failed; i += BATCH) {
		b->row = &row[i];
		put_batch(t, b, n - i < BATCH ? n - i : BATCH);
	}
	json_text_break(t);
	json_text_close(t, ']');
	for (size_t i = 0; i < BATCH; i++)
		json_text_release(&b->text[i]);
	free(b->text);
	frame_texts_release(&b->frames);
}

void render_json_contexts(struct json_text *t, const struct report *r)
{
	struct batch b = { .report = r, .put = put_context };

	put_rows(t, &b, "contexts", r->rows->table.rows, r->shown);
}

void render_json_lines(struct json_text *t, const struct report *r)
{
	struct batch b = { .report = r, .put = put_line };

	put_rows(t, &b, "lines", r->lines->table.rows, r->lines_shown);
}
