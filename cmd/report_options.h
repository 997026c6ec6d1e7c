/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report_options.h - what `ojx report` was asked for: its options, and what their words stand for.
 */
#ifndef OJX_REPORT_OPTIONS_H
#define OJX_REPORT_OPTIONS_H

#include <stdbool.h>

#include "base/table.h"
#include "link_options.h"
#include "options.h"
#include "render/metrics.h"
#include "render/renderers.h"
#include "report/condition.h"
#include "report/filter.h"
#include "report/window.h"
#include "terminal.h"

struct report_options {
	const char *input, *output; /* output NULL: standard output */
	const char *sort, *group_by, *color;
	const char *metric;
	const char *format; /* NULL: as the name of the output says */
	const char *fields; /* NULL: the table as it is, with the blocks */
	struct filter filter;
	const char *time, *thread; /* NULL: all of it */
	const char *command_line;  /* NULL: short */
	double percent_limit;
	int limit, min_pairs, max_frames; /* negative: the default */
	bool stdio, no_pager, quiet, headers, all, stats;

	struct option_list fail_if;
	struct option_list source_path;
	struct link_options links;
	struct option_list transparent;

	/* what the words above stand for */
	struct conditions conditions;
	struct window window; /* if has_window */
	bool has_window;
	bool full; /* the command line */
	const struct column *key;
	const struct column *chosen[TABLE_COLUMNS]; /* by --fields */
	size_t nchosen;
	enum rows_grouping grouping;
	const struct renderer *as;
	struct metrics metrics; /* all that can be counted */
	const struct metric *counted;
	/* a sort key of the rows of an analysis; NULL: none */
	const struct analysis *analysis;
	const struct figure *found_key;
	enum terminal_color ink;
};

/*
 * Sets the defaults and parses argv[1..]. 0, or OPTIONS_ERROR after saying what is wrong, or
 * OPTIONS_HELP where some help was asked for and printed.
 */
int report_options_parse(struct report_options *o, int argc, char **argv);

#endif
