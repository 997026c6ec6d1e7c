/* SPDX-License-Identifier: Apache-2.0 */
/*
 * html_data.c - a report as a page for a browser; docs/html.md describes its data. A report can
 * have a hundred thousand rows, which share most of their texts and frames. So these are numbered,
 * and figures are columns instead of members of one object per row. This makes the page open at
 * once.
 */
#include <stdlib.h>
#include <string.h>

#include "base/javaname.h"
#include "base/xmalloc.h"
#include "compare/diff.h"
#include "fix/fix_rows.h"
#include "model/callstack.h"
#include "model/fields.h"
#include "render/html/html_page.h"
#include "render/render_json_rows.h"
#include "source/source_snippets.h"

/*
 * The details of rows are in elements of their own, so many rows in each. The page reads one when
 * it shows one of its rows.
 */
enum { HTML_CHUNK = 256 };

enum {
	MAX_FIELDS = 256, /* per row; nobody reads more elements of an array */
	MAX_ACCESSES = 256,
	MAX_CALLERS = 1000, /* rows whose callers are told */
	MAX_TEXTS = 10000,  /* rows that have their evidence in words; others only have figures */
};

static const struct style plain = { .utf8 = true };

struct page {
	struct json_text t;
	const struct report *report;
	struct intern intern;
	struct source_snippets *excerpts;
	struct html_places places;
	double *avoided; /* bytes that fixes avoid of each context; NULL: not known */
};

/* ---- details ------------------------------------------------------------------------------- */

/* NULL for elements of arrays. */
static const char *type_of(const struct model_field *f)
{
	if (!f)
		return NULL;
	return f->class_name ? names_short(f->class_name) : names_type(f->type);
}

/* [position, name, declarer, type, offset, pairs, equal, ...]; -1: not known. */
static void put_fields(struct page *p, const struct row *row)
{
	const struct replica_details *x = row_details(row);

	json_text_open(&p->t, NULL, '[');
	for (size_t i = 0; i < x->nfields && i < MAX_FIELDS; i++) {
		const struct replica_field *f = &x->fields[i];
		const struct model_field *known = field_at(row->class, f->position);
		const char *text[3] = { known ? known->name : NULL, known ? known->declarer : NULL,
					type_of(known) };
		uint64_t offset;
		html_put_id(&p->t, true, f->position);
		for (int k = 0; k < 3; k++)
			html_put_id(&p->t, text[k], text[k] ? intern_text(&p->intern, text[k]) : 0);
		bool at = field_offset(row->class, f->position, &offset);
		html_put_id(&p->t, at, at ? offset : 0);
		html_put_id(&p->t, true, f->pairs);
		html_put_id(&p->t, true, f->equal);
	}
	json_text_close(&p->t, ']');
}

/* [node, uses, pairs, equal, near, ...] */
static void put_accesses(struct page *p, const struct row *row)
{
	const struct replica_details *x = row_details(row);

	json_text_open(&p->t, NULL, '[');
	for (size_t i = 0; i < x->naccesses && i < MAX_ACCESSES; i++) {
		const struct replica_access *a = &x->accesses[i];
		uint32_t node =
			intern_stack_id(&p->intern, p->report->recording->model, a->jvm, a->stack);
		html_put_id(&p->t, node != INTERN_NONE, node);
		html_put_id(&p->t, true, a->uses);
		html_put_id(&p->t, true, a->pairs);
		html_put_id(&p->t, true, a->equal);
		html_put_id(&p->t, true,
			    callstack_is_only_near(p->report->recording->model, a->jvm, a->stack,
						   row_class(row)));
	}
	json_text_close(&p->t, ']');
}

/* Adds the evidence in the words of the text report, [label, text, ...], or null. */
static void put_evidence(struct page *p, size_t i)
{
	struct evidence e;

	if (i >= MAX_TEXTS) {
		json_text_null(&p->t, NULL);
		return;
	}
	evidence_collect(&e, p->report, &plain, rows_at(p->report->rows, i));
	json_text_open(&p->t, NULL, '[');
	for (size_t k = 0; k < e.n; k++) {
		json_text_string(&p->t, NULL, e.line[k].label);
		json_text_bytes(&p->t, NULL, e.bytes + e.line[k].at, e.line[k].len);
	}
	json_text_close(&p->t, ']');
	evidence_release(&e);
}

/* Adds the callers of the line, a line of the text's tree each, or null. */
static void put_callers(struct page *p, size_t i)
{
	struct memtext text;
	bool told = i < MAX_CALLERS && render_callers(memtext_begin(&text), p->report, &plain,
						      rows_at(p->report->rows, i));

	if (i >= MAX_CALLERS) {
		json_text_null(&p->t, NULL);
		return;
	}
	memtext_end(&text);
	json_text_open(&p->t, NULL, '[');
	for (const char *line = text.text; told && *line;) {
		size_t len = strcspn(line, "\n");
		if (len > 0)
			json_text_bytes(&p->t, NULL, line, len);
		line += len + (line[len] == '\n');
	}
	json_text_close(&p->t, ']');
	free(text.text);
}

static void put_detail(struct page *p, size_t i)
{
	const struct row *row = rows_at(p->report->rows, i);

	json_text_open(&p->t, NULL, '[');
	put_fields(p, row);
	put_accesses(p, row);
	html_put_id(&p->t, true, row_details(row)->nfields);
	html_put_id(&p->t, true, row_details(row)->naccesses);
	put_evidence(p, i);
	put_callers(p, i);
	json_text_close(&p->t, ']');
}

static void put_details(struct page *p)
{
	size_t n = p->report->shown;

	progress_begin(p->report->progress, "writing", n);
	for (size_t i = 0; i < n; i++) {
		if (i % HTML_CHUNK == 0) {
			html_begin_data(&p->t, "class=\"chunk\"");
			json_text_open(&p->t, NULL, '[');
		} else {
			json_text_break(&p->t);
		}
		put_detail(p, i);
		progress_add(p->report->progress, 1);
		if (i % HTML_CHUNK < HTML_CHUNK - 1 && i < n - 1)
			continue;
		json_text_close(&p->t, ']');
		html_end_data(&p->t);
	}
}

/* ---- rows ---------------------------------------------------------------------------------- */

static void number_rows(struct page *p)
{
	const struct model *m = p->report->recording->model;
	const struct row *row = rows_at(p->report->rows, 0);

	html_places_begin(&p->places, p->report->shown);
	for (size_t i = 0; i < p->report->shown; i++)
		html_places_add(&p->places, i, &p->intern, &row[i],
				intern_stack_id(&p->intern, m, row[i].row.jvm, row[i].stack_id));
}

static void put_classes(struct page *p)
{
	json_text_open(&p->t, "class", '[');
	for (size_t i = 0; i < p->report->shown; i++)
		json_text_whole(&p->t, NULL,
				intern_text(&p->intern, row_class(rows_at(p->report->rows, i))));
	json_text_close(&p->t, ']');
}

/* Adds [row, node, objects, bytes, avoided, ...] for rows with several allocation stacks. */
static void put_parts(struct page *p)
{
	json_text_break(&p->t);
	json_text_open(&p->t, "parts", '[');
	for (size_t i = 0; i < p->report->shown; i++) {
		const struct row *row = rows_at(p->report->rows, i);
		for (size_t k = 0; row->ncontexts > 1 && k < row->ncontexts; k++) {
			const struct model_context *c = row->contexts[k];
			uint32_t node = intern_stack_id(&p->intern, p->report->recording->model,
							c->jvm, c->stack_id);
			html_put_id(&p->t, true, i);
			html_put_id(&p->t, node != INTERN_NONE, node);
			json_text_short(&p->t, NULL, c->objects);
			json_text_short(&p->t, NULL, c->bytes);
			json_text_short(&p->t, NULL, p->avoided ? p->avoided[c->number] : 0);
		}
	}
	json_text_close(&p->t, ']');
}

static void put_contexts(struct page *p)
{
	json_text_break(&p->t);
	json_text_open(&p->t, "contexts", '{');
	put_classes(p);
	html_places_put(&p->t, &p->places);
	put_parts(p);
	html_put_columns(&p->t, p->report);
	json_text_close(&p->t, '}');
	html_put_column_table(&p->t);
}

/* ---- sources ------------------------------------------------------------------------------- */

static void put_sources(struct page *p)
{
	const struct sources *s = p->report->sources;

	json_text_break(&p->t);
	json_text_open(&p->t, "source_path", '[');
	for (size_t i = 0; s && i < sources_count(s); i++)
		json_text_string(&p->t, NULL, sources_element(s, i));
	json_text_close(&p->t, ']');
	json_text_break(&p->t);
	source_snippets_put(&p->t, "sources", p->excerpts, s);
}

/* What the rows that are left out allocate. */
static double left_bytes(const struct report *r)
{
	double sum = 0;

	for (size_t i = r->shown; i < r->rows->table.n; i++)
		sum += rows_at(r->rows, i)->replica.bytes;
	return sum;
}

static void put_all(struct page *p)
{
	const struct report *r = p->report;

	number_rows(p);
	put_details(p);
	html_begin_data(&p->t, "id=\"data\"");
	json_text_open(&p->t, NULL, '{');
	json_text_string(&p->t, "version", r->version);
	json_text_whole(&p->t, "rows", (int64_t)r->rows->table.n);
	json_text_whole(&p->t, "shown", (int64_t)r->shown);
	json_text_whole(&p->t, "chunk", HTML_CHUNK);
	json_text_whole(&p->t, "min_pairs", (int64_t)r->min_pairs);
	json_text_short(&p->t, "left_bytes", left_bytes(r));
	json_text_short(&p->t, "confidence", r->confidence);
	json_text_string(&p->t, "key", column_name(r->key));
	json_text_string(&p->t, "grouping", rows_groupings[r->grouping]);
	json_text_string(&p->t, "program", r->recording->command.program);
	json_text_break(&p->t);
	render_json_recording(&p->t, r->recording); /* as in the JSON report */
	html_put_start(&p->t, r);
	put_contexts(p);
	html_put_findings(&p->t, r->findings, r->others, r->recording->model,
			  bounds_z(r->confidence), model_analyses(r->recording->model), &p->intern);
	html_put_tables(&p->t, &p->intern, p->excerpts);
	put_sources(p);
	json_text_close(&p->t, '}');
	html_end_data(&p->t);
}

static void put_data(FILE *out, const void *of)
{
	struct page p = { .t = { .out = out }, .report = of, .excerpts = source_snippets_new() };

	intern_init(&p.intern);
	if (p.report->fixes)
		p.avoided = fixes_avoided(p.report->fixes, p.report->recording->model);
	put_all(&p);
	json_text_release(&p.t);
	intern_release(&p.intern);
	html_places_end(&p.places);
	source_snippets_free(p.excerpts);
	free(p.avoided);
}

int render_html(FILE *out, const struct report *r)
{
	return html_put_page(out, &html_report, put_data, r);
}
