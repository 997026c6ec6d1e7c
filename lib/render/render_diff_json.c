/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_diff_json.c - a comparison as JSON; docs/json.md describes it. A value that was not
 * measured is null.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/json_build.h"
#include "render/render_diff.h"
#include "render/render_json_rows.h"

enum { SCHEMA = 1 };

static void add_change(struct json *j, cJSON *to, const char *name, const struct diff_change *c)
{
	static const char *const verdicts[] = { NULL, "no", "up", "down" };
	bool known = isfinite(c->range.low) && isfinite(c->range.high);
	cJSON *one = json_add(j, to, name, cJSON_CreateObject());

	json_add_number(j, one, "old", c->from);
	json_add_number(j, one, "new", c->to);
	json_add_range(j, one, "change_ci", known ? c->range.low : NAN, c->range.high);
	json_add_text(j, one, "changed", verdicts[c->verdict]);
}

static void add_changes(struct json *j, cJSON *to, const struct diff_change *changes)
{
	for (int m = 0; m < DIFF_MEASURES; m++)
		add_change(j, to, column_name(diff_column((enum diff_measure)m)), &changes[m]);
}

static const char *verdict_deep(const struct row *row)
{
	return row && row->replica.deep_scanned ? replica_verdict_name(row->replica.verdict_deep)
						: NULL;
}

static cJSON *make_context(struct json *j, const struct diff_row *row)
{
	const struct row *shown = diff_shown(row);
	cJSON *context = cJSON_CreateObject();

	json_add_text(j, context, "class", row_class(shown));
	json_add_stack(j, context, "alloc_stack", &shown->stack, shown->common);
	json_add_text(j, context, "state", diff_state_name(row->state));
	json_add_text(j, context, "match", match_name(row->how));
	json_add_bool(j, context, "new_replica", row->new_replica);
	json_add_text(j, context, "old_verdict",
		      row->from ? replica_verdict_name(row->from->replica.verdict) : NULL);
	json_add_text(j, context, "new_verdict",
		      row->to ? replica_verdict_name(row->to->replica.verdict) : NULL);
	json_add_text(j, context, "old_verdict_deep", verdict_deep(row->from));
	json_add_text(j, context, "new_verdict_deep", verdict_deep(row->to));
	json_add_bool(j, context, "saved_deep", row->deep);
	json_add_number(j, context, "old_sampled",
			row->from ? (double)row->from->replica.sampled : 0);
	json_add_number(j, context, "new_sampled", row->to ? (double)row->to->replica.sampled : 0);
	add_changes(j, context, row->change);
	return context;
}

static void add_side(struct json *j, cJSON *to, const char *name, const char *file,
		     const struct diff_side *side)
{
	cJSON *one = json_add(j, to, name, cJSON_CreateObject());

	json_add_text(j, one, "file", file);
	render_json_command(j, one, &side->recording->command);
	json_add_number(j, one, "duration_s", side->recording->duration_s);
	json_add_number(j, one, "objects_sampled", (double)side->recording->sampled);
}

/* Adds an object for each analysis that has headlines, with those that were seen. */
static void add_found(struct json *j, cJSON *head, const struct diff *d)
{
	const struct analysis *of = NULL;
	cJSON *one = NULL;

	for (size_t i = 0; i < d->nfound; i++) {
		const struct diff_found *f = &d->found[i];
		if (f->analysis != of)
			one = json_add_object(j, head, f->analysis->key);
		of = f->analysis;
		if (!isnan(f->change.from) || !isnan(f->change.to))
			add_change(j, one, f->kind->name, &f->change);
	}
}

static cJSON *make_head(struct json *j, const struct diff_report *r)
{
	const struct diff *d = r->diff;
	cJSON *head = cJSON_CreateObject();
	cJSON *ojx = json_add_object(j, head, "ojx");

	json_add_text(j, ojx, "version", r->version);
	json_add_number(j, ojx, "schema", SCHEMA);
	add_side(j, head, "old", r->from, &d->from);
	add_side(j, head, "new", r->to, &d->to);
	json_add_text(j, head, "commands", diff_commands_name(diff_commands(d)));
	cJSON *options = json_add_object(j, head, "options");
	json_add_bool(j, options, "per_second", d->options.per_second);
	json_add_number(j, options, "threshold", d->options.threshold);
	json_add_number(j, options, "confidence", d->options.replica.confidence);
	json_add_number(j, options, "comparisons", d->comparisons);
	cJSON *states = json_add_object(j, head, "states");
	for (int s = 0; s < DIFF_STATES; s++)
		json_add_number(j, states, diff_state_name((enum diff_state)s),
				(double)d->states[s]);
	add_changes(j, json_add_object(j, head, "total"), d->total);
	add_found(j, head, d);
	return head;
}

int render_diff_json(FILE *out, const struct diff_report *r)
{
	struct json j = { .failed = false };
	const char *separator = "\n";
	char *head = json_print(&j, make_head(&j, r));
	size_t shown = 0;

	if (head) /* without the last brace: the contexts follow one by one */
		fprintf(out, "%.*s,\n\"contexts\":[", (int)strlen(head) - 1, head);
	cJSON_free(head);
	for (size_t i = 0; i < r->diff->n && shown < r->limit && !j.failed; i++) {
		if (!render_diff_shows(r, &r->diff->row[i]))
			continue;
		json_put_item(&j, out, separator, make_context(&j, &r->diff->row[i]));
		separator = ",\n";
		shown++;
	}
	fputs("\n]}\n", out);
	if (j.failed)
		errno = ENOMEM;
	return j.failed || ferror(out) ? -1 : 0;
}
