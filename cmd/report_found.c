/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report_found.c - what `ojx report` finds and chooses to show, by its options: rows, lines of
 * code, findings.
 */
#include "report.h"

#include <string.h>
#include <unistd.h>

#include "report/filter.h"
#include "show_progress.h"

enum {
	LIKELIEST = 5, /* rows shown where there is nothing to save or to fix */
	DEFAULT_STACK_FRAMES = 16,
	DEFAULT_ACCESS_FRAMES = 4,
};

/* ---- what is wanted ---------------------------------------------------------------------- */

bool report_is_for_people(const struct report_options *o)
{
	return o->as->flags & RENDERER_PEOPLE;
}

bool report_has_all(const struct report_options *o)
{
	return o->as->data == render_json || o->as->data == render_jfr;
}

bool report_wants_browser(const struct report_options *o)
{
	return !o->stdio && !o->output && !o->format && !o->nchosen && !o->conditions.n &&
	       !o->no_pager && isatty(STDOUT_FILENO);
}

struct rows_options report_rows_wanted(const struct report_options *o)
{
	struct rows_options how = {
		.grouping = o->grouping,
		.filter = o->filter,
		.replica = REPLICA_OPTIONS_INIT,
		.progress = show_progress_now(),
		.platform = { o->transparent.item, o->transparent.n },
		/* the browser has all stacks; a condition tells a line's place */
		.stackless = !report_wants_browser(o) && !o->conditions.n,
	};

	/* JSON has both; people, and who reads what a condition says, see what is missing */
	if (o->as->data != render_json)
		how.replica.detail = report_is_for_people(o) || o->conditions.n ? REPLICA_MISSING
										: REPLICA_VERDICT;
	if (o->min_pairs > 0)
		how.replica.min_pairs = (uint64_t)o->min_pairs;
	return how;
}

void report_found_release(struct report_found *f)
{
	rows_release(&f->rows);
	rows_release(&f->own_lines);
	findings_release(&f->others);
}

bool report_puts_worth_first(const struct report_options *o)
{
	bool by_saved = strcmp(column_name(o->key), "likely") == 0 ||
			strcmp(column_name(o->key), "saved") == 0;

	return report_is_for_people(o) && !o->all && !o->nchosen && by_saved &&
	       filter_is_empty(&o->filter) && !report_wants_browser(o);
}

bool report_shows_worth(const struct report_options *o)
{
	return (o->as->flags & RENDERER_WORTH) && report_puts_worth_first(o);
}

/* ---- what is found ----------------------------------------------------------------------- */

static size_t choose(int given, size_t by_default)
{
	if (given < 0)
		return by_default;
	return given == 0 ? SIZE_MAX : (size_t)given;
}

/* Whether the format, or a condition, tells of lines or of all of them together. */
static bool wants_lines(const struct report_options *o)
{
	return report_is_for_people(o) || report_has_all(o) || o->conditions.n;
}

/* The lines of code, which sums and conditions are about whatever the rows are. 0, or -1 if
 * out of memory. */
static int find_lines(struct report_found *f, const struct report_options *o, const struct model *m,
		      struct rows_options *by_line)
{
	if (!wants_lines(o))
		return 0;
	f->lines = &f->rows;
	if (o->grouping != ROWS_BY_LINE) {
		by_line->grouping = ROWS_BY_LINE;
		/* a condition can name any */
		by_line->summary = !report_has_all(o) && !o->conditions.n;
		by_line->made = by_line->summary ? NULL : &f->rows;
		f->lines = &f->own_lines;
		if (rows_make(f->lines, m, by_line) < 0)
			return -1;
	}
	total_measure(&f->total, f->lines);
	return 0;
}

/* Sorts the rows, what is to be shown first. 0, or -1 if out of memory. */
static int choose_shown(struct report_found *f, const struct report_options *o,
			const struct model *m, const struct cell_context *ctx)
{
	size_t most = !o->as->rows || (o->all && o->limit < 0) ? SIZE_MAX : o->as->rows;
	size_t limit = choose(o->limit, most);

	columns_sort(&f->rows, o->key, ctx);
	if (report_is_for_people(o) && rows_prepare_worth(&f->rows, m) < 0)
		return -1;
	if (f->lines && f->lines != &f->rows)
		columns_sort(f->lines, o->key, ctx);
	f->worth = f->most = f->rows.n;
	if (report_puts_worth_first(o) && (f->worth = rows_put_worth_first(&f->rows)) == SIZE_MAX)
		return -1;
	if (report_shows_worth(o))
		f->most = f->worth;
	f->above = columns_above(o->key, &f->rows, ctx, o->percent_limit / 100);
	f->above = f->above < f->most ? f->above : f->most;
	f->shown = f->above < limit ? f->above : limit;
	if (f->most > 0 || f->rows.n == 0)
		return 0;
	f->shown = LIKELIEST < limit ? LIKELIEST : limit;
	f->shown = f->shown < f->rows.n ? f->shown : f->rows.n;
	return rows_put_likeliest_first(&f->rows) ? 0 : -1;
}

/* What the other analyses found, narrowed and sorted. 0, or -1 if out of memory. */
static int find_others(struct findings *f, const struct report_options *o, const struct model *m,
		       const struct rows_options *how)
{
	const struct findings_options options = { .confidence = how->replica.confidence,
						  .min_pairs = how->replica.min_pairs };
	const struct findings_filter narrow = { &o->filter, o->percent_limit / 100,
						choose(o->limit, SIZE_MAX),
						o->headers || o->as->flags & RENDERER_LABELS };

	if (findings_compute(f, m, &options) < 0)
		return -1;
	if (o->found_key)
		findings_sort(f, o->analysis, o->found_key);
	if (findings_narrow(f, &narrow) < 0)
		return -1;
	return findings_tell_apart(f, choose(o->max_frames, DEFAULT_ACCESS_FRAMES));
}

int report_find(struct report_found *f, const struct report_options *o, const struct model *m,
		const struct rows_options *how)
{
	struct cell_context ctx = { .min_pairs = how->replica.min_pairs };
	struct rows_options by_line = *how;

	f->stack_frames = choose(o->max_frames, DEFAULT_STACK_FRAMES);
	f->access_frames = choose(o->max_frames, DEFAULT_ACCESS_FRAMES);
	if (find_others(&f->others, o, m, how) < 0)
		return -1;
	if (rows_make(&f->rows, m, how) < 0 || find_lines(f, o, m, &by_line) < 0 ||
	    choose_shown(f, o, m, &ctx) < 0)
		return -1;
	if (report_is_for_people(o) && rows_find_best(&f->best, f->lines, m, &by_line) < 0)
		return -1;
	if (how->stackless && !report_is_for_people(o))
		return 0; /* what is for programs resolves a stack when it writes it */
	if (rows_add_stacks(&f->rows, f->shown, m) < 0)
		return -1;
	return rows_tell_apart(&f->rows, report_wants_browser(o) ? f->rows.n : f->shown);
}
