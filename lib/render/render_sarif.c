/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_sarif.c - a report in SARIF 2.1.0, which GitHub's code scanning and editors show beside
 * lines of source: a result for each mark, a rule for each kind of finding.
 *
 * A result without a file is none to those readers, so such are counted in a notification.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/json_text.h"
#include "render/export.h"
#include "render/marks.h"

#define SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

struct sarif {
	struct json_text json;
	const struct report *report;
	size_t placeless;
};

/* ---- places -------------------------------------------------------------------------------- */

/*
 * Paths that begin with '/' are absolute. The others are relative to the reader's source directory.
 */
static int put_physical(struct json_text *j, const char *path, int line)
{
	json_text_open(j, "physicalLocation", '{');
	json_text_open(j, "artifactLocation", '{');
	FILE *uri = json_text_begin_string(j);
	if (!uri)
		return -1;
	escape_uri(uri, path);
	json_text_end_string(j, "uri");
	if (*path != '/')
		json_text_string(j, "uriBaseId", "%SRCROOT%");
	json_text_close(j, '}');
	if (line > 0) {
		json_text_open(j, "region", '{');
		json_text_whole(j, "startLine", line);
		json_text_close(j, '}');
	}
	json_text_close(j, '}');
	return 0;
}

/* A location without its braces. 0, or -1 if out of memory. */
static int put_location(struct json_text *j, const char *path, const struct model_frame *frame)
{
	if (path && put_physical(j, path, frame->line) < 0)
		return -1;
	json_text_open(j, "logicalLocations", '[');
	json_text_open(j, NULL, '{');
	json_text_string(j, "kind", "function");
	FILE *name = json_text_begin_string(j);
	if (!name)
		return -1;
	fprintf(name, "%s.%s", frame->class_name ? frame->class_name : "?",
		frame->method ? frame->method : "?");
	json_text_end_string(j, "fullyQualifiedName");
	json_text_close(j, '}');
	json_text_close(j, ']');
	return 0;
}

static int put_frames(struct sarif *s, const struct callstack *stack)
{
	int result = 0;

	json_text_open(&s->json, "frames", '[');
	for (size_t i = 0; result == 0 && i < stack->n && i < s->report->stack_frames; i++) {
		const struct model_frame *frame = &stack->frames[i];
		char *path;
		if (frame->folded > 0)
			continue;
		if (source_path_of(&path, s->report->sources, frame) < 0)
			return -1;
		json_text_break(&s->json);
		json_text_open(&s->json, NULL, '{');
		json_text_open(&s->json, "location", '{');
		result = put_location(&s->json, path, frame);
		json_text_close(&s->json, '}');
		json_text_close(&s->json, '}');
		free(path);
	}
	json_text_close(&s->json, ']');
	return result;
}

/* ---- results ------------------------------------------------------------------------------- */

/* The figures with FIGURE_LINES are amounts, so those of several JVMs are added. */
static void put_sum(struct json_text *j, const struct figure *f, const struct mark *m)
{
	double sum = 0;

	for (size_t i = 0; i < m->nfound; i++)
		sum += figure_of(f, m->found[i]);
	json_text_figure(j, f->name, sum);
}

static void put_row_properties(struct json_text *j, const struct row *row)
{
	bool deep;
	enum replica_verdict verdict = replica_shown(&row->replica, &deep);

	json_text_string(j, "verdict", replica_verdict_name(verdict));
	json_text_bool(j, "deep", deep);
	for (const struct figure *f = row_figures; f->name; f++)
		if (figure_has_value(f) && (f->flags & FIGURE_LINES))
			json_text_figure(j, f->name, figure_of(f, row));
}

static void put_properties(struct json_text *j, const struct mark *m)
{
	json_text_break(j);
	json_text_open(j, "properties", '{');
	json_text_string(j, "class", m->class_name);
	if (m->row) {
		put_row_properties(j, m->row);
	} else {
		json_text_figure(j, "share", m->share);
		for (const struct figure *f = m->finding->table[0].kind->figures; f->name; f++)
			if (f->kind == FIGURE_NUMBER && (f->flags & FIGURE_LINES))
				put_sum(j, f, m);
	}
	if (m->npids > 0) {
		json_text_open(j, "pids", '[');
		for (size_t i = 0; i < m->npids; i++)
			json_text_whole(j, NULL, m->pids[i]);
		json_text_close(j, ']');
	}
	json_text_close(j, '}');
}

/* Rule 0 is that of rows. The rules of findings follow, in the order of the findings. */
static size_t rule_of(const struct report *r, const struct finding *f)
{
	return f ? 1 + (size_t)(f - r->findings->item) : 0;
}

/* "lifetime/lifetime" */
static void put_rule_id(struct json_text *j, const char *name, const struct finding *f)
{
	char id[128] = MARK_OF_ROWS;

	if (f)
		snprintf(id, sizeof id, "%s/%s", f->analysis->key, f->kind->name);
	json_text_string(j, name, id);
}

static int put_message(struct json_text *j, const struct mark *m)
{
	size_t len = strlen(m->text);

	while (len > 0 && m->text[len - 1] == '\n')
		len--;
	json_text_break(j);
	json_text_open(j, "message", '{');
	FILE *text = json_text_begin_string(j);
	if (!text)
		return -1;
	fprintf(text, "%s.\n%.*s", m->title, (int)len, m->text);
	json_text_end_string(j, "text");
	json_text_close(j, '}');
	return 0;
}

/* The other access of a pair, if the mark has one. */
static int put_second(struct json_text *j, const struct mark *m)
{
	if (!m->second)
		return 0;
	json_text_break(j);
	json_text_open(j, "relatedLocations", '[');
	json_text_open(j, NULL, '{');
	json_text_whole(j, "id", 1);
	json_text_open(j, "message", '{');
	json_text_string(j, "text", "the other access");
	json_text_close(j, '}');
	int result = put_location(j, m->second_path, m->second);
	json_text_close(j, '}');
	json_text_close(j, ']');
	return result;
}

static int put_places(struct sarif *s, const struct mark *m)
{
	struct json_text *j = &s->json;

	json_text_break(j);
	json_text_open(j, "locations", '[');
	json_text_open(j, NULL, '{');
	if (put_location(j, m->path, m->frame) < 0)
		return -1;
	json_text_close(j, '}');
	json_text_close(j, ']');
	if (put_second(j, m) < 0)
		return -1;
	json_text_break(j);
	json_text_open(j, "stacks", '[');
	json_text_open(j, NULL, '{');
	if (put_frames(s, m->stack) < 0)
		return -1;
	json_text_close(j, '}');
	json_text_close(j, ']');
	return 0;
}

static void put_hash(struct json_text *j, const char *name, uint64_t hash)
{
	char text[17];

	snprintf(text, sizeof text, "%016" PRIx64, hash);
	json_text_string(j, name, text);
}

static int put_result(const struct mark *m, void *arg)
{
	struct sarif *s = arg;
	struct json_text *j = &s->json;

	if (!m->path) {
		s->placeless++;
		return 0;
	}
	json_text_break(j);
	json_text_open(j, NULL, '{');
	put_rule_id(j, "ruleId", m->finding);
	json_text_whole(j, "ruleIndex", (int64_t)rule_of(s->report, m->finding));
	json_text_string(j, "level", m->level == MARK_WARNING ? "warning" : "note");
	if (put_message(j, m) < 0 || put_places(s, m) < 0)
		return -1;
	json_text_break(j);
	json_text_open(j, "partialFingerprints", '{');
	put_hash(j, "methodHash/v1", m->method_hash);
	put_hash(j, "lineHash/v1", m->line_hash);
	json_text_close(j, '}');
	put_properties(j, m);
	json_text_close(j, '}');
	return 0;
}

/* ---- the run ------------------------------------------------------------------------------- */

static int put_rule(struct json_text *j, const struct finding *f)
{
	json_text_break(j);
	json_text_open(j, NULL, '{');
	put_rule_id(j, "id", f);
	json_text_open(j, "shortDescription", '{');
	FILE *text = json_text_begin_string(j);
	if (!text)
		return -1;
	fputs(f ? f->kind->title : "objects with equal content", text);
	if (f && f->kind->note)
		fprintf(text, " %s", f->kind->note);
	json_text_end_string(j, "text");
	json_text_close(j, '}');
	json_text_open(j, "properties", '{');
	json_text_open(j, "tags", '[');
	json_text_string(j, NULL, "performance");
	json_text_string(j, NULL, "memory");
	json_text_close(j, ']');
	json_text_close(j, '}');
	json_text_close(j, '}');
	return 0;
}

static int put_tool(struct json_text *j, const struct report *r)
{
	json_text_break(j);
	json_text_open(j, "tool", '{');
	json_text_open(j, "driver", '{');
	json_text_string(j, "name", "ojx");
	json_text_string(j, "version", r->version);
	json_text_open(j, "rules", '[');
	int result = put_rule(j, NULL);
	for (size_t i = 0; result == 0 && r->findings && i < r->findings->n; i++)
		result = put_rule(j, &r->findings->item[i]);
	json_text_close(j, ']');
	json_text_close(j, '}');
	json_text_close(j, '}');
	return result;
}

/* The invocation of ojx, not of the program. */
static void put_invocation(struct sarif *s)
{
	struct json_text *j = &s->json;
	char text[80];

	json_text_break(j);
	json_text_open(j, "invocations", '[');
	json_text_open(j, NULL, '{');
	json_text_bool(j, "executionSuccessful", true);
	json_text_open(j, "toolExecutionNotifications", '[');
	if (s->placeless) {
		snprintf(text, sizeof text, "%zu more are in no source file that is known",
			 s->placeless);
		json_text_open(j, NULL, '{');
		json_text_string(j, "level", "note");
		json_text_open(j, "message", '{');
		json_text_string(j, "text", text);
		json_text_close(j, '}');
		json_text_close(j, '}');
	}
	json_text_close(j, ']');
	json_text_close(j, '}');
	json_text_close(j, ']');
}

/* Of the recording. 0, or -1 if out of memory. */
static int put_run_properties(struct json_text *j, const struct report *r)
{
	json_text_break(j);
	json_text_open(j, "properties", '{');
	FILE *text = json_text_begin_string(j);
	if (!text)
		return -1;
	export_put_command(text, r);
	json_text_end_string(j, "command");
	json_text_short(j, "duration_s", r->recording->duration_s);
	if (r->total) {
		json_text_figure(j, "bytes", r->total->bytes);
		json_text_figure(j, "saved_bytes", r->total->saved);
		json_text_figure(j, "saved_bytes_low", r->total->range.low);
	}
	json_text_close(j, '}');
	return 0;
}

static int put_run(struct sarif *s)
{
	struct json_text *j = &s->json;

	if (put_tool(j, s->report) < 0)
		return -1;
	json_text_break(j);
	json_text_open(j, "results", '[');
	if (marks_each(s->report, put_result, s) < 0)
		return -1;
	json_text_close(j, ']');
	put_invocation(s);
	return put_run_properties(j, s->report);
}

int render_sarif(FILE *out, const struct report *r)
{
	struct sarif s = { .json = { .out = out, .html = true }, .report = r };
	struct json_text *j = &s.json;

	json_text_open(j, NULL, '{');
	json_text_string(j, "$schema", SCHEMA);
	json_text_break(j);
	json_text_string(j, "version", "2.1.0");
	json_text_break(j);
	json_text_open(j, "runs", '[');
	json_text_open(j, NULL, '{');
	int result = put_run(&s);
	json_text_close(j, '}');
	json_text_close(j, ']');
	json_text_close(j, '}');
	return json_text_end(j) < 0 ? -1 : result;
}
