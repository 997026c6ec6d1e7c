/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_diff_json.c - a comparison for programs; docs/json.md describes it. What was not measured is null.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "render_diff.h"
#include "utf8.h"

enum { SCHEMA = 1 };

/* cJSON says of each addition whether memory sufficed; it is enough to know at the end. */
struct json {
	const struct diff_report *report;
	bool failed;
};

static cJSON *add(struct json *j, cJSON *to, const char *name, cJSON *item)
{
	bool added = item && (name ? cJSON_AddItemToObjectCS(to, name, item)
				   : cJSON_AddItemToArray(to, item));

	if (added)
		return item;
	j->failed = true;
	cJSON_Delete(item);
	return NULL;
}

static void add_number(struct json *j, cJSON *to, const char *name, double value)
{
	add(j, to, name, isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

/* Text of any origin; NULL gives null. */
static void add_text(struct json *j, cJSON *to, const char *name, const char *text)
{
	char *clean = NULL;
	size_t len;
	FILE *out = text ? open_memstream(&clean, &len) : NULL;

	if (!text) {
		add(j, to, name, cJSON_CreateNull());
		return;
	}
	if (out)
		utf8_put(out, text, strlen(text), UTF8_DATA);
	if (out && fclose(out) == 0)
		add(j, to, name, cJSON_CreateString(clean));
	else
		j->failed = true;
	free(clean);
}

static void add_stack(struct json *j, cJSON *to, const struct row *row)
{
	cJSON *frames = add(j, to, "alloc_stack", cJSON_CreateArray());

	for (size_t i = 0; i < row->common; i++) {
		const struct model_frame *f = &row->stack.frames[i];
		cJSON *frame = add(j, frames, NULL, cJSON_CreateObject());
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

static void add_change(struct json *j, cJSON *to, const char *name, const struct diff_change *c)
{
	static const char *const verdicts[] = { NULL, "no", "up", "down" };
	bool known = isfinite(c->range.low) && isfinite(c->range.high);
	cJSON *one = add(j, to, name, cJSON_CreateObject());

	add_number(j, one, "old", c->from);
	add_number(j, one, "new", c->to);
	cJSON *ends = add(j, one, "change_ci", known ? cJSON_CreateArray() : cJSON_CreateNull());
	if (cJSON_IsArray(ends)) {
		add_number(j, ends, NULL, c->range.low);
		add_number(j, ends, NULL, c->range.high);
	}
	add_text(j, one, "changed", verdicts[c->verdict]);
}

static void add_changes(struct json *j, cJSON *to, const struct diff_change *changes)
{
	for (int m = 0; m < DIFF_MEASURES; m++)
		add_change(j, to, diff_column((enum diff_measure)m)->name, &changes[m]);
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

	add_text(j, context, "class", row_class(shown));
	add_stack(j, context, shown);
	add_text(j, context, "state", diff_state_name(row->state));
	add_text(j, context, "match", match_name(row->how));
	add(j, context, "new_replica", cJSON_CreateBool(row->new_replica));
	add_text(j, context, "old_verdict",
		 row->from ? replica_verdict_name(row->from->replica.verdict) : NULL);
	add_text(j, context, "new_verdict",
		 row->to ? replica_verdict_name(row->to->replica.verdict) : NULL);
	add_text(j, context, "old_verdict_deep", verdict_deep(row->from));
	add_text(j, context, "new_verdict_deep", verdict_deep(row->to));
	add(j, context, "saved_deep", cJSON_CreateBool(row->deep));
	add_number(j, context, "old_sampled", row->from ? (double)row->from->replica.sampled : 0);
	add_number(j, context, "new_sampled", row->to ? (double)row->to->replica.sampled : 0);
	add_changes(j, context, row->change);
	return context;
}

static void add_side(struct json *j, cJSON *to, const char *name, const char *file,
		     const struct diff_side *side)
{
	const struct model *m = side->recording->model;
	cJSON *one = add(j, to, name, cJSON_CreateObject());

	add_text(j, one, "file", file);
	cJSON *command = add(j, one, "command", cJSON_CreateArray());
	for (size_t i = 0; i < model_argc(m); i++)
		add_text(j, command, NULL, model_argv(m, i));
	add_number(j, one, "duration_s", side->recording->duration_s);
	add_number(j, one, "objects_sampled", (double)side->recording->sampled);
}

static cJSON *make_head(struct json *j)
{
	const struct diff_report *r = j->report;
	const struct diff *d = r->diff;
	cJSON *head = cJSON_CreateObject();
	cJSON *ojx = add(j, head, "ojx", cJSON_CreateObject());

	add_text(j, ojx, "version", r->version);
	add_number(j, ojx, "schema", SCHEMA);
	add_side(j, head, "old", r->from, &d->from);
	add_side(j, head, "new", r->to, &d->to);
	cJSON *options = add(j, head, "options", cJSON_CreateObject());
	add(j, options, "per_second", cJSON_CreateBool(d->options.per_second));
	add_number(j, options, "threshold", d->options.threshold);
	add_number(j, options, "confidence", d->options.replica.confidence);
	add_number(j, options, "comparisons", d->comparisons);
	cJSON *states = add(j, head, "states", cJSON_CreateObject());
	for (int s = 0; s < DIFF_STATES; s++)
		add_number(j, states, diff_state_name((enum diff_state)s), (double)d->states[s]);
	add_changes(j, add(j, head, "total", cJSON_CreateObject()), d->total);
	cJSON *waste = add(j, head, "waste", cJSON_CreateObject());
	for (int k = 0; k < WASTE_KINDS; k++)
		if (!isnan(d->waste[k].from) || !isnan(d->waste[k].to))
			add_change(j, waste,
				   waste_name((enum wire_waste_kind)(WIRE_DEAD_STORE + k)),
				   &d->waste[k]);
	return head;
}

/* The item's text, which is allocated; the item is released. NULL: memory lacked. */
static char *print(struct json *j, cJSON *item)
{
	char *text = j->failed ? NULL : cJSON_PrintUnformatted(item);

	cJSON_Delete(item);
	j->failed |= !text;
	return text;
}

int render_diff_json(FILE *out, const struct diff_report *r)
{
	struct json j = { .report = r };
	const char *separator = "\n";
	char *head = print(&j, make_head(&j));
	size_t shown = 0;

	if (head) /* without its last brace: the contexts follow one by one */
		fprintf(out, "%.*s,\n\"contexts\":[", (int)strlen(head) - 1, head);
	cJSON_free(head);
	for (size_t i = 0; i < r->diff->n && shown < r->limit && !j.failed; i++) {
		if (!render_diff_shows(r, &r->diff->row[i]))
			continue;
		char *text = print(&j, make_context(&j, &r->diff->row[i]));
		if (text)
			fprintf(out, "%s%s", separator, text);
		cJSON_free(text);
		separator = ",\n";
		shown++;
	}
	fputs("\n]}\n", out);
	if (j.failed)
		errno = ENOMEM;
	return j.failed || ferror(out) ? -1 : 0;
}
