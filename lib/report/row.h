/* SPDX-License-Identifier: Apache-2.0 */
/* row.h - a line of a report, and all of them; rows.h makes them. */
#ifndef OJX_ROW_H
#define OJX_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyse/replica/replica.h"
#include "base/progress.h"
#include "model/callstack.h"
#include "model/model.h"
#include "model/platform.h"
#include "report/filter.h"

enum rows_grouping {
	ROWS_BY_CONTEXT, /* class and whole allocation stack */
	ROWS_BY_SITE,	 /* class and innermost frame */
	ROWS_BY_CLASS,
	ROWS_BY_LINE, /* class and the innermost frame that is not of the platform (platform.h) */
};

struct row {
	uint32_t jvm;			 /* 1.. */
	int32_t pid;			 /* 0: unknown */
	const struct model_class *class; /* NULL: unknown */
	struct model_context **contexts; /* at least one; they belong to the rows */
	size_t ncontexts;
	uint32_t stack_id;	/* of the context with the most bytes */
	struct callstack stack; /* that one; not of a row in brief */
	double stack_share;	/* of the row's bytes that this context has */
	/* innermost frames that all contexts share; of a line, its frame and those within, which
	 * are the stack's */
	size_t common;
	size_t line;		  /* the frame that is the line, see platform.h */
	size_t first;		  /* the row is told from others by frames first..common - 1 */
	size_t via;		  /* the frame that tells it from others of its class and site, see
				     rows_tell_apart; 0: none */
	uint64_t watches, unused; /* watches that ended, and of these without a use */
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
	struct platform platform;  /* what of lines is taken for the platform's */
	bool summary;		   /* without stacks and details: row_complete adds them */
};

#endif
