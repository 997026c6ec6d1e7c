/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rows.h - the lines of a report: allocation contexts selected, grouped and analysed.
 *
 * The JVM tells contexts apart that read the same: two positions of the bytecode on one line, a
 * class loaded twice, lambdas that differ in their number. Whatever the grouping, contexts of one
 * process whose text is equal at the depth asked for are one row.
 */
#ifndef OJX_ROWS_H
#define OJX_ROWS_H

#include <stddef.h>
#include <stdio.h>

#include "base/style.h"
#include "model/model.h"
#include "report/row.h"

/* The words of --group-by in the order of the enum, ended by NULL. */
extern const char *const rows_groupings[];

/*
 * Makes the rows, in the order in which their first contexts appeared. Contexts of which nothing
 * was seen give none. Returns 0, or -1 where memory lacks. The rows point into the model, which
 * must outlive them. Release with rows_release.
 */
int rows_make(struct rows *rows, const struct model *m, const struct rows_options *options);
/*
 * Adds stacks and details to a row that was made in brief, with the same options; it can be done
 * again when the model has grown. Of a row that was not made in brief nothing changes. 0, or -1
 * where memory lacks.
 */
int row_complete(struct row *row, const struct model *m, const struct rows_options *options);
void rows_release(struct rows *rows);

/*
 * Finds what tells the first `n` rows apart that have the same class and site (disambiguate.h).
 * They are to be complete, or else are left out. 0, or -1 where memory lacks.
 */
int rows_tell_apart(struct rows *rows, size_t n);
int rows_tell_apart_some(struct row *const *list, size_t n); /* the same of any rows */

/* Of the estimated sums, as they rest on samples; 0 of what was counted, and of no row (NULL). */
struct row_variances {
	double objects, bytes;
};
struct row_variances rows_variances(const struct row *row);

/* The row's class as reports show it; "?" where it is not known. */
const char *row_class(const struct row *row);

/*
 * Writes where the objects are allocated, and, where that is in the JDK, who of the reader's own
 * code asked for them: "ArrayList.grow:237 <- Shop.load:12"; then what tells it from others that
 * read the same. Where the contexts have no frame in common, it is the place of the largest, " +3
 * more".
 */
void row_put_site(FILE *out, const struct style *s, const struct row *row);

/* Writes the line of code, "Shop.java:12"; "Shop.load:12" where the file is not known. */
void row_put_line(FILE *out, const struct style *s, const struct row *row);

#endif
