/* SPDX-License-Identifier: Apache-2.0 */
/* checks.h - the conditions by which a build fails, each with what came out. */
#ifndef OJX_CHECKS_H
#define OJX_CHECKS_H

#include "compare/condition.h"
#include "render/render.h"

struct check {
	const char *name;		 /* the condition as it was given */
	const char *reason;		 /* NULL: it does not hold */
	const struct model_frame *frame; /* where it holds first; NULL: not known */
};

/* Takes a check, which is valid during the call. */
typedef void check_fn(const struct check *check, void *arg);

/* Hand out the conditions of a report, or of a comparison by line of code. */
void checks_of_report(const struct report *r, check_fn *fn, void *arg);
void checks_of_diff(const struct conditions *conditions, const struct diff *lines, check_fn *fn,
		    void *arg);

#endif
