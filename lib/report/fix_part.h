/* SPDX-License-Identifier: Apache-2.0 */
/* fix_part.h - a part of a fix (fix.h): objects of one row that one rule of advice is about. */
#ifndef OJX_FIX_PART_H
#define OJX_FIX_PART_H

#include <stddef.h>

#include "model/model.h"
#include "report/advice.h"
#include "report/rows.h"
#include "stats/estimate.h"

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
	/* bytes that are avoided; what is not known is 0 */
	struct estimate certain, likely;
	double possible; /* besides */
	/* of the possible: lower 80 % limit of the share that stays as it was seen, 0..1 */
	double weight;
	double looked,
		agreed; /* objects looked at again or seen in use; those that had stayed so */
};

#endif
