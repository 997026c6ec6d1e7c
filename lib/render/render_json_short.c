/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_json_short.c - contexts and lines of a JSON report that is limited: what a reader needs
 * who wants to know what to do first. The findings are whole; of each with a fix there is the
 * context that allocates most of what it avoids, with the frames up to the line and two callers.
 */
#include <math.h>
#include <stdlib.h>

#include "base/xmalloc.h"
#include "fix/fix_rows.h"
#include "model/callstack.h"
#include "render/export.h"
#include "render/render_json_rows.h"

enum { CALLERS = 2 /* frames beyond the line */ };

bool render_json_is_short(const struct report *r)
{
	return r->limited && r->limit != SIZE_MAX && !r->details;
}

/* ---- contexts ------------------------------------------------------------------------------ */

static void put_stack(struct json_text *t, const struct row *row)
{
	const struct callstack *stack = row_stack(row);
	size_t line = row->line < stack->n ? row->line : 0, n = line + 1 + CALLERS;

	n = n < row->common ? n : row->common;
	json_stack(t, "alloc_stack", stack, n);
	json_text_bool(t, "alloc_stack_cut", n < row->common || row_stack_missing(row));
	json_text_string(t, "alloc_stack_missing",
			 n < row->common ? "short" : row_stack_missing(row));
}

/* `rank`: of the finding that has it; 0: none has. */
static void put_context(struct json_text *t, const struct row *row, uint64_t rank)
{
	bool deep;

	json_text_break(t);
	json_text_open(t, NULL, '{');
	json_text_number(t, "finding", rank ? (double)rank : NAN);
	json_text_string(t, "class", row_class(row));
	put_stack(t, row);
	json_text_number(t, "pid", row->row.pid);
	json_figures(t, row_figures, row, 0, true);
	json_text_string(t, "verdict", replica_verdict_name(replica_shown(&row->replica, &deep)));
	json_text_close(t, '}');
}

/* The context that allocates most of what the fix avoids; or, if that is nothing, most of all. */
static const struct model_context *largest_of(const struct fix *f)
{
	const struct model_context *found = NULL;
	double avoided = 0;

	for (size_t i = 0; i < f->nparts; i++)
		for (size_t k = 0; k < f->part[i].ncontexts; k++) {
			const struct model_context *c = f->part[i].contexts[k];
			double avoids = fix_avoids_of(f, &f->part[i], c);
			if (found &&
			    (avoids < avoided || (avoids == avoided && c->bytes <= found->bytes)))
				continue;
			found = c;
			avoided = avoids;
		}
	return found;
}

/* Those of the findings, each once. Returns whether there are any. */
static bool put_of_fixes(struct json_text *t, const struct report *r)
{
	const struct row **of = rows_by_context(r->rows, r->recording->model);
	bool any = false;

	for (size_t i = 0; i < r->fixes->n; i++) {
		const struct fix *f = &r->fixes->fix[i];
		if (!f->rule || !export_has_fix(r, i))
			continue;
		const struct row *row = of[largest_of(f)->number];
		for (size_t k = 0; row && k < row->ncontexts; k++)
			of[row->contexts[k]->number] = NULL; /* it is told now */
		if (row)
			put_context(t, row, f->rank);
		any = true;
	}
	free(of);
	return any;
}

void render_json_short_contexts(struct json_text *t, const struct report *r)
{
	json_text_break(t);
	json_text_open(t, "contexts", '[');
	if (!r->fixes || !put_of_fixes(t, r))
		for (size_t i = 0; i < r->shown; i++)
			put_context(t, rows_at(r->rows, i), 0);
	json_text_close(t, ']');
}

/* ---- lines --------------------------------------------------------------------------------- */

static void put_line(struct json_text *t, const struct report *r, const struct row *row)
{
	const struct model_frame *line = row_line(row);
	bool deep;

	json_text_break(t);
	json_text_open(t, NULL, '{');
	json_text_string(t, "class", row_class(row));
	json_text_open(t, "frame", '[');
	if (line)
		json_frame(t, NULL, line);
	json_text_close(t, ']');
	json_text_number(t, "pid", row->row.pid);
	json_text_number(t, "contexts", (double)row->ncontexts);
	json_text_number(t, "share",
			 r->total->bytes > 0 ? row->replica.bytes / r->total->bytes : NAN);
	json_line_figures(t, row);
	json_text_string(t, "verdict", replica_verdict_name(replica_shown(&row->replica, &deep)));
	json_text_close(t, '}');
}

void render_json_short_lines(struct json_text *t, const struct report *r)
{
	json_text_break(t);
	json_text_open(t, "lines", '[');
	for (size_t i = 0; i < r->lines_shown; i++)
		put_line(t, r, rows_at(r->lines, i));
	json_text_close(t, ']');
}
