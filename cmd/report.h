/* SPDX-License-Identifier: Apache-2.0 */
/* report.h - `ojx report`: its options, what they ask for, and the page that it writes. */
#ifndef OJX_CMD_REPORT_H
#define OJX_CMD_REPORT_H

#include <stdbool.h>

#include "accept.h"
#include "base/table.h"
#include "common_options.h"
#include "compare/condition.h"
#include "load.h"
#include "options.h"
#include "output.h"
#include "render/metrics.h"
#include "render/renderers.h"
#include "render/report.h"
#include "report/filter.h"
#include "report/rows.h"
#include "report/selection.h"

/* ---- what was asked for: the options, and what their words stand for */

struct report_options {
	struct common_options common;
	struct option_list input;
	struct inputs inputs;
	const char *sort, *group_by;
	const char *metric;
	const char *by;	    /* the label that columns are of; NULL: a report */
	const char *format; /* NULL: as the name of the output says */
	struct accept_options accept;
	const char *phase;  /* a word of --phase; NULL: the first */
	bool whole;	    /* rank findings by their sums, also those of the beginning alone */
	const char *fields; /* NULL: the table as it is, with the blocks */
	double percent_limit;
	int limit, min_pairs, max_frames; /* negative: the default */
	bool stdio, headers, all, stats;
	bool details; /* also if a line is named */
	struct link_options links;

	/* what the words above stand for */
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
};

/*
 * Sets the defaults and parses argv[1..]. 0, or OPTIONS_ERROR after saying what is wrong, or
 * OPTIONS_HELP where some help was asked for and printed.
 */
int report_options_parse(struct report_options *o, int argc, char **argv);

/* ---- what is asked for */

/* Whether people read it, not programs. */
bool report_is_for_people(const struct report_options *o);
/* Whether it has everything: the rows, the lines of code with their advice, all findings. */
bool report_has_all(const struct report_options *o);
/* Whether it counts what fixes avoid, as all formats do that have every metric. */
bool report_counts_fixes(const struct report_options *o);
/* Whether its rows have what fixes avoid of them, or are sorted by that. */
bool report_tells_avoidable(const struct report_options *o);
/* Whether somebody looks, and has not asked for anything to be printed. */
bool report_wants_browser(const struct report_options *o);
/* Whether lines with something to save or to fix come first: nobody asked for any other. */
bool report_puts_gains_first(const struct report_options *o);
/* Whether the others are left out; a page has room for all. */
bool report_shows_gain(const struct report_options *o);

/* How the rows are made. */
struct rows_options report_rows_wanted(const struct report_options *o);

/* ---- a table with a column for each value of a label (report_by.c) */

/* Writes it. 0, or -1 after a message. */
int report_by(const struct report_options *o);

/* ---- the browser */

/* Writes the page for a browser to a path. 0, or -1 after an error message. */
typedef int report_page_fn(void *arg, const char *path);

/*
 * Browses the report's rows until the user leaves; `how` tells how the rows were made. Sorts the
 * rows. `page` writes the page that the user asks for, for `arg`. 0; or 1 if the terminal is not
 * suitable and nothing was shown; or -1 after an error message. A signal that ends ojx takes effect
 * here, after the terminal has been restored.
 */
int report_browse(const struct report *report, struct rows *rows, const struct rows_options *how,
		  report_page_fn *page, void *arg);

/*
 * Writes the page that `ojx report -o FILE.html` would, of a recording that was read. 0, or -1
 * after an error message.
 */
int report_page(struct loaded *l, const char *path);

#endif
