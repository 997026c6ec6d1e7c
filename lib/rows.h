/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rows.h - the lines of a report: allocation contexts selected, grouped and analysed.
 *
 * The JVM tells contexts apart that read the same: two positions of the bytecode on one line, a class
 * loaded twice, lambdas that differ in their number. Whatever the grouping, contexts of one
 * process whose text is equal at the depth asked for are one row.
 */
#ifndef OJX_ROWS_H
#define OJX_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "callstack.h"
#include "filter.h"
#include "model.h"
#include "progress.h"
#include "replica.h"
#include "style.h"

enum rows_grouping {
	ROWS_BY_CONTEXT, /* class and whole allocation stack */
	ROWS_BY_SITE,	 /* class and innermost frame */
	ROWS_BY_CLASS,
};

/* The words of --group-by in the order of the enum, ended by NULL. */
extern const char *const rows_groupings[];

struct row {
	uint32_t jvm;			 /* 1.. */
	int32_t pid;			 /* 0: unknown */
	const struct model_class *class; /* NULL: unknown */
	struct model_context **contexts; /* at least one; they belong to the rows */
	size_t ncontexts;
	uint32_t stack_id;	/* of the context with the most bytes */
	struct callstack stack; /* that one; not of a row in brief */
	double stack_share;	/* of the row's bytes that this context has */
	size_t common;		/* innermost frames that all contexts share */
	size_t via; /* the frame that tells it from others of its class and site, see rows_tell_apart; 0: none */
	uint64_t watches, unused;   /* watches that ended, and of these without a use */
	uint64_t uses, uses_remote; /* uses at hand, and of these by another thread */
	bool references, partial;   /* contents hold references; are known in part */
	struct replica replica;
	struct rate *rate; /* of a live table, whose rates.h it is; NULL: not known */
};

struct rows {
	struct row *row;
	size_t n;
	uint64_t pairs;			 /* of all */
	bool seen;			 /* an object of one of them was looked at or watched */
	struct model_context **contexts; /* what the rows' point into */
};

struct rows_options {
	enum rows_grouping grouping;
	struct filter filter;
	struct replica_options replica;
	struct progress *progress; /* rows are counted there; NULL: nowhere */
	bool brief; /* without stacks and details, for a live table: row_complete adds them */
};

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
 * Finds what tells the first `n` rows apart that have the same class and site (via.h). They are to be complete, or else are left
 * out. 0, or -1 where memory lacks.
 */
int rows_tell_apart(struct rows *rows, size_t n);
int rows_tell_apart_some(struct row *const *list, size_t n); /* the same of any rows */

/* The row's class as reports show it; "?" where it is not known. */
const char *row_class(const struct row *row);

/*
 * Writes where the objects are allocated, and, where that is in the JDK, who of the reader's own code
 * asked for them: "ArrayList.grow:237 <- Shop.load:12"; then what tells it from others that read the same. Where the contexts have no frame in
 * common, it is the place of the largest, " +3 more".
 */
void row_put_site(FILE *out, const struct style *s, const struct row *row);

#endif
