/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_json.c - the report as JSON. Its schema is a promise (docs/json.md): what is here keeps
 * its name, type and meaning; members may be added. A value that was not measured is null, never 0.
 *
 * The document is written piece by piece, a line for each context: as a whole it may have some
 * hundred megabytes, and would take many times that in memory. render_json_rows.c writes contexts
 * and lines.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/labels.h"
#include "model/limits.h"
#include "render/json_build.h"
#include "render/render.h"
#include "render/render_findings.h"
#include "render/render_json_rows.h"
#include "render/render_other_findings.h"

/* ---- recording --------------------------------------------------------------------------- */

/* Adds the names that --thread matches, each once. */
static void add_threads(cJSON *to, const struct recording *r, uint32_t jvm)
{
	cJSON *threads = json_add_array(to, "threads"), *same;

	for (uint32_t i = 1; i < WIRE_THREADS; i++) {
		const char *name = model_shown_thread(r->model, jvm, i, r->full);
		/* names that are cut may have become the same */
		bool cut = name && strchr(name, '#') != NULL;
		same = cut ? threads->child : NULL;
		while (same && strcmp(same->valuestring, name) != 0)
			same = same->next;
		if (name && !same)
			json_add_text(threads, NULL, name);
	}
}

/* Bounds that were reached. */
static void add_limits(cJSON *to, const struct recording *r)
{
	cJSON *limits = json_add_array(to, "limits");
	char text[LIMITS_TEXT];

	for (int i = 0; i < WIRE_LIMITS; i++) {
		if (!r->refused[i])
			continue;
		enum wire_limit limit = (enum wire_limit)i;
		cJSON *one = json_add_object(limits, NULL);
		json_add_text(one, "name", limits_name(limit));
		json_add_number(one, "refused", (double)r->refused[i]);
		json_add_text(one, "text", limits_say(text, limit, r->refused[i]));
	}
}

void render_json_command(struct json_text *t, const struct shown_command *c)
{
	json_text_open(t, "command", '[');
	for (size_t i = 0; i < c->n; i++)
		json_text_string(t, NULL, c->word[i]);
	json_text_close(t, ']');
	json_text_whole(t, "command_left_out", (int64_t)c->left_out);
}

static void add_pauses(cJSON *to, const struct recording *r, const struct model_jvm *jvm)
{
	struct pauses p = recording_pauses(r, jvm);

	json_add_number(to, "collections", p.known && p.collects ? (double)p.collections : NAN);
	json_add_number(to, "pauses", p.known ? (double)p.n : NAN);
	json_add_number(to, "pause_s", p.known ? p.seconds : NAN);
	json_add_number(to, "recorded_s", p.known ? p.recorded : NAN);
}

/* Those that hold for a JVM, or of the recording; and how many are not shown. */
static void add_labels(cJSON *to, const struct recording *r, uint32_t jvm)
{
	struct label_list labels;
	cJSON *shown = json_add_object(to, "labels");

	labels_of(&labels, r->model, jvm, r->full);
	for (size_t i = 0; i < labels.n; i++)
		json_add_text(shown, labels.item[i].name, labels.item[i].value);
	json_add_number(to, "labels_left_out", (double)labels.left_out);
}

static void add_jvms(cJSON *to, const struct recording *r)
{
	const struct model *m = r->model;
	cJSON *jvms = json_add_array(to, "jvms");

	for (uint32_t i = 1; i <= model_njvms(m); i++) {
		const struct model_jvm *jvm = model_jvm(m, i);
		if (!jvm)
			continue;
		cJSON *one = json_add_object(jvms, NULL);
		json_add_number(one, "pid", jvm->info.pid);
		json_add_text(one, "name", jvm->info.vm_name);
		json_add_text(one, "version", jvm->info.vm_version);
		json_add_text(one, "gc", jvm->info.gc[0] ? jvm->info.gc : NULL);
		add_pauses(one, r, jvm);
		add_labels(one, r, i);
		cJSON *notes = json_add_array(one, "notes");
		for (uint32_t k = 0; jvm->has_status && k < jvm->status.nnotes && k < WIRE_NOTES;
		     k++)
			json_add_text(notes, NULL, jvm->status.note[k]);
		add_threads(one, r, i);
	}
}

/* All but its command. */
static cJSON *make_recording(const struct recording *r)
{
	cJSON *recording = cJSON_CreateObject();

	cJSON *own = json_add_array(recording, "own");
	for (size_t i = 0; model_own(r->model, i); i++)
		json_add_text(own, NULL, model_own(r->model, i));
	add_labels(recording, r, 0);
	json_add_number(recording, "duration_s", r->duration_s);
	json_add_number(recording, "from_s", r->is_part ? r->from_s : 0);
	json_add_text(recording, "thread", r->thread_glob);
	json_add_bool(recording, "ended", r->ended);
	if (r->recordings) { /* merged */
		json_add_number(recording, "recordings", (double)r->recordings);
		json_add_number(recording, "processes", (double)r->processes);
	}
	json_add_number(recording, "cost_percent", r->cost.measured);
	json_add_number(recording, "whole_cost_percent", r->cost.whole);
	json_add_number(recording, "max_pause_ms", r->max_pause_s * 1e3);
	json_add_number(recording, "max_pause_work_ms", r->max_pause_work_s * 1e3);
	add_jvms(recording, r);
	json_add_number(recording, "objects_sampled", (double)r->sampled);
	json_add_number(recording, "objects_counted", (double)r->counted);
	json_add_number(recording, "objects_scanned", (double)r->scanned);
	json_add_number(recording, "objects_skipped", (double)r->skipped);
	json_add_number(recording, "pairs", (double)r->pairs);
	json_add_number(recording, "lost_events", (double)r->lost);
	add_limits(recording, r);
	json_add_bool(recording, "exact", r->exact);
	json_add_number(recording, "allocations_lost", r->exact ? (double)r->uncounted : NAN);
	cJSON *engines = json_add_array(recording, "engines");
	if (r->engines & WIRE_ENGINE_WATCH)
		json_add_text(engines, NULL, "watch");
	if (r->engines & WIRE_ENGINE_SCAN)
		json_add_text(engines, NULL, "scan");
	return recording;
}

/* ---- totals ------------------------------------------------------------------------------ */

static cJSON *make_total(const struct report *r)
{
	const struct total *t = r->total;
	cJSON *total = cJSON_CreateObject();

	json_add_number(total, "bytes", t->bytes);
	json_add_number(total, "likely_bytes", t->saved);
	json_add_range(total, "saved_bytes_ci", t->range.low, t->range.high);
	json_add_number(total, "saved_bytes_at_end", t->end);
	json_add_number(total, "decided_bytes", t->decided);
	json_add_number(total, "unknown_lines", (double)t->unknown);
	json_add_bool(total, "without_virtual_stacks", r->recording->has_virtual_threads);
	return total;
}

static cJSON *make_alive(const struct report *r)
{
	cJSON *to = cJSON_CreateObject();
	struct total_alive alive;

	total_alive(&alive, r->lines ? r->lines : r->rows);
	json_add_number(to, "bytes", alive.bytes);
	json_add_number(to, "undecided_bytes", alive.undecided);
	json_add_bool(to, "heap_dump_advised", total_wants_dump(&alive));
	return to;
}

void render_json_recording(struct json_text *t, const struct recording *r)
{
	json_text_open(t, "recording", '{');
	render_json_command(t, &r->command);
	json_members(t, make_recording(r));
	json_text_close(t, '}');
}

/*
 * ---- findings, as docs/json.md describes. An analysis has an array of its findings; or an array
 * of the rows of their first tables, and one of the findings beside it.
 */

/* Findings whose rows the document has elsewhere. */
static void put_rows(struct json_text *t, const struct finding *f)
{
	const struct finding_table *table = &f->table[0];

	for (size_t i = 0; i < table->n; i++) {
		json_text_break(t);
		json_text_open(t, NULL, '{');
		json_figures(t, table->kind->figures, finding_row(table, i), f->z, false);
		json_text_close(t, '}');
	}
}

/* `rows`: adds the rows of their first tables instead. */
static void put_array(struct json_text *t, const char *key, const struct analysis *a,
		      const struct findings *all, bool rows)
{
	json_text_break(t);
	json_text_open(t, key, '[');
	for (size_t i = 0; all && i < all->n; i++) {
		const struct finding *f = &all->item[i];
		if (f->analysis != a || !f->seen)
			continue;
		if (rows) {
			put_rows(t, f);
			continue;
		}
		json_text_break(t);
		json_finding(t, NULL, f);
	}
	json_text_close(t, ']');
}

void render_json_findings(struct json_text *t, const struct report *r)
{
	const struct analysis *const *analyses = model_analyses(r->recording->model);

	for (int i = 0; analyses[i]; i++) {
		const struct analysis *a = analyses[i];
		if (!a->kinds[0])
			continue;
		put_array(t, a->key, a, r->findings, a->totals_key != NULL);
		if (a->totals_key)
			put_array(t, a->totals_key, a, r->findings, false);
	}
}

/* ---- document ---------------------------------------------------------------------------- */

static void put_member(struct json_text *t, const char *name, cJSON *item)
{
	json_text_break(t);
	json_tree(t, name, item);
}

int render_json(FILE *out, const struct report *r)
{
	struct json_text t = { .out = out, .rounded = render_json_is_short(r) };

	json_text_open(&t, NULL, '{');
	json_put_ojx(&t, r->version);
	json_text_break(&t);
	render_json_recording(&t, r->recording);
	json_text_break(&t);
	json_text_bool(&t, "short", render_json_is_short(r));
	if (render_json_is_short(r))
		render_json_short_contexts(&t, r);
	else
		render_json_contexts(&t, r);
	if (r->lines)
		put_member(&t, "total", make_total(r));
	put_member(&t, "alive", make_alive(r));
	if (r->fixes)
		render_json_fixes(&t, r);
	if (r->lines && render_json_is_short(r))
		render_json_short_lines(&t, r);
	else if (r->lines)
		render_json_lines(&t, r);
	render_json_findings(&t, r);
	if (r->others)
		others_json(&t, r->others, r->recording->model, bounds_z(r->confidence),
			    r->limited ? r->limit : SIZE_MAX);
	json_text_close(&t, '}');
	return json_text_end(&t);
}
