/* SPDX-License-Identifier: Apache-2.0 */
/*
 * html_data.c - see html_data.h. A report can have a hundred thousand rows, which share most of
 * their texts and frames. So these are numbered, and figures are columns instead of members of one
 * object per row. This makes the page open at once.
 */
#include "render/html/html_data.h"

#include <stdlib.h>
#include <string.h>

#include "base/javaname.h"
#include "base/json_text.h"
#include "base/memtext.h"
#include "model/fields.h"
#include "model/intern.h"
#include "render/html/html_columns.h"
#include "render/html/html_findings.h"
#include "render/html/html_page.h"
#include "render/render_json_rows.h"
#include "report/diff.h"
#include "report/source_snippets.h"

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
	FILE *out;
	const struct report *report;
	struct intern intern;
	struct source_snippets *excerpts;
	uint32_t *node; /* of each row */
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
	return f->class_name ? names_simple(f->class_name) : names_type(f->type);
}

/* Writes -1 if it is not known. */
static void put_id(struct page *p, bool known, uint64_t id)
{
	putc(',', p->out);
	if (known)
		json_put_whole(p->out, id);
	else
		fputs("-1", p->out);
}

/* [position, name, declarer, type, offset, pairs, equal, ...]; -1: not known. */
static int put_fields(struct page *p, const struct row *row)
{
	const struct replica *x = &row->replica;

	putc('[', p->out);
	for (size_t i = 0; i < x->nfields && i < MAX_FIELDS; i++) {
		const struct replica_field *f = &x->fields[i];
		const struct model_field *known = field_at(row->class, f->position);
		uint32_t id[3];
		const char *text[3] = { known ? known->name : NULL, known ? known->declarer : NULL,
					type_of(known) };
		uint64_t offset;
		fputs(i ? "," : "", p->out);
		json_put_whole(p->out, f->position);
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
	putc(']', p->out);
	return 0;
}

/* [node, uses, pairs, equal, ...] */
static int put_accesses(struct page *p, const struct row *row)
{
	const struct replica *x = &row->replica;

	putc('[', p->out);
	for (size_t i = 0; i < x->naccesses && i < MAX_ACCESSES; i++) {
		const struct replica_access *a = &x->accesses[i];
		uint32_t node;
		if (intern_stack_id(&p->intern, p->report->recording->model, a->jvm, a->stack,
				    &node) < 0)
			return -1;
		fputs(i ? "," : "", p->out);
		if (node == INTERN_NONE)
			fputs("-1", p->out);
		else
			json_put_whole(p->out, node);
		put_id(p, true, a->uses);
		put_id(p, true, a->pairs);
		put_id(p, true, a->equal);
	}
	putc(']', p->out);
	return 0;
}

/* Writes the evidence in the words of the text report, [label, text, ...], or null. */
static void put_evidence(struct page *p, size_t i)
{
	struct evidence e;

	if (i >= MAX_TEXTS) {
		fputs("null", p->out);
		return;
	}
	evidence_collect(&e, p->report, &plain, rows_at(p->report->rows, i));
	putc('[', p->out);
	for (size_t k = 0; k < e.n; k++) {
		fputs(k ? "," : "", p->out);
		json_put_text(p->out, e.line[k].label);
		putc(',', p->out);
		json_put_bytes(p->out, e.bytes + e.line[k].at, e.line[k].len);
	}
	putc(']', p->out);
	evidence_release(&e);
}

static int put_details(struct page *p)
{
	size_t n = p->report->shown;

	progress_begin(p->report->progress, "writing", n);
	for (size_t i = 0; i < n; i++) {
		const struct row *row = rows_at(p->report->rows, i);
		fputs(i % HTML_CHUNK ? ",\n["
				     : "<script type=\"application/json\" class=\"chunk\">\n[[",
		      p->out);
		if (put_fields(p, row) < 0)
			return -1;
		putc(',', p->out);
		if (put_accesses(p, row) < 0)
			return -1;
		fprintf(p->out, ",%zu,%zu,", row->replica.nfields, row->replica.naccesses);
		put_evidence(p, i);
		putc(']', p->out);
		progress_add(p->report->progress, 1);
		if (i % HTML_CHUNK == HTML_CHUNK - 1 || i == n - 1)
			fputs("]\n</script>\n", p->out);
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
	fputs("\"class\":[", p->out);
	for (size_t i = 0; i < p->report->shown; i++) {
		uint32_t id;
		if (intern_text(&p->intern, row_class(rows_at(p->report->rows, i)), &id) < 0)
			return -1;
		fprintf(p->out, "%s%u", i ? "," : "", id);
	}
	putc(']', p->out);
	return 0;
}

/* Writes [row, node, objects, bytes, ...] for rows with more than one allocation stack. */
static int put_parts(struct page *p)
{
	const char *comma = "";

	fputs(",\n\"parts\":[", p->out);
	for (size_t i = 0; i < p->report->shown; i++) {
		const struct row *row = rows_at(p->report->rows, i);
		for (size_t k = 0; row->ncontexts > 1 && k < row->ncontexts; k++) {
			const struct model_context *c = row->contexts[k];
			uint32_t node;
			if (intern_stack_id(&p->intern, p->report->recording->model, c->jvm,
					    c->stack_id, &node) < 0)
				return -1;
			fprintf(p->out, "%s%zu,%lld,", comma, i,
				node == INTERN_NONE ? -1 : (long long)node);
			json_put_number(p->out, c->objects);
			putc(',', p->out);
			json_put_number(p->out, c->bytes);
			comma = ",";
		}
	}
	putc(']', p->out);
	return 0;
}

static int put_contexts(struct page *p)
{
	size_t n = p->report->shown;

	fputs(",\n\"contexts\":{", p->out);
	if (put_classes(p) < 0)
		return -1;
	fputs(",\n\"site\":", p->out);
	json_put_ids(p->out, p->site, n, INTERN_NONE);
	fputs(",\n\"line\":", p->out);
	json_put_ids(p->out, p->line, n, INTERN_NONE);
	fputs(",\n\"node\":", p->out);
	json_put_ids(p->out, p->node, n, INTERN_NONE);
	if (put_parts(p) < 0)
		return -1;
	html_put_columns(p->out, p->report);
	putc('}', p->out);
	html_put_column_table(p->out);
	return 0;
}

/* ---- sources ------------------------------------------------------------------------------- */

static void put_sources(struct page *p)
{
	const struct sources *s = p->report->sources;

	fputs(",\n\"source_path\":[", p->out);
	for (size_t i = 0; s && i < sources_count(s); i++) {
		fputs(i ? "," : "", p->out);
		json_put_text(p->out, sources_element(s, i));
	}
	fputs("],\n\"sources\":", p->out);
	source_snippets_put(p->out, p->excerpts, s);
}

/* The same as in the JSON report. */
static int put_recording(struct page *p)
{
	struct json_text t = { .out = p->out, .html = true, .last = '"' };

	json_text_break(&t);
	render_json_recording(&t, p->report->recording);
	int result = json_text_flush(&t);
	json_text_release(&t);
	return result;
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
	fputs("<script type=\"application/json\" id=\"data\">\n{\"version\":", p->out);
	json_put_text(p->out, r->version);
	fprintf(p->out, ",\"rows\":%zu,\"shown\":%zu,\"chunk\":%d,\"min_pairs\":%llu,",
		r->rows->table.n, r->shown, HTML_CHUNK, (unsigned long long)r->min_pairs);
	fputs("\"left_bytes\":", p->out);
	json_put_number(p->out, left_bytes(r));
	fputs(",\"confidence\":", p->out);
	json_put_number(p->out, r->confidence);
	fputs(",\"key\":", p->out);
	json_put_text(p->out, column_name(r->key));
	fputs(",\"grouping\":", p->out);
	json_put_text(p->out, rows_groupings[r->grouping]);
	fputs(",\"program\":", p->out);
	json_put_text(p->out, r->recording->command.program);
	if (put_recording(p) < 0 || html_put_best(p->out, r) < 0 || put_contexts(p) < 0 ||
	    html_put_findings(p->out, r->findings, model_analyses(r->recording->model),
			      &p->intern) < 0 ||
	    html_put_tables(p->out, &p->intern, p->excerpts) < 0)
		return -1;
	put_sources(p);
	fputs("}\n</script>\n", p->out);
	return 0;
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
		.out = out,
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
	if (p.excerpts && p.node && p.site && p.line && p.site_text && p.line_text)
		result = put_all(&p);
	intern_release(&p.intern);
	source_snippets_free(p.excerpts);
	free_texts(p.site_text, r->shown);
	free_texts(p.line_text, r->shown);
	free(p.node);
	free(p.site);
	free(p.line);
	return result;
}
