/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rows.h - the lines of a report: selects, groups and analyses allocation contexts.
 *
 * The JVM distinguishes contexts that read the same: two bytecode indices on one line, a class
 * loaded twice, lambdas with different numbers. For any grouping, contexts of one process with
 * equal text, at the depth of the grouping, are one row.
 */
#ifndef OJX_ROWS_H
#define OJX_ROWS_H

#include <stddef.h>
#include <stdio.h>

#include "analyse/replica/observations.h"
#include "base/style.h"
#include "model/model.h"
#include "report/rows_group.h"

/* The words of --group-by in the order of the enum; ends with NULL. */
extern const char *const rows_groupings[];

/*
 * Makes the rows, in the order in which their first contexts appeared. Contexts without evidence
 * give no row. The rows point into the model, which must outlive them.
 * Release with rows_release.
 */
void rows_make(struct rows *rows, const struct model *m, const struct rows_options *options);
/*
 * The details of the row's replicas. In lazy tables they are computed on first need, with the rest
 * of what takes time, and kept: one thread at a time may look at a row.
 */
const struct replica_details *row_details(const struct row *row);

/*
 * The stack of the row's context with the most bytes. It is resolved on first need, and kept: one
 * thread at a time may look at a row.
 */
const struct callstack *row_stack(const struct row *row);

/*
 * Calls `look`, and returns what it does. What the row gets meanwhile, its stack and its advice, is
 * released then: those of a hundred thousand rows take more memory than everything else.
 */
typedef int row_look_fn(void *arg, const struct row *row);
int row_visit(const struct row *row, row_look_fn *look, void *arg);

/* Releases what row_advice() keeps with the row, when the row ends or gets other results. */
void row_forget_advice(struct row *row);
void rows_release(struct rows *rows);

/*
 * Finds what distinguishes those of the first `n` rows that have the same class and site
 * (disambiguate.h).
 */
void rows_tell_apart(struct rows *rows, size_t n);
void rows_tell_apart_some(struct row *const *list, size_t n); /* the same for any rows */

/* Variances of the estimated sums; 0 if everything was counted, and for NULL. */
struct observations_variances rows_variances(const struct row *row);

/*
 * Whether the row stands for all classes and stacks for which the agent's tables had no room. Its
 * size tells nothing of the program, and more evidence does not help.
 */
bool row_is_other(const struct row *row);

/*
 * The row of each context, by the context's number in the model; NULL: none has it. The caller
 * frees the array.
 */
const struct row **rows_by_context(const struct rows *rows, const struct model *m);

/* Writes the place of a row: row_put_site() or row_put_line(). */
typedef void row_put_fn(FILE *out, const struct style *s, const struct row *row);

/*
 * Writes where the objects are allocated and, if that is in the JDK, which of the reader's own code
 * asked for them: "ArrayList.grow:237 <- Shop.load:12"; then what distinguishes the row. If the
 * contexts have no common frame, writes the place of the largest, and " +3 more".
 */
void row_put_site(FILE *out, const struct style *s, const struct row *row);

/* The frame that is the line of code; NULL: it is not known. */
const struct model_frame *row_line(const struct row *row);

/* Writes the line of code, "Shop.java:12"; "Shop.load:12" where the file is not known. */
void row_put_line(FILE *out, const struct style *s, const struct row *row);

/* What `put` writes, without colours; the caller frees it. NULL if out of memory. */
char *row_place_text(const struct row *row, row_put_fn *put);

#endif
