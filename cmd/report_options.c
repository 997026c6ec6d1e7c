/* SPDX-License-Identifier: Apache-2.0 */
/* report_options.c - the options of `ojx report`: their help, and what their words stand for. */
#include "report.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyse/analyses.h"
#include "cmd.h"
#include "common_options.h"
#include "load.h"
#include "model/labels.h"
#include "say.h"

#define DEFAULT_KEY "likely"

enum { MAX_NUMBER = 1000000000 };

/* The value of a macro as text. */
#define TEXT_OF(x) #x
#define TEXT(x)	   TEXT_OF(x)

/* Parses the columns of --fields. */
static int choose_columns(struct report_options *o)
{
	const char *rest = o->fields;
	char name[32];

	for (size_t len; *rest; rest += len + (rest[len] == ',')) {
		len = strcspn(rest, ",");
		if (len == 0)
			continue;
		if (o->nchosen == TABLE_COLUMNS)
			return say_error("--fields: more than %d columns", TABLE_COLUMNS);
		snprintf(name, sizeof name, "%.*s", (int)len, rest);
		o->chosen[o->nchosen] = column_named(name);
		if (!o->chosen[o->nchosen++])
			return options_say_unknown("fields", name, columns_put_names);
	}
	return o->nchosen ? 0 : say_error("--fields: no column is named ('help' lists them)");
}

/* 0, or OPTIONS_HELP, or OPTIONS_ERROR. */
static int check_fields(struct report_options *o)
{
	if (!o->fields)
		return 0;
	if (strcmp(o->fields, "help") == 0) {
		fputs("The columns of --fields; those of --sort among them:\n", stdout);
		columns_put_names(stdout, true);
		putchar('\n');
		return OPTIONS_HELP;
	}
	if (!o->as->text)
		return say_error("--fields is about the table of the text; %s has its own form",
				 o->as->name);
	return choose_columns(o);
}

/* A file name with the suffix of an unknown format must not become text. */
static int say_unknown_file(const char *path)
{
	char *all = options_list("", renderers_put, false);

	say("-o '%s': no format is known by '%s': choose one by --format (%s)", path,
	    strrchr(path, '.'), all ? all : "?");
	free(all);
	return -1;
}

static int find_format(struct report_options *o)
{
	if (o->format)
		o->as = renderer_find(o->format);
	else if (o->common.output)
		o->as = renderer_of_file(o->common.output);
	else
		o->as = renderers;
	if (o->as)
		return 0;
	if (o->format)
		return options_say_unknown("format", o->format, renderers_put);
	return say_unknown_file(o->common.output);
}

/* A key of rows, by which lines are sorted, or one of an analysis. */
static int find_key(struct report_options *o)
{
	o->key = column_find(o->sort);
	if (o->key)
		return 0;
	o->found_key = figure_find_key(analyses, o->sort, &o->analysis);
	o->key = column_find(DEFAULT_KEY);
	return o->found_key ? 0 : -1;
}

static void put_keys(FILE *out, bool with_help)
{
	columns_put_keys(out, with_help);
	figures_put_keys(out, analyses, with_help);
}

static void put_metrics(FILE *out, bool with_help)
{
	struct metrics metrics;

	metrics_list(&metrics, analyses);
	metrics_put(out, &metrics, with_help);
}

static int check_words(struct report_options *o)
{
	static const char *const phases[] = { "going-on", "all", NULL };
	int phase = o->phase ? options_choice("phase", o->phase, phases) : 0;
	if (phase < 0)
		return -1;
	o->whole = phase == 1;
	int grouping = o->group_by ? options_choice("group-by", o->group_by, rows_groupings) : 0;
	if (grouping < 0)
		return -1;
	o->grouping = (enum rows_grouping)grouping;
	if (common_options_check(&o->common, analyses, CONDITION_OF_REPORT) < 0 ||
	    link_options_check(&o->links) < 0)
		return -1;
	if (find_key(o) < 0)
		return options_say_unknown("sort", o->sort, put_keys);
	metrics_list(&o->metrics, analyses);
	o->counted = metric_find(&o->metrics, o->metric);
	if (!o->counted)
		return options_say_unknown("metric", o->metric, put_metrics);
	if (find_format(o) < 0)
		return -1;
	if (accept_read(&o->accept) < 0)
		return -1;
	/* people read lines; JSON and CSV have always listed contexts, with lines in addition */
	if (!o->group_by)
		o->grouping = o->as->flags & RENDERER_PEOPLE ? ROWS_BY_LINE : ROWS_BY_CONTEXT;
	return 0;
}

/* Whether the other options go with --by. 0, or -1 after a message. */
static int check_by(const struct report_options *o)
{
	if (!o->by)
		return 0;
	if (!label_name_ok(o->by, strlen(o->by)))
		return say_error("--by: '%s' is not the name of a label", o->by);
	if (o->as->text != render_text && o->as->data != render_json)
		return say_error("--by has no form as %s: text or json", o->as->name);
	if (o->common.has_selection)
		return say_error("--by excludes %s", o->common.time ? "--time" : "--thread");
	if (o->common.conditions.n)
		return say_error("--by excludes --fail-if");
	return 0;
}

/*
 * Whether an operand names a line, as "Shop.java:12" or "Shop.load:12", and not a recording. If -i
 * names the recordings, it may also be a method whose lines are not known, as "Shop.load".
 */
static bool is_line(const char *name, bool recorded)
{
	const char *colon = strrchr(name, ':');

	if (access(name, F_OK) == 0)
		return false;
	if (!colon)
		return recorded && strchr(name, '.') && !strchr(name, '/');
	return colon > name && colon[1] && !colon[1 + strspn(colon + 1, "0123456789")];
}

/* Takes the line that is named, and leaves the other operands. Their number, or OPTIONS_ERROR. */
static int take_line(struct report_options *o, int n, char **names)
{
	int left = 0;

	for (int i = 0; i < n; i++) {
		if (!is_line(names[i], o->input.n > 0)) {
			names[left++] = names[i];
			continue;
		}
		if (o->common.filter.line_glob) {
			say("'%s' is more than 'ojx report' takes: it shows one line, here '%s'",
			    names[i], o->common.filter.line_glob);
			return OPTIONS_ERROR;
		}
		o->common.filter.line_glob = names[i];
		o->details = true;
	}
	return left;
}

/* Recordings may be named without -i. */
static int take_name(struct report_options *o, int n, char **names)
{
	static const char *const none[] = { OJX_DATA };
	const char *const *given = (const char *const *)names;

	n = take_line(o, n, names);
	if (n < 0)
		return n;
	if (n > 0 && o->input.n > 0) {
		say("'%s' is more than 'ojx report' takes: -i names the recording already",
		    names[0]);
		return OPTIONS_ERROR;
	}
	if (n == 0) {
		given = o->input.n ? o->input.item : none;
		n = o->input.n ? (int)o->input.n : 1;
	}
	return inputs_find(&o->inputs, given, (size_t)n) < 0 ? OPTIONS_ERROR : 0;
}

/* Help of the options whose words come from tables. */
struct listed_help {
	const char *sort, *format, *metric, *editors;
};

enum { MAX_ROWS = 60 };

static void fill_rows(struct option_row to[MAX_ROWS], struct report_options *o,
		      const struct listed_help *help)
{
	const struct option_row rows[] = {
		OPT_LIST('i', "input", "FILE", &o->input,
			 "read FILE (default " OJX_DATA
			 "; '-': standard input); the option's name may be left out; several, a "
			 "directory of *.data, or a pattern, are shown as one"),
		OPT_STRING('s', "sort", "KEY", &o->sort, help->sort),
		OPT_STRING(0, "metric", "METRIC", &o->metric, help->metric),
		OPT_STRING(0, "group-by", "WHAT", &o->group_by,
			   "one line for each line of code (class and innermost frame outside the "
			   "platform), allocation context (class and whole stack), site "
			   "(class and innermost frame), or class; default line, or context in "
			   "formats for programs"),
		OPT_STRING(
			0, "by", "LABEL", &o->by,
			"show what findings avoid, with a column for each value of LABEL, such as "
			"version or host, and which values have them; as text or json"),
		OPT_LINE(&o->common),
		OPT_BOOL('a', "all", &o->all,
			 "show all lines, also those with nothing to save or to fix; --fields, "
			 "filters and other sort keys than likely and saved show these, too"),
		OPT_BOOL(0, "details", &o->details,
			 "print all that is known of each line of the table, and of what other "
			 "analyses found; a LINE has its details without it"),
		OPT_BOOL(
			0, "stats", &o->stats,
			"show the statistics in the table: theta, alpha, omega, gamma, groups, deep groups, pairs"),
		OPT_INT(0, "limit", "N", &o->limit, 0, MAX_NUMBER,
			"show the first N lines (default 10 of a text, all with --all and as JSON; 0: all); "
			"of JSON short ones, unless --details is given"),
		OPT_INT(0, "min-pairs", "N", &o->min_pairs, 1, MAX_NUMBER,
			"show no share for fewer pairs (default " TEXT(REPLICA_MIN_PAIRS) ")"),
		OPT_DOUBLE(
			0, "percent-limit", "PERCENT", &o->percent_limit, 0, 100,
			"leave out lines below PERCENT of the sum of the sort key, or of the key itself if it is a share"),
		OPT_BOOL(0, "headers", &o->headers,
			 "show findings on accesses to the headers of objects, too: class words, "
			 "which type checks load, lengths of arrays, mark words"),
		OPT_STRING(
			'F', "fields", "LIST", &o->fields,
			"print just a table, with these columns in this order; 'help' lists them"),
		OPT_SELECTION(&o->common),
		OPT_COMMAND_LINE(&o->common),
		OPT_STRING(0, "format", "FORMAT", &o->format, help->format),
		OPT_LIST(0, "source-path", "PATH", &o->common.source_path,
			 "where the sources are, for html, sarif, github and links: folders, "
			 "-sources.jar, src.zip, separated by ':'"),
		OPT_STRING('o', "output", "FILE", &o->common.output,
			   "write to FILE, overwriting it, instead of standard output"),
		OPT_BOOL(0, "stdio", &o->stdio,
			 "print the report even on a terminal, where it is browsed by default"),
		OPT_TERMINAL(&o->common),
		OPT_LINKS(&o->links, help->editors),
		OPT_INT(0, "max-frames", "N", &o->max_frames, 0, MAX_NUMBER,
			"show N frames of each stack (default 16 of allocations, 4 of uses; 0: all)"),
		OPT_LIST(0, "fail-if", "CONDITION", &o->common.fail_if,
			 "exit with 3 if CONDITION holds for any finding or line of code, such as "
			 "'avoidable>50MB' or 'theta>0.9', or, as in 'total.avoidable>5%', for all "
			 "together; may be repeated"),
		OPT_STRING(
			0, "phase", "WHICH", &o->phase,
			"rank findings: going-on (default), those of the beginning alone last; all, "
			"by their sums"),
		OPT_ACCEPT(&o->accept, "; --fail-if is then about the others"),
		OPT_END,
	};

	static_assert(sizeof(rows) <= MAX_ROWS * sizeof(*to), "all rows fit");
	memcpy(to, rows, sizeof(rows));
}

/* 0, or what options_parse returned, or OPTIONS_ERROR. */
static int parse(struct report_options *o, int argc, char **argv)
{
	char *sort = options_list(
		"sort by KEY, the largest first (default " DEFAULT_KEY "):", put_keys, true);
	char *format = options_list(
		"output format; by default that of the output's name:", renderers_put, true);
	char *metric = options_list(
		"what collapsed counts, csv lists, and speedscope and pprof show first:",
		put_metrics, true);
	char *editors = link_options_help();
	const struct listed_help help = { sort ? sort : "sort by KEY",
					  format ? format : "the format of the output",
					  metric ? metric : "what the export counts",
					  editors ? editors : "what links open" };
	struct option_row rows[MAX_ROWS];

	fill_rows(rows, o, &help);
	const struct option_command command = {
		.name = "report",
		.synopsis = "[OPTION]... [FILE]... [LINE]",
		.about =
			"Shows which objects of a recording are replicas of each other, where they "
			"are made, where they are used, and what merging them would save. LINE "
			"selects one line of code, such as Shop.java:12 or Shop.load:12, and tells "
			"all that is known of it. What ends in ':' and a number, and is no file, "
			"is a LINE; with -i, also a method without the number, such as Shop.load.",
		.rows = rows,
		.options_anywhere = true,
	};
	int first = options_parse(&command, argc, argv);

	free(sort);
	free(format);
	free(metric);
	free(editors);
	return first < 0 ? first : take_name(o, argc - first, argv + first);
}

int report_options_parse(struct report_options *o, int argc, char **argv)
{
	*o = (struct report_options){
		.sort = DEFAULT_KEY,
		.metric = METRIC_DEFAULT,
		.common = COMMON_OPTIONS_INIT,
		.links = LINK_OPTIONS_INIT,
		.limit = -1,
		.min_pairs = -1,
		.max_frames = -1,
	};
	int parsed = parse(o, argc, argv);

	if (parsed < 0)
		return parsed;
	if (check_words(o) < 0 || check_by(o) < 0)
		return OPTIONS_ERROR;
	return check_fields(o);
}

/* ---- what is wanted ---------------------------------------------------------------------- */

bool report_is_for_people(const struct report_options *o)
{
	return o->as->flags & RENDERER_PEOPLE;
}

bool report_has_all(const struct report_options *o)
{
	return o->as->data == render_json || o->as->data == render_jfr ||
	       o->as->data == render_ndjson;
}

bool report_counts_fixes(const struct report_options *o)
{
	return o->counted->source == EXPORT_FIXES || o->as->data == render_pprof ||
	       o->as->data == render_speedscope || o->as->data == render_otlp ||
	       o->as->data == render_openmetrics;
}

bool report_tells_avoidable(const struct report_options *o)
{
	return (o->as->data == render_csv && !o->counted->analysis) ||
	       o->key->figure == &row_figures[ROW_FIGURE_AVOIDABLE];
}

bool report_wants_browser(const struct report_options *o)
{
	return !o->stdio && !o->by && !o->common.output && !o->format && !o->nchosen &&
	       !o->details && !o->common.conditions.n && !o->accept.write_accepted &&
	       !o->common.no_pager && isatty(STDOUT_FILENO);
}

struct rows_options report_rows_wanted(const struct report_options *o)
{
	struct rows_options how = {
		.grouping = o->grouping,
		.filter = o->common.filter,
		.replica = REPLICA_OPTIONS_INIT,
		.progress = show_progress_now(),
	};

	/* JSON has both; people, and who reads what a condition says, see what is missing */
	if (o->as->data != render_json)
		how.replica.detail = report_is_for_people(o) || o->common.conditions.n
					     ? REPLICA_MISSING
					     : REPLICA_VERDICT;
	if (o->min_pairs > 0)
		how.replica.min_pairs = (uint64_t)o->min_pairs;
	return how;
}

bool report_puts_gains_first(const struct report_options *o)
{
	bool by_saved = strcmp(column_name(o->key), "likely") == 0 ||
			strcmp(column_name(o->key), "saved") == 0;

	return report_is_for_people(o) && !o->all && !o->nchosen && by_saved &&
	       filter_is_empty(&o->common.filter) && !report_wants_browser(o);
}

bool report_shows_gain(const struct report_options *o)
{
	return (o->as->flags & RENDERER_GAIN) && report_puts_gains_first(o);
}
