/* SPDX-License-Identifier: Apache-2.0 */
/*
 * growing.h - the rows of a model that takes more and more records: rows.h for who looks on.
 *
 * What a look costs depends on what has come since the last one, not on how much there is. A new context is put into its
 * row, or begins one; amounts are those of now; and rows are analysed anew one by one, those first of which most bytes have come
 * since, for as long as the caller can afford. Until its turn has come a row has its amounts, and no figure that would need an
 * analysis: as one of which nothing was seen.
 *
 * A row keeps its index. All rows made anew are exactly those of rows_make.
 */
#ifndef OJX_GROWING_H
#define OJX_GROWING_H

#include "base/arena.h"
#include "base/numset.h"
#include "model/callstack.h"
#include "report/rows.h"

/* Looks that a context is held back for methods of its stack that have no name yet. */
#define GROWING_PATIENCE 3

/* What of a row is no concern of others. */
struct growing_row {
	struct callstack_hash key; /* of what its contexts have in common */
	double bytes, analysed;	   /* bytes that it has, and had when it was analysed */
};

struct growing {
	struct model *model;
	struct rows_options options;
	struct rows rows;
	struct growing_row *own; /* by row */
	size_t room;
	uint32_t *slots;     /* hash table of rows plus one, by key; 0: free */
	size_t mask;	     /* slots - 1; meaningless without slots */
	uint32_t *row_of;    /* row plus one of each context, by its number; 0: none yet */
	size_t ncontexts;    /* that it covers */
	struct arena memory; /* the rows' lists of contexts */
	struct callstack_hasher hasher;
	struct numset waiting[GROWING_PATIENCE]; /* contexts, by how often they were held back */
	struct numset changed;	/* rows that are others than before the last growing_take */
	struct numset due;	/* rows to be analysed */
	struct numset analysed; /* that were since the last growing_take */
	struct replica none;	/* of a row that was not */
};

/* Rows in brief, without filter; the model must outlive them. 0, or -1 where memory lacks. Release with growing_release. */
int growing_begin(struct growing *g, struct model *m, const struct rows_options *options);
void growing_release(struct growing *g);

/* Takes what has come for the model (and makes it forget what that was). 0, or -1 where memory lacks. */
int growing_take(struct growing *g);

/* Analyses rows for about so much CPU time of this thread. 0, or -1 where memory lacks. */
int growing_analyse(struct growing *g, uint64_t cpu_ns);

/* Makes all rows anew and analyses them, by all processors. 0, or -1 where memory lacks: then there are no rows. */
int growing_all(struct growing *g);

#endif
