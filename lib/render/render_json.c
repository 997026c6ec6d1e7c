/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_json.c - the report as JSON. Its schema is a promise (docs/json.md): what is here keeps
 * its name, type and meaning; members may be added. A value that was not measured is null, never 0.
 *
 * The document is written piece by piece, a line for each context: as a whole it may have some
 * hundred megabytes, and would take many times that in memory. render_json_rows.c writes contexts
 * and lines.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/limits.h"
#include "render/json_build.h"
#include "render/render.h"
#include "render/render_findings.h"
#include "render/render_json_rows.h"

/*
 * ---- findings as JSON, as docs/json.md describes. An analysis has an array of its findings;
 * or an array of the rows of their first tables, and one of the findings beside it.
 */

static void add_parts(struct json *j, cJSON *to, const struct figure *f, const void *of)
{
	struct figure_part parts[FIGURE_PARTS_MAX];
	size_t n = f->parts(of, parts);
	cJSON *all = json_add(j, to, f->name, n ? cJSON_CreateObject() : cJSON_CreateNull());

	for (size_t i = 0; i < n; i++)
		json_add_number(j, all, parts[i].name, (double)parts[i].count);
}

static void add_paths(struct json *j, cJSON *to, const char *name, const struct finding_row *row)
{
	cJSON *all = json_add_array(j, to, name);

	for (size_t i = 0; i < row->npaths; i++) {
		const struct finding_path *p = &row->paths[i];
		cJSON *one = json_add_object(j, all, NULL);
		json_add_stack(j, one, "stack", &p->stack, p->stack.n);
		json_add_number(j, one, "share", p->share);
		json_add_number(j, one, "samples", (double)p->count);
	}
}

/* With as many digits as single precision has. */
static void add_short(struct json *j, cJSON *to, float value)
{
	char text[32];

	snprintf(text, sizeof text, "%.6g", (double)value);
	json_add(j, to, NULL, isfinite(value) ? cJSON_CreateRaw(text) : cJSON_CreateNull());
}

static void add_curve(struct json *j, cJSON *to, const struct figure *f, const void *of)
{
	const struct figure_point *points;
	size_t n = f->curve(of, &points);
	cJSON *all = json_add(j, to, f->name, n ? cJSON_CreateArray() : cJSON_CreateNull());

	for (size_t i = 0; i < n; i++) {
		cJSON *one = json_add_array(j, all, NULL);
		add_short(j, one, points[i].x);
		add_short(j, one, points[i].value);
		add_short(j, one, points[i].low);
		add_short(j, one, points[i].high);
	}
}

static void add_figure(struct json *j, cJSON *to, const struct figure *f, const void *of, double z)
{
	const struct finding_row *row = of;
	char room[FIGURE_TEXT_MAX];

	switch (f->kind) {
	case FIGURE_NUMBER:
		json_add_figure(j, to, f, of, z);
		break;
	case FIGURE_BOOL:
		json_add_bool(j, to, f->name, figure_of(f, of) != 0);
		break;
	case FIGURE_TEXT:
		json_add_text(j, to, f->name, f->text(of, room));
		break;
	case FIGURE_STACK:
		json_add_stack(j, to, f->name, &row->stack[f->at], row->stack[f->at].n);
		break;
	case FIGURE_PARTS:
		add_parts(j, to, f, of);
		break;
	case FIGURE_PATHS:
		add_paths(j, to, f->name, row);
		break;
	case FIGURE_CURVE:
		add_curve(j, to, f, of);
		break;
	}
}

static cJSON *make(struct json *j, const struct figure *figures, const void *of, double z)
{
	cJSON *one = cJSON_CreateObject();

	for (const struct figure *f = figures; f && f->name; f++)
		if (f->flags & FIGURE_JSON)
			add_figure(j, one, f, of, z);
	return one;
}

static cJSON *make_finding(struct json *j, const struct finding *f)
{
	cJSON *one = make(j, f->kind->figures, f, f->z);

	for (size_t k = 0; k < f->ntables; k++) {
		const struct finding_table *t = &f->table[k];
		if (!t->kind->key)
			continue;
		cJSON *rows = json_add_array(j, one, t->kind->key);
		for (size_t i = 0; i < t->n; i++)
			json_add(j, rows, NULL, make(j, t->kind->figures, finding_row(t, i), f->z));
	}
	return one;
}

/* Adds findings whose rows the document has elsewhere. */
static void put_rows(struct json *j, FILE *out, const struct finding *f, const char **before)
{
	const struct finding_table *t = &f->table[0];

	for (size_t i = 0; i < t->n && !j->failed; i++) {
		json_put_item(j, out, *before, make(j, t->kind->figures, finding_row(t, i), f->z));
		*before = ",\n";
	}
}

/* `rows`: adds the rows of their first tables instead. */
static void put_array(struct json *j, FILE *out, const char *key, const struct analysis *a,
		      const struct findings *all, bool rows)
{
	const char *before = "\n";

	fprintf(out, ",\n\"%s\":[", key);
	for (size_t i = 0; all && i < all->n && !j->failed; i++) {
		const struct finding *f = &all->item[i];
		if (f->analysis != a || !f->seen)
			continue;
		if (rows) {
			put_rows(j, out, f, &before);
			continue;
		}
		json_put_item(j, out, before, make_finding(j, f));
		before = ",\n";
	}
	putc(']', out);
}

int render_json_finding(FILE *out, const struct finding *f)
{
	struct json j = { .failed = false };

	json_put_item(&j, out, "", make_finding(&j, f));
	return j.failed ? -1 : 0;
}

int render_json_findings(FILE *out, const struct report *r)
{
	struct json j = { .failed = false };
	const struct analysis *const *analyses = model_analyses(r->recording->model);

	for (int i = 0; analyses[i]; i++) {
		const struct analysis *a = analyses[i];
		if (!a->kinds[0])
			continue;
		put_array(&j, out, a->key, a, r->findings, a->totals_key != NULL);
		if (a->totals_key)
			put_array(&j, out, a->totals_key, a, r->findings, false);
	}
	return j.failed ? -1 : 0;
}

enum { SCHEMA = 1 };

/* ---- recording --------------------------------------------------------------------------- */

/* Adds the names that --thread matches, each once. */
static void add_threads(struct json *j, cJSON *to, const struct recording *r, uint32_t jvm)
{
	cJSON *threads = json_add_array(j, to, "threads"), *same;

	for (uint32_t i = 1; i < WIRE_THREADS; i++) {
		const char *name = model_shown_thread(r->model, jvm, i, r->full);
		/* names that are cut may have become the same */
		bool cut = name && strchr(name, '#') != NULL;
		same = cut ? threads->child : NULL;
		while (same && strcmp(same->valuestring, name) != 0)
			same = same->next;
		if (name && !same)
			json_add_text(j, threads, NULL, name);
	}
}

/* Bounds that were reached. */
static void add_limits(struct json *j, cJSON *to, const struct recording *r)
{
	cJSON *limits = json_add_array(j, to, "limits");
	char text[LIMITS_TEXT];

	for (int i = 0; i < WIRE_LIMITS; i++) {
		if (!r->refused[i])
			continue;
		enum wire_limit limit = (enum wire_limit)i;
		cJSON *one = json_add_object(j, limits, NULL);
		json_add_text(j, one, "name", limits_name(limit));
		json_add_number(j, one, "refused", (double)r->refused[i]);
		json_add_text(j, one, "text", limits_say(text, limit, r->refused[i]));
	}
}

void render_json_command(struct json *j, cJSON *to, const struct shown_command *c)
{
	cJSON *command = json_add_array(j, to, "command");

	for (size_t i = 0; i < c->n; i++)
		json_add_text(j, command, NULL, c->word[i]);
	json_add_number(j, to, "command_left_out", (double)c->left_out);
}

static void add_jvms(struct json *j, cJSON *to, const struct recording *r)
{
	const struct model *m = r->model;
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
		struct pauses p = recording_pauses(r, jvm);
		json_add_number(j, one, "collections",
				p.known && p.collects ? (double)p.collections : NAN);
		json_add_number(j, one, "pauses", p.known ? (double)p.n : NAN);
		json_add_number(j, one, "pause_s", p.known ? p.seconds : NAN);
		json_add_number(j, one, "recorded_s", p.known ? p.recorded : NAN);
		cJSON *notes = json_add_array(j, one, "notes");
		for (uint32_t k = 0; jvm->has_status && k < jvm->status.nnotes && k < WIRE_NOTES;
		     k++)
			json_add_text(j, notes, NULL, jvm->status.note[k]);
		add_threads(j, one, r, i);
	}
}

static cJSON *make_recording(struct json *j, const struct recording *r)
{
	cJSON *recording = cJSON_CreateObject();

	render_json_command(j, recording, &r->command);
	json_add_number(j, recording, "duration_s", r->duration_s);
	json_add_number(j, recording, "from_s", r->windowed ? r->from_s : 0);
	json_add_text(j, recording, "thread", r->thread_glob);
	json_add_bool(j, recording, "ended", r->ended);
	json_add_number(j, recording, "cost_percent", r->cost.measured);
	json_add_number(j, recording, "whole_cost_percent", r->cost.whole);
	json_add_number(j, recording, "max_pause_ms", r->max_pause_s * 1e3);
	json_add_number(j, recording, "max_pause_work_ms", r->max_pause_work_s * 1e3);
	add_jvms(j, recording, r);
	json_add_number(j, recording, "objects_sampled", (double)r->sampled);
	json_add_number(j, recording, "objects_counted", (double)r->counted);
	json_add_number(j, recording, "objects_scanned", (double)r->scanned);
	json_add_number(j, recording, "objects_skipped", (double)r->skipped);
	json_add_number(j, recording, "pairs", (double)r->pairs);
	json_add_number(j, recording, "lost_events", (double)r->lost);
	add_limits(j, recording, r);
	json_add_bool(j, recording, "exact", r->exact);
	json_add_number(j, recording, "allocations_lost", r->exact ? (double)r->uncounted : NAN);
	cJSON *engines = json_add_array(j, recording, "engines");
	if (r->engines & WIRE_ENGINE_WATCH)
		json_add_text(j, engines, NULL, "watch");
	if (r->engines & WIRE_ENGINE_SCAN)
		json_add_text(j, engines, NULL, "scan");
	return recording;
}

/* ---- document ---------------------------------------------------------------------------- */

static cJSON *make_total(struct json *j, const struct report *r)
{
	const struct total *t = r->total;
	cJSON *total = cJSON_CreateObject();

	json_add_number(j, total, "bytes", t->bytes);
	json_add_number(j, total, "likely_bytes", t->saved);
	json_add_range(j, total, "saved_bytes_ci", t->range.low, t->range.high);
	json_add_number(j, total, "saved_bytes_at_end", t->end);
	json_add_number(j, total, "decided_bytes", t->decided);
	json_add_number(j, total, "unknown_lines", (double)t->unknown);
	json_add_bool(j, total, "without_virtual_stacks", r->recording->has_virtual_threads);
	return total;
}

static cJSON *make_alive(struct json *j, const struct report *r)
{
	cJSON *to = cJSON_CreateObject();
	struct total_alive alive;

	total_alive(&alive, r->lines ? r->lines : r->rows);
	json_add_number(j, to, "bytes", alive.bytes);
	json_add_number(j, to, "undecided_bytes", alive.undecided);
	json_add_bool(j, to, "heap_dump_advised", total_wants_dump(&alive));
	return to;
}

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
	if (!j.failed && render_json_contexts(out, r) < 0)
		j.failed = true;
	if (r->lines)
		json_put_item(&j, out, ",\n\"total\":", make_total(&j, r));
	json_put_item(&j, out, ",\n\"alive\":", make_alive(&j, r));
	if (r->fixes) {
		fputs(",\n\"findings\":", out);
		j.failed = j.failed || render_json_fixes(out, r->fixes) < 0;
	}
	if (r->lines && !j.failed && render_json_lines(out, r) < 0)
		j.failed = true;
	if (!j.failed && render_json_findings(out, r) < 0)
		j.failed = true;
	fputs("}\n", out);
	if (j.failed)
		errno = ENOMEM;
	return j.failed || ferror(out) ? -1 : 0;
}
