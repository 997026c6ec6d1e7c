/* SPDX-License-Identifier: Apache-2.0 */
/* checks.h - the conditions by which a build fails, each with what came out. */
#ifndef OJX_CHECKS_H
#define OJX_CHECKS_H

#include <stdio.h>

#include "render/render.h"
#include "report/condition.h"

struct check {
	const char *name;   /* the condition as it was given */
	const char *reason; /* NULL: it does not hold */
	struct condition_hit hit;
};

/* Takes a check, which is valid during the call. 0, or -1 to stop. */
typedef int check_fn(const struct check *check, void *arg);

/* What a renderer of checks may need. */
struct checks_stream {
	FILE *out;
	const struct sources *sources; /* NULL: none */
};

/*
 * Hands out the conditions of a report, or of a comparison by line of code. 0, or -1 if out of
 * memory or `fn` stopped.
 */
int checks_of_report(const struct report *r, check_fn *fn, void *arg);
int checks_of_diff(const struct conditions *conditions, const struct diff *lines, check_fn *fn,
		   void *arg);

#endif
