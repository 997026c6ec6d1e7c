/* SPDX-License-Identifier: Apache-2.0 */
/* report.h - a report: what every renderer is given. */
#ifndef OJX_REPORT_H
#define OJX_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fix/gain.h"
#include "model/finding.h"
#include "report/columns.h"
#include "report/recording.h"
#include "report/rows.h"
#include "report/total.h"
#include "source/sources.h"

struct conditions;
struct fixes;
struct metric;
struct metrics;
struct others;

struct report {
	const char *version; /* of ojx */
	const struct recording *recording;
	const struct rows *rows;	 /* all selected rows, sorted */
	const struct rows *lines;	 /* the same by line of code; NULL: not asked for */
	const struct total *total;	 /* the sum of `lines`; NULL if these are */
	const struct fixes *fixes;	 /* what changes to `lines` avoid; NULL if these are */
	const struct findings *findings; /* what else was found; NULL: not requested */
	const struct others *others;	 /* what is to be done about these; NULL if these are */
	size_t lines_shown;		 /* of `lines`, in JSON and JFR: the first ones */
	double least_avoidable; /* bytes that a fix of these formats avoids at least, as expected */
	size_t ranked;		/* fixes of formats for programs and builds: the first ones */
	size_t shown;		/* rows to show, at most rows->table.n - below */
	size_t below;		/* number of rows at the end that are below --percent-limit */
	bool gains_first;	/* rows with something to save or to fix come first */
	size_t gains;		/* number of these rows, if they come first */
	/*
	 * the text shows only these rows or, if there are none, the likeliest ones; then `below`
	 * counts rows among these
	 */
	bool only_gains;
	bool stats;	   /* the table of the text has all statistics */
	bool details;	   /* the text has a block for each row, and all of what else was found */
	bool found_sorted; /* rows of what else was found were sorted by a key: the text has them */
	bool partial;	   /* the rows are those that a filter selects */
	bool limited;	   /* --limit was given; it also limits the lines of findings */
	size_t limit;	   /* if so: --limit; SIZE_MAX: all */
	const struct column *const *columns; /* columns of the text: a table of just these, ... */
	size_t ncolumns;		     /* ...if there are any */
	const struct column *key;
	const struct metrics *metrics; /* all metrics that exports can count */
	const struct metric *metric;   /* the one that they count or show first */
	enum rows_grouping grouping;
	uint64_t min_pairs;
	double confidence;
	size_t stack_frames;	       /* shown of an allocation stack; text only */
	size_t access_frames;	       /* shown of an access stack; text only */
	const struct sources *sources; /* NULL: none were named */
	const char *nothing;	       /* why there is nothing to show; NULL: there is something */
	const struct conditions *conditions; /* by which a build fails; NULL: none */
	struct progress *progress; /* rows of JSON and HTML are counted there; NULL: nowhere */
};

#endif
