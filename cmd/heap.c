/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap.c - `ojx heap`: which objects of a heap dump are copies, who holds them, and which hold
 * little. lib/heapdump/ finds that out; here are the options and the errors.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "accept.h"
#include "base/outfile.h"
#include "cmd.h"
#include "common_options.h"
#include "heapdump/heap_report.h"
#include "jvms.h"
#include "load.h"
#include "options.h"
#include "out_of_memory.h"
#include "output.h"
#include "render/render_heap.h"
#include "render/render_other_findings.h"
#include "report/filter.h"
#include "report/rows.h"
#include "say.h"

/* ---- which lines allocate what a heap dump has copies of, from a recording. */

enum { CONFIDENCE_PERCENT = 95 };

static void add_rows(struct heap_report *r, const struct rows *rows)
{
	struct heap_site *sites = xcalloc(rows->table.n + 1, sizeof *sites);
	size_t n = 0;

	for (size_t i = 0; i < rows->table.n; i++) {
		const struct row *row = rows_at(rows, i);
		if (row->replica.bytes > 0)
			sites[n++] = (struct heap_site){ row_class(row),
							 row_place_text(row, row_put_line),
							 row->replica.bytes };
	}
	heap_report_add_sites(r, sites, n);
	for (size_t i = 0; i < n; i++)
		free((char *)sites[i].line);
	free(sites);
}

/* Reads the recording and adds its lines to the report. 0, or -1 after an error message. */
static int heap_sites_add(struct heap_report *r, const char *recording)
{
	const struct rows_options how = { .grouping = ROWS_BY_LINE,
					  .replica.confidence = CONFIDENCE_PERCENT / 100.0 };
	struct loaded loaded = { .model = NULL };
	struct rows rows = { .seen = false };
	int result = load_recording(&loaded, recording, NULL);

	if (result == 0 && loaded.nothing)
		result = load_say_nothing(&loaded, recording);
	if (result == 0) {
		rows_make(&rows, loaded.model, &how);
		add_rows(r, &rows);
	}
	rows_release(&rows);
	model_free(loaded.model);
	return result;
}

enum { MAX_NUMBER = 1000000000 };
enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_HTML, FORMAT_CSV, FORMAT_MARKDOWN };
static const char *const formats[] = { "text", "json", "html", "csv", "markdown", NULL };

struct heap_command {
	struct common_options common;
	const char *path, *old; /* old NULL: there is one dump */
	const char *name;	/* of `path`, as the reader knows it */
	const char *pid;	/* or a pattern; NULL: none */
	const char *recording;	/* of the same program; NULL: none */
	const char *sort, *format;
	int limit; /* negative: the default */
	int dump;  /* of the file, from 1 on; 0: the last */
	bool all, values;
	struct heap_retained_options retained;
	struct accept_options accept;

	/* the parsed forms of the words above */
	const struct figure *key;
	enum format as;
};

/* ---- options ----------------------------------------------------------------------------- */

static void put_keys(FILE *out, bool with_help)
{
	figures_put_keys(out, heap_analyses, with_help);
}

static void put_change_keys(FILE *out, bool with_help)
{
	figures_put_keys(out, heap_compare_analyses, with_help);
}

static int check_words(struct heap_command *o)
{
	if (!o->format)
		o->format = o->common.output ? output_format(o->common.output, formats, "heap")
					     : formats[FORMAT_TEXT];
	if (!o->format)
		return -1;
	const struct analysis *const *analyses = o->old ? heap_compare_analyses : heap_analyses;
	const struct analysis *analysis;
	char key[64];
	int as = options_choice("format", o->format, formats);

	if (as < 0 || common_options_check(&o->common, analyses, CONDITION_OF_HEAP) < 0)
		return -1;
	o->as = (enum format)as;
	if (o->sort) {
		snprintf(key, sizeof key, "%s.%s", analyses[0]->key, o->sort);
		o->key = figure_find_key(analyses, o->sort, &analysis);
		if (!o->key && !(o->key = figure_find_key(analyses, key, &analysis)))
			return options_say_unknown("sort", o->sort,
						   o->old ? put_change_keys : put_keys);
	}
	return 0;
}

static int check_output(const struct heap_command *o)
{
	const char *dump[] = { o->path, o->old, o->recording };

	if (o->as == FORMAT_HTML &&
	    output_spares_terminal(o->common.output, "html", "heap.html") < 0)
		return -1;
	for (int i = 0; output_is_file(o->common.output) && i < 3; i++)
		if (dump[i] && outfile_is_input(o->common.output, dump[i]))
			return say_error("'%s' is read: name another file with -o",
					 o->common.output);
	return 0;
}

static const char notes[] =
	"FILE is what 'jcmd PID GC.heap_dump FILE' writes, also with -gz; '-' is standard input.\n"
	"With -p the JVM itself writes it, into a directory that only its user can read, and\n"
	"stands still meanwhile; ojx removes it. 'ojx heap -p PID OLD' shows what changed.\n"
	"Objects are equal if they have the same class, the same primitive values, and\n"
	"references to equal objects. Contents of the dump are shown only with --values.\n"
	"CONDITION is WHAT OPERATOR NUMBER: 'heap.freed_bytes>10MB' tests each class,\n"
	"'total.heap.freed_bytes>50MB' all together, 'equal>20%' and 'wasteful>20%' the share\n"
	"of the heap, 'kept>5%' and 'retained>50%' those of the largest row. Of two dumps 'change.bytes>10MB', 'change.objects>1k' and\n"
	"'change.freed_bytes>10MB' test what is more in NEW; --sort takes these, too.\n"
	"Exit status: 0, 1 after an error, 2 after a wrong command line, 3 if a CONDITION\n"
	"holds.\n";

/* Takes the dumps that the command line names. */
static int take_dumps(struct heap_command *o, int n, char **file)
{
	int dumps = n + (o->pid ? 1 : 0);

	if (o->all && !o->pid)
		return say_error(
			"--all tells the JVM of -p what to write; a dump of a file has what it has");
	if (dumps != 1 && dumps != 2)
		return say_error("'ojx heap' takes a heap dump, such as 'jcmd PID GC.heap_dump "
				 "FILE' writes, or two, OLD and NEW, or -p PID in place of the "
				 "last");
	if (o->dump && (dumps == 2 || o->pid))
		return say_error("--dump chooses one of the dumps in one file");
	o->old = dumps == 2 ? file[0] : NULL;
	o->path = o->pid ? NULL : file[n - 1];
	return 0;
}

/* 0, OPTIONS_ERROR, or the result of options_parse. */
static int parse(struct heap_command *o, int argc, char **argv)
{
	char *keys = options_list(
		"sort classes by one of these, the largest first (default heap.freed_bytes):",
		put_keys, true);
	const struct option_row rows[] = {
		OPT_STRING('p', "pid", "PID", &o->pid,
			   "read the heap of this running JVM ('ojx list jvms' shows them)"),
		OPT_BOOL(
			0, "all", &o->all,
			"with -p: also the objects that nothing references; by default the JVM collects them first"),
		OPT_INT(0, "dump", "N", &o->dump, 1, MAX_NUMBER,
			"of a file that has dumps of several moments, read the N-th (default the last)"),
		OPT_STRING(
			'i', "input", "FILE", &o->recording,
			"show which lines allocate the classes that have copies, from this recording of the program"),
		OPT_STRING(0, "sort", "KEY", &o->sort, keys),
		OPT_STRING(0, "class", "GLOB", &o->common.filter.class_glob,
			   "only objects of matching classes, such as 'com.acme.*'"),
		OPT_INT(0, "limit", "N", &o->limit, 0, MAX_NUMBER,
			"show the first N rows of each table (default 15 in text, all in JSON and CSV; 0: all)"),
		OPT_BOOL(0, "retained", &o->retained.tables,
			 "show what goes if objects, fields or classes go, the largest first"),
		OPT_BOOL(0, "path", &o->retained.paths,
			 "show a shortest path from a root to an object of each row"),
		OPT_BOOL(0, "values", &o->values,
			 "show a value of the largest group: strings, numbers and the beginning of "
			 "arrays, as they are in the dump"),
		OPT_ACCEPT(&o->accept, ""),
		OPT_LIST(
			0, "fail-if", "CONDITION", &o->common.fail_if,
			"exit with 3 if CONDITION holds for any class (see below); may be repeated"),
		OPT_STRING(
			'o', "output", "FILE", &o->common.output,
			"write to FILE instead of standard output; its suffix tells the format, unless --format does"),
		OPT_STRING(
			0, "format", "FORMAT", &o->format,
			"text (default), json, html, a page for a browser, csv (the classes), or markdown (a summary)"),
		OPT_TERMINAL(&o->common),
		OPT_END,
	};
	const struct option_command command = {
		.name = "heap",
		.synopsis = "[OPTION]... FILE | OLD NEW | -p PID [OLD]",
		.about =
			"Shows which objects of a heap dump are equal, and what merging them "
			"would free: exactly, by class, and by the fields that hold the copies; "
			"and which objects hold little for their size. Of two dumps: what changed.",
		.rows = rows,
		.options_anywhere = true,
		.notes = notes,
	};
	int first = options_parse(&command, argc, argv);

	free(keys);
	if (first < 0)
		return first;
	if (take_dumps(o, argc - first, argv + first) < 0)
		return OPTIONS_ERROR;
	if (o->old && (o->accept.accept || o->accept.write_accepted))
		return say_error("--accept and --write-accepted belong to one dump; of two it is "
				 "shown what changed");
	if (o->old && (o->retained.tables || o->retained.paths))
		return say_error("--retained and --path belong to one dump; of two it is shown "
				 "what changed");
	if (o->old && o->recording)
		return say_error("--input belongs to one dump; of two it is shown what changed");
	if (o->old && o->pid && access(o->old, R_OK) < 0 && strcmp(o->old, "-") != 0)
		return say_error("cannot open '%s': %s", o->old, strerror(errno));
	if (o->old && o->path && strcmp(o->old, "-") == 0 && strcmp(o->path, "-") == 0)
		return say_error("only one of the two dumps can be standard input");
	if (check_words(o) < 0 || check_output(o) < 0 || accept_read(&o->accept) < 0)
		return OPTIONS_ERROR;
	return 0;
}

/* ---- the command ------------------------------------------------------------------------- */

struct drawing {
	enum format as;
	struct render_heap heap;
};

static int draw(FILE *out, const struct style *style, const void *what)
{
	const struct drawing *d = what;

	switch (d->as) {
	case FORMAT_JSON:
		return render_heap_json(out, &d->heap);
	case FORMAT_HTML:
		return render_heap_html(out, &d->heap);
	case FORMAT_CSV:
		return render_heap_csv(out, &d->heap);
	case FORMAT_MARKDOWN:
		return render_heap_markdown(out, &d->heap);
	default:
		return render_heap_text(out, &d->heap, style);
	}
}

static bool is_of_retained(const struct condition *c)
{
	return c->kind && strcmp(c->kind->name, "retained") == 0;
}

/* Where contents are erased, only sizes and numbers are known, and who holds what. */
static int check_known(const struct conditions *conditions, const struct heap_report *report)
{
	for (size_t i = 0; report && report->heap.erased && i < conditions->n; i++) {
		const struct condition *c = &conditions->item[i];
		if (!is_of_retained(c) && strcmp(c->figure->name, "bytes") != 0 &&
		    strcmp(c->figure->name, "objects") != 0)
			return say_error(
				"--fail-if: '%.*s' cannot be tested: the contents of the dump are erased; "
				"'bytes' and 'objects' can",
				(int)c->len, c->text);
	}
	return 0;
}

/* Sorts, filters and shows, of two dumps what changed. 0, -1 after an error, or EXIT_CONDITION. */
static int show(const struct heap_command *o, const struct heap_report *report,
		const struct heap_compare *compare, struct findings *findings)
{
	/* people see classes without copies only if they ask for classes or an order */
	const struct findings_filter narrow = { .filter = &o->common.filter,
						.limit = o->limit > 0 ? (size_t)o->limit : SIZE_MAX,
						.minor = o->as == FORMAT_JSON ||
							 o->as == FORMAT_CSV || o->key ||
							 o->common.filter.class_glob };
	struct others others = { .n = 0 };
	const struct drawing drawing = { .as = o->as,
					 .heap = { .version = OJX_VERSION,
						   .path = o->name,
						   .report = report,
						   .limited = o->limit >= 0,
						   .told = o->limit < 0 ? OTHERS_FIRST
							   : o->limit	? (size_t)o->limit
									: SIZE_MAX,
						   .others = compare ? NULL : &others,
						   .compare = compare,
						   .old_path = o->old } };
	struct output output = common_options_output(&o->common, o->as == FORMAT_TEXT);
	const struct condition_facts facts = { .findings = findings };
	const struct fixes none = { .n = 0 };

	if (o->key)
		findings_sort(findings, findings->item[0].analysis, o->key);
	findings_narrow(findings, &narrow);
	if (!compare)
		others_find(&others, findings);
	if (o->accept.accepted)
		accepted_take_out_others(o->accept.accepted, &others);
	show_progress_stop();
	output.secret = o->values; /* contents are for the same eyes as the dump */
	int result = output_write(&output, draw, &drawing);
	if (result == 0)
		result = accept_write(&o->accept, &none, &others);
	if (result == 0)
		accept_say_stale(&o->accept, filter_is_empty(&o->common.filter));
	others_release(&others);
	if (result < 0)
		return -1;
	if (check_known(&o->common.conditions, report) < 0 ||
	    (compare && check_known(&o->common.conditions, compare->old) < 0))
		return -1;
	return fail_report(&o->common.conditions, &facts) > 0 ? EXIT_CONDITION : 0;
}

/* 0, or -1 after an error message. */
static int read_dump(const struct heap_command *o, struct heap_report *report, const char *path)
{
	if (heap_report_make(report, path, (unsigned)o->dump, o->values, show_progress_now()) == 0)
		return 0;
	show_progress_stop();
	return say_error("'%s': %s", path == o->path ? o->name : path, report->error);
}

static int show_one(const struct heap_command *o)
{
	struct heap_report report;
	int result = read_dump(o, &report, o->path);

	if (result == 0 && o->recording)
		result = heap_sites_add(&report, o->recording);
	if (result == 0) {
		struct heap_retained_options retained = o->retained;
		for (size_t i = 0; i < o->common.conditions.n; i++)
			retained.tables |= is_of_retained(&o->common.conditions.item[i]);
		heap_report_add_retained(&report, &retained, show_progress_now());
		result = show(o, &report, NULL, &report.findings);
	}
	heap_report_release(&report);
	return result;
}

static int show_change(const struct heap_command *o)
{
	struct heap_report old, new = { .values = false };
	struct heap_compare compare = { .old = NULL };
	int result = read_dump(o, &old, o->old);

	if (result == 0)
		result = read_dump(o, &new, o->path);
	if (result == 0) {
		heap_compare_make(&compare, &old, &new);
		result = show(o, &new, &compare, &compare.findings);
	}
	heap_compare_release(&compare);
	heap_report_release(&old);
	heap_report_release(&new);
	return result;
}

int cmd_heap(int argc, char **argv)
{
	struct heap_command o = {
		.common = COMMON_OPTIONS_INIT,
		.limit = -1,
	};
	int parsed = parse(&o, argc, argv);

	if (parsed == OPTIONS_HELP)
		return 0;
	if (parsed < 0) {
		accept_forget(&o.accept);
		return EXIT_USAGE;
	}
	char name[HEAP_PID_NAME], path[32];
	o.name = o.path;
	if (o.pid) {
		int fd = heap_pid_dump(o.pid, o.all, o.common.quiet, name);
		if (fd < 0) {
			accept_forget(&o.accept);
			return EXIT_ERROR;
		}
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
		o.path = path;
		o.name = name;
	}
	show_progress_start(o.common.quiet);
	int result = o.old ? show_change(&o) : show_one(&o);
	show_progress_stop();
	accept_forget(&o.accept);
	return result < 0 ? EXIT_ERROR : result;
}
