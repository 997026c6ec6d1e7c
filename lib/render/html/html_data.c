/* SPDX-License-Identifier: Apache-2.0 */
/*
 * html_data.c - see html_data.h. A report can have a hundred thousand rows, which share most of
 * their texts and frames. So these are numbered, and figures are columns instead of members of one
 * object per row. This makes the page open at once.
 */
#include "render/html/html_data.h"

#include <stdlib.h>
#include <string.h>

#include "base/idmap.h"
#include "base/javaname.h"
#include "base/xmalloc.h"
#include "compare/diff.h"
#include "fix/fix.h"
#include "model/fields.h"
#include "model/intern.h"
#include "render/html/html_columns.h"
#include "render/html/html_findings.h"
#include "render/html/html_page.h"
#include "render/render_json_rows.h"
#include "source/source_snippets.h"

/* ---- the report as a page for a browser; docs/html.md explains it. */

static int put_data(FILE *out, const void *of)
{
	return html_put_data(out, of);
}

int render_html(FILE *out, const struct report *r)
{
	return html_put_page(out, &html_report, put_data, r);
}

enum {
	MAX_FIELDS = 256, /* per row; nobody reads more elements of an array */
	MAX_ACCESSES = 256,
	MAX_TEXTS = 10000, /* rows that have their evidence in words; others only have figures */
};

static const struct style plain = { .utf8 = true };

struct page {
	struct json_text t;
	const struct report *report;
	struct intern intern;
	struct source_snippets *excerpts;
	uint32_t *node; /* of each row */
	struct idmap
		avoided; /* by context: a double, bytes that fixes avoid; empty without fixes */
	double *avoids;	 /* these, owned */
	/* number of the text of its site and of its line, for each row; and those texts */
	uint32_t *site, *line;
	char **site_text, **line_text;
};

/* ---- details ------------------------------------------------------------------------------- */

/* NULL for elements of arrays. */
static const char *type_of(const struct model_field *f)
{
	if (!f)
		return NULL;
	return f->class_name ? names_short(f->class_name) : names_type(f->type);
}

/* A number; -1: it is not known. */
static void put_id(struct page *p, bool known, uint64_t id)
{
	json_text_whole(&p->t, NULL, known ? (int64_t)id : -1);
}

/* [position, name, declarer, type, offset, pairs, equal, ...]; -1: not known. */
static int put_fields(struct page *p, const struct row *row)
{
	const struct replica_details *x = row_details(row);

	json_text_open(&p->t, NULL, '[');
	for (size_t i = 0; i < x->nfields && i < MAX_FIELDS; i++) {
		const struct replica_field *f = &x->fields[i];
		const struct model_field *known = field_at(row->class, f->position);
		uint32_t id[3];
		const char *text[3] = { known ? known->name : NULL, known ? known->declarer : NULL,
					type_of(known) };
		uint64_t offset;
		put_id(p, true, f->position);
		for (int k = 0; k < 3; k++) {
			if (text[k] && intern_text(&p->intern, text[k], &id[k]) < 0)
				return -1;
			put_id(p, text[k], text[k] ? id[k] : 0);
		}
		bool at = field_offset(row->class, f->position, &offset);
		put_id(p, at, at ? offset : 0);
		put_id(p, true, f->pairs);
		put_id(p, true, f->equal);
	}
	json_text_close(&p->t, ']');
	return 0;
}

/* [node, uses, pairs, equal, ...] */
static int put_accesses(struct page *p, const struct row *row)
{
	const struct replica_details *x = row_details(row);

	json_text_open(&p->t, NULL, '[');
	for (size_t i = 0; i < x->naccesses && i < MAX_ACCESSES; i++) {
		const struct replica_access *a = &x->accesses[i];
		uint32_t node;
		if (intern_stack_id(&p->intern, p->report->recording->model, a->jvm, a->stack,
				    &node) < 0)
			return -1;
		put_id(p, node != INTERN_NONE, node);
		put_id(p, true, a->uses);
		put_id(p, true, a->pairs);
		put_id(p, true, a->equal);
	}
	json_text_close(&p->t, ']');
	return 0;
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

static int put_detail(struct page *p, size_t i)
{
	const struct row *row = rows_at(p->report->rows, i);

	json_text_open(&p->t, NULL, '[');
	if (put_fields(p, row) < 0 || put_accesses(p, row) < 0)
		return -1;
	put_id(p, true, row_details(row)->nfields);
	put_id(p, true, row_details(row)->naccesses);
	put_evidence(p, i);
	json_text_close(&p->t, ']');
	return 0;
}

static int put_details(struct page *p)
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
		if (put_detail(p, i) < 0)
			return -1;
		progress_add(p->report->progress, 1);
		if (i % HTML_CHUNK < HTML_CHUNK - 1 && i < n - 1)
			continue;
		json_text_close(&p->t, ']');
		if (html_end_data(&p->t) < 0)
			return -1;
	}
	return 0;
}

/* ---- rows ---------------------------------------------------------------------------------- */

static int number_rows(struct page *p)
{
	const struct row *row = rows_at(p->report->rows, 0);

	for (size_t i = 0; i < p->report->shown; i++)
		if (intern_stack_id(&p->intern, p->report->recording->model, row[i].jvm,
				    row[i].stack_id, &p->node[i]) < 0 ||
		    html_number_place(&p->intern, &row[i], row_put_site, &p->site_text[i],
				      &p->site[i]) < 0 ||
		    html_number_place(&p->intern, &row[i], row_put_line, &p->line_text[i],
				      &p->line[i]) < 0)
			return -1;
	return 0;
}

static int put_classes(struct page *p)
{
	json_text_open(&p->t, "class", '[');
	for (size_t i = 0; i < p->report->shown; i++) {
		uint32_t id;
		if (intern_text(&p->intern, row_class(rows_at(p->report->rows, i)), &id) < 0)
			return -1;
		put_id(p, true, id);
	}
	json_text_close(&p->t, ']');
	return 0;
}

static uint64_t context_key(const struct model_context *c)
{
	return (uint64_t)c->jvm << 32 | c->id;
}

/* What fixes avoid of each context; a context can have parts in several. */
static void find_avoided(struct page *p)
{
	const struct fixes *fixes = p->report->fixes;
	size_t most = 0, n = 0;

	for (size_t i = 0; fixes && i < fixes->nparts; i++)
		most += fixes->part[i].ncontexts;
	p->avoids = xcalloc(most + 1, sizeof *p->avoids);
	for (size_t i = 0; fixes && i < fixes->n; i++) {
		const struct fix *f = &fixes->fix[i];
		for (size_t k = 0; k < f->nparts; k++) {
			for (size_t c = 0; c < f->part[k].ncontexts; c++) {
				const struct model_context *of = f->part[k].contexts[c];
				double *bytes = idmap_get(&p->avoided, context_key(of));
				if (!bytes) {
					bytes = &p->avoids[n++];
					xidmap_put(&p->avoided, context_key(of), bytes);
				}
				*bytes += fix_avoids_of(f, &f->part[k], of);
			}
		}
	}
}

static double avoided_of(const struct page *p, const struct model_context *c)
{
	const double *bytes = idmap_get(&p->avoided, context_key(c));

	return bytes ? *bytes : 0;
}

/* Adds what fixes avoid of each row. */
static void put_avoidable(struct page *p)
{
	if (!p->report->fixes)
		return;
	json_text_break(&p->t);
	json_text_open(&p->t, "avoidable", '[');
	for (size_t i = 0; i < p->report->shown; i++) {
		const struct row *row = rows_at(p->report->rows, i);
		double sum = 0;
		for (size_t k = 0; k < row->ncontexts; k++)
			sum += avoided_of(p, row->contexts[k]);
		json_text_short(&p->t, NULL, sum);
	}
	json_text_close(&p->t, ']');
}

/* Adds [row, node, objects, bytes, avoided, ...] for rows with several allocation stacks. */
static int put_parts(struct page *p)
{
	json_text_break(&p->t);
	json_text_open(&p->t, "parts", '[');
	for (size_t i = 0; i < p->report->shown; i++) {
		const struct row *row = rows_at(p->report->rows, i);
		for (size_t k = 0; row->ncontexts > 1 && k < row->ncontexts; k++) {
			const struct model_context *c = row->contexts[k];
			uint32_t node;
			if (intern_stack_id(&p->intern, p->report->recording->model, c->jvm,
					    c->stack_id, &node) < 0)
				return -1;
			put_id(p, true, i);
			put_id(p, node != INTERN_NONE, node);
			json_text_short(&p->t, NULL, c->objects);
			json_text_short(&p->t, NULL, c->bytes);
			json_text_short(&p->t, NULL, avoided_of(p, c));
		}
	}
	json_text_close(&p->t, ']');
	return 0;
}

static void put_ids(struct page *p, const char *name, const uint32_t *ids)
{
	json_text_break(&p->t);
	json_text_ids(&p->t, name, ids, p->report->shown, INTERN_NONE);
}

static int put_contexts(struct page *p)
{
	json_text_break(&p->t);
	json_text_open(&p->t, "contexts", '{');
	if (put_classes(p) < 0)
		return -1;
	put_ids(p, "site", p->site);
	put_ids(p, "line", p->line);
	put_ids(p, "node", p->node);
	if (put_parts(p) < 0)
		return -1;
	put_avoidable(p);
	html_put_columns(&p->t, p->report);
	json_text_close(&p->t, '}');
	html_put_column_table(&p->t);
	return 0;
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

static int put_all(struct page *p)
{
	const struct report *r = p->report;

	if (number_rows(p) < 0 || put_details(p) < 0)
		return -1;
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
	if (html_put_best(&p->t, r) < 0 || put_contexts(p) < 0 ||
	    html_put_findings(&p->t, r->findings, r->others, r->recording->model,
			      bounds_z(r->confidence), model_analyses(r->recording->model),
			      &p->intern) < 0 ||
	    html_put_tables(&p->t, &p->intern, p->excerpts) < 0)
		return -1;
	put_sources(p);
	json_text_close(&p->t, '}');
	return html_end_data(&p->t);
}

static void free_texts(char **text, size_t n)
{
	for (size_t i = 0; text && i < n; i++)
		free(text[i]);
	free(text);
}

int html_put_data(FILE *out, const struct report *r)
{
	size_t n = r->shown ? r->shown : 1;
	struct page p = {
		.t = { .out = out },
		.report = r,
		.excerpts = source_snippets_new(),
		.node = calloc(n, sizeof *p.node),
		.site = calloc(n, sizeof *p.site),
		.line = calloc(n, sizeof *p.line),
		.site_text = calloc(n, sizeof *p.site_text),
		.line_text = calloc(n, sizeof *p.line_text),
	};
	int result = -1;

	intern_init(&p.intern);
	find_avoided(&p);
	if (p.excerpts && p.node && p.site && p.line && p.site_text && p.line_text)
		result = put_all(&p);
	json_text_release(&p.t);
	intern_release(&p.intern);
	source_snippets_free(p.excerpts);
	free_texts(p.site_text, r->shown);
	free_texts(p.line_text, r->shown);
	idmap_release(&p.avoided);
	free(p.avoids);
	free(p.node);
	free(p.site);
	free(p.line);
	return result;
}
