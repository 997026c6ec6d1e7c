/* SPDX-License-Identifier: Apache-2.0 */
/* render_junit.h - a suite of test cases in the form of JUnit's reports. */
#ifndef OJX_RENDER_JUNIT_H
#define OJX_RENDER_JUNIT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/memtext.h"

struct junit_suite {
	const char *name;	/* "ojx report" */
	const char *class_name; /* of its cases: "ojx.report" */
	const char *command;	/* of the recording; NULL: not told */
	uint64_t start_unix_ns; /* of it; 0: not known */
	double seconds;
	struct memtext cases; /* in memory, since their numbers stand before them */
	size_t tests, failures, errors;
};

/* Begins; the caller has set the members up to `seconds`. 0, or -1 if out of memory. */
int junit_begin(struct junit_suite *s);

/* Adds a case; it has failed, or could not be tested, if there is a reason. */
void junit_case(struct junit_suite *s, const char *name, const char *failure, const char *error);

/* Writes the suite and what there is to read beside it, and releases it. With `out` NULL it
 * releases only. 0, or -1. */
int junit_end(struct junit_suite *s, FILE *out, const char *output);

#endif
