/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_sarif.c - a report in SARIF 2.1.0, which GitHub's code scanning and editors show beside
 * lines of source: a result for each remark, a rule for each rule of advice and each kind of
 * finding.
 *
 * A result without a file is none to those readers, so such are counted in a notification.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/json_text.h"
#include "fix/fix_figures.h"
#include "render/builds/remarks.h"
#include "render/export.h"

enum { MAX_RULES = 128 /* more than there are */ };

#define SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

struct sarif {
	struct json_text json;
	const struct report *report;
	const struct advice_rule
		*rule[MAX_RULES]; /* of fixes; with NULL for those without a rule */
	size_t nrules;		  /* ... and after them come those of findings */
	size_t placeless;
};

static const char *rule_id(const struct advice_rule *rule)
{
	return rule ? advice_fix_name(rule) : REMARK_WITHOUT_FIX;
}

/* ---- places -------------------------------------------------------------------------------- */

/*
 * Paths that begin with '/' are absolute. The others are relative to the reader's source directory.
 */
static void put_physical(struct json_text *j, const char *path, int line)
{
	json_text_open(j, "physicalLocation", '{');
	json_text_open(j, "artifactLocation", '{');
	escape_uri(json_text_begin_string(j), path);
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
}

/* A location without its braces. */
static void put_location(struct json_text *j, const char *path, const struct model_frame *frame,
			 int line)
{
	if (path)
		put_physical(j, path, line);
	json_text_open(j, "logicalLocations", '[');
	json_text_open(j, NULL, '{');
	json_text_string(j, "kind", "function");
	fprintf(json_text_begin_string(j), "%s.%s", frame->class_name ? frame->class_name : "?",
		frame->method ? frame->method : "?");
	json_text_end_string(j, "fullyQualifiedName");
	json_text_close(j, '}');
	json_text_close(j, ']');
}

static void put_frames(struct sarif *s, const struct callstack *stack)
{
	json_text_open(&s->json, "frames", '[');
	for (size_t i = 0; i < stack->n && i < s->report->stack_frames; i++) {
		const struct model_frame *frame = &stack->frames[i];
		if (frame->folded > 0)
			continue;
		char *path = source_path_of(s->report->sources, frame);
		json_text_break(&s->json);
		json_text_open(&s->json, NULL, '{');
		json_text_open(&s->json, "location", '{');
		put_location(&s->json, path, frame, frame->line);
		json_text_close(&s->json, '}');
		json_text_close(&s->json, '}');
		free(path);
	}
	json_text_close(&s->json, ']');
}

/* ---- results ------------------------------------------------------------------------------- */

/* The figures with FIGURE_LINES are amounts, so those of several JVMs are added. */
static void put_sum(struct json_text *j, const struct figure *f, const struct remark *m)
{
	double sum = 0;

	for (size_t i = 0; i < m->nfound; i++)
		sum += figure_of(f, m->found[i]);
	json_text_figure(j, f->name, sum);
}

/* Its numbers, its classes and its key; the message has the sentences. */
static void put_fix_properties(struct json_text *j, const struct fix *f)
{
	double bytes, objects;

	for (const struct figure *x = fix_figures; x->name; x++) {
		if (x->kind != FIGURE_NUMBER || x->value) /* the pid is beside them */
			continue;
		json_text_figure(j, x->name, figure_of(x, f));
		if (!figure_has_range(x))
			continue;
		struct bounds_range range = figure_interval(x, f, 0);
		json_text_range(j, x->range_name, range.low, range.high);
	}
	json_text_string(j, "kind", f->rule ? fix_kind_name(f->kind) : NULL);
	json_text_open(j, "classes", '[');
	for (size_t i = 0; i < f->nparts; i++)
		if (fix_class_of(f, i, &bytes, &objects) == 0)
			json_text_string(j, NULL, f->part[i].class_name);
	json_text_close(j, ']');
}

static void put_other_properties(struct json_text *j, const struct other_finding *o, double amount)
{
	json_text_string(j, "rule", o->rule->name);
	json_text_string(j, "kind", o->possible ? "possible" : "likely");
	json_text_string(j, "figure", o->figure->name);
	json_text_figure(j, "amount", amount); /* of all JVMs, as the finding's name has it */
}

static void put_properties(struct json_text *j, const struct remark *m)
{
	json_text_break(j);
	json_text_open(j, "properties", '{');
	if (m->fix) {
		put_fix_properties(j, m->fix);
	} else {
		json_text_string(j, "class", m->class_name);
		if (m->other)
			put_other_properties(j, m->other, m->share);
		else
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

/* The number of a rule: those of fixes come first, then those of findings, in their order. */
static size_t rule_of(const struct sarif *s, const struct remark *m)
{
	size_t i = 0;

	if (m->finding)
		return s->nrules + (size_t)(m->finding - s->report->findings->item);
	while (i < s->nrules && strcmp(rule_id(s->rule[i]), m->kind) != 0)
		i++;
	return i;
}

/* "lifetime/lifetime" */
static void put_finding_id(struct json_text *j, const char *name, const struct finding *f)
{
	fprintf(json_text_begin_string(j), "%s/%s", f->analysis->key, f->kind->name);
	json_text_end_string(j, name);
}

static void put_message(struct json_text *j, const struct remark *m)
{
	size_t len = strlen(m->text);

	while (len > 0 && m->text[len - 1] == '\n')
		len--;
	json_text_break(j);
	json_text_open(j, "message", '{');
	fprintf(json_text_begin_string(j), "%s.\n%.*s", m->title, (int)len, m->text);
	json_text_end_string(j, "text");
	json_text_close(j, '}');
}

/* The other access of a pair, if the remark has one. */
static void put_second(struct json_text *j, const struct remark *m)
{
	if (!m->second)
		return;
	json_text_break(j);
	json_text_open(j, "relatedLocations", '[');
	json_text_open(j, NULL, '{');
	json_text_whole(j, "id", 1);
	json_text_open(j, "message", '{');
	json_text_string(j, "text", "the other access");
	json_text_close(j, '}');
	put_location(j, m->second_path, m->second, m->second->line);
	json_text_close(j, '}');
	json_text_close(j, ']');
}

static void put_place(struct json_text *j, const struct remark *m, int line)
{
	json_text_open(j, NULL, '{');
	put_location(j, m->path, m->frame, line);
	json_text_close(j, '}');
}

/* The line that avoids most comes first: some readers show no other. */
static void put_places(struct sarif *s, const struct remark *m)
{
	struct json_text *j = &s->json;

	json_text_break(j);
	json_text_open(j, "locations", '[');
	put_place(j, m, m->frame->line);
	for (size_t i = 0; i < m->nlines; i++)
		if (m->lines[i] > 0 && m->lines[i] != m->frame->line)
			put_place(j, m, m->lines[i]);
	json_text_close(j, ']');
	put_second(j, m);
	json_text_break(j);
	json_text_open(j, "stacks", '[');
	json_text_open(j, NULL, '{');
	put_frames(s, m->stack);
	json_text_close(j, '}');
	json_text_close(j, ']');
}

static void put_hash(struct json_text *j, const char *name, uint64_t hash)
{
	char text[17];

	snprintf(text, sizeof text, "%016" PRIx64, hash);
	json_text_string(j, name, text);
}

static void put_fingerprints(struct json_text *j, const struct remark *m)
{
	json_text_break(j);
	json_text_open(j, "partialFingerprints", '{');
	if (m->fix && fix_has_key(m->fix)) {
		fix_put_key(json_text_begin_string(j), m->fix);
		json_text_end_string(j, "key/v1");
	}
	if (m->other) {
		other_put_key(json_text_begin_string(j), m->other);
		json_text_end_string(j, "key/v1");
	}
	put_hash(j, "methodHash/v1", m->method_hash);
	put_hash(j, "lineHash/v1", m->line_hash);
	json_text_close(j, '}');
}

static void put_result(const struct remark *m, void *arg)
{
	struct sarif *s = arg;
	struct json_text *j = &s->json;

	if (!m->path) {
		s->placeless++;
		return;
	}
	json_text_break(j);
	json_text_open(j, NULL, '{');
	if (m->finding)
		put_finding_id(j, "ruleId", m->finding);
	else
		json_text_string(j, "ruleId", m->kind);
	json_text_whole(j, "ruleIndex", (int64_t)rule_of(s, m));
	json_text_string(j, "level", m->level == REMARK_WARNING ? "warning" : "note");
	put_message(j, m);
	put_places(s, m);
	put_fingerprints(j, m);
	put_properties(j, m);
	json_text_close(j, '}');
}

/* ---- rules --------------------------------------------------------------------------------- */

static void end_rule(struct json_text *j)
{
	json_text_open(j, "properties", '{');
	json_text_open(j, "tags", '[');
	json_text_string(j, NULL, "performance");
	json_text_string(j, NULL, "memory");
	json_text_close(j, ']');
	json_text_close(j, '}');
	json_text_close(j, '}');
}

static void put_finding_rule(struct json_text *j, const struct finding *f)
{
	json_text_break(j);
	json_text_open(j, NULL, '{');
	put_finding_id(j, "id", f);
	json_text_open(j, "shortDescription", '{');
	fprintf(json_text_begin_string(j), "%s%s%s", f->kind->title, f->kind->note ? " " : "",
		f->kind->note ? f->kind->note : "");
	json_text_end_string(j, "text");
	json_text_close(j, '}');
	end_rule(j);
}

/* A sentence about no line in particular. */
static void put_sentence(struct json_text *j, const char *name, const char *member,
			 const char *sentence)
{
	json_text_open(j, name, '{');
	advice_put_general(json_text_begin_string(j), sentence);
	json_text_end_string(j, member);
	json_text_close(j, '}');
}

static bool names_class(const char *sentence)
{
	return strstr(sentence, "{class}") || strstr(sentence, "{element}");
}

static void put_help(struct json_text *j, const struct advice_rule *rule)
{
	bool named = names_class(rule->problem) || names_class(rule->fix);
	const char *x = named ? "X is the class of the objects." : "";

	json_text_open(j, "help", '{');
	FILE *out = json_text_begin_string(j);
	fputs("Problem: ", out);
	advice_put_general(out, rule->problem);
	fputs("\nFix: ", out);
	advice_put_general(out, rule->fix);
	fprintf(out, "%s%s", named ? "\n" : "", x);
	json_text_end_string(j, "text");
	out = json_text_begin_string(j);
	fputs("**Problem:** ", out);
	advice_put_general(out, rule->problem);
	fputs("\n\n**Fix:** ", out);
	advice_put_general(out, rule->fix);
	fprintf(out, "%s%s", named ? "\n\n" : "", x);
	json_text_end_string(j, "markdown");
	json_text_close(j, '}');
}

/* Of a fix; NULL: no fix is known. */
static void put_fix_rule(struct json_text *j, const struct advice_rule *rule)
{
	json_text_break(j);
	json_text_open(j, NULL, '{');
	json_text_string(j, "id", rule_id(rule));
	put_sentence(j, "shortDescription", "text",
		     rule ? rule->problem : "Much is made at a line, and no fix is known.");
	if (rule)
		put_help(j, rule);
	end_rule(j);
}

/* Lists the rules of what the report ranks, in that order; each once. */
static void list_rules(struct sarif *s)
{
	const struct report *r = s->report;

	for (size_t i = 0; r->fixes && i < r->fixes->n; i++) {
		const struct fix *f = &r->fixes->fix[i];
		const struct remark remark = { .kind = rule_id(f->rule) };
		if (export_has_fix(r, i) && s->nrules < MAX_RULES &&
		    rule_of(s, &remark) == s->nrules)
			s->rule[s->nrules++] = f->rule;
	}
}

static void put_tool(struct sarif *s)
{
	const struct findings *found = s->report->findings;
	struct json_text *j = &s->json;

	list_rules(s);
	json_text_break(j);
	json_text_open(j, "tool", '{');
	json_text_open(j, "driver", '{');
	json_text_string(j, "name", "ojx");
	json_text_string(j, "version", s->report->version);
	json_text_open(j, "rules", '[');
	for (size_t i = 0; i < s->nrules; i++)
		put_fix_rule(j, s->rule[i]);
	for (size_t i = 0; found && i < found->n; i++)
		put_finding_rule(j, &found->item[i]);
	json_text_close(j, ']');
	json_text_close(j, '}');
	json_text_close(j, '}');
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

/* Of the recording. */
static void put_run_properties(struct json_text *j, const struct report *r)
{
	json_text_break(j);
	json_text_open(j, "properties", '{');
	export_put_command(json_text_begin_string(j), r);
	json_text_end_string(j, "command");
	json_text_short(j, "duration_s", r->recording->duration_s);
	if (r->fixes) {
		json_text_figure(j, "bytes", r->fixes->bytes);
		json_text_figure(j, "certain_bytes", r->fixes->certain.value);
		json_text_figure(j, "likely_bytes", r->fixes->likely.value);
		json_text_figure(j, "possible_bytes", r->fixes->possible);
	}
	json_text_close(j, '}');
}

static void put_run(struct sarif *s)
{
	struct json_text *j = &s->json;

	put_tool(s);
	json_text_break(j);
	json_text_open(j, "results", '[');
	remarks_each(s->report, put_result, s);
	json_text_close(j, ']');
	put_invocation(s);
	put_run_properties(j, s->report);
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
	put_run(&s);
	json_text_close(j, '}');
	json_text_close(j, ']');
	json_text_close(j, '}');
	return json_text_end(j);
}
