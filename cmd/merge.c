/* SPDX-License-Identifier: Apache-2.0 */
/* merge.c - `ojx merge`: writes many recordings into one, which reports show as they are pooled. */
#include "merge/merge.h"

#include <errno.h>
#include <string.h>

#include "analyse/analyses.h"
#include "cmd.h"
#include "common_options.h"
#include "inputs.h"
#include "load.h"
#include "out_of_memory.h"
#include "say.h"

struct merge_command {
	const char *output;
	struct common_options common;
	struct inputs inputs;
};

static int parse(struct merge_command *o, int argc, char **argv)
{
	const struct option_row rows[] = {
		OPT_STRING('o', "output", "FILE", &o->output,
			   "write the merged recording to FILE ('-': standard output); an existing "
			   "FILE is renamed to FILE.old"),
		OPT_LIST(0, "label", "LABEL", &o->common.label,
			 "only JVMs with a label that matches NAME=GLOB, such as 'version=1.*' "
			 "(see 'ojx record --label'); if repeated, with all of them"),
		OPT_BOOL('q', "quiet", &o->common.quiet,
			 "show no progress; by default it is shown on a terminal after one second"),
		OPT_END,
	};
	const struct option_command command = {
		.name = "merge",
		.synopsis = "[OPTION]... -o FILE RECORDING...",
		.about = "Writes many recordings of a program into one of about the size of one: "
			 "sums, and a sample of what was seen of objects. A RECORDING is a file, a "
			 "directory of files *.data, or a pattern. 'ojx report' shows the result, "
			 "and it can be merged again.",
		.rows = rows,
		.options_anywhere = true,
	};
	int first = options_parse(&command, argc, argv);

	if (first < 0)
		return first;
	if (first == argc) {
		say("'ojx merge' needs recordings, files or directories");
		return OPTIONS_ERROR;
	}
	if (!o->output) {
		say("'ojx merge' needs a file to write to: -o FILE");
		return OPTIONS_ERROR;
	}
	if (common_options_check(&o->common, analyses, CONDITION_OF_REPORT) < 0)
		return OPTIONS_ERROR;
	return inputs_find(&o->inputs, (const char *const *)argv + first, (size_t)(argc - first));
}

static int write_record(uint32_t jvm, const struct wire_rec *rec, uint32_t len, void *arg)
{
	return datafile_write(arg, jvm, rec, len);
}

static int say_cannot(const struct merge_command *o)
{
	if (errno == ENOMEM)
		out_of_memory();
	return say_error("cannot write '%s': %s", o->output, datafile_why(errno));
}

static int write_merged(const struct merge_command *o, struct merge *m)
{
	struct merge_size size = merge_size(m);
	const struct file_header header = merge_header(m);
	struct datafile_writer *w = datafile_create_of(o->output, &header);

	if (!w)
		return say_cannot(o);
	int result = merge_emit(m, write_record, w);
	if (datafile_close(w) < 0 || result < 0)
		return say_cannot(o);
	say("merged %zu recording%s of %zu process%s into '%s'", size.recordings,
	    size.recordings == 1 ? "" : "s", size.processes, size.processes == 1 ? "" : "es",
	    o->output);
	if (size.left_out)
		say("names of threads, times, lives, windows and views of the heap are not in it");
	return 0;
}

static int run(const struct merge_command *o)
{
	struct merge *m = merge_new(analyses);

	show_progress_start(o->common.quiet);
	int result = load_merge(m, &o->inputs, &o->common.filter);
	show_progress_stop();
	if (result == 0)
		result = write_merged(o, m);
	merge_free(m);
	return result;
}

int cmd_merge(int argc, char **argv)
{
	struct merge_command o = { .common = COMMON_OPTIONS_INIT };
	int parsed = parse(&o, argc, argv), result = 0;

	if (parsed == OPTIONS_HELP)
		return 0;
	if (parsed < 0) {
		inputs_release(&o.inputs);
		return EXIT_USAGE;
	}
	if (strcmp(o.output, "-") != 0 && inputs_have(&o.inputs, o.output)) {
		say("'%s' is one of the recordings: name another file with -o", o.output);
		result = -1;
	}
	if (result == 0)
		result = run(&o);
	inputs_release(&o.inputs);
	return result < 0 ? EXIT_ERROR : 0;
}
