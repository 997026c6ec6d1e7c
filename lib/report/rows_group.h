/* SPDX-License-Identifier: Apache-2.0 */
/* rows_group.h - part of rows.c: puts contexts together into rows. */
#ifndef OJX_ROWS_GROUP_H
#define OJX_ROWS_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyse/replica/replica.h"
#include "base/progress.h"
#include "model/callstack.h"
#include "model/context_groups.h"
#include "model/finding.h"
#include "model/model.h"
#include "report/filter.h"

/* ---- part of rows.c: makes rows with all processors. */

/* ---- a line of a report, and all lines; rows.h makes them. */

enum rows_grouping {
	ROWS_BY_CONTEXT, /* class and whole allocation stack */
	ROWS_BY_SITE,	 /* class and innermost frame */
	ROWS_BY_CLASS,
	ROWS_BY_LINE, /* class and the innermost frame outside the platform (platform.h) */
	ROWS_GROUPINGS,
};

struct advice;

/*
 * A row of the table of replicas. What rows of all analyses have is in its first member: there, the
 * class, the JVM, the frame that distinguishes the row, and the stack of the context that is
 * shown.
 */
struct row {
	struct finding_row row;
	const struct model *model;
	const struct model_class *class; /* NULL: unknown */
	struct model_context **contexts; /* at least one; owned by the rows */
	size_t ncontexts;
	uint32_t stack_id;  /* of the context to show, see line_shows_better */
	double stack_share; /* share of the row's bytes that this context has */
	/*
	 * number of innermost frames that all contexts share; for a line, the frames up to the
	 * line's
	 */
	size_t common;
	size_t line;		    /* index of the frame that is the line, see callstack_line */
	size_t first;		    /* frames first..common - 1 distinguish the row */
	uint64_t watches, unused;   /* watches that ended; of these, those without a use */
	uint64_t uses, uses_remote; /* uses that were kept; of these, those by another thread */
	bool references, partial;   /* contents hold references; are known only in part */
	const struct replica_options *how; /* for row_details(); NULL: there are no others */
	struct replica replica;		   /* for its details there is row_details() */
	double avoidable; /* bytes that fixes avoid (fix_rows.h); NAN: these are not known */
	bool possible;	  /* some more are only possible */
	/* in a live table, of a row without a verdict: the one that it had before; 0: none */
	enum replica_verdict held;
	bool advised; /* the advice is known, see row_advice() */
	struct advice *advice;
	struct rate *rate; /* in a live table, from rates.h; NULL: not known */
};

/* The row's class as reports show it; "?" if unknown. */
static inline const char *row_class(const struct row *row)
{
	return row->class && row->class->name ? row->class->name : "?";
}

/* The table of replicas; its kind is row_table_kind (columns.h). */
struct rows {
	struct finding_table table;
	uint64_t pairs;			 /* sums over all rows */
	bool seen;			 /* one of them has a snapshot or a use */
	struct model_context **contexts; /* the array that rows point into */
	struct replica_options *how;	 /* the same */
};

static inline struct row *rows_at(const struct rows *rows, size_t i)
{
	return (struct row *)rows->table.rows + i;
}

struct rows_options {
	enum rows_grouping grouping;
	struct filter filter;
	struct replica_options replica;
	struct progress *progress; /* counts rows; NULL: nowhere */
	bool lazy;		   /* details are computed when row_details() first needs them */
	/*
	 * rows of the same model, made with the same options but for the grouping: a row of the
	 * same contexts shares their results; NULL: none
	 */
	const struct rows *made;
};

struct rows_work {
	size_t n;
	void (*make)(void *arg, size_t i); /* makes row i */
	void *arg;
	struct progress *progress; /* counts rows; NULL: nowhere */
};

/* Calls `make` for each row, from several threads. */
void rows_work_do(const struct rows_work *w);

/*
 * Number of frames by which contexts are compared; for lines, one frame that need not be the
 * innermost.
 */
size_t rows_compared_frames(enum rows_grouping grouping);

/* Puts the contexts that the filter selects together, in the order in which groups appeared. */
void rows_group(struct context_groups *groups, const struct model *m, const struct rows_options *o);

#endif
