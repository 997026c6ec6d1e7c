/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_csv_findings.c - see render_findings.h: the rows of an analysis as a table for
 * spreadsheets. A file has one table, which --metric chooses. Stacks come last.
 */
#include "render/csv_put.h"
#include "render/metrics.h"
#include "render/render_findings.h"

static bool is_column(const struct figure *f, bool stacks)
{
	bool fits = f->kind == FIGURE_NUMBER || f->kind == FIGURE_TEXT || f->kind == FIGURE_STACK;

	return (f->flags & FIGURE_CSV) && fits && (f->kind == FIGURE_STACK) == stacks;
}

static void put_names(FILE *out, const struct figure *figures, bool stacks, const char **comma)
{
	for (const struct figure *f = figures; f->name; f++) {
		if (!is_column(f, stacks))
			continue;
		fputs(*comma, out);
		*comma = ",";
		csv_put_heading(out, f);
	}
}

static void put_cell(FILE *out, const struct figure *f, const struct finding_row *row, double z)
{
	char room[FIGURE_TEXT_MAX];

	if (f->kind == FIGURE_STACK) {
		csv_put_stack(out, &row->stack[f->at], row->stack[f->at].n);
		return;
	}
	if (f->kind == FIGURE_TEXT) {
		const char *text = f->text(row, room);
		if (f->text == finding_row_kind) /* a word, which needs no quotes */
			fputs(text, out);
		else
			csv_put_text(out, text);
		return;
	}
	csv_put_figure(out, f, row, z);
}

static void put_cells(FILE *out, const struct finding_table *t, const struct finding_row *row,
		      double z, bool stacks, const char **comma)
{
	for (const struct figure *f = t->kind->figures; f->name; f++) {
		if (!is_column(f, stacks))
			continue;
		fputs(*comma, out);
		put_cell(out, f, row, z);
		*comma = ",";
	}
}

static void put_row(FILE *out, const struct finding *f, const struct finding_row *row)
{
	const char *comma = "";

	put_cells(out, &f->table[0], row, f->z, false, &comma);
	put_cells(out, &f->table[0], row, f->z, true, &comma);
	fputs("\r\n", out);
}

static void put_heading(FILE *out, const struct figure *figures)
{
	const char *comma = "";

	put_names(out, figures, false, &comma);
	put_names(out, figures, true, &comma);
	fputs("\r\n", out);
}

void render_csv_findings(FILE *out, const struct report *r)
{
	const struct analysis *a = r->metric->analysis;

	put_heading(out, a->kinds[0]->tables[0]->figures);
	for (size_t i = 0; r->findings && i < r->findings->n; i++) {
		const struct finding *f = &r->findings->item[i];
		for (size_t k = 0; f->analysis == a && f->ntables && k < f->table[0].n; k++)
			if (metric_of_row(r->metric, f, finding_row(&f->table[0], k)))
				put_row(out, f, finding_row(&f->table[0], k));
	}
}

void render_csv_finding(FILE *out, const struct finding *f)
{
	put_heading(out, f->table[0].kind->figures);
	for (size_t i = 0; i < f->table[0].n; i++)
		put_row(out, f, finding_row(&f->table[0], i));
}
