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
#include "base/memtext.h"
#include "render/export.h"
#include "render/marks.h"
#include "render/source_path.h"

#define SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

struct sarif {
	FILE *out;
	const struct report *report;
	const char *comma;
	size_t placeless;
};

/* ---- places -------------------------------------------------------------------------------- */

/*
 * Paths that begin with '/' are absolute. The others are relative to the reader's source directory.
 */
static void put_physical(FILE *out, const char *path, int line)
{
	fputs("\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"", out);
	escape_uri(out, path);
	fputs(*path == '/' ? "\"}" : "\",\"uriBaseId\":\"%SRCROOT%\"}", out);
	if (line > 0)
		fprintf(out, ",\"region\":{\"startLine\":%d}", line);
	putc('}', out);
}

static void put_logical(FILE *out, const struct model_frame *frame)
{
	struct memtext g;
	FILE *name = memtext_begin(&g);

	fputs("\"logicalLocations\":[{\"kind\":\"function\",\"fullyQualifiedName\":", out);
	if (name) {
		fprintf(name, "%s.%s", frame->class_name ? frame->class_name : "?",
			frame->method ? frame->method : "?");
		if (json_put_memtext(out, &g) < 0)
			fputs("\"?\"", out);
	} else {
		fputs("\"?\"", out);
	}
	fputs("}]", out);
}

/* A location without its braces. */
static void put_location(FILE *out, const char *path, const struct model_frame *frame)
{
	if (path) {
		put_physical(out, path, frame->line);
		putc(',', out);
	}
	put_logical(out, frame);
}

static int put_frames(struct sarif *s, const struct callstack *stack)
{
	const char *comma = "";

	for (size_t i = 0; i < stack->n && i < s->report->stack_frames; i++) {
		const struct model_frame *frame = &stack->frames[i];
		char *path;
		if (frame->folded > 0)
			continue;
		if (source_path_of(&path, s->report->sources, frame) < 0)
			return -1;
		fprintf(s->out, "%s\n{\"location\":{", comma);
		put_location(s->out, path, frame);
		fputs("}}", s->out);
		comma = ",";
		free(path);
	}
	return 0;
}

/* ---- results ------------------------------------------------------------------------------- */

static void put_number(FILE *out, const struct figure *f, const void *of)
{
	fprintf(out, ",\"%s\":", f->name);
	json_put_figure(out, figure_of(f, of));
}

/* The figures with FIGURE_LINES are amounts, so those of several JVMs are added. */
static void put_sum(FILE *out, const struct figure *f, const struct mark *m)
{
	double sum = 0;

	for (size_t i = 0; i < m->nfound; i++)
		sum += figure_of(f, m->found[i]);
	fprintf(out, ",\"%s\":", f->name);
	json_put_figure(out, sum);
}

static void put_row_properties(FILE *out, const struct row *row)
{
	bool deep;
	enum replica_verdict verdict = replica_shown(&row->replica, &deep);

	fprintf(out, ",\"verdict\":\"%s\",\"deep\":%s", replica_verdict_name(verdict),
		deep ? "true" : "false");
	for (const struct figure *f = row_figures; f->name; f++)
		if (figure_has_value(f) && (f->flags & FIGURE_LINES))
			put_number(out, f, row);
}

static void put_properties(FILE *out, const struct mark *m)
{
	fputs(",\n\"properties\":{\"class\":", out);
	json_put_text(out, m->class_name);
	if (m->row) {
		put_row_properties(out, m->row);
	} else {
		fputs(",\"share\":", out);
		json_put_figure(out, m->share);
		for (const struct figure *f = m->finding->table[0].kind->figures; f->name; f++)
			if (f->kind == FIGURE_NUMBER && (f->flags & FIGURE_LINES))
				put_sum(out, f, m);
	}
	for (size_t i = 0; i < m->npids; i++)
		fprintf(out, "%s%d", i ? "," : ",\"pids\":[", (int)m->pids[i]);
	fputs(m->npids ? "]}" : "}", out);
}

/* Rule 0 is that of rows. The rules of findings follow, in the order of the findings. */
static size_t rule_of(const struct report *r, const struct finding *f)
{
	return f ? 1 + (size_t)(f - r->findings->item) : 0;
}

/* "lifetime/lifetime"; a name of a table, which needs no escape. */
static void put_rule_id(FILE *out, const struct finding *f)
{
	if (f)
		fprintf(out, "\"%s/%s\"", f->analysis->key, f->kind->name);
	else
		fputs("\"" MARK_OF_ROWS "\"", out);
}

static int put_message(FILE *out, const struct mark *m)
{
	struct memtext g;
	FILE *text = memtext_begin(&g);
	size_t len = strlen(m->text);

	if (!text)
		return -1;
	while (len > 0 && m->text[len - 1] == '\n')
		len--;
	fprintf(text, "%s.\n%.*s", m->title, (int)len, m->text);
	fputs("\"message\":{\"text\":", out);
	int result = json_put_memtext(out, &g);
	putc('}', out);
	return result;
}

static int put_result(const struct mark *m, void *arg)
{
	struct sarif *s = arg;
	FILE *out = s->out;

	if (!m->path) {
		s->placeless++;
		return 0;
	}
	fprintf(out, "%s\n{\"ruleId\":", s->comma);
	s->comma = ",";
	put_rule_id(out, m->finding);
	fprintf(out, ",\"ruleIndex\":%zu,\"level\":\"%s\",\n", rule_of(s->report, m->finding),
		m->level == MARK_WARNING ? "warning" : "note");
	if (put_message(out, m) < 0)
		return -1;
	fputs(",\n\"locations\":[{", out);
	put_location(out, m->path, m->frame);
	fputs("}]", out);
	if (m->second) {
		fputs(",\n\"relatedLocations\":[{\"id\":1,\"message\":{\"text\":\"the other "
		      "access\"},",
		      out);
		put_location(out, m->second_path, m->second);
		fputs("}]", out);
	}
	fputs(",\n\"stacks\":[{\"frames\":[", out);
	if (put_frames(s, m->stack) < 0)
		return -1;
	fprintf(out,
		"]}],\n\"partialFingerprints\":{\"methodHash/v1\":\"%016" PRIx64
		"\",\"lineHash/v1\":\"%016" PRIx64 "\"}",
		m->method_hash, m->line_hash);
	put_properties(out, m);
	putc('}', out);
	return 0;
}

/* ---- the run ------------------------------------------------------------------------------- */

static void put_rule(FILE *out, const struct finding *f)
{
	fputs("\n{\"id\":", out);
	put_rule_id(out, f);
	fprintf(out, ",\"shortDescription\":{\"text\":\"%s%s%s\"}",
		f ? f->kind->title : "objects with equal content", f && f->kind->note ? " " : "",
		f && f->kind->note ? f->kind->note : "");
	fputs(",\"properties\":{\"tags\":[\"performance\",\"memory\"]}}", out);
}

static void put_tool(FILE *out, const struct report *r)
{
	fputs("\"tool\":{\"driver\":{\"name\":\"ojx\",\"version\":", out);
	json_put_text(out, r->version);
	fputs(",\"rules\":[", out);
	put_rule(out, NULL);
	for (size_t i = 0; r->findings && i < r->findings->n; i++) {
		putc(',', out);
		put_rule(out, &r->findings->item[i]);
	}
	fputs("]}}", out);
}

/* The invocation of ojx, not of the program. */
static void put_invocation(const struct sarif *s)
{
	fputs("\"invocations\":[{\"executionSuccessful\":true,\"toolExecutionNotifications\":[",
	      s->out);
	if (s->placeless)
		fprintf(s->out,
			"{\"level\":\"note\",\"message\":{\"text\":\"%zu more are in no source "
			"file that is known\"}}",
			s->placeless);
	fputs("]}]", s->out);
}

/* Of the recording. 0, or -1 if out of memory. */
static int put_run_properties(FILE *out, const struct report *r)
{
	struct memtext g;
	FILE *text = memtext_begin(&g);

	if (!text)
		return -1;
	export_put_command(text, r);
	fputs("\"properties\":{\"command\":", out);
	int result = json_put_memtext(out, &g);
	fputs(",\"duration_s\":", out);
	json_put_number(out, r->recording->duration_s);
	if (r->total) {
		fputs(",\"bytes\":", out);
		json_put_figure(out, r->total->bytes);
		fputs(",\"saved_bytes\":", out);
		json_put_figure(out, r->total->saved);
		fputs(",\"saved_bytes_low\":", out);
		json_put_figure(out, r->total->range.low);
	}
	putc('}', out);
	return result;
}

int render_sarif(FILE *out, const struct report *r)
{
	struct sarif s = { out, r, "", 0 };

	fputs("{\"$schema\":\"" SCHEMA "\",\n\"version\":\"2.1.0\",\n\"runs\":[{\n", out);
	put_tool(out, r);
	fputs(",\n\"results\":[", out);
	if (marks_each(r, put_result, &s) < 0)
		return -1;
	fputs("],\n", out);
	put_invocation(&s);
	fputs(",\n", out);
	if (put_run_properties(out, r) < 0)
		return -1;
	fputs("}]}\n", out);
	return ferror(out) ? -1 : 0;
}
