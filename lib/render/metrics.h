/* SPDX-License-Identifier: Apache-2.0 */
/*
 * metrics.h - what an export can count: one row of the table in metrics.c is the whole of it.
 */
#ifndef OJX_METRICS_H
#define OJX_METRICS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "render/export.h"

struct metric {
	const char *name;
	const char *unit;			     /* "bytes" or "count" */
	enum export_source source;		     /* at which stacks it is counted */
	double (*of)(const struct export_sample *s); /* NAN: not measured */
	const char *help;
};

#define METRIC_DEFAULT "bytes"

/* The table; ends with name NULL. Readers of pprof take the first for the number of events. */
extern const struct metric metrics[];
enum { METRICS = 9 };

/* The metric of that name, or NULL. */
const struct metric *metric_find(const char *name);

/* Writes "objects, bytes, ..."; with help a line for each: "\n- bytes: bytes allocated". */
void metrics_put(FILE *out, bool with_help);

/* The sample's value, rounded; 0 where it has none. */
int64_t metric_value(const struct metric *m, const struct export_sample *s);

/* The sum of the values of all samples: of rows, those of the rows that are shown. */
int64_t metric_total(const struct metric *m, const struct report *r);

#endif
