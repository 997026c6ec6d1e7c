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

#include <cjson/cJSON.h>

#include "advice.h"
#include "fields.h"
#include "render.h"
#include "render_json_locality.h"
#include "render_json_scan.h"

enum {
	SCHEMA = 1,
	INSN_MAX = 96, /* bytes of an instruction's text */
};

/*
 * cJSON says of each single addition whether it failed, for lack of memory; it is enough to know at
 * the end whether one did.
 */
struct json {
	const struct report *report;
	bool failed;
};

static const struct style json_style = { .utf8 = true };

/* ---- values ------------------------------------------------------------------------------ */

/* `name` is a literal, which is not copied; NULL adds to an array. */
static cJSON *add(struct json *j, cJSON *to, const char *name, cJSON *item)
{
	bool added = item && (name ? cJSON_AddItemToObjectCS(to, name, item)
				   : cJSON_AddItemToArray(to, item));

	if (!added) {
		j->failed = true;
		cJSON_Delete(item);
		return NULL;
	}
	return item;
}

static cJSON *add_object(struct json *j, cJSON *to, const char *name)
{
	return add(j, to, name, cJSON_CreateObject());
}

static cJSON *add_array(struct json *j, cJSON *to, const char *name)
{
	return add(j, to, name, cJSON_CreateArray());
}

static void add_number(struct json *j, cJSON *to, const char *name, double value)
{
	add(j, to, name, isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

/* Nearly all of it is, and needs no cleaning. */
static bool is_ascii(const char *text)
{
	while (*text && (unsigned char)*text < 0x80)
		text++;
	return !*text;
}

/* Text of any origin; NULL gives null. */
static void add_text(struct json *j, cJSON *to, const char *name, const char *text)
{
	char *clean = NULL;
	size_t len;

	if (!text || is_ascii(text)) {
		add(j, to, name, text ? cJSON_CreateString(text) : cJSON_CreateNull());
		return;
	}
	FILE *out = open_memstream(&clean, &len);
	if (out) {
		utf8_put(out, text, strlen(text), UTF8_DATA);
		if (fclose(out) == 0) {
			add(j, to, name, cJSON_CreateString(clean));
			free(clean);
			return;
		}
	}
	free(clean);
	j->failed = true;
}

static void add_interval(struct json *j, cJSON *to, const char *name,
			 const struct replica_interval *ci)
{
	if (isnan(ci->low) || isnan(ci->high)) {
		add(j, to, name, cJSON_CreateNull());
		return;
	}
	cJSON *ends = add_array(j, to, name);
	add_number(j, ends, NULL, ci->low);
	add_number(j, ends, NULL, ci->high);
}

/* The `max` innermost frames. */
static void add_stack(struct json *j, cJSON *to, const char *name, const struct callstack *stack,
		      size_t max)
{
	cJSON *frames = add_array(j, to, name);

	for (size_t i = 0; i < stack->n && i < max; i++) {
		const struct model_frame *f = &stack->frames[i];
		cJSON *frame = add_object(j, frames, NULL);
		if (f->folded > 0) {
			add_number(j, frame, "folded", f->folded);
			continue;
		}
		add_text(j, frame, "class", f->class_name);
		add_text(j, frame, "method", f->method);
		add_text(j, frame, "file", f->file);
		add_number(j, frame, "line", f->line > 0 ? f->line : NAN);
	}
}

/* ---- recording --------------------------------------------------------------------------- */

static void add_jvms(struct json *j, cJSON *to, const struct model *m)
{
	cJSON *jvms = add_array(j, to, "jvms");

	for (uint32_t i = 1; i <= model_njvms(m); i++) {
		const struct model_jvm *jvm = model_jvm(m, i);
		if (!jvm)
			continue;
		cJSON *one = add_object(j, jvms, NULL);
		add_number(j, one, "pid", jvm->info.pid);
		add_text(j, one, "name", jvm->info.vm_name);
		add_text(j, one, "version", jvm->info.vm_version);
		add_text(j, one, "gc", jvm->info.gc[0] ? jvm->info.gc : NULL);
		cJSON *notes = add_array(j, one, "notes");
		for (uint32_t k = 0; jvm->has_status && k < jvm->status.nnotes && k < WIRE_NOTES;
		     k++)
			add_text(j, notes, NULL, jvm->status.note[k]);
	}
}

static cJSON *make_recording(struct json *j)
{
	const struct recording *r = j->report->recording;
	cJSON *recording = cJSON_CreateObject();

	cJSON *command = add_array(j, recording, "command");
	for (size_t i = 0; i < model_argc(r->model); i++)
		add_text(j, command, NULL, model_argv(r->model, i));
	add_number(j, recording, "duration_s", r->duration_s);
	add_number(j, recording, "from_s", r->windowed ? r->from_s : 0);
	add(j, recording, "ended", cJSON_CreateBool(r->ended));
	add_number(j, recording, "cost_percent", r->cost);
	add_number(j, recording, "max_pause_ms", r->max_pause_s * 1e3);
	add_jvms(j, recording, r->model);
	add_number(j, recording, "objects_sampled", (double)r->sampled);
	add_number(j, recording, "objects_scanned", (double)r->scanned);
	add_number(j, recording, "objects_skipped", (double)r->skipped);
	add_number(j, recording, "pairs", (double)r->pairs);
	add_number(j, recording, "lost_events", (double)r->lost);
	add(j, recording, "exact", cJSON_CreateBool(r->exact));
	add_number(j, recording, "allocations_lost", r->exact ? (double)r->uncounted : NAN);
	cJSON *engines = add_array(j, recording, "engines");
	if (r->engines & WIRE_ENGINE_WATCH)
		add_text(j, engines, NULL, "watch");
	if (r->engines & WIRE_ENGINE_SCAN)
		add_text(j, engines, NULL, "scan");
	return recording;
}

/* ---- contexts ---------------------------------------------------------------------------- */

static void add_pairs(struct json *j, cJSON *to, const struct replica *x)
{
	add_text(j, to, "source", replica_source_name(x->source));
	add_number(j, to, "pairs", (double)x->pairs);
	add_number(j, to, "a", (double)x->a);
	add_number(j, to, "b", (double)x->b);
	add_number(j, to, "c", (double)x->c);
	add_number(j, to, "unused", x->unused);
	add_number(j, to, "theta", x->theta);
	add_interval(j, to, "theta_ci", &x->theta_ci);
	add_number(j, to, "alpha", x->alpha);
	add_number(j, to, "omega", x->omega);
	add_number(j, to, "gamma", x->gamma);
	add_number(j, to, "identical", x->identical);
	add_interval(j, to, "identical_ci", &x->identical_ci);
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
		add_text(j, to, name, text);
	else
		j->failed = true;
	free(text);
}

static void add_fields(struct json *j, cJSON *to, const struct row *row)
{
	cJSON *fields = add_array(j, to, "fields");

	for (size_t i = 0; i < row->replica.nfields; i++) {
		const struct replica_field *f = &row->replica.fields[i];
		const struct model_field *known = field_at(row->class, f->position);
		cJSON *field = add_object(j, fields, NULL);
		uint64_t offset;
		add_field_text(j, field, "name", row, f->position);
		add_field_text(j, field, "type", row, f->position);
		add_number(j, field, "offset",
			   field_offset(row->class, f->position, &offset) ? (double)offset : NAN);
		add_text(j, field, "class", known ? known->declarer : NULL);
		add_text(j, field, "type_class", known ? known->class_name : NULL);
		add_number(j, field, "pairs", (double)f->pairs);
		add_number(j, field, "equal", (double)f->equal);
		add_number(j, field, "share", f->share);
	}
}

/* The positions that keep the objects apart: of arrays, ranges from `name` to `last`. */
static void add_apart_fields(struct json *j, cJSON *to, const struct row *row)
{
	cJSON *fields = add_array(j, to, "fields");
	struct apart_range ranges[WIRE_SLOTS];
	size_t n = apart_ranges(row, ranges);

	for (size_t i = 0; i < n; i++) {
		const struct model_field *known = field_at(row->class, ranges[i].first);
		cJSON *field = add_object(j, fields, NULL);
		add_field_text(j, field, "name", row, ranges[i].first);
		add_field_text(j, field, "last", row, ranges[i].last);
		add_field_text(j, field, "type", row, ranges[i].first);
		add_text(j, field, "class", known ? known->declarer : NULL);
	}
}

static void add_apart(struct json *j, cJSON *to, const struct row *row)
{
	const struct replica_apart *a = &row->replica.apart;

	if (a->pairs < j->report->min_pairs || !a->unequal) {
		add(j, to, "apart", cJSON_CreateNull());
		return;
	}
	cJSON *apart = add_object(j, to, "apart");
	add_number(j, apart, "pairs", (double)a->pairs);
	add_number(j, apart, "unequal", (double)a->unequal);
	add_number(j, apart, "equal_share", a->equal);
	add_number(j, apart, "without_share", a->without);
	add_number(j, apart, "unseen_share", a->unseen);
	add_number(j, apart, "differing", a->differing);
	add_number(j, apart, "positions", (double)a->positions);
	add_number(j, apart, "compared", a->compared);
	add_apart_fields(j, apart, row);
}

static void add_accesses(struct json *j, cJSON *to, const struct row *row)
{
	const struct model *m = j->report->recording->model;
	cJSON *accesses = add_array(j, to, "accesses");

	for (size_t i = 0; i < row->replica.naccesses; i++) {
		const struct replica_access *a = &row->replica.accesses[i];
		cJSON *access = add_object(j, accesses, NULL);
		struct callstack stack;
		if (callstack_resolve(&stack, m, a->jvm, a->stack) < 0) {
			j->failed = true;
			return;
		}
		add_stack(j, access, "stack", &stack, stack.n);
		add_text(j, access, "kind", "load");
		add_number(j, access, "pairs", (double)a->pairs);
		add_number(j, access, "equal", (double)a->equal);
		add_number(j, access, "samples", (double)a->uses);
		callstack_release(&stack);
	}
}

static cJSON *make_context(struct json *j, const struct row *row)
{
	const struct replica *x = &row->replica;
	cJSON *context = cJSON_CreateObject();

	add_text(j, context, "class", row_class(row));
	add_stack(j, context, "alloc_stack", &row->stack, row->common);
	add(j, context, "alloc_stack_cut",
	    cJSON_CreateBool(row->common == row->stack.n && (row->stack.flags & WIRE_STACK_CUT)));
	add_number(j, context, "pid", row->pid);
	add_number(j, context, "objects", x->objects);
	add_number(j, context, "bytes", x->bytes);
	add_number(j, context, "sampled", (double)x->sampled);
	cJSON *replica = add_object(j, context, "replica");
	add_pairs(j, replica, x);
	if (!render_json_scan(replica, j->report, x))
		j->failed = true;
	add_text(j, replica, "verdict", replica_verdict_name(x->verdict));
	add_text(j, context, "fields_source", replica_source_name(row->replica.fields_source));
	add_fields(j, context, row);
	add_apart(j, context, row);
	add(j, context, "advice", advice_json(row));
	add_accesses(j, context, row);
	return context;
}

/* ---- document ---------------------------------------------------------------------------- */

/* Writes `before` and the item, which is released. */
static void put_item(struct json *j, FILE *out, const char *before, cJSON *item)
{
	char *text = j->failed ? NULL : cJSON_PrintUnformatted(item);

	cJSON_Delete(item);
	if (!text) {
		j->failed = true;
		return;
	}
	fprintf(out, "%s%s", before, text);
	cJSON_free(text);
}

static void add_waste_pair(struct json *j, cJSON *pairs, const struct waste_pair *p)
{
	char first[INSN_MAX], second[INSN_MAX];
	cJSON *pair = add_object(j, pairs, NULL);

	waste_instruction(first, sizeof first, p->insn[0], p->insn_len[0]);
	waste_instruction(second, sizeof second, p->insn[1], p->insn_len[1]);
	add_stack(j, pair, "watched", &p->stack[0], p->stack[0].n);
	add_stack(j, pair, "trapped", &p->stack[1], p->stack[1].n);
	add_number(j, pair, "pid", p->pid);
	add_number(j, pair, "count", (double)p->wasted_count);
	add_number(j, pair, "wasted_bytes", (double)p->wasted_bytes);
	add_number(j, pair, "share", p->share);
	add_text(j, pair, "instruction", second);
	add_text(j, pair, "watched_instruction", first);
}

static cJSON *make_waste(struct json *j, const struct waste_sum *w)
{
	struct replica_interval ci = { w->range.low, w->range.high };
	cJSON *waste = cJSON_CreateObject();

	add_text(j, waste, "kind", waste_name(w->kind));
	add_number(j, waste, "fraction", w->fraction);
	add_interval(j, waste, "fraction_ci", &ci);
	add_number(j, waste, "observed_pairs", (double)w->count);
	add_number(j, waste, "observed_bytes", (double)w->bytes);
	add_number(j, waste, "wasted_bytes", (double)w->wasted_bytes);
	cJSON *pairs = add_array(j, waste, "pairs");
	for (size_t i = 0; i < w->npairs; i++)
		add_waste_pair(j, pairs, &w->pairs[i]);
	return waste;
}

/* An analysis that was not made has no row. */
static void put_waste(struct json *j, FILE *out)
{
	const char *before = "\n";

	for (int k = 0; k < WASTE_KINDS && !j->failed; k++) {
		if (!j->report->waste[k].count)
			continue;
		put_item(j, out, before, make_waste(j, &j->report->waste[k]));
		before = ",\n";
	}
}

static cJSON *make_ojx(struct json *j)
{
	cJSON *ojx = cJSON_CreateObject();

	add_text(j, ojx, "version", j->report->version);
	add_number(j, ojx, "schema", SCHEMA);
	return ojx;
}

int render_json_recording(FILE *out, const struct report *r)
{
	struct json j = { .report = r };

	put_item(&j, out, "", make_recording(&j));
	if (j.failed)
		errno = ENOMEM;
	return j.failed || ferror(out) ? -1 : 0;
}

int render_json(FILE *out, const struct report *r)
{
	struct json j = { .report = r };

	put_item(&j, out, "{\"ojx\":", make_ojx(&j));
	put_item(&j, out, ",\n\"recording\":", make_recording(&j));
	fputs(",\n\"contexts\":[", out);
	progress_begin(r->progress, "writing", r->shown);
	for (size_t i = 0; i < r->shown && !j.failed; i++) {
		put_item(&j, out, i ? ",\n" : "\n", make_context(&j, &r->rows->row[i]));
		progress_add(r->progress, 1);
	}
	fputs("\n],\n\"waste\":[", out);
	put_waste(&j, out);
	fputs("],\n", out);
	render_json_locality(out, r);
	fputs("}\n", out);
	if (j.failed)
		errno = ENOMEM;
	return j.failed || ferror(out) ? -1 : 0;
}
