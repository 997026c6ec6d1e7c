/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_csv.c - the contexts as a table for spreadsheets and data frames (RFC 4180). A context is
 * a line; columns have the names of the JSON report (docs/json.md). An interval is two columns, a
 * stack is one. Numbers have no units; a value that was not measured is empty.
 */
#include <stdbool.h>

#include "render/csv_put.h"
#include "render/metrics.h"
#include "render/render_findings.h"

static bool is_csv(const struct column *c)
{
	return c->figure.flags & FIGURE_CSV;
}

static void put_header(FILE *out)
{
	fputs("class,pid,verdict,verdict_deep,source", out);
	for (const struct column *c = columns; c->figure.name; c++) {
		if (is_csv(c)) {
			putc(',', out);
			csv_put_heading(out, &c->figure);
		}
	}
	fputs(",saved_presumed,alloc_stack_cut,alloc_stack\r\n", out);
}

static void put_line(FILE *out, const struct report *r, const struct row *row,
		     const struct frame_texts *texts)
{
	const struct model *m = r->recording->model;
	const struct replica *x = &row->replica;
	const uint32_t *numbers;
	unsigned flags;
	size_t frames = callstack_numbers(m, row->jvm, row->stack_id, &numbers, &flags);
	bool cut = row->common == frames && (flags & WIRE_STACK_CUT);

	csv_put_text(out, row_class(row));
	fprintf(out, ",%d,", row->pid);
	csv_put_text(out, replica_verdict_name(x->verdict));
	putc(',', out);
	csv_put_text(out, x->deep_scanned ? replica_verdict_name(x->verdict_deep) : NULL);
	putc(',', out);
	csv_put_text(out, replica_source_name(x->source));
	for (const struct column *c = columns; c->figure.name; c++)
		if (is_csv(c)) {
			putc(',', out);
			csv_put_figure(out, &c->figure, row, 0);
		}
	fprintf(out, ",false,%s,", cut && frames > 0 ? "true" : "false");
	csv_put_numbered_stack(out, texts, row->jvm, numbers, row->common);
	fputs("\r\n", out);
}

static int put_contexts(FILE *out, const struct report *r)
{
	struct frame_texts texts;
	int result = frame_texts_make(&texts, r->recording->model, csv_put_frame);

	put_header(out);
	for (size_t i = 0; i < r->shown && !ferror(out) && result == 0; i++)
		put_line(out, r, &r->rows->row[i], &texts);
	frame_texts_release(&texts);
	return result;
}

int render_csv(FILE *out, const struct report *r)
{
	if (r->metric->analysis)
		render_csv_findings(out, r);
	else if (put_contexts(out, r) < 0)
		return -1;
	return ferror(out) ? -1 : 0;
}
