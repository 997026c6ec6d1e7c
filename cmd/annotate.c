/* SPDX-License-Identifier: Apache-2.0 */
/*
 * annotate.c - `ojx annotate`: shows source lines with what a recording knows of them. The contents
 * and their form are decided in lib/; this file handles options, files and errors.
 */
#include <stdlib.h>

#include "analyse/analyses.h"
#include "base/xmalloc.h"
#include "cmd.h"
#include "common_options.h"
#include "load.h"
#include "out_of_memory.h"
#include "output.h"
#include "render/annotate/render_annotate.h"
#include "report/filter.h"
#include "say.h"

/* The value of a macro as text. */
#define TEXT_OF(x) #x
#define TEXT(x)	   TEXT_OF(x)

enum {
	DEFAULT_LINES = 20,
	DEFAULT_CONTEXT = 4,
	MAX_NUMBER = 1000000000,
};

enum format { FORMAT_TEXT, FORMAT_JSON };
static const char *const formats[] = { "text", "json", NULL };

struct annotate_command {
	struct common_options common;
	struct option_list input;
	struct inputs inputs;
	const char *sort, *format;
	struct link_options links;
	int context, limit, min_pairs;
	bool whole, assembly, headers, jdk;
	const char *const *words;
	size_t nwords;

	/* the parsed forms of the words above */
	enum annotate_key key;
	enum format as;
};

/* ---- options ----------------------------------------------------------------------------- */

static int check_words(struct annotate_command *o)
{
	int key = 0, as;

	const char *keys[ANNOTATE_KEYS];

	annotate_list_keys(keys, analyses);
	if (o->sort && (key = options_choice("sort", o->sort, keys)) < 0)
		return -1;
	if ((as = options_choice("format", o->format, formats)) < 0 ||
	    common_options_check(&o->common, analyses, CONDITION_OF_REPORT) < 0 ||
	    link_options_check(&o->links) < 0)
		return -1;
	o->key = (enum annotate_key)key;
	o->as = (enum format)as;
	return 0;
}

static void put_keys(FILE *out, bool with_help)
{
	const char *keys[ANNOTATE_KEYS];

	(void)with_help;
	annotate_list_keys(keys, analyses);
	for (size_t i = 0; keys[i]; i++)
		fprintf(out, "%s%s", i ? ", " : "", keys[i]);
}

/* 0, OPTIONS_ERROR, or the result of options_parse. */
static int parse(struct annotate_command *o, int argc, char **argv)
{
	char *sort = options_list("sort the list of lines by KEY: saved (default), or, by default "
				  "without objects, what else was found; one of ",
				  put_keys, false);
	char *editors = link_options_help();
	const struct option_row rows[] = {
		OPT_LIST('i', "input", "FILE", &o->input,
			 "read FILE (default " OJX_DATA
			 "; '-': standard input); may be repeated: several, a directory of *.data, "
			 "or a pattern, are shown as one"),
		OPT_LIST(0, "source-path", "PATH", &o->common.source_path,
			 "where the sources are: folders, -sources.jar, src.zip, separated by ':'"),
		OPT_BOOL(0, "headers", &o->headers,
			 "show findings on accesses to the headers of objects, too"),
		OPT_BOOL(0, "asm", &o->assembly,
			 "show the instructions of accesses that were found (see 'ojx list')"),
		OPT_INT('C', "context", "N", &o->context, 0, MAX_NUMBER,
			"show N lines around each known line (default 4)"),
		OPT_BOOL('W', "whole", &o->whole, "show whole files"),
		OPT_STRING('s', "sort", "KEY", &o->sort,
			   sort ? sort : "sort the list of lines by KEY"),
		OPT_BOOL(
			0, "jdk", &o->jdk,
			"list lines of the platform, too; by default they count only for their callers"),
		OPT_INT(0, "limit", "N", &o->limit, 0, MAX_NUMBER,
			"list the first N lines (default 20; 0: all)"),
		OPT_INT(0, "min-pairs", "N", &o->min_pairs, 1, MAX_NUMBER,
			"show no share for fewer pairs (default " TEXT(REPLICA_MIN_PAIRS) ")"),
		OPT_SELECTION(&o->common),
		OPT_STRING(0, "format", "FORMAT", &o->format, "text (default) or json"),
		OPT_TERMINAL(&o->common),
		OPT_LINKS(&o->links, editors ? editors : "what links open"),
		OPT_END,
	};
	const struct option_command command = {
		.name = "annotate",
		.synopsis = "[OPTION]... [CLASS|FILE[:LINE]]...",
		.about = "Shows source files, each line with the objects that it allocates, how "
			 "alike they are, and the uses seen there. Name a file by a class in it or "
			 "by its own name; without names, the hottest lines of all files are "
			 "listed.",
		.rows = rows,
		.options_anywhere = true,
	};
	int first = options_parse(&command, argc, argv);

	free(sort);
	free(editors);
	if (first < 0)
		return first;
	o->words = (const char *const *)argv + first;
	o->nwords = (size_t)(argc - first);
	return check_words(o) < 0 ? OPTIONS_ERROR : 0;
}

/* ---- writing ----------------------------------------------------------------------------- */

struct drawing {
	enum format as;
	struct annotate_report report;
};

static int draw(FILE *out, const struct style *style, const void *what)
{
	const struct drawing *d = what;

	if (d->as == FORMAT_JSON)
		return render_annotate_json(out, &d->report);
	return d->report.nwords ? render_annotate_files(out, &d->report, style)
				: render_annotate_list(out, &d->report, style);
}

/* Checks that each word names a file; otherwise it is misspelt. */
static int check_names(const struct annotate_command *o, const struct annotate *a)
{
	int line;

	for (size_t i = 0; i < o->nwords; i++) {
		size_t f = 0;
		while (f < a->nfiles && !annotate_names(&a->files[f], o->words[i], &line))
			f++;
		if (f == a->nfiles)
			return say_error(
				"nothing is known of '%s': no line of such a class or "
				"file is in the recording ('ojx annotate' lists those that "
				"are)",
				o->words[i]);
	}
	return 0;
}

static int show(const struct annotate_command *o, const struct loaded *l,
		const struct sources *sources)
{
	struct replica_options options = REPLICA_OPTIONS_INIT;
	struct findings findings;
	struct annotate a = { .nfiles = 0 };

	if (o->min_pairs > 0)
		options.min_pairs = (uint64_t)o->min_pairs;
	const struct findings_options how = { .confidence = options.confidence,
					      .min_pairs = options.min_pairs };
	const struct findings_filter narrow = { .filter = &o->common.filter,
						.model = l->model,
						.limit = SIZE_MAX,
						.minor = o->headers };
	findings_compute(&findings, l->model, &how);
	findings_narrow(&findings, &narrow);
	annotate_make(&a, l->model, &findings, &o->common.filter, &options, show_progress_now());
	filter_say_ignored(&o->common.filter, &findings);
	const struct drawing drawing = {
		.as = o->as,
		.report = {
			.version = OJX_VERSION,
			.recording = &l->recording,
			.annotate = &a,
			.sources = sources,
			.words = o->words,
			.nwords = o->nwords,
			.key = o->sort || a.objects > 0 ? o->key : ANNOTATE_FOUND,
			.limit = o->limit ? (size_t)o->limit : SIZE_MAX,
			.context = o->whole ? ANNOTATE_WHOLE : (size_t)o->context,
			.min_pairs = options.min_pairs,
			.confidence = options.confidence,
			.assembly = o->assembly,
			.jdk = o->jdk,
		},
	};
	struct output output = common_options_output(&o->common, o->as == FORMAT_TEXT);
	output.links = &o->links;
	output.sources = sources;
	show_progress_stop();
	int result = check_names(o, &a);
	if (result == 0)
		result = output_write(&output, draw, &drawing);
	annotate_release(&a);
	findings_release(&findings);
	return result;
}

static int use(struct loaded *l, const struct sources *sources, void *arg)
{
	const struct annotate_command *o = arg;

	return l->nothing ? load_say_nothing(l, o->inputs.name) : show(o, l, sources);
}

int cmd_annotate(int argc, char **argv)
{
	struct annotate_command o = {
		.format = formats[FORMAT_TEXT],
		.common = COMMON_OPTIONS_INIT,
		.links = LINK_OPTIONS_INIT,
		.context = DEFAULT_CONTEXT,
		.limit = DEFAULT_LINES,
		.min_pairs = -1,
	};
	int parsed = parse(&o, argc, argv);

	if (parsed == OPTIONS_HELP)
		return 0;
	if (parsed < 0)
		return EXIT_USAGE;
	static const char *const none[] = { OJX_DATA };
	int result =
		inputs_find(&o.inputs, o.input.n ? o.input.item : none, o.input.n ? o.input.n : 1);
	if (result == 0)
		result = load_and_use(&o.common, &o.inputs, use, &o);
	inputs_release(&o.inputs);
	return result < 0 ? EXIT_ERROR : 0;
}
