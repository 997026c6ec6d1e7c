/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diff.c - `ojx diff`: compares two recordings. lib/compare/diff.c decides what is compared and
 * what is noise; this file handles options, files and errors.
 */
#include <string.h>
#include <unistd.h>

#include "analyse/analyses.h"
#include "base/outfile.h"
#include "base/xmalloc.h"
#include "cmd.h"
#include "common_options.h"
#include "load.h"
#include "options.h"
#include "out_of_memory.h"
#include "output.h"
#include "render/render_diff.h"
#include "say.h"

/* one false alarm in a hundred comparisons; builds depend on it */
#define CONFIDENCE 0.99

enum { MAX_NUMBER = 1000000000 };

enum format {
	FORMAT_TEXT,
	FORMAT_JSON,
	FORMAT_HTML,
	FORMAT_MARKDOWN,
	FORMAT_GITHUB,
	FORMAT_JUNIT,
};
static const char *const formats[] = {
	"text", "json", "html", "markdown", "github", "junit", NULL
};

static const struct writer {
	int (*render)(FILE *out, const struct diff_report *r); /* NULL: it is text */
	size_t rows;					       /* by default; 0: all */
} writers[] = {
	[FORMAT_TEXT] = { NULL, 20 },
	[FORMAT_JSON] = { render_diff_json, 0 },
	[FORMAT_HTML] = { render_diff_html, 0 },
	[FORMAT_MARKDOWN] = { render_diff_markdown, 20 },
	[FORMAT_GITHUB] = { render_diff_github, 10 }, /* GitHub shows no more of a step */
	[FORMAT_JUNIT] = { render_diff_junit, 0 },
};

struct diff_command {
	struct common_options common;
	struct inputs old, new;
	const char *from, *to; /* what they are called */
	const char *group_by, *format;
	double threshold; /* percent */
	int limit;	  /* negative: the default */
	bool all, per_second, sums;

	/* the parsed forms of the words above */
	enum rows_grouping grouping;
	enum format as;
};

/* ---- options ----------------------------------------------------------------------------- */

static int check_words(struct diff_command *o)
{
	if (!o->format)
		o->format = o->common.output ? output_format(o->common.output, formats, "diff")
					     : formats[FORMAT_TEXT];
	if (!o->format)
		return -1;
	int grouping, as;

	if (o->per_second && o->sums)
		return say_error("--per-second and --sums exclude each other");
	if ((grouping = options_choice("group-by", o->group_by, rows_groupings)) < 0 ||
	    (as = options_choice("format", o->format, formats)) < 0)
		return -1;
	o->grouping = (enum rows_grouping)grouping;
	o->as = (enum format)as;
	return common_options_check(&o->common, analyses, CONDITION_OF_DIFF);
}

/* How many operands are behind "--"; -1: there is none. */
static int count_behind(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "--") == 0)
			return argc - i - 1;
	return -1;
}

static bool have_stream(const struct inputs *in)
{
	for (size_t i = 0; i < in->n; i++)
		if (strcmp(in->file[i].path, "-") == 0)
			return true;
	return false;
}

/* `behind`: those of the names that are behind "--", -1: there is no "--". */
static int take_names(struct diff_command *o, int n, char **names, int behind)
{
	static const char *const none[] = { OJX_DATA_OLD, OJX_DATA };
	const char *const *given = n ? (const char *const *)names : none;
	bool several = behind > 0 && behind < n;

	if (n != 0 && n != 2 && !several)
		return say_error("'ojx diff' compares two recordings, OLD and NEW, or, without "
				 "any, '" OJX_DATA_OLD "' and '" OJX_DATA
				 "'; of several OLD or NEW, '--' is between the two");
	size_t old = several ? (size_t)(n - behind) : 1, new = several ? (size_t)behind : 1;
	if (inputs_find(&o->old, given, old) < 0 || inputs_find(&o->new, given + old, new) < 0)
		return -1;
	o->from = o->old.name;
	o->to = o->new.name;
	if (have_stream(&o->old) && have_stream(&o->new))
		return say_error("only one of the two recordings can be standard input");
	return 0;
}

static const char notes[] =
	"CONDITION is FIGURE OPERATOR NUMBER. 'avoidable>50MB' tests findings, 'saved>10MB'\n"
	"lines of the new recording. A number with a sign tests the change, if it is not\n"
	"noise: 'avoidable>+1MB' finds what is new or avoids more, 'saved>+10%',\n"
	"'theta>+0.1'. 'total.avoidable>+10%' tests all findings together, 'total.saved>+10%'\n"
	"all lines, 'new-replica' finds lines that have become replicas. The name of an\n"
	"analysis that finds a share, as 'ojx record -e' has it, tests that share.\n"
	"Exit status: 0, 1 after an error, 2 after a wrong command line, 3 if a CONDITION\n"
	"holds.\n";

/* 0, OPTIONS_ERROR, or the result of options_parse. */
static int parse(struct diff_command *o, int argc, char **argv)
{
	const struct option_row rows[] = {
		OPT_STRING(
			0, "group-by", "WHAT", &o->group_by,
			"compare lines of code (class and innermost frame outside the platform), "
			"allocation contexts (class and whole stack), sites (class and "
			"innermost frame), or classes; default line"),
		OPT_LINE(&o->common),
		OPT_BOOL(
			0, "per-second", &o->per_second,
			"compare objects and bytes per second of the recordings; by default only if "
			"one is at least twice as long, and the program made more in it"),
		OPT_BOOL(0, "sums", &o->sums,
			 "compare the sums of recordings of any length: of programs that do the "
			 "same work and end"),
		OPT_DOUBLE(0, "threshold", "PERCENT", &o->threshold, 0, 1000,
			   "ignore smaller changes: of amounts in percent of the old amount, of "
			   "shares in percentage points (default 5)"),
		OPT_BOOL('a', "all", &o->all, "show unchanged lines, too"),
		OPT_INT(0, "limit", "N", &o->limit, 0, MAX_NUMBER,
			"show the first N lines (default 20 in text, all in JSON; 0: all)"),
		OPT_SELECTION(&o->common),
		OPT_COMMAND_LINE(&o->common),
		OPT_LIST(
			0, "fail-if", "CONDITION", &o->common.fail_if,
			"exit with 3 if CONDITION holds for any finding or line (see below); may be repeated"),
		OPT_LIST(0, "fail-on", "CONDITION", &o->common.fail_if, NULL), /* its former name */
		OPT_STRING(0, "format", "FORMAT", &o->format,
			   "text (default), json, or html, a page for a browser; for builds "
			   "markdown (a summary), github (annotations of the lines that are "
			   "worse), junit (the conditions of --fail-if as test cases); by default "
			   "that of the output's name"),
		OPT_STRING('o', "output", "FILE", &o->common.output,
			   "write to FILE, overwriting it, instead of standard output"),
		OPT_LIST(0, "source-path", "PATH", &o->common.source_path,
			 "where the sources are, for github: folders, separated by ':'"),
		OPT_TERMINAL(&o->common),
		OPT_END,
	};
	const struct option_command command = {
		.name = "diff",
		.synopsis = "[OPTION]... [OLD... [--] NEW...]",
		.about = "Compares two recordings (default " OJX_DATA_OLD " and " OJX_DATA
			 "): what got better or worse, what is new or gone, and what differs only "
			 "because both are samples. Contexts are recognised even if lines have "
			 "moved.",
		.rows = rows,
		.options_anywhere = true,
		.notes = notes,
	};
	int behind = count_behind(argc, argv);
	int first = options_parse(&command, argc, argv);

	if (first < 0)
		return first;
	if (take_names(o, argc - first, argv + first, behind) < 0)
		return OPTIONS_ERROR;
	return check_words(o) < 0 ? OPTIONS_ERROR : 0;
}

/* ---- one recording ----------------------------------------------------------------------- */

struct input {
	struct loaded loaded;
	struct rows rows;
	struct rows lines; /* by line of code, if `rows` are not */
	struct findings findings;
};

static int load_input(struct input *in, const struct inputs *files, const struct diff_command *o,
		      const struct rows_options *how)
{
	if (load_inputs(&in->loaded, files, &o->common) < 0)
		return -1;
	if (in->loaded.nothing)
		return load_say_nothing(&in->loaded, files->name);
	if (o->common.full)
		recording_show_all(&in->loaded.recording);
	common_options_set_lines(&o->common, in->loaded.model);
	struct rows_options by_line = *how;
	by_line.grouping = ROWS_BY_LINE;
	const struct findings_options others = { .confidence = how->replica.confidence,
						 .min_pairs = how->replica.min_pairs };
	rows_make(&in->rows, in->loaded.model, how);
	if (how->grouping != ROWS_BY_LINE)
		rows_make(&in->lines, in->loaded.model, &by_line);
	findings_compute(&in->findings, in->loaded.model, &others);
	in->loaded.recording.pairs = in->rows.pairs;
	return 0;
}

static void release_input(struct input *in)
{
	rows_release(&in->rows);
	rows_release(&in->lines);
	findings_release(&in->findings);
	model_free(in->loaded.model);
}

/* ---- writing ----------------------------------------------------------------------------- */

struct drawing {
	enum format as;
	struct diff_report report;
};

static int draw(FILE *out, const struct style *style, const void *what)
{
	const struct drawing *d = what;
	const struct writer *w = &writers[d->as];

	return w->render ? w->render(out, &d->report) : render_diff_text(out, &d->report, style);
}

/* Of `lines`, which are by line of code, conditions hold or do not. 0, -1 after an error, or
 * EXIT_CONDITION. */
static int show(const struct diff_command *o, const struct diff *d, const struct diff *lines,
		const struct sources *sources)
{
	size_t limit = writers[o->as].rows ? writers[o->as].rows : SIZE_MAX;

	if (o->limit >= 0)
		limit = o->limit ? (size_t)o->limit : SIZE_MAX;
	const struct drawing drawing = {
		.as = o->as,
		.report = {
			.version = OJX_VERSION,
			.diff = d,
			.from = o->from,
			.to = o->to,
			.all = o->all || o->as == FORMAT_JSON,
			.limit = limit,
			.lines = lines,
			.conditions = &o->common.conditions,
			.sources = sources,
			.grouping = o->grouping,
		},
	};
	const struct output output = common_options_output(&o->common, o->as == FORMAT_TEXT);
	if (output_write(&output, draw, &drawing) < 0)
		return -1;
	return fail_diff(&o->common.conditions, lines, d->options.replica.min_pairs) > 0
		       ? EXIT_CONDITION
		       : 0;
}

static struct diff_side side_of(const struct input *in, struct rows *rows)
{
	return (struct diff_side){ rows, &in->loaded.recording, &in->findings };
}

/* 0, -1 after an error, or EXIT_CONDITION. */
static int compare(const struct diff_command *o, struct input *from, struct input *to,
		   const struct diff_options *options, const struct sources *sources)
{
	const struct diff_side old = side_of(from, &from->rows), new = side_of(to, &to->rows);
	const struct diff_side old_lines = side_of(from, &from->lines);
	const struct diff_side new_lines = side_of(to, &to->lines);
	bool by_line = o->grouping == ROWS_BY_LINE;
	struct diff diff = { .n = 0 }, lines = { .n = 0 };
	struct diff_options others = *options;

	if (!by_line) {
		diff_make(&lines, &old_lines, &new_lines, options);
		others.by_line = false;
	}
	diff_make(&diff, &old, &new, &others);
	show_progress_stop();
	if (!by_line)
		diff_take_totals(&diff, &lines);
	int result = show(o, &diff, by_line ? &diff : &lines, sources);
	diff_release(&diff);
	diff_release(&lines);
	return result;
}

static int load_and_compare(const struct diff_command *o)
{
	struct rows_options how = { .grouping = o->grouping,
				    .filter = o->common.filter,
				    .replica = REPLICA_OPTIONS_INIT };
	struct diff_options options = { .replica = how.replica,
					.by_line = true,
					.threshold = o->threshold / 100,
					.time = o->per_second ? DIFF_PER_SECOND
						: o->sums || o->common.conditions.n
							? DIFF_SUMS
							: DIFF_BY_LENGTH };
	struct input from = { 0 }, to = { 0 };
	int result = -1;

	options.replica.confidence = CONFIDENCE;
	/* first: a mistake there is said at once */
	struct sources *sources = load_sources(&o->common.source_path);
	if (!sources)
		return -1;
	show_progress_start(o->common.quiet);
	how.progress = show_progress_now();
	if (load_input(&from, &o->old, o, &how) == 0 && load_input(&to, &o->new, o, &how) == 0)
		result = compare(o, &from, &to, &options, sources);
	show_progress_stop();
	sources_free(sources);
	release_input(&from);
	release_input(&to);
	return result;
}

/* Returns the exit status. */
static int run(const struct diff_command *o)
{
	if (o->as == FORMAT_HTML &&
	    output_spares_terminal(o->common.output, "html", "ojx.html") < 0)
		return EXIT_USAGE;
	if (output_is_file(o->common.output) &&
	    (inputs_have(&o->old, o->common.output) || inputs_have(&o->new, o->common.output))) {
		say("'%s' is one of the recordings: name another file with -o", o->common.output);
		return EXIT_ERROR;
	}
	int result = load_and_compare(o);
	return result < 0 ? EXIT_ERROR : result;
}

int cmd_diff(int argc, char **argv)
{
	struct diff_command o = {
		.group_by = rows_groupings[ROWS_BY_LINE],
		.common = COMMON_OPTIONS_INIT,
		.threshold = 5,
		.limit = -1,
	};
	int parsed = parse(&o, argc, argv);
	int result = parsed == OPTIONS_HELP ? 0 : parsed < 0 ? EXIT_USAGE : run(&o);

	inputs_release(&o.old);
	inputs_release(&o.new);
	return result;
}
