/* SPDX-License-Identifier: Apache-2.0 */
/* fix_part.h - a part of a fix (fix.h): objects of one row that one rule of advice is about. */
#ifndef OJX_FIX_PART_H
#define OJX_FIX_PART_H

#include <stddef.h>

#include "base/sort.h"
#include "fix/advice.h"
#include "model/model.h"
#include "report/rows.h"
#include "stats/estimate.h"

/*
 * Bytes that are estimated from samples, of which only a share may count, with the errors of both.
 * Sums of them are made from what is independent, so that many parts of a few samples each have the
 * error of all these samples together.
 */
struct fix_sum {
	double value;
	double variance;     /* by the samples */
	double below, above; /* squares of the errors of shares */
};

/* Objects of one class at one line which the same rule is about. */
struct fix_part {
	const struct row
		*row;	 /* of the line and class; only of these contexts, if these are fewer */
	struct row *own; /* that row, if the part has it for itself */
	struct model_context **contexts; /* owned */
	size_t ncontexts;
	struct advice *advice;		/* the facts of these contexts; owned */
	const struct advice_rule *rule; /* NULL: none applies */
	bool follows; /* the rule is that of its owner, and speaks of that (fix_line.c) */
	const char *class_name;
	struct model_frame line;
	double objects, bytes;
	bool remains;	    /* the fix may need these objects as well, or not */
	struct fix_sum all; /* its bytes */
	/* bytes that are avoided; what is not known is 0 */
	struct fix_sum certain;
	struct estimate likely;
	double possible; /* besides */
	/* of the possible: lower 80 % limit of the share that stays as it was seen, 0..1 */
	double weight;
	/* objects looked at again or seen in use, as far as that tells; those that had stayed so */
	double looked, agreed;
};

/* By process, class and method of the line. */
static inline int fix_compare_methods(const struct fix_part *a, const struct fix_part *b)
{
	return ORDER(a->row->row.pid, b->row->row.pid) ?: frame_compare_methods(&a->line, &b->line);
}

/* Bytes that it is expected to avoid. */
static inline double fix_part_expected(const struct fix_part *p)
{
	return p->certain.value + p->likely.value + p->weight * p->possible;
}

#endif
