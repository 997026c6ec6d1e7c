/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report.c - `ojx report`: reads a recording, analyses it and shows what it tells. What a report
 * consists of is decided in lib/; here are the options, the files and the errors.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd.h"
#include "fail.h"
#include "load.h"
#include "metrics.h"
#include "options.h"
#include "renderers.h"
#include "say.h"
#include "terminal.h"

#define DEFAULT_KEY "saved"

enum {
	DEFAULT_ROWS = 20, /* of a text */
	DEFAULT_STACK_FRAMES = 16,
	DEFAULT_ACCESS_FRAMES = 4,
	MAX_NUMBER = 1000000000,
};

/* The text of a number that is a macro. */
#define TEXT_OF(x) #x
#define TEXT(x)	   TEXT_OF(x)

struct report_options {
	const char *input, *output; /* output NULL: standard output */
	const char *sort, *group_by, *color;
	const char *metric;
	const char *format; /* NULL: as the name of the output says */
	const char *class_glob, *method_glob;
	int limit, min_pairs, max_frames; /* negative: the default */
	bool stdio, no_pager;

	struct option_list fail_if;
	struct option_list source_path;

	/* what the words above stand for */
	struct conditions conditions;
	const struct column *key;
	enum rows_grouping grouping;
	const struct renderer *as;
	const struct metric *counted;
	enum terminal_color ink;
};

/* ---- options ----------------------------------------------------------------------------- */

/* `intro` and what `put` writes of a table: names, or with help a line for each; allocated. */
static char *list_of(const char *intro, void (*put)(FILE *, bool), bool with_help)
{
	char *list = NULL;
	size_t len;
	FILE *out = open_memstream(&list, &len);

	if (!out)
		return NULL;
	fputs(intro, out);
	put(out, with_help);
	fclose(out);
	return list;
}

/* Refuses a word that is none of a table's. */
static int say_unknown(const char *option, const char *word, void (*put)(FILE *, bool))
{
	char *names = list_of("", put, false);

	say("--%s: '%s' is not one of: %s", option, word, names ? names : "?");
	free(names);
	return -1;
}

static int find_format(struct report_options *o)
{
	if (o->format)
		o->as = renderer_find(o->format);
	else if (o->output)
		o->as = renderer_of_file(o->output);
	if (!o->as && o->format)
		return say_unknown("format", o->format, renderers_put);
	if (!o->as)
		o->as = renderers;
	return 0;
}

static int check_words(struct report_options *o)
{
	int grouping = options_choice("group-by", o->group_by, rows_groupings);
	if (grouping < 0)
		return -1;
	int ink = options_choice("color", o->color, terminal_colors);
	if (ink < 0)
		return -1;
	o->grouping = (enum rows_grouping)grouping;
	o->ink = (enum terminal_color)ink;
	if (fail_parse(&o->conditions, "fail-if", &o->fail_if, CONDITION_OF_REPORT) < 0)
		return -1;
	o->key = column_find(o->sort);
	if (!o->key)
		return say_unknown("sort", o->sort, columns_put_keys);
	o->counted = metric_find(o->metric);
	if (!o->counted)
		return say_unknown("metric", o->metric, metrics_put);
	return find_format(o);
}

/* 0, or what options_parse returned, or OPTIONS_ERROR. */
static int parse(struct report_options *o, int argc, char **argv)
{
	char *sort = list_of("sort by KEY, the largest first (default " DEFAULT_KEY "):",
			     columns_put_keys, true);
	char *format = list_of("write one of these; without it, the name of the output tells:",
			       renderers_put, true);
	char *metric = list_of("what a collapsed file counts, and what speedscope and pprof show "
			       "first:",
			       metrics_put, true);
	const struct option_row rows[] = {
		OPT_STRING('i', "input", "FILE", &o->input,
			   "read FILE (default " OJX_DATA "; '-': standard input)"),
		OPT_STRING('s', "sort", "KEY", &o->sort, sort ? sort : "sort by KEY"),
		OPT_STRING(0, "metric", "METRIC", &o->metric,
			   metric ? metric : "what the export counts"),
		OPT_STRING(0, "group-by", "WHAT", &o->group_by,
			   "one line for each allocation context (class and whole stack), each "
			   "site (class and innermost frame), or each class; default context"),
		OPT_INT(0, "limit", "N", &o->limit, 0, MAX_NUMBER,
			"show the first N lines (default 20 of a text, all as JSON; 0: all)"),
		OPT_INT(0, "min-pairs", "N", &o->min_pairs, 1, MAX_NUMBER,
			"give no share and no verdict for fewer pairs (default " TEXT(
				REPLICA_MIN_PAIRS) ")"),
		OPT_STRING(0, "class", "GLOB", &o->class_glob,
			   "objects of matching classes only, such as 'com.acme.*'"),
		OPT_STRING(0, "method", "GLOB", &o->method_glob,
			   "objects allocated in or below matching methods only, such as "
			   "'*.Parser.parse*'"),
		OPT_STRING(0, "format", "FORMAT", &o->format,
			   format ? format : "the format of the output"),
		OPT_LIST(0, "source-path", "PATH", &o->source_path,
			 "where the sources are, for --format=html: folders, -sources.jar, "
			 "src.zip, separated by ':'"),
		OPT_STRING('o', "output", "FILE", &o->output,
			   "write to FILE, overwriting it, instead of standard output"),
		OPT_BOOL(0, "stdio", &o->stdio,
			 "as perf knows it: print and return, which is what this always does"),
		OPT_BOOL(0, "no-pager", &o->no_pager, "print to the terminal without a pager"),
		OPT_STRING(0, "color", "WHEN", &o->color, "auto (default), always or never"),
		OPT_INT(0, "max-frames", "N", &o->max_frames, 0, MAX_NUMBER,
			"show N frames of each stack (default 16 of allocations, 4 of uses; 0: "
			"all)"),
		OPT_LIST(0, "fail-if", "CONDITION", &o->fail_if,
			 "exit with 3 if CONDITION holds for any line, such as 'saved>10MB' or "
			 "'theta>0.9', or, as in 'total.saved>1GB', for all together; may be "
			 "repeated"),
		OPT_END,
	};
	const struct option_command command = {
		.name = "report",
		.synopsis = "[OPTION]...",
		.about =
			"Shows which objects of a recording are replicas of each other, where they "
			"are made, where they are used, and what merging them would save.",
		.rows = rows,
	};
	int first = options_parse(&command, argc, argv);

	free(sort);
	free(format);
	free(metric);
	if (first < 0)
		return first;
	if (first < argc) {
		say("'%s' is more than 'ojx report' takes: name the recording with -i FILE",
		    argv[first]);
		return OPTIONS_ERROR;
	}
	return check_words(o) < 0 ? OPTIONS_ERROR : 0;
}

/* ---- writing ----------------------------------------------------------------------------- */

static bool to_file(const struct report_options *o)
{
	return o->output && strcmp(o->output, "-") != 0;
}

static bool garbles_terminal(const struct report_options *o)
{
	return (o->as->flags & RENDERER_BINARY) && !to_file(o) && isatty(1);
}

/* Whether the output would overwrite the input. */
static bool is_input(const struct report_options *o)
{
	struct stat in, out;
	bool from_stdin = strcmp(o->input, "-") == 0;

	if (!o->output || stat(o->output, &out) < 0)
		return false;
	if ((from_stdin ? fstat(0, &in) : stat(o->input, &in)) < 0)
		return false;
	return S_ISREG(in.st_mode) && in.st_dev == out.st_dev && in.st_ino == out.st_ino;
}

static int render(FILE *out, const struct report_options *o, const struct report *r,
		  const struct style *s)
{
	return o->as->data ? o->as->data(out, r) : o->as->text(out, r, s);
}

static int say_unwritten(const char *name)
{
	int error = errno;

	return say_error("cannot write '%s': %s", name, error ? strerror(error) : "error");
}

static int write_file(const struct report_options *o, const struct report *r)
{
	FILE *out = fopen(o->output, "w");

	if (!out)
		return say_error("cannot create '%s': %s", o->output, strerror(errno));
	struct style style = terminal_style(out, o->ink);
	int result = render(out, o, r, &style);
	int error = errno;
	if (fclose(out) != 0 && result == 0) {
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
	struct pager pager;

	pager_start(&pager, !o->no_pager && o->as->text && r->rows->n > 0);
	int result = render(pager.out, o, r, &style);
	int error = errno;
	if (!ferror(pager.out) && result < 0) {
		pager_finish(&pager);
		errno = error;
		return say_unwritten("standard output");
	}
	/* an error of standard output itself is main's to notice */
	return pager.pid && pager_finish(&pager) < 0 ? say_unwritten("the pager") : 0;
}

/* ---- the command ------------------------------------------------------------------------- */

static size_t choose(int given, size_t by_default)
{
	if (given < 0)
		return by_default;
	return given == 0 ? SIZE_MAX : (size_t)given;
}

/* Opens what --source-path names. NULL after saying why not. */
static struct sources *open_sources(const struct option_list *paths)
{
	struct sources *s = sources_new();
	const char *bad = NULL;

	for (size_t i = 0; s && i < paths->n; i++) {
		if (sources_add(s, paths->item[i], &bad) == 0)
			continue;
		say("--source-path: cannot read '%s': %s", bad,
		    errno == EINVAL ? "neither a folder nor a zip archive" : strerror(errno));
		sources_free(s);
		return NULL;
	}
	if (!s)
		say("out of memory");
	return s;
}

/* 0, -1 after an error, or EXIT_CONDITION. */
static int make_report(const struct report_options *o, const struct model *m,
		       const struct file_header *header, uint64_t end_ns,
		       const struct sources *sources)
{
	struct rows_options how = { o->grouping, o->class_glob, o->method_glob,
				    REPLICA_OPTIONS_INIT };
	struct waste_sum waste[WASTE_KINDS];
	struct recording recording;
	struct rows rows;

	if (o->min_pairs > 0)
		how.replica.min_pairs = (uint64_t)o->min_pairs;
	if (waste_compute(waste, m, how.replica.confidence) < 0)
		return say_error("out of memory");
	if (rows_make(&rows, m, &how) < 0) {
		waste_release(waste);
		return say_error("out of memory");
	}
	struct cell_context ctx = { .min_pairs = how.replica.min_pairs };
	columns_sort(&rows, o->key, &ctx);
	recording_collect(&recording, m, header, end_ns, &rows);

	size_t limit = choose(o->limit, o->as->data ? SIZE_MAX : DEFAULT_ROWS);
	struct report report = {
		.version = OJX_VERSION,
		.recording = &recording,
		.rows = &rows,
		.waste = waste,
		.shown = rows.n < limit ? rows.n : limit,
		.key = o->key,
		.metric = o->counted,
		.grouping = o->grouping,
		.min_pairs = how.replica.min_pairs,
		.confidence = how.replica.confidence,
		.stack_frames = choose(o->max_frames, DEFAULT_STACK_FRAMES),
		.access_frames = choose(o->max_frames, DEFAULT_ACCESS_FRAMES),
		.sources = sources,
	};
	int result = to_file(o) ? write_file(o, &report) : write_stdout(o, &report);
	if (result == 0)
		say_uncounted(o, &report);
	const struct style plain = { .utf8 = true };
	ctx.style = &plain;
	if (result == 0 && fail_report(&o->conditions, &rows, &ctx) > 0)
		result = EXIT_CONDITION;
	rows_release(&rows);
	waste_release(waste);
	return result;
}

static int run(const struct report_options *o)
{
	struct model *m = model_new();
	struct file_header header;
	uint64_t end_ns;
	int result = -1;

	if (!m)
		return say_error("out of memory");
	/* first: a mistake there is said at once */
	struct sources *sources = open_sources(&o->source_path);
	if (sources && load_model(o->input, m, &header, &end_ns) == 0) {
		const char *why = load_nothing(m);
		/* programs get their document all the same */
		result = why && o->as->text ? 0 : make_report(o, m, &header, end_ns, sources);
		if (why && result == 0) {
			load_say_notes(m);
			result = say_error("'%s': %s", o->input, why);
		}
	}
	sources_free(sources);
	model_free(m);
	return result;
}

int cmd_report(int argc, char **argv)
{
	struct report_options o = {
		.input = OJX_DATA,
		.sort = DEFAULT_KEY,
		.group_by = rows_groupings[ROWS_BY_CONTEXT],
		.metric = METRIC_DEFAULT,
		.color = terminal_colors[COLOR_AUTO],
		.limit = -1,
		.min_pairs = -1,
		.max_frames = -1,
	};
	int parsed = parse(&o, argc, argv);

	if (parsed == OPTIONS_HELP)
		return 0;
	if (parsed < 0)
		return EXIT_USAGE;
	if (garbles_terminal(&o)) {
		say("%s is not for a terminal: write it to a file, such as -o ojx%s", o.as->name,
		    o.as->suffix);
		return EXIT_USAGE;
	}
	if (is_input(&o)) {
		say("'%s' is the recording itself: name another file with -o", o.output);
		return EXIT_ERROR;
	}
	int result = run(&o);
	return result < 0 ? EXIT_ERROR : result;
}
