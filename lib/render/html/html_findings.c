/* SPDX-License-Identifier: Apache-2.0 */
/*
 * html_findings.c - what analyses have found, as a part of a page's data (html_page.h); and the
 * page of a heap dump, which has nothing else. Findings are few, compared with the rows of
 * contexts. So each is an object of its own, and is written at once. Analyses that did not run have
 * no element.
 */
#include "render/html/html_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memtext.h"
#include "render/json_build.h"
#include "render/render_findings.h"
#include "render/render_heap.h"
#include "render/render_other_findings.h"

enum {
	MAX_ROWS = 500, /* of a table */
	MAX_PATHS = 50, /* of a row */
};

static const struct style plain = { .utf8 = true, .drawn = true };

struct findings_page {
	struct json_text *t;
	const struct findings *findings;
	struct intern *intern;
	const struct others *others;
	const struct model *model;
	double z;
};

/* ---- pieces ------------------------------------------------------------------------------ */

static void put_node(struct findings_page *p, const struct callstack *stack)
{
	uint32_t node = intern_stack(p->intern, stack);

	html_put_id(p->t, node != INTERN_NONE, node);
}

/* An array of the lines of a text, which is freed. */
static void put_lines(struct findings_page *p, const char *name, char *text)
{
	json_text_open(p->t, name, '[');
	for (const char *line = text; *line;) {
		size_t len = strcspn(line, "\n");
		json_text_bytes(p->t, NULL, line, len);
		line += len + (line[len] == '\n');
	}
	json_text_close(p->t, ']');
	free(text);
}

/* What a row is told to be: its line, or the lines that say more. */
static char *row_text(const struct finding *f, const struct finding_table_kind *t,
		      const struct finding_row *row, bool head)
{
	struct memtext text;
	FILE *out = memtext_begin(&text);

	if (head)
		render_finding_head(out, &plain, f, t, row);
	else if (t->lines)
		t->lines(out, &plain, f, row);
	return memtext_end(&text);
}

/* ---- rows -------------------------------------------------------------------------------- */

/* Columns of the page: the share first, then other numbers, then texts. */
static int place_of(const struct figure *f)
{
	if (f->kind == FIGURE_TEXT)
		return 2;
	return f->value == finding_share ? 0 : 1;
}

static bool is_column(const struct figure *f, int place)
{
	return (f->flags & FIGURE_PAGE) && place_of(f) == place &&
	       (f->kind == FIGURE_NUMBER || f->kind == FIGURE_TEXT);
}

static void put_columns(struct findings_page *p, const struct finding_table_kind *t)
{
	json_text_open(p->t, "columns", '[');
	for (int place = 0; place < 3; place++)
		for (const struct figure *f = t->figures; f->name; f++) {
			if (!is_column(f, place))
				continue;
			json_text_open(p->t, NULL, '[');
			json_text_string(p->t, NULL, f->name);
			json_text_string(p->t, NULL, f->kind == FIGURE_TEXT ? "text" : f->unit);
			json_text_bool(p->t, NULL, figure_has_range(f));
			json_text_string(p->t, NULL, f->help);
			json_text_close(p->t, ']');
		}
	json_text_close(p->t, ']');
	json_text_open(p->t, "stacks", '[');
	for (int k = 0; k < 2 && t->stack_title[k]; k++)
		json_text_string(p->t, NULL, t->stack_title[k]);
	json_text_close(p->t, ']');
}

/* A figure with an interval has three. */
static void put_values(struct findings_page *p, const struct finding *f,
		       const struct finding_table_kind *t, const struct finding_row *row)
{
	char room[FIGURE_TEXT_MAX];

	for (int place = 0; place < 3; place++)
		for (const struct figure *c = t->figures; c->name; c++) {
			if (!is_column(c, place))
				continue;
			if (c->kind == FIGURE_TEXT) {
				json_text_string(p->t, NULL, c->text(row, room));
				continue;
			}
			json_text_short(p->t, NULL, figure_of(c, row));
			if (!figure_has_range(c))
				continue;
			struct bounds_range range = figure_interval(c, row, f->z);
			json_text_short(p->t, NULL, range.low);
			json_text_short(p->t, NULL, range.high);
		}
}

/* ---- curves ------------------------------------------------------------------------------ */

/* The first curve from `f` on; NULL: there is none. */
static const struct figure *curve_from(const struct figure *f)
{
	while (f->name && (!(f->flags & FIGURE_PAGE) || f->kind != FIGURE_CURVE))
		f++;
	return f->name ? f : NULL;
}

static void put_curve_kinds(struct findings_page *p, const struct finding_table_kind *t)
{
	json_text_open(p->t, "curves", '[');
	for (const struct figure *f = t->figures; (f = curve_from(f)); f++) {
		json_text_open(p->t, NULL, '[');
		json_text_string(p->t, NULL, f->help);
		json_text_string(p->t, NULL, f->unit);
		json_text_string(p->t, NULL, f->across);
		json_text_bool(p->t, NULL, f->flags & FIGURE_LOG);
		json_text_close(p->t, ']');
	}
	json_text_close(p->t, ']');
}

static void put_curves(struct findings_page *p, const struct finding_table_kind *t,
		       const struct finding_row *row)
{
	json_text_open(p->t, "curves", '[');
	for (const struct figure *f = t->figures; (f = curve_from(f)); f++)
		json_curve(p->t, NULL, f, row);
	json_text_close(p->t, ']');
}

static void put_paths(struct findings_page *p, const struct finding_row *row)
{
	json_text_whole(p->t, "total", (int64_t)row->npaths);
	json_text_open(p->t, "paths", '[');
	for (size_t i = 0; i < row->npaths && i < MAX_PATHS; i++) {
		json_text_open(p->t, NULL, '[');
		put_node(p, &row->paths[i].stack);
		json_text_short(p->t, NULL, row->paths[i].share);
		json_text_whole(p->t, NULL, (int64_t)row->paths[i].count);
		json_text_close(p->t, ']');
	}
	json_text_close(p->t, ']');
}

static void put_row(struct findings_page *p, const struct finding *f,
		    const struct finding_table_kind *t, const struct finding_row *row)
{
	json_text_break(p->t);
	json_text_open(p->t, NULL, '{');
	json_text_whole(p->t, "pid", row->pid);
	json_text_bool(p->t, "weak", row->weak);
	json_text_open(p->t, "values", '[');
	put_values(p, f, t, row);
	json_text_close(p->t, ']');
	json_text_open(p->t, "nodes", '[');
	for (int k = 0; k < 2 && t->stack_title[k]; k++)
		put_node(p, &row->stack[k]);
	json_text_close(p->t, ']');
	put_curves(p, t, row);
	put_lines(p, "head", row_text(f, t, row, true));
	put_lines(p, "lines", row_text(f, t, row, false));
	put_paths(p, row);
	json_text_close(p->t, '}');
}

static void put_table(struct findings_page *p, const struct finding *f,
		      const struct finding_table *t)
{
	const struct finding_table_kind *kind = t->kind;

	json_text_open(p->t, NULL, '{');
	json_text_whole(p->t, "total", (int64_t)(t->n + t->left.beyond));
	json_text_whole(p->t, "minor", (int64_t)t->left.minor);
	json_text_string(p->t, "title", kind->title);
	json_text_string(p->t, "one", kind->one);
	json_text_string(p->t, "many", kind->many);
	json_text_string(p->t, "minor_text", kind->minor);
	json_text_string(p->t, "paths_title", kind->paths_title);
	put_columns(p, kind);
	put_curve_kinds(p, kind);
	json_text_open(p->t, "rows", '[');
	for (size_t i = 0; i < t->n && i < MAX_ROWS; i++)
		put_row(p, f, kind, finding_row(t, i));
	json_text_close(p->t, ']');
	json_text_close(p->t, '}');
}

/* ---- findings ---------------------------------------------------------------------------- */

static char *finding_text(const struct finding *f)
{
	struct memtext text;

	render_finding_lines(memtext_begin(&text), &plain, f);
	return memtext_end(&text);
}

/* The caller's share of a finding's method, in words. */
static void put_callers(struct findings_page *p, const struct other_finding *o)
{
	struct callers callers;
	struct memtext text;

	FILE *out = memtext_begin(&text);
	if (p->model) {
		other_callers(&callers, o, p->model, SIZE_MAX, p->z);
		callers_put(out, &plain, &callers);
		callers_release(&callers);
	}
	json_text_memtext(p->t, "callers", &text);
}

/* The number of its first row in the tables of the finding, from 0. */
static long row_of(const struct finding *f, const struct other_finding *o)
{
	long before = 0;

	for (size_t k = 0; k < f->ntables; k++) {
		const struct finding_table *t = &f->table[k];
		size_t n = t->n < MAX_ROWS ? t->n : MAX_ROWS;
		for (size_t i = 0; i < n; i++)
			if (finding_row(t, i) == o->rows[0])
				return before + (long)i;
		before += (long)n;
	}
	return -1;
}

static void put_other(struct findings_page *p, const struct finding *f,
		      const struct other_finding *o)
{
	struct memtext text;

	json_text_break(p->t);
	json_text_open(p->t, NULL, '{');
	json_text_whole(p->t, "rank", (int64_t)o->rank);
	json_text_whole(p->t, "row", row_of(f, o));
	other_put_where(memtext_begin(&text), &plain, o);
	json_text_memtext(p->t, "place", &text);
	other_put_amount(memtext_begin(&text), &plain, o);
	json_text_memtext(p->t, "amounts", &text);
	json_text_string(p->t, "problem", o->rule->problem);
	json_text_string(p->t, "fix", o->rule->fix);
	other_put_made(memtext_begin(&text), &plain, o);
	json_text_memtext(p->t, "made", &text);
	put_callers(p, o);
	json_text_close(p->t, '}');
}

/* What is to be done about a finding: sections with a sum and the first findings. */
static void put_others(struct findings_page *p, const struct finding *f)
{
	struct memtext text;

	json_text_open(p->t, "advised", '[');
	for (size_t first = 0, end; p->others && first < p->others->n; first = end) {
		end = others_section_end(p->others, first);
		if (p->others->item[first].finding != f)
			continue;
		json_text_open(p->t, NULL, '{');
		others_put_sum(memtext_begin(&text), p->others, first);
		json_text_memtext(p->t, "sum", &text);
		json_text_open(p->t, "cards", '[');
		for (size_t i = first; i < end && i - first < OTHERS_FIRST; i++)
			put_other(p, f, &p->others->item[i]);
		json_text_close(p->t, ']');
		json_text_close(p->t, '}');
	}
	json_text_close(p->t, ']');
}

static void put_finding(struct findings_page *p, const struct finding *f)
{
	json_text_break(p->t);
	json_text_open(p->t, NULL, '{');
	json_text_string(p->t, "kind", f->kind->name);
	json_text_whole(p->t, "count", (int64_t)f->count);
	json_text_string(p->t, "counted", f->kind->counted);
	put_lines(p, "told", finding_text(f));
	put_others(p, f);
	json_text_open(p->t, "tables", '[');
	for (size_t k = 0; finding_is_enough(f) && k < f->ntables; k++)
		put_table(p, f, &f->table[k]);
	json_text_close(p->t, ']');
	json_text_close(p->t, '}');
}

/* Nothing where the analysis has seen nothing. */
static void put_analysis(struct findings_page *p, const struct analysis *a)
{
	bool any = false;

	for (size_t i = 0; i < p->findings->n; i++) {
		const struct finding *f = &p->findings->item[i];
		if (f->analysis != a || !f->seen)
			continue;
		if (!any) {
			json_text_break(p->t);
			json_text_open(p->t, NULL, '{');
			json_text_string(p->t, "key", a->key);
			json_text_string(p->t, "title", a->title);
			json_text_open(p->t, "findings", '[');
		}
		any = true;
		put_finding(p, f);
	}
	if (any) {
		json_text_close(p->t, ']');
		json_text_close(p->t, '}');
	}
}

void html_put_findings(struct json_text *t, const struct findings *f, const struct others *others,
		       const struct model *m, double z, const struct analysis *const *analyses,
		       struct intern *in)
{
	struct findings_page p = { t, f, in, others, m, z };

	json_text_break(t);
	json_text_open(t, "analyses", '[');
	for (int i = 0; f && analyses[i]; i++)
		put_analysis(&p, analyses[i]);
	json_text_close(t, ']');
}

/*
 * ---- a heap dump, or how two differ. It has the tables of the findings, as the pages of other
 * analyses do, and no rows of contexts.
 */

static void put_dump(struct json_text *t, const char *path, const struct heap_report *r)
{
	char note[HEAP_NOTE];

	json_text_open(t, NULL, '{');
	json_text_string(t, "file", path);
	json_text_whole(t, "objects", (int64_t)r->heap.n);
	json_text_whole(t, "bytes", (int64_t)r->merge.total.bytes);
	json_text_whole(t, "header_bytes", r->heap.layout.header);
	json_text_whole(t, "reference_bytes", r->heap.layout.reference);
	json_text_open(t, "notes", '[');
	for (unsigned i = 0; heap_report_note(r, i, note); i++)
		json_text_string(t, NULL, note);
	json_text_close(t, ']');
	json_text_close(t, '}');
}

static void put_heap(FILE *out, const void *of)
{
	const struct render_heap *r = of;
	struct json_text t = { .out = out };
	struct intern intern;

	intern_init(&intern);
	html_begin_data(&t, "id=\"data\"");
	json_text_open(&t, NULL, '{');
	json_text_string(&t, "version", r->version);
	json_text_whole(&t, "shown", 0);
	json_text_open(&t, "contexts", '{');
	json_text_close(&t, '}');
	json_text_break(&t);
	json_text_open(&t, "dumps", '[');
	if (r->compare)
		put_dump(&t, r->old_path, r->compare->old);
	put_dump(&t, r->path, r->report);
	json_text_close(&t, ']');
	if (r->compare)
		html_put_findings(&t, &r->compare->findings, r->others, NULL, 0,
				  heap_compare_analyses, &intern);
	else
		html_put_findings(&t, &r->report->findings, r->others, NULL, 0, heap_analyses,
				  &intern);
	html_put_tables(&t, &intern, NULL);
	json_text_close(&t, '}');
	html_end_data(&t);
	intern_release(&intern);
}

int render_heap_html(FILE *out, const struct render_heap *r)
{
	return html_put_page(out, &html_heap, put_heap, r);
}
