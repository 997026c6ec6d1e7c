/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_json.c - the report for programs. Its schema is a promise (docs/json.md): what is here
 * keeps its name, type and meaning; more may be added. What was not measured is null, never 0.
 *
 * The document is written piece by piece, a line for each context: as a whole it may have some
 * hundred megabytes, and many times that in memory.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/fields.h"
#include "render/json_build.h"
#include "render/render.h"
#include "render/render_findings.h"
#include "render/render_json_scan.h"
#include "report/advice.h"
#include "report/differing_text.h"

enum {
	SCHEMA = 1,
	INSN_MAX = 96, /* bytes of an instruction's text */
};

static const struct style json_style = { .utf8 = true };

/* ---- recording --------------------------------------------------------------------------- */

/* Names that --thread matches; a name that several threads had is there once. */
static void add_threads(struct json *j, cJSON *to, const struct model *m, uint32_t jvm)
{
	cJSON *threads = json_add_array(j, to, "threads");

	for (uint32_t i = 1; i < WIRE_THREADS; i++) {
		const char *name = model_thread(m, jvm, i);
		if (name)
			json_add_text(j, threads, NULL, name);
	}
}

static void add_jvms(struct json *j, cJSON *to, const struct model *m)
{
	cJSON *jvms = json_add_array(j, to, "jvms");

	for (uint32_t i = 1; i <= model_njvms(m); i++) {
		const struct model_jvm *jvm = model_jvm(m, i);
		if (!jvm)
			continue;
		cJSON *one = json_add_object(j, jvms, NULL);
		json_add_number(j, one, "pid", jvm->info.pid);
		json_add_text(j, one, "name", jvm->info.vm_name);
		json_add_text(j, one, "version", jvm->info.vm_version);
		json_add_text(j, one, "gc", jvm->info.gc[0] ? jvm->info.gc : NULL);
		cJSON *notes = json_add_array(j, one, "notes");
		for (uint32_t k = 0; jvm->has_status && k < jvm->status.nnotes && k < WIRE_NOTES;
		     k++)
			json_add_text(j, notes, NULL, jvm->status.note[k]);
		add_threads(j, one, m, i);
	}
}

static cJSON *make_recording(struct json *j, const struct recording *r)
{
	cJSON *recording = cJSON_CreateObject();

	cJSON *command = json_add_array(j, recording, "command");
	for (size_t i = 0; i < model_argc(r->model); i++)
		json_add_text(j, command, NULL, model_argv(r->model, i));
	json_add_number(j, recording, "duration_s", r->duration_s);
	json_add_number(j, recording, "from_s", r->windowed ? r->from_s : 0);
	json_add_text(j, recording, "thread", r->thread_glob);
	json_add_bool(j, recording, "ended", r->ended);
	json_add_number(j, recording, "cost_percent", r->cost);
	json_add_number(j, recording, "max_pause_ms", r->max_pause_s * 1e3);
	add_jvms(j, recording, r->model);
	json_add_number(j, recording, "objects_sampled", (double)r->sampled);
	json_add_number(j, recording, "objects_counted", (double)r->counted);
	json_add_number(j, recording, "objects_scanned", (double)r->scanned);
	json_add_number(j, recording, "objects_skipped", (double)r->skipped);
	json_add_number(j, recording, "pairs", (double)r->pairs);
	json_add_number(j, recording, "lost_events", (double)r->lost);
	json_add_bool(j, recording, "exact", r->exact);
	json_add_number(j, recording, "allocations_lost", r->exact ? (double)r->uncounted : NAN);
	cJSON *engines = json_add_array(j, recording, "engines");
	if (r->engines & WIRE_ENGINE_WATCH)
		json_add_text(j, engines, NULL, "watch");
	if (r->engines & WIRE_ENGINE_SCAN)
		json_add_text(j, engines, NULL, "scan");
	return recording;
}

/* ---- contexts ---------------------------------------------------------------------------- */

/* The figures of a row that stand beside the object `replica`, or those in it. */
static void add_figures(struct json *j, cJSON *to, const struct row *row, bool outer)
{
	for (const struct column *c = columns; c->figure.name; c++)
		if ((c->figure.flags & FIGURE_JSON) && !(c->flags & COLUMN_OUTER) == !outer)
			json_add_figure(j, to, &c->figure, row, 0);
}

/* A field's name or type as text; they are written, not stored. */
static void add_field_text(struct json *j, cJSON *to, const char *name, const struct row *row,
			   uint64_t position)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out) {
		j->failed = true;
		return;
	}
	if (strcmp(name, "type") == 0)
		field_put_kind(out, &json_style, row->class, position);
	else
		field_put_name(out, &json_style, row->class, position, false);
	if (fclose(out) == 0)
		json_add_text(j, to, name, text);
	else
		j->failed = true;
	free(text);
}

static void add_fields(struct json *j, cJSON *to, const struct row *row)
{
	cJSON *fields = json_add_array(j, to, "fields");

	for (size_t i = 0; i < row->replica.nfields; i++) {
		const struct replica_field *f = &row->replica.fields[i];
		const struct model_field *known = field_at(row->class, f->position);
		cJSON *field = json_add_object(j, fields, NULL);
		uint64_t offset;
		add_field_text(j, field, "name", row, f->position);
		add_field_text(j, field, "type", row, f->position);
		json_add_number(j, field, "offset",
				field_offset(row->class, f->position, &offset) ? (double)offset
									       : NAN);
		json_add_text(j, field, "class", known ? known->declarer : NULL);
		json_add_text(j, field, "type_class", known ? known->class_name : NULL);
		json_add_number(j, field, "pairs", (double)f->pairs);
		json_add_number(j, field, "equal", (double)f->equal);
		json_add_number(j, field, "share", f->share);
	}
}

/* The positions that keep the objects apart: of arrays, ranges from `name` to `last`. */
static void add_apart_fields(struct json *j, cJSON *to, const struct row *row)
{
	cJSON *fields = json_add_array(j, to, "fields");
	struct differing_range ranges[WIRE_SLOTS];
	size_t n = differing_ranges(row, ranges);

	for (size_t i = 0; i < n; i++) {
		const struct model_field *known = field_at(row->class, ranges[i].first);
		cJSON *field = json_add_object(j, fields, NULL);
		add_field_text(j, field, "name", row, ranges[i].first);
		add_field_text(j, field, "last", row, ranges[i].last);
		add_field_text(j, field, "type", row, ranges[i].first);
		json_add_text(j, field, "class", known ? known->declarer : NULL);
	}
}

static void add_apart(struct json *j, cJSON *to, const struct report *r, const struct row *row)
{
	const struct replica_apart *a = &row->replica.differing;

	if (a->pairs < r->min_pairs || !a->unequal) {
		json_add(j, to, "apart", cJSON_CreateNull());
		return;
	}
	cJSON *differing = json_add_object(j, to, "apart");
	json_add_number(j, differing, "pairs", (double)a->pairs);
	json_add_number(j, differing, "unequal", (double)a->unequal);
	json_add_number(j, differing, "equal_share", a->equal);
	json_add_number(j, differing, "without_share", a->without);
	json_add_number(j, differing, "unseen_share", a->unseen);
	json_add_number(j, differing, "differing", a->differing);
	json_add_number(j, differing, "positions", (double)a->positions);
	json_add_number(j, differing, "compared", a->compared);
	add_apart_fields(j, differing, row);
}

static void add_accesses(struct json *j, cJSON *to, const struct model *m, const struct row *row)
{
	cJSON *accesses = json_add_array(j, to, "accesses");

	for (size_t i = 0; i < row->replica.naccesses; i++) {
		const struct replica_access *a = &row->replica.accesses[i];
		cJSON *access = json_add_object(j, accesses, NULL);
		struct callstack stack;
		if (callstack_resolve(&stack, m, a->jvm, a->stack) < 0) {
			j->failed = true;
			return;
		}
		json_add_stack(j, access, "stack", &stack, stack.n);
		json_add_text(j, access, "kind", "load");
		json_add_number(j, access, "pairs", (double)a->pairs);
		json_add_number(j, access, "equal", (double)a->equal);
		json_add_number(j, access, "samples", (double)a->uses);
		callstack_release(&stack);
	}
}

/* Of the verdict that a report shows. */
static void add_decision(struct json *j, cJSON *to, const struct replica *x)
{
	const struct replica_decision *d = replica_decided(x);
	bool deep;
	cJSON *shown = json_add_object(j, to, "shown");

	json_add_text(j, shown, "verdict", replica_verdict_name(replica_shown(x, &deep)));
	json_add_bool(j, shown, "deep", deep);
	json_add_text(j, shown, "doubt", replica_doubt_name(d->doubt));
	json_add_number(j, shown, "snapshots", d->snapshots);
	json_add_number(j, shown, "missing_snapshots", isfinite(d->missing) ? d->missing : NAN);
	json_add_number(j, shown, "commonest_low", d->top_low);
	json_add_number(j, shown, "commonest_high", d->top_high);
	json_add_number(j, shown, "sixteen_high", d->held_high);
}

static cJSON *make_context(struct json *j, const struct report *r, const struct row *row)
{
	const struct replica *x = &row->replica;
	cJSON *context = cJSON_CreateObject();

	json_add_text(j, context, "class", row_class(row));
	json_add_stack(j, context, "alloc_stack", &row->stack, row->common);
	json_add_bool(j, context, "alloc_stack_cut",
		      row->common == row->stack.n && (row->stack.flags & WIRE_STACK_CUT));
	json_add_number(j, context, "pid", row->pid);
	add_figures(j, context, row, true);
	cJSON *replica = json_add_object(j, context, "replica");
	json_add_text(j, replica, "source", replica_source_name(x->source));
	add_figures(j, replica, row, false);
	render_json_scan(j, replica, r, x);
	json_add_text(j, replica, "verdict", replica_verdict_name(x->verdict));
	add_decision(j, replica, x);
	json_add_text(j, context, "fields_source", replica_source_name(row->replica.fields_source));
	add_fields(j, context, row);
	add_apart(j, context, r, row);
	json_add(j, context, "advice", advice_json(row));
	add_accesses(j, context, r->recording->model, row);
	return context;
}

/* ---- lines of code ----------------------------------------------------------------------- */

static cJSON *make_line(struct json *j, const struct report *r, const struct row *row)
{
	const struct replica *x = &row->replica;
	const struct callstack frame = { .frames = row->stack.frames + row->first,
					 .n = row->stack.n > row->first };
	cJSON *line = cJSON_CreateObject();

	json_add_text(j, line, "class", row_class(row));
	json_add_stack(j, line, "frame", &frame, frame.n);
	json_add_number(j, line, "pid", row->pid);
	json_add_number(j, line, "contexts", (double)row->ncontexts);
	json_add_number(j, line, "share", r->total->bytes > 0 ? x->bytes / r->total->bytes : NAN);
	for (const struct column *c = columns; c->figure.name; c++)
		if (c->figure.flags & FIGURE_LINES)
			json_add_number(j, line, c->figure.name, c->figure.value(row));
	add_decision(j, line, x);
	json_add(j, line, "advice", advice_json(row));
	return line;
}

static cJSON *make_total(struct json *j, const struct total *t)
{
	cJSON *total = cJSON_CreateObject();

	json_add_number(j, total, "bytes", t->bytes);
	json_add_number(j, total, "likely_bytes", t->saved);
	json_add_range(j, total, "saved_bytes_ci", t->range.low, t->range.high);
	json_add_number(j, total, "saved_bytes_at_end", t->end);
	json_add_number(j, total, "decided_bytes", t->decided);
	json_add_number(j, total, "unknown_lines", (double)t->unknown);
	return total;
}

static void put_lines(struct json *j, FILE *out, const struct report *r)
{
	if (!r->lines)
		return;
	json_put_item(j, out, ",\n\"total\":", make_total(j, r->total));
	fputs(",\n\"lines\":[", out);
	for (size_t i = 0; i < r->lines->n && !j->failed; i++)
		json_put_item(j, out, i ? ",\n" : "\n", make_line(j, r, &r->lines->row[i]));
	fputs("\n]", out);
}

/* ---- document ---------------------------------------------------------------------------- */

static cJSON *make_ojx(struct json *j, const struct report *r)
{
	cJSON *ojx = cJSON_CreateObject();

	json_add_text(j, ojx, "version", r->version);
	json_add_number(j, ojx, "schema", SCHEMA);
	return ojx;
}

int render_json_recording(FILE *out, const struct report *r)
{
	struct json j = { .failed = false };

	json_put_item(&j, out, "", make_recording(&j, r->recording));
	if (j.failed)
		errno = ENOMEM;
	return j.failed || ferror(out) ? -1 : 0;
}

int render_json(FILE *out, const struct report *r)
{
	struct json j = { .failed = false };

	json_put_item(&j, out, "{\"ojx\":", make_ojx(&j, r));
	json_put_item(&j, out, ",\n\"recording\":", make_recording(&j, r->recording));
	fputs(",\n\"contexts\":[", out);
	progress_begin(r->progress, "writing", r->shown);
	for (size_t i = 0; i < r->shown && !j.failed; i++) {
		json_put_item(&j, out, i ? ",\n" : "\n", make_context(&j, r, &r->rows->row[i]));
		progress_add(r->progress, 1);
	}
	fputs("\n]", out);
	put_lines(&j, out, r);
	if (render_json_findings(out, r) < 0)
		j.failed = true;
	fputs("}\n", out);
	if (j.failed)
		errno = ENOMEM;
	return j.failed || ferror(out) ? -1 : 0;
}
