/* SPDX-License-Identifier: Apache-2.0 */
/* top_options.c - see top_options.h. */
#include "top_options.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "live/live_columns.h"
#include "live/view.h"
#include "options.h"
#include "say.h"

#define DEFAULT_KEY	 "saved/s"
#define DEFAULT_INTERVAL 2000000000u /* nanoseconds */

static const char about[] = "Shows live which objects a Java program creates and how many of them "
			    "are replicas of each other. The program is COMMAND, which is run and "
			    "recorded as by 'ojx record', a JVM that runs, or one that is being "
			    "recorded already.";

static const char notes[] =
	"On a terminal, h shows the keys. What COMMAND writes to the terminal is kept: u shows\n"
	"it, and it is written when the screen is left. COMMAND cannot read from the terminal,\n"
	"since the keys are ojx's. Without a terminal, or with -b, a table is printed every\n"
	"interval, and COMMAND's standard output after the last table. The exit status is that\n"
	"of COMMAND, as with 'ojx record'.\n";

/* The columns that a live table can be sorted by. */
static void put_keys(FILE *out, bool with_help)
{
	const struct column *list[TABLE_COLUMNS];
	size_t n = live_columns_list(list, COLUMN_TOP);
	const char *separator = "";

	for (size_t i = 0; i < n; i++) {
		if (!column_is_key(list[i]))
			continue;
		if (with_help)
			fprintf(out, "\n- %s: %s", column_name(list[i]), list[i]->figure.help);
		else
			fprintf(out, "%s%s", separator, column_name(list[i]));
		separator = ", ";
	}
}

static int check(struct top_options *o)
{
	const char *output = o->output;
	bool has_command = o->record.command && o->record.command[0];

	o->key = live_column_find(o->sort, COLUMN_TOP);
	if (!o->key) {
		options_say_unknown("sort", o->sort, put_keys);
		return EXIT_RECORD;
	}
	if (output && strcmp(output, "-") == 0)
		say("--output: 'ojx top' needs a file, not standard output");
	else if (!has_command && !o->record.pids && output)
		say("--output: the watched recording has a file already; w writes a copy");
	else
		return -1;
	return EXIT_RECORD;
}

int top_options_parse(struct top_options *o, int argc, char **argv)
{
	const struct record_options usual = RECORD_OPTIONS_INIT;
	char *keys = options_list(
		"sort by KEY, the largest first (default " DEFAULT_KEY "):", put_keys, true);

	*o = (struct top_options){
		.record = usual, .interval_ns = DEFAULT_INTERVAL, .limit = 20, .sort = DEFAULT_KEY
	};
	const struct option_row rows[] = {
		OPT_STRING('p', "pid", "PID", &o->record.pids,
			   "watch the recording of process PID, an 'ojx record' or a JVM that it "
			   "records; or attach to a JVM that is not recorded, as 'ojx record -p' "
			   "does; without PID and COMMAND, the only running recording"),
		OPT_TIME('d', "refresh", "TIME", &o->interval_ns, OPT_S, 0.1, 3600,
			 "refresh interval: 500ms, 10s, 2m; without a unit seconds (default 2s)"),
		OPT_STRING('s', "sort", "KEY", &o->sort, keys ? keys : "sort by KEY"),
		OPT_BOOL('b', "batch", &o->batch, "print tables even on a terminal"),
		OPT_INT('n', "tables", "N", &o->count, 1, INT_MAX,
			"print N tables (default: until the recording ends); COMMAND goes on"),
		OPT_INT(0, "limit", "N", &o->limit, 0, 1000000000,
			"lines of a printed table (default 20; 0: all)"),
		OPT_STRING(
			'o', "output", "FILE", &o->output,
			"keep the recording in FILE; an existing file becomes FILE.old (default: not kept)"),
		OPT_END,
	};
	const struct record_command as = {
		.shown = { "top", "[OPTION]... [[--] COMMAND [ARG]...]", about, rows, notes, false,
			   NULL },
		.may_lack_command = true,
	};

	int status = record_options_parse(&o->record, &as, argc, argv);
	free(keys);
	o->eager = o->interval_ns == DEFAULT_INTERVAL;
	return status < 0 ? check(o) : status;
}
