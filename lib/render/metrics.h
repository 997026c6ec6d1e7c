/* SPDX-License-Identifier: Apache-2.0 */
/*
 * metrics.h - what an export can count: metrics of rows (the table in metrics.c) and those of
 * analyses.
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
	/* of findings: */
	const struct analysis *analysis;
	const struct finding_kind *kind; /* NULL: all */
	const struct figure *figure;	 /* of rows; NULL: the weights of their paths */
};

#define METRIC_DEFAULT "bytes"

enum { METRICS_MAX = 32 };

/* Readers of pprof take the first for the number of events. */
struct metrics {
	struct metric item[METRICS_MAX];
	size_t n;
};

/* Fills in all metrics, of rows and of these analyses. */
void metrics_list(struct metrics *to, const struct analysis *const *analyses);

/* The metric of that name, or NULL. */
const struct metric *metric_find(const struct metrics *metrics, const char *name);

/* Writes "objects, bytes, ..."; with help a line for each: "\n- bytes: bytes allocated". */
void metrics_put(FILE *out, const struct metrics *metrics, bool with_help);

/* The sample's value, rounded; 0 if it has none. */
int64_t metric_value(const struct metric *m, const struct export_sample *s);

/* The sum of the values of a row of a finding. */
int64_t metric_of_row(const struct metric *m, const struct finding *f,
		      const struct finding_row *row);

/* The sum of the values of all samples; of rows, only of those that are shown. */
int64_t metric_total(const struct metric *m, const struct report *r);

#endif
