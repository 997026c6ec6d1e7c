/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report.c - `ojx report`: reads a recording, analyses it and shows what it tells. What a report
 * consists of is decided in lib/; here are the files and the errors.
 */
#define _GNU_SOURCE
#include "report.h"

#include <math.h>
#include <stdio_ext.h>
#include <string.h>
#include <unistd.h>

#include "base/outfile.h"
#include "base/units.h"
#include "base/xmalloc.h"
#include "cmd.h"
#include "common_options.h"
#include "fix/fix_rows.h"
#include "fix/gain.h"
#include "load.h"
#include "out_of_memory.h"
#include "output.h"
#include "report/filter.h"
#include "report/rows.h"
#include "report/total.h"
#include "say.h"

/* ---- what is found ----------------------------------------------------------------------- */

enum {
	LIKELIEST = 5, /* rows shown where there is nothing to save or to fix */
	DEFAULT_STACK_FRAMES = 16,
	DEFAULT_ACCESS_FRAMES = 4,
};

/* What the analyses found, and how much of it is shown. */
struct results {
	struct rows rows; /* sorted */
	/* by line of code, sorted: `rows`, `own_lines`, or NULL if nobody reads them */
	struct rows own_lines, *lines;
	struct total total;	/* of the lines */
	struct findings others; /* of the other analyses */
	struct fixes fixes;	/* of the lines */
	struct others advised;	/* what is to be done about `others` */
	size_t ranked;		/* of these, those of formats for programs and builds */
	size_t gains;		/* rows with something to save or to fix, if they come first */
	size_t most;		/* these, if only they are wanted; or all rows */
	size_t above;		/* of these, those that are not too small to be shown */
	size_t shown;		/* the first of them */
	size_t access_frames;	/* shown of a stack of an access */
	size_t stack_frames;	/* shown of any other */
};

static size_t choose(int given, size_t by_default)
{
	if (given < 0)
		return by_default;
	return given == 0 ? SIZE_MAX : (size_t)given;
}

/* Whether the format, or a condition, tells of lines or of all of them together. */
static bool wants_lines(const struct report_options *o)
{
	return report_is_for_people(o) || report_has_all(o) || report_counts_fixes(o) ||
	       report_tells_avoidable(o) || o->common.conditions.n || o->accept.write_accepted;
}

/* The lines of code, which sums and conditions are about whatever the rows are. */
static void find_lines(struct results *f, const struct report_options *o, const struct model *m,
		       struct rows_options *by_line)
{
	if (!wants_lines(o))
		return;
	f->lines = &f->rows;
	if (o->grouping != ROWS_BY_LINE) {
		by_line->grouping = ROWS_BY_LINE;
		/* a condition can name any */
		by_line->lazy = !report_has_all(o) && !o->common.conditions.n;
		by_line->made = by_line->lazy ? NULL : &f->rows;
		f->lines = &f->own_lines;
		rows_make(f->lines, m, by_line);
	}
	total_measure(&f->total, f->lines);
}

/* What is avoidable, of the lines and of each row. */
static void find_fixes(struct results *f, const struct report_options *o, const struct model *m)
{
	if (!f->lines)
		return;
	fixes_find(&f->fixes, f->lines, m, f->lines->how->confidence);
	if (o->whole)
		fixes_rank(&f->fixes, true);
	if (o->accept.accepted)
		accepted_take_out(o->accept.accepted, &f->fixes);
	fixes_tell_rows(&f->fixes, m, &f->rows);
	if (f->lines != &f->rows)
		fixes_tell_rows(&f->fixes, m, f->lines);
}

/* Sorts the rows, what is to be shown first. */
static void choose_shown(struct results *f, const struct report_options *o,
			 const struct cell_context *ctx)
{
	size_t most = !o->as->rows || (o->all && o->limit < 0) ? SIZE_MAX : o->as->rows;
	size_t limit = choose(o->limit, most);

	columns_sort(&f->rows, o->key, ctx);
	if (f->lines && f->lines != &f->rows)
		columns_sort(f->lines, o->key, ctx);
	f->gains = f->most = f->rows.table.n;
	if (report_puts_gains_first(o))
		f->gains = rows_put_gains_first(&f->rows);
	if (report_shows_gain(o))
		f->most = f->gains;
	f->above = columns_above(o->key, &f->rows, ctx, o->percent_limit / 100);
	f->above = f->above < f->most ? f->above : f->most;
	f->shown = f->above < limit ? f->above : limit;
	if (f->most > 0 || f->rows.table.n == 0)
		return;
	f->shown = LIKELIEST < limit ? LIKELIEST : limit;
	f->shown = f->shown < f->rows.table.n ? f->shown : f->rows.table.n;
	rows_put_likeliest_first(&f->rows);
}

/* How many of the fixes, which are sorted, are asked for. */
static size_t choose_fixes(const struct fixes *fixes, const struct report_options *o)
{
	size_t most = choose(o->limit, o->as->rows && !o->all ? o->as->rows : SIZE_MAX);

	return fixes->n < most ? fixes->n : most;
}

/* What the other analyses found, narrowed and sorted. */
static void find_others(struct results *to, const struct report_options *o, const struct model *m,
			const struct rows_options *how)
{
	struct findings *f = &to->others;
	const struct findings_options options = { .confidence = how->replica.confidence,
						  .min_pairs = how->replica.min_pairs };
	const struct findings_filter narrow = { &o->common.filter, m, o->percent_limit / 100,
						choose(o->limit, SIZE_MAX),
						o->headers || o->as->flags & RENDERER_LABELS };

	findings_compute(f, m, &options);
	if (o->found_key)
		findings_sort(f, o->analysis, o->found_key);
	findings_narrow(f, &narrow);
	findings_tell_apart(f, choose(o->max_frames, DEFAULT_ACCESS_FRAMES));
	others_find(&to->advised, f);
	if (o->accept.accepted)
		accepted_take_out_others(o->accept.accepted, &to->advised);
}

/* How many of the lines that programs get are asked for. */
static size_t lines_shown(const struct results *f, const struct report_options *o)
{
	size_t n = f->lines ? f->lines->table.n : 0, most = choose(o->limit, SIZE_MAX);

	return n < most ? n : most;
}

static void release_results(struct results *f)
{
	fixes_release(&f->fixes);
	others_release(&f->advised);
	rows_release(&f->rows);
	rows_release(&f->own_lines);
	findings_release(&f->others);
}

/* Analyses the model, sorts and chooses. Release with release_results; *f must be all zero. */
static void find_results(struct results *f, const struct report_options *o, const struct model *m,
			 const struct rows_options *how)
{
	struct cell_context ctx = { .min_pairs = how->replica.min_pairs };
	struct rows_options by_line = *how;

	f->stack_frames = choose(o->max_frames, DEFAULT_STACK_FRAMES);
	f->access_frames = choose(o->max_frames, DEFAULT_ACCESS_FRAMES);
	find_others(f, o, m, how);
	rows_make(&f->rows, m, how);
	find_lines(f, o, m, &by_line);
	find_fixes(f, o, m);
	choose_shown(f, o, &ctx);
	if (f->lines) /* sorting has moved them */
		fixes_follow_rows(&f->fixes, f->lines, m);
	f->ranked = choose_fixes(&f->fixes, o);
	/* programs get stacks; a condition tells a line's place */
	if (!report_is_for_people(o) && !report_wants_browser(o) && !o->common.conditions.n)
		return;
	rows_tell_apart(&f->rows, report_wants_browser(o) ? f->rows.table.n : f->shown);
}

/* ---- writing ----------------------------------------------------------------------------- */

struct drawing {
	const struct renderer *as;
	const struct report *report;
};

static int draw(FILE *out, const struct style *style, const void *what)
{
	const struct drawing *d = what;

	__fsetlocking(out, FSETLOCKING_BYCALLER); /* nobody else writes to it */
	return d->as->data ? d->as->data(out, d->report) : d->as->text(out, d->report, style);
}

static int write_report(const struct report_options *o, const struct report *r, bool secret)
{
	const struct drawing drawing = { o->as, r };
	struct output output =
		common_options_output(&o->common, o->as->text && r->rows->table.n > 0);

	output.secret = secret;
	output.links = &o->links;
	output.sources = r->sources;
	return output_write(&output, draw, &drawing);
}

/* ---- the command ------------------------------------------------------------------------- */

/* What a page is made of. */
struct page_source {
	const struct report_options *options;
	struct loaded *loaded;
	const struct sources *sources;
};

static int make_report(const struct report_options *o, struct loaded *l,
		       const struct sources *sources);

/* Writes the page that `-o path` would be. 0, or -1 after an error. */
static int write_page(void *arg, const char *path)
{
	const struct page_source *from = arg;
	struct report_options o = *from->options;

	o.common.output = path;
	o.as = renderer_of_file(path);
	return make_report(&o, from->loaded, from->sources);
}

int report_page(struct loaded *l, const char *path)
{
	char output[4096];
	char *argv[] = { "report", output, NULL };
	struct report_options o;
	struct sources *none = sources_new();

	snprintf(output, sizeof output, "--output=%s", path);
	int result = report_options_parse(&o, 2, argv) == 0 ? make_report(&o, l, none) : -1;
	inputs_release(&o.inputs);
	sources_free(none);
	return result;
}

/* On the screen, in the file or on standard output. 0, or -1 after an error. */
static int show_report(const struct report_options *o, struct loaded *l, struct report *report,
		       struct rows *rows, const struct rows_options *how)
{
	struct page_source from = { o, l, report->sources };

	/* of what goes to a file there is more to tell */
	if (!output_is_file(o->common.output) && isatty(STDOUT_FILENO))
		show_progress_stop();
	int result =
		report_wants_browser(o) ? report_browse(report, rows, how, write_page, &from) : 1;
	/* what shows texts of the program's is for the same eyes as the recording */
	if (result > 0)
		result = write_report(o, report, o->common.full || model_has_values(l->model));
	/* an empty file is no error, but a surprise */
	if (result == 0 && (o->as->flags & RENDERER_METRIC) &&
	    metric_total(o->counted, report) == 0)
		say("there is nothing to count: no context that is shown has %s", o->metric);
	return result;
}

/* 0, -1 after an error, or EXIT_CONDITION. */
static int make_report(const struct report_options *o, struct loaded *l,
		       const struct sources *sources)
{
	struct rows_options how = report_rows_wanted(o);
	struct results found = { .shown = 0 };

	common_options_set_lines(&o->common, l->model);
	find_results(&found, o, l->model, &how);
	l->recording.pairs = found.rows.pairs;
	l->recording.narrowed = !filter_is_empty(&how.filter);
	struct report report = {
		.version = OJX_VERSION,
		.recording = &l->recording,
		.rows = &found.rows,
		.lines = found.lines,
		.total = found.lines ? &found.total : NULL,
		.findings = &found.others,
		.others = &found.advised,
		.shown = found.shown,
		.fixes = found.lines ? &found.fixes : NULL,
		.ranked = found.ranked,
		.least_avoidable = o->percent_limit / 100 * found.fixes.bytes,
		.lines_shown = lines_shown(&found, o),
		.below = found.most - found.above,
		.only_gains = report_shows_gain(o),
		.gains_first = report_puts_gains_first(o),
		.gains = found.gains,
		.stats = o->stats,
		.details = o->details,
		.found_sorted = o->found_key,
		.partial = !filter_is_empty(&o->common.filter),
		.limited = o->limit >= 0,
		.limit = choose(o->limit, 0),
		.columns = o->chosen,
		.ncolumns = o->nchosen,
		.key = o->key,
		.metrics = &o->metrics,
		.metric = o->counted,
		.grouping = o->grouping,
		.min_pairs = how.replica.min_pairs,
		.confidence = how.replica.confidence,
		.stack_frames = found.stack_frames,
		.access_frames = found.access_frames,
		.sources = sources,
		.conditions = &o->common.conditions,
		.nothing = l->nothing,
		.progress = how.progress,
	};
	if (o->as->text || report_has_all(o) || o->as->data == render_html || o->counted->analysis)
		filter_say_ignored(&o->common.filter, &found.others);
	int result = show_report(o, l, &report, &found.rows, &how);
	if (result == 0)
		result = accept_write(&o->accept, &found.fixes, &found.advised);
	if (found.lines && !l->nothing)
		accept_say_stale(&o->accept,
				 filter_is_empty(&o->common.filter) && !o->common.has_selection);
	const struct condition_facts facts = { .rows = found.lines,
					       .fixes = report.fixes,
					       .findings = &found.others,
					       .others = &found.advised,
					       .min_pairs = how.replica.min_pairs };
	if (result == 0 && fail_report(&o->common.conditions, &facts) > 0)
		result = EXIT_CONDITION;
	release_results(&found);
	return result;
}

static int use(struct loaded *l, const struct sources *sources, void *arg)
{
	const struct report_options *o = arg;
	/* programs get their document all the same */
	int result = l->nothing && o->as->text ? 0 : make_report(o, l, sources);

	return l->nothing && result == 0 ? load_say_nothing(l, o->inputs.name) : result;
}

static int run(struct report_options *o)
{
	char file[64];

	snprintf(file, sizeof file, "ojx%s", o->as->suffix ? o->as->suffix : "");
	if (o->as->flags & RENDERER_BINARY &&
	    output_spares_terminal(o->common.output, o->as->name, file) < 0)
		return EXIT_USAGE;
	if (o->common.output && inputs_have(&o->inputs, o->common.output)) {
		say("'%s' is the recording itself, or one of them: name another file with -o",
		    o->common.output);
		return EXIT_ERROR;
	}
	int result = o->by ? report_by(o) : load_and_use(&o->common, &o->inputs, use, o);
	return result < 0 ? EXIT_ERROR : result;
}

int cmd_report(int argc, char **argv)
{
	struct report_options o;
	int parsed = report_options_parse(&o, argc, argv);
	int result = parsed == OPTIONS_HELP ? 0 : parsed < 0 ? EXIT_USAGE : run(&o);

	accept_forget(&o.accept);
	inputs_release(&o.inputs);
	return result;
}
