/* SPDX-License-Identifier: Apache-2.0 */
/* report_found.h - what `ojx report` finds in a recording and chooses to show, by its options. */
#ifndef OJX_REPORT_FOUND_H
#define OJX_REPORT_FOUND_H

#include "report/filter.h"
#include "report/rows.h"
#include "report/total.h"
#include "report/worth.h"
#include "report_options.h"

/* What the analyses found. */
struct report_found {
	struct rows rows; /* sorted */
	/* by line of code, sorted: `rows`, `own_lines`, or NULL if nobody reads them */
	struct rows own_lines, *lines;
	struct total total;	/* of the lines */
	struct findings others; /* of the other analyses */
	struct best best;	/* of the lines; of what people read only */
	size_t worth;		/* rows with something to save or to fix, if they come first */
	size_t most;		/* these, if only they are wanted; or all rows */
	size_t above;		/* of these, those that are not too small to be shown */
	size_t shown;		/* the first of them */
	size_t access_frames;	/* shown of a stack of an access */
	size_t stack_frames;	/* shown of any other */
};

/* Whether people read it, not programs. */
bool report_is_for_people(const struct report_options *o);
/* Whether it has everything: the rows, the lines of code with their advice, all findings. */
bool report_has_all(const struct report_options *o);
/* Whether somebody looks, and has not asked for anything to be printed. */
bool report_wants_browser(const struct report_options *o);
/* Whether lines with something to save or to fix come first: nobody asked for any other. */
bool report_puts_worth_first(const struct report_options *o);
/* Whether the others are left out; a page has room for all. */
bool report_shows_worth(const struct report_options *o);

/* How the rows are made. */
struct rows_options report_rows_wanted(const struct report_options *o);

/*
 * Analyses the model, sorts and chooses. 0, or -1 if out of memory. Release with
 * report_found_release in either case; *f must be all zero.
 */
int report_find(struct report_found *f, const struct report_options *o, const struct model *m,
		const struct rows_options *how);
void report_found_release(struct report_found *f);

#endif
