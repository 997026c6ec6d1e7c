/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fix_part.h - a part of a fix (fix.h): objects of one row that one rule of advice is about, and
 * the steps that make and measure them.
 */
#ifndef OJX_FIX_PART_H
#define OJX_FIX_PART_H

#include <stddef.h>

#include "base/sort.h"
#include "fix/advice.h"
#include "model/callstack_hasher.h"
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

/* By JVM, class and method of the line. */
static inline int fix_compare_methods(const struct fix_part *a, const struct fix_part *b)
{
	return ORDER(a->row->row.pid, b->row->row.pid)
		       ?: ORDER(a->row->row.jvm, b->row->row.jvm)
		       ?: frame_compare_methods(&a->line, &b->line);
}

/* Bytes that it is expected to avoid. */
static inline double fix_part_expected(const struct fix_part *p)
{
	return p->certain.value + p->likely.value + p->weight * p->possible;
}

/* ---- fix_parts.c: divides a row by what rules say of its objects. */

struct fix_parts {
	struct fix_part *part;
	size_t n, room;
};

/*
 * Adds the parts of a row by line: one for each rule that the calls decide, and one for all other
 * objects, whose rule may be NULL. Their amounts are not filled.
 */
void fix_parts_of(struct fix_parts *parts, const struct row *row, struct callstack_hasher *hasher);
void fix_part_release(struct fix_part *part);

/* ---- fix_seen.c: whether objects stay as they were seen. */

/*
 * Set the weight of the possible bytes, 0..1, and the looks from which it is. fix_weigh is for
 * objects that are alike or empty, fix_weigh_unfilled for arrays that hold little or nothing.
 */
#define FIX_POSSIBLE_ALPHA 0.2 /* of one side: the weight is the lower end of 80 % */
void fix_weigh(struct fix_part *part);
void fix_weigh_unfilled(struct fix_part *part);

/*
 * Whether the objects may have been others between the first use and the end, at which they are the
 * same. Arrays that hold something do not count, since most are filled once.
 */
bool fix_may_be_restored(const struct fix_part *part);

/* ---- fix_line.c: what parts of one line tell of each other. */

/* Completes measured parts, in any order; sorts them. */
void fix_lines(struct fix_part *parts, size_t n, double z);

/* ---- fix_owner.c: what constructors make goes with their objects. */

/* The part of the object in whose constructor this part of the same line is made, or NULL. */
const struct fix_part *fix_owner_of(const struct fix_part *parts, size_t n,
				    const struct fix_part *part);

/* Of measured parts of one line, gives those that constructors make the rule of their object. */
void fix_follow_owners(struct fix_part *parts, size_t n);

/* ---- fix_capacity.c: tables that are larger than what comes into them. */

/* Of the measured parts of one line, those that constructors of collections make. */
void fix_weigh_capacities(struct fix_part *parts, size_t n, double z);

/* ---- fix_expression.c: how much of what compiles expressions is in vain. */

/* Of the measured parts of one line, those that compile expressions. */
void fix_weigh_expressions(struct fix_part *parts, size_t n, double z);

#endif
