/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_ndjson.c - the recording, its findings and its lines as lines of JSON, each complete in
 * itself, for engines that read many such files as one table (docs/fleet.md). Members have the
 * names and meanings of docs/json.md.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fix/fix_figures.h"
#include "fix/fix_total.h"
#include "render/export.h"
#include "render/fleet/identity.h"
#include "render/json_build.h"
#include "render/render.h"
#include "render/render_json_rows.h"
#include "report/total.h"

struct ndjson {
	FILE *out;
	const struct report *report;
	struct identity identity;
	struct json_text line;
};

/* Every line begins with what names the recording, and the JVM (0: all of them). */
static void begin(struct ndjson *n, const char *type, uint32_t jvm)
{
	const struct recording *r = n->report->recording;
	struct json_text *t = &n->line;

	json_text_clear(t);
	json_text_open(t, NULL, '{');
	json_text_string(t, "type", type);
	json_text_whole(t, "schema", JSON_SCHEMA);
	json_text_string(t, "recording", n->identity.id);
	json_text_string(t, "time", n->identity.time[0] ? n->identity.time : NULL);
	json_text_number(t, "duration_s", r->duration_s);
	json_text_string(t, "program", r->command.program);
	json_labels(t, r, jvm);
}

static void end(struct ndjson *n)
{
	json_text_close(&n->line, '}');
	fwrite(n->line.text, 1, n->line.len, n->out);
	putc('\n', n->out);
}

/* ---- the recording ----------------------------------------------------------------------- */

static void put_recording(struct ndjson *n)
{
	const struct report *r = n->report;
	struct json_text *t = &n->line;
	struct total_alive alive;
	const struct estimate e = fixes_expected(r->fixes, r->fixes->gains);
	const struct fix sum = fixes_sum(r->fixes);
	const struct fix_total total = fixes_total(r->fixes);

	total_alive(&alive, r->lines);
	begin(n, "recording", 0);
	json_text_string(t, "ojx", r->version);
	json_text_bool(t, "ended", r->recording->ended);
	json_text_number(t, "cost_percent", r->recording->cost.measured);
	json_text_whole(t, "jvms", (int64_t)model_njvms(r->recording->model));
	json_text_number(t, "bytes", r->fixes->bytes);
	json_text_number(t, "live_bytes", alive.bytes);
	json_text_number(t, "avoidable_bytes", sum.avoidable.value);
	json_text_range(t, "avoidable_ci", sum.avoidable.range.low, sum.avoidable.range.high);
	json_text_number(t, "possible_bytes", sum.possible);
	json_text_number(t, "expected_bytes", e.value);
	json_text_range(t, "expected_ci", e.range.low, e.range.high);
	json_text_number(t, "total_expected_bytes", total.value);
	json_text_range(t, "total_expected_ci", total.range.low, total.range.high);
	end(n);
}

/* ---- findings ---------------------------------------------------------------------------- */

static void put_fix(struct ndjson *n, const struct fix *f)
{
	begin(n, "finding", fix_jvm(f));
	json_fix_members(&n->line, f);
	end(n);
}

/* ---- lines of code ----------------------------------------------------------------------- */

static void put_clean(FILE *out, const char *text)
{
	utf8_put(out, text, strlen(text), UTF8_TERMINAL);
}

/* "int[] com.acme.Shop.load:12"; it names the line in other recordings of the same version. */
static void put_key(struct json_text *t, const struct row *row, const struct model_frame *line)
{
	FILE *out = json_text_begin_string(t);

	put_clean(out, row_class(row));
	if (line && line->class_name && line->method) {
		putc(' ', out);
		put_clean(out, line->class_name);
		putc('.', out);
		put_clean(out, line->method);
	}
	if (line && line->line > 0)
		fprintf(out, ":%d", line->line);
	json_text_end_string(t, "key");
}

static int put_line(void *arg, const struct row *row)
{
	struct ndjson *n = arg;
	struct json_text *t = &n->line;
	const struct model_frame *line = row_line(row);
	bool deep;

	begin(n, "line", row->row.jvm);
	put_key(t, row, line);
	json_text_string(t, "class", row_class(row));
	if (line)
		json_frame(t, "frame", line);
	else
		json_text_null(t, "frame");
	json_text_number(t, "pid", row->row.pid);
	json_text_number(t, "share",
			 n->report->fixes->bytes > 0 ? row->replica.bytes / n->report->fixes->bytes
						     : NAN);
	json_line_figures(t, row);
	json_text_string(t, "verdict", replica_verdict_name(replica_shown(&row->replica, &deep)));
	end(n);
	return 0;
}

int render_ndjson(FILE *out, const struct report *r)
{
	struct ndjson n = { .out = out, .report = r, .line = JSON_TEXT_INIT };

	identity_of(&n.identity, r->recording);
	put_recording(&n);
	for (size_t i = 0; i < r->fixes->n; i++)
		if (export_has_fix(r, i))
			put_fix(&n, &r->fixes->fix[i]);
	for (size_t i = 0; i < r->lines_shown && !ferror(out); i++)
		row_visit(rows_at(r->lines, i), put_line, &n);
	json_text_release(&n.line);
	return ferror(out) ? -1 : 0;
}
