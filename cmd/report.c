/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report.c - `ojx report`: reads a recording, analyses it and shows what it tells. What a report
 * consists of is decided in lib/; here are the files and the errors.
 */
#include <errno.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/outfile.h"
#include "browse_report.h"
#include "cmd.h"
#include "fail.h"
#include "filter_options.h"
#include "load.h"
#include "report/findings_filter.h"
#include "report/total.h"
#include "report_options.h"
#include "report_page.h"
#include "say.h"
#include "show_progress.h"

enum {
	LIKELIEST = 5, /* rows shown where there is nothing to save or to fix */
	DEFAULT_STACK_FRAMES = 16,
	DEFAULT_ACCESS_FRAMES = 4,
};

/* ---- writing ----------------------------------------------------------------------------- */

static bool to_file(const struct report_options *o)
{
	return o->output && strcmp(o->output, "-") != 0;
}

static bool garbles_terminal(const struct report_options *o)
{
	return (o->as->flags & RENDERER_BINARY) && !to_file(o) && isatty(1);
}

static int render(FILE *out, const struct report_options *o, const struct report *r,
		  const struct style *s)
{
	__fsetlocking(out, FSETLOCKING_BYCALLER); /* nobody else writes to it */
	return o->as->data ? o->as->data(out, r) : o->as->text(out, r, s);
}

/* What shows texts of the program's is for the same eyes as the recording. */
static int write_file(const struct report_options *o, const struct report *r, bool secret)
{
	struct outfile file;

	if (outfile_open(&file, o->output, secret) < 0)
		return say_error("cannot create '%s': %s", o->output, strerror(errno));
	struct style style = terminal_style(file.out, o->ink);
	struct links *links = link_options_open(&o->links, file.out, false, r->sources);

	style.links = links_style(links);
	int result = render(file.out, o, r, &style);
	int error = errno;
	links_free(links);
	if (outfile_close(&file, result == 0) < 0 && result == 0) {
		result = -1;
		error = errno;
	}
	errno = error;
	return result < 0 ? say_unwritten(o->output) : 0;
}

/* An empty file is no error, but a surprise. */
static void say_uncounted(const struct report_options *o, const struct report *r)
{
	if ((o->as->flags & RENDERER_METRIC) && metric_total(o->counted, r) == 0)
		say("there is nothing to count: no context that is shown has %s", o->metric);
}

static int write_stdout(const struct report_options *o, const struct report *r)
{
	struct style style = terminal_style(stdout, o->ink);
	bool paged = !o->no_pager && o->as->text && r->rows->n > 0;
	struct links *links = link_options_open(&o->links, stdout, paged, r->sources);
	struct pager pager;

	style.links = links_style(links);
	pager_start(&pager, paged);
	int result = pager_close(&pager, render(pager.out, o, r, &style));
	links_free(links);
	return result;
}

/* ---- the command ------------------------------------------------------------------------- */

static size_t choose(int given, size_t by_default)
{
	if (given < 0)
		return by_default;
	return given == 0 ? SIZE_MAX : (size_t)given;
}

/* Somebody looks, and has not asked for anything to be printed. */
static bool wants_browser(const struct report_options *o)
{
	return !o->stdio && !o->output && !o->format && !o->nchosen && !o->conditions.n &&
	       !o->no_pager && isatty(STDOUT_FILENO);
}

/* Whether it has everything: the rows, the lines of code with their advice, all findings. */
static bool has_all(const struct report_options *o)
{
	return o->as->data == render_json || o->as->data == render_jfr;
}

static struct rows_options rows_wanted(const struct report_options *o)
{
	struct rows_options how = {
		.grouping = o->grouping,
		.filter = o->filter,
		.replica = REPLICA_OPTIONS_INIT,
		.progress = show_progress_now(),
		.platform = { o->transparent.item, o->transparent.n },
		/* these resolve a stack when they write it; a condition tells a line's place */
		.stackless = (has_all(o) || o->as->data == render_csv) && !o->conditions.n,
	};

	if (o->min_pairs > 0)
		how.replica.min_pairs = (uint64_t)o->min_pairs;
	return how;
}

/* What the analyses found. */
struct found {
	struct rows rows;	       /* sorted */
	struct rows own_lines, *lines; /* by line of code, sorted; `rows` or `own_lines` */
	struct total total;	       /* of the lines */
	struct findings others;	       /* of the other analyses */
	struct best best;	       /* of the lines; of what people read only */
	size_t worth; /* rows with something to save or to fix, if they come first */
	size_t most;  /* these, if only they are wanted; or all rows */
	size_t above; /* of these, those that are not too small to be shown */
	size_t shown; /* the first of them */
};

static void release_found(struct found *f)
{
	rows_release(&f->rows);
	rows_release(&f->own_lines);
	findings_release(&f->others);
}

/* Whether people read it, not programs. */
static bool for_people(const struct report_options *o)
{
	return o->as->flags & RENDERER_PEOPLE;
}

/* Whether lines with something to save or to fix come first: nobody asked for any other. */
static bool puts_worth_first(const struct report_options *o)
{
	bool by_saved = strcmp(column_name(o->key), "likely") == 0 ||
			strcmp(column_name(o->key), "saved") == 0;

	return for_people(o) && !o->all && !o->nchosen && by_saved && filter_is_empty(&o->filter) &&
	       !wants_browser(o);
}

/* Whether the others are left out; a page has room for all. */
static bool wants_worth(const struct report_options *o)
{
	return (o->as->flags & RENDERER_WORTH) && puts_worth_first(o);
}

/* The lines of code, which sums and conditions are about whatever the rows are. 0, or -1 if
 * out of memory. */
static int find_lines(struct found *f, const struct report_options *o, const struct model *m,
		      struct rows_options *by_line)
{
	f->lines = &f->rows;
	if (o->grouping != ROWS_BY_LINE) {
		by_line->grouping = ROWS_BY_LINE;
		/* a condition can name any */
		by_line->summary = !has_all(o) && !o->conditions.n;
		f->lines = &f->own_lines;
		if (rows_make(f->lines, m, by_line) < 0)
			return -1;
	}
	total_measure(&f->total, f->lines);
	return 0;
}

/* Sorts the rows, what is to be shown first. 0, or -1 if out of memory. */
static int choose_shown(struct found *f, const struct report_options *o,
			const struct cell_context *ctx)
{
	size_t most = !o->as->rows || (o->all && o->limit < 0) ? SIZE_MAX : o->as->rows;
	size_t limit = choose(o->limit, most);

	columns_sort(&f->rows, o->key, ctx);
	if (f->lines != &f->rows)
		columns_sort(f->lines, o->key, ctx);
	f->worth = f->most = f->rows.n;
	if (puts_worth_first(o) && (f->worth = rows_put_worth_first(&f->rows)) == SIZE_MAX)
		return -1;
	if (wants_worth(o))
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

static int analyse(struct found *f, const struct report_options *o, const struct model *m,
		   const struct rows_options *how)
{
	struct cell_context ctx = { .min_pairs = how->replica.min_pairs };
	struct rows_options by_line = *how;

	if (find_others(&f->others, o, m, how) < 0)
		return -1;
	if (rows_make(&f->rows, m, how) < 0 || find_lines(f, o, m, &by_line) < 0 ||
	    choose_shown(f, o, &ctx) < 0)
		return -1;
	if (for_people(o) && rows_find_best(&f->best, f->lines, m, &by_line) < 0)
		return -1;
	if (how->stackless)
		return 0;
	return rows_tell_apart(&f->rows, wants_browser(o) ? f->rows.n : f->shown);
}

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

	o.output = path;
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
	int result = none && report_options_parse(&o, 2, argv) == 0 ? make_report(&o, l, none) : -1;
	sources_free(none);
	return result;
}

/* On the screen, in the file or on standard output. 0, or -1 after an error. */
static int show_report(const struct report_options *o, struct loaded *l, struct report *report,
		       struct rows *rows, const struct rows_options *how)
{
	struct page_source from = { o, l, report->sources };

	/* of what goes to a file there is more to tell */
	if (!to_file(o) && isatty(STDOUT_FILENO))
		show_progress_stop();
	int result = wants_browser(o) ? browse_report(report, rows, how, write_page, &from) : 1;
	if (result > 0)
		result = to_file(o) ? write_file(o, report, model_has_values(l->model))
				    : write_stdout(o, report);
	if (result == 0)
		say_uncounted(o, report);
	return result;
}

/* 0, -1 after an error, or EXIT_CONDITION. */
static int make_report(const struct report_options *o, struct loaded *l,
		       const struct sources *sources)
{
	const struct style plain = { .utf8 = true };
	struct rows_options how = rows_wanted(o);
	struct cell_context ctx = { .style = &plain, .min_pairs = how.replica.min_pairs };
	struct found found = { .shown = 0 };

	if (analyse(&found, o, l->model, &how) < 0) {
		release_found(&found);
		return say_error("out of memory");
	}
	l->recording.pairs = found.rows.pairs;
	struct report report = {
		.version = OJX_VERSION,
		.recording = &l->recording,
		.rows = &found.rows,
		.lines = found.lines,
		.total = &found.total,
		.findings = &found.others,
		.shown = found.shown,
		.best = for_people(o) ? &found.best : NULL,
		.below = found.most - found.above,
		.only_worth = wants_worth(o),
		.worth_first = puts_worth_first(o),
		.worth = found.worth,
		.stats = o->stats,
		.limited = o->limit >= 0,
		.columns = o->chosen,
		.ncolumns = o->nchosen,
		.key = o->key,
		.metrics = &o->metrics,
		.metric = o->counted,
		.grouping = o->grouping,
		.min_pairs = how.replica.min_pairs,
		.confidence = how.replica.confidence,
		.stack_frames = choose(o->max_frames, DEFAULT_STACK_FRAMES),
		.access_frames = choose(o->max_frames, DEFAULT_ACCESS_FRAMES),
		.sources = sources,
		.platform = &how.platform,
		.conditions = &o->conditions,
		.nothing = l->nothing,
		.progress = how.progress,
	};
	if (o->as->text || has_all(o) || o->as->data == render_html || o->counted->analysis)
		filter_say_ignored(&o->filter, &found.others);
	int result = show_report(o, l, &report, &found.rows, &how);
	if (result == 0 && fail_report(&o->conditions, found.lines, &found.others, &ctx) > 0)
		result = EXIT_CONDITION;
	release_found(&found);
	return result;
}

static int run(struct report_options *o)
{
	struct loaded l = { .model = NULL };
	int result = -1;

	/* first: a mistake there is said at once */
	struct sources *sources = load_sources(&o->source_path);
	show_progress_start(o->quiet);
	if (sources && load_recording(&l, o->input, o->has_window ? &o->window : NULL) == 0) {
		load_fit_sources(sources, l.model);
		/* programs get their document all the same */
		result = l.nothing && o->as->text ? 0 : make_report(o, &l, sources);
		if (l.nothing && result == 0)
			result = load_say_nothing(&l, o->input);
	}
	show_progress_stop();
	sources_free(sources);
	model_free(l.model);
	return result;
}

int cmd_report(int argc, char **argv)
{
	struct report_options o;
	int parsed = report_options_parse(&o, argc, argv);

	if (parsed == OPTIONS_HELP)
		return 0;
	if (parsed < 0)
		return EXIT_USAGE;
	if (garbles_terminal(&o)) {
		say("%s is not for a terminal: write it to a file, such as -o ojx%s", o.as->name,
		    o.as->suffix);
		return EXIT_USAGE;
	}
	if (o.output && outfile_is_input(o.output, o.input)) {
		say("'%s' is the recording itself: name another file with -o", o.output);
		return EXIT_ERROR;
	}
	int result = run(&o);
	return result < 0 ? EXIT_ERROR : result;
}
