/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report.c - `ojx report`: reads a recording, analyses it and shows what it tells. What a report
 * consists of is decided in lib/; here are the files and the errors.
 */
#include <stdio_ext.h>
#include <unistd.h>

#include "base/outfile.h"
#include "browse_report.h"
#include "cmd.h"
#include "fail.h"
#include "filter_options.h"
#include "load.h"
#include "output.h"
#include "report.h"
#include "say.h"
#include "show_progress.h"

/* ---- writing ----------------------------------------------------------------------------- */

static bool garbles_terminal(const struct report_options *o)
{
	return (o->as->flags & RENDERER_BINARY) && !output_is_file(o->output) && isatty(1);
}

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
	const struct output output = { .path = o->output,
				       .secret = secret,
				       .paged = !o->no_pager && o->as->text && r->rows->n > 0,
				       .ink = o->ink,
				       .links = &o->links,
				       .sources = r->sources };

	return output_write(&output, draw, &drawing);
}

/* An empty file is no error, but a surprise. */
static void say_uncounted(const struct report_options *o, const struct report *r)
{
	if ((o->as->flags & RENDERER_METRIC) && metric_total(o->counted, r) == 0)
		say("there is nothing to count: no context that is shown has %s", o->metric);
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
	if (!output_is_file(o->output) && isatty(STDOUT_FILENO))
		show_progress_stop();
	int result =
		report_wants_browser(o) ? browse_report(report, rows, how, write_page, &from) : 1;
	/* what shows texts of the program's is for the same eyes as the recording */
	if (result > 0)
		result = write_report(o, report, o->full || model_has_values(l->model));
	if (result == 0)
		say_uncounted(o, report);
	return result;
}

/* 0, -1 after an error, or EXIT_CONDITION. */
static int make_report(const struct report_options *o, struct loaded *l,
		       const struct sources *sources)
{
	const struct style plain = { .utf8 = true };
	struct rows_options how = report_rows_wanted(o);
	struct cell_context ctx = { .style = &plain, .min_pairs = how.replica.min_pairs };
	struct report_found found = { .shown = 0 };

	if (report_find(&found, o, l->model, &how) < 0) {
		report_found_release(&found);
		return say_error("out of memory");
	}
	l->recording.pairs = found.rows.pairs;
	struct report report = {
		.version = OJX_VERSION,
		.recording = &l->recording,
		.rows = &found.rows,
		.lines = found.lines,
		.total = found.lines ? &found.total : NULL,
		.findings = &found.others,
		.shown = found.shown,
		.best = report_is_for_people(o) ? &found.best : NULL,
		.below = found.most - found.above,
		.only_worth = report_shows_worth(o),
		.worth_first = report_puts_worth_first(o),
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
		.stack_frames = found.stack_frames,
		.access_frames = found.access_frames,
		.sources = sources,
		.platform = &how.platform,
		.conditions = &o->conditions,
		.nothing = l->nothing,
		.progress = how.progress,
	};
	if (o->as->text || report_has_all(o) || o->as->data == render_html || o->counted->analysis)
		filter_say_ignored(&o->filter, &found.others);
	int result = show_report(o, l, &report, &found.rows, &how);
	if (result == 0 && fail_report(&o->conditions, found.lines, &found.others, &ctx) > 0)
		result = EXIT_CONDITION;
	report_found_release(&found);
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
		if (o->full)
			recording_show_all(&l.recording);
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
