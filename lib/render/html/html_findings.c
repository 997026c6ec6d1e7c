/* SPDX-License-Identifier: Apache-2.0 */
/*
 * html_findings.c - see html_findings.h. Findings are few, compared with the rows of contexts. So
 * each is an object of its own, and is written at once. Analyses that did not run have no element.
 */
#include "render/html/html_findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_text.h"
#include "base/memtext.h"
#include "render/render_findings.h"

enum {
	MAX_ROWS = 500, /* of a table */
	MAX_PATHS = 50, /* of a row */
};

static const struct style plain = { .utf8 = true, .drawn = true };

struct findings_page {
	FILE *out;
	const struct findings *findings;
	struct intern *intern;
};

/* ---- pieces ------------------------------------------------------------------------------ */

static int put_node(struct findings_page *p, const struct callstack *stack)
{
	uint32_t node;

	if (intern_stack(p->intern, stack, &node) < 0)
		return -1;
	if (node == INTERN_NONE)
		fputs("-1", p->out);
	else
		json_put_whole(p->out, node);
	return 0;
}

static void put_member(struct findings_page *p, const char *name, const char *text)
{
	fprintf(p->out, ",\"%s\":", name);
	json_put_text(p->out, text);
}

/* An array of the lines of a text, which is freed. 0, or -1 for NULL. */
static int put_lines(struct findings_page *p, const char *name, char *text)
{
	const char *comma = "";

	if (!text)
		return -1;
	fprintf(p->out, ",\"%s\":[", name);
	for (const char *line = text; *line;) {
		size_t len = strcspn(line, "\n");
		fputs(comma, p->out);
		json_put_bytes(p->out, line, len);
		line += len + (line[len] == '\n');
		comma = ",";
	}
	putc(']', p->out);
	free(text);
	return 0;
}

/* What a row is told to be: its line, or the lines that say more. */
static char *row_text(const struct finding *f, const struct finding_table_kind *t,
		      const struct finding_row *row, bool head)
{
	struct memtext text;
	FILE *out = memtext_begin(&text);

	if (!out)
		return NULL;
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
	const char *comma = "";

	fputs(",\"columns\":[", p->out);
	for (int place = 0; place < 3; place++)
		for (const struct figure *f = t->figures; f->name; f++) {
			if (!is_column(f, place))
				continue;
			fprintf(p->out, "%s[", comma);
			json_put_text(p->out, f->name);
			putc(',', p->out);
			json_put_text(p->out, f->kind == FIGURE_TEXT ? "text" : f->unit);
			fprintf(p->out, ",%s,", figure_has_range(f) ? "true" : "false");
			json_put_text(p->out, f->help);
			putc(']', p->out);
			comma = ",";
		}
	fputs("],\"stacks\":[", p->out);
	for (int k = 0; k < 2 && t->stack_title[k]; k++) {
		fputs(k ? "," : "", p->out);
		json_put_text(p->out, t->stack_title[k]);
	}
	putc(']', p->out);
}

/* A figure with an interval has three. */
static void put_values(struct findings_page *p, const struct finding *f,
		       const struct finding_table_kind *t, const struct finding_row *row)
{
	char room[FIGURE_TEXT_MAX];
	const char *comma = "";

	for (int place = 0; place < 3; place++)
		for (const struct figure *c = t->figures; c->name; c++) {
			if (!is_column(c, place))
				continue;
			fputs(comma, p->out);
			comma = ",";
			if (c->kind == FIGURE_TEXT) {
				json_put_text(p->out, c->text(row, room));
				continue;
			}
			json_put_number(p->out, figure_of(c, row));
			if (!figure_has_range(c))
				continue;
			struct bounds_range range = figure_interval(c, row, f->z);
			putc(',', p->out);
			json_put_number(p->out, range.low);
			putc(',', p->out);
			json_put_number(p->out, range.high);
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
	const char *comma = "";

	fputs(",\"curves\":[", p->out);
	for (const struct figure *f = t->figures; (f = curve_from(f)); f++) {
		fprintf(p->out, "%s[", comma);
		json_put_text(p->out, f->help);
		putc(',', p->out);
		json_put_text(p->out, f->unit);
		putc(',', p->out);
		json_put_text(p->out, f->across);
		fprintf(p->out, ",%s]", f->flags & FIGURE_LOG ? "true" : "false");
		comma = ",";
	}
	putc(']', p->out);
}

static void put_point(struct findings_page *p, const struct figure_point *point)
{
	const float numbers[] = { point->x, point->value, point->low, point->high };

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		putc(i ? ',' : '[', p->out);
		json_put_number(p->out, (double)numbers[i]);
	}
	putc(']', p->out);
}

static void put_curves(struct findings_page *p, const struct finding_table_kind *t,
		       const struct finding_row *row)
{
	const struct figure_point *points;
	const char *comma = "";

	fputs(",\"curves\":[", p->out);
	for (const struct figure *f = t->figures; (f = curve_from(f)); f++) {
		fprintf(p->out, "%s[", comma);
		comma = ",";
		size_t n = f->curve(row, &points);
		for (size_t i = 0; i < n; i++) {
			fputs(i ? "," : "", p->out);
			put_point(p, &points[i]);
		}
		putc(']', p->out);
	}
	putc(']', p->out);
}

static int put_paths(struct findings_page *p, const struct finding_row *row)
{
	fprintf(p->out, ",\"total\":%zu,\"paths\":[", row->npaths);
	for (size_t i = 0; i < row->npaths && i < MAX_PATHS; i++) {
		fputs(i ? ",[" : "[", p->out);
		if (put_node(p, &row->paths[i].stack) < 0)
			return -1;
		putc(',', p->out);
		json_put_number(p->out, row->paths[i].share);
		fprintf(p->out, ",%llu]", (unsigned long long)row->paths[i].count);
	}
	putc(']', p->out);
	return 0;
}

static int put_row(struct findings_page *p, const struct finding *f,
		   const struct finding_table_kind *t, const struct finding_row *row)
{
	fprintf(p->out, "{\"pid\":%d,\"weak\":%s,\"values\":[", row->pid,
		row->weak ? "true" : "false");
	put_values(p, f, t, row);
	fputs("],\"nodes\":[", p->out);
	for (int k = 0; k < 2 && t->stack_title[k]; k++) {
		fputs(k ? "," : "", p->out);
		if (put_node(p, &row->stack[k]) < 0)
			return -1;
	}
	putc(']', p->out);
	put_curves(p, t, row);
	if (put_lines(p, "head", row_text(f, t, row, true)) < 0 ||
	    put_lines(p, "lines", row_text(f, t, row, false)) < 0 || put_paths(p, row) < 0)
		return -1;
	putc('}', p->out);
	return 0;
}

static int put_table(struct findings_page *p, const struct finding *f,
		     const struct finding_table *t)
{
	const struct finding_table_kind *kind = t->kind;

	fprintf(p->out, "{\"total\":%zu,\"minor\":%zu", t->n + t->left.beyond, t->left.minor);
	put_member(p, "title", kind->title);
	put_member(p, "one", kind->one);
	put_member(p, "many", kind->many);
	put_member(p, "minor_text", kind->minor);
	put_member(p, "paths_title", kind->paths_title);
	put_columns(p, kind);
	put_curve_kinds(p, kind);
	fputs(",\"rows\":[", p->out);
	for (size_t i = 0; i < t->n && i < MAX_ROWS; i++) {
		fputs(i ? ",\n" : "\n", p->out);
		if (put_row(p, f, kind, finding_row(t, i)) < 0)
			return -1;
	}
	fputs("]}", p->out);
	return 0;
}

/* ---- findings ---------------------------------------------------------------------------- */

static char *finding_text(const struct finding *f)
{
	struct memtext text;
	FILE *out = memtext_begin(&text);

	if (!out)
		return NULL;
	render_finding_lines(out, &plain, f);
	return memtext_end(&text);
}

static int put_finding(struct findings_page *p, const struct finding *f)
{
	fputs("\n{\"kind\":", p->out);
	json_put_text(p->out, f->kind->name);
	fprintf(p->out, ",\"count\":%llu", (unsigned long long)f->count);
	put_member(p, "counted", f->kind->counted);
	if (put_lines(p, "told", finding_text(f)) < 0)
		return -1;
	fputs(",\"tables\":[", p->out);
	for (size_t k = 0; finding_is_enough(f) && k < f->ntables; k++) {
		fputs(k ? "," : "", p->out);
		if (put_table(p, f, &f->table[k]) < 0)
			return -1;
	}
	fputs("]}", p->out);
	return 0;
}

/* Nothing where the analysis has seen nothing. */
static int put_analysis(struct findings_page *p, const struct analysis *a, const char **before)
{
	const char *comma = "";

	for (size_t i = 0; i < p->findings->n; i++) {
		const struct finding *f = &p->findings->item[i];
		if (f->analysis != a || !f->seen)
			continue;
		if (!*comma) {
			fprintf(p->out, "%s{\"key\":", *before);
			json_put_text(p->out, a->key);
			put_member(p, "title", a->title);
			fputs(",\"findings\":[", p->out);
		}
		fputs(comma, p->out);
		comma = ",";
		if (put_finding(p, f) < 0)
			return -1;
	}
	if (*comma) {
		fputs("]}", p->out);
		*before = ",\n";
	}
	return 0;
}

int html_put_findings(FILE *out, const struct findings *f, const struct analysis *const *analyses,
		      struct intern *t)
{
	struct findings_page p = { out, f, t };
	const char *before = "\n";

	fputs(",\n\"analyses\":[", out);
	for (int i = 0; f && analyses[i]; i++)
		if (put_analysis(&p, analyses[i], &before) < 0)
			return -1;
	putc(']', out);
	return 0;
}
