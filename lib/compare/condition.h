/* SPDX-License-Identifier: Apache-2.0 */
/*
 * condition.h - conditions on a report or a comparison, by which a build can fail:
 *
 *	conditions = condition { "," condition }          any of them
 *	condition  = [ "total." ] COLUMN OPERATOR NUMBER | "new-replica"
 *	OPERATOR   = ">" | ">=" | "<" | "<="
 *	NUMBER     = [ "+" | "-" ] DECIMAL [ UNIT ]
 *
 * COLUMN is a sort key (columns.h), a figure of an analysis's rows ("ANALYSIS.FIGURE", finding.h),
 * or a kind of finding, whose headline is then compared. Without a sign the number is compared with
 * what is sure of the value: ">" with the lower end of its interval, "<" with the upper end. With a
 * sign it is compared with the change between two recordings, if that is more than noise: ">+"
 * finds rises, "<-" falls. UNIT: B, k, kB, KiB, M ... T (powers of 1024) for bytes; k, M, G, T
 * (powers of 1000) for other amounts; "%" for shares, and for changes of amounts in relation to the
 * old one.
 *
 * A condition holds if one row at least fulfils it or, with "total.", the sum of all rows.
 */
#ifndef OJX_CONDITION_H
#define OJX_CONDITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/style.h"
#include "compare/diff.h"
#include "model/finding.h"
#include "report/columns.h"
#include "report/rows.h"

/* Of a heap dump there are findings only, no rows. */
enum condition_use { CONDITION_OF_REPORT, CONDITION_OF_DIFF, CONDITION_OF_HEAP };

struct condition {
	const char *text; /* as it was given, `len` bytes */
	size_t len;
	bool new_replica; /* the rest is not used */
	bool total, below, or_equal, change, relative;
	const struct figure *figure;	 /* the figure that is compared */
	const struct column *column;	 /* the column that has it; NULL: it is of findings */
	const struct finding_kind *kind; /* the kind whose headline it is; NULL: it is of rows */
	const struct analysis *analysis; /* whose rows have it; NULL: the report's rows */
	double limit; /* bytes, objects, shares of 0..1; of changes with their sign */
};

enum { CONDITIONS_MAX = 16, CONDITION_ERROR = 512 };

struct conditions {
	struct condition item[CONDITIONS_MAX];
	size_t n;
};

/*
 * Parses `text`, which may name what these analyses find, and adds what it has to `to`. `text` must
 * outlive the result. 0, or -1 with a message in `error` that names what is wrong and what is
 * allowed instead.
 */
int conditions_parse(struct conditions *to, const struct analysis *const *analyses,
		     const char *text, enum condition_use use, char error[CONDITION_ERROR]);

/* What a condition holds for. */
struct condition_hit {
	size_t n;	       /* rows, or 1 for the total; 0: it does not hold */
	const struct row *row; /* the first of them; NULL for the total, and for findings */
	const struct finding_row *found; /* the first of them, of findings; NULL for a headline */
	double value;			 /* what was compared */
	double relative;		 /* change of an amount, by the old one; else NAN */
};

/* `findings` may be NULL. */
struct condition_hit condition_of_report(const struct condition *c, const struct rows *rows,
					 const struct findings *findings,
					 const struct cell_context *ctx);
struct condition_hit condition_of_diff(const struct condition *c, const struct diff *d,
				       const struct cell_context *ctx);

/* ---- what a condition holds for, in words. */

/*
 * Writes "'saved>1MB' holds for 2 lines, the first of which is Foo at Shop.load:12: 3.4 MB" of a
 * condition that holds.
 */
void condition_put_hit(FILE *out, const struct condition *c, const struct condition_hit *hit,
		       const struct style *s);

#endif
