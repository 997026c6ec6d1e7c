/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report_by.h - what `ojx report --by LABEL` shows: report_by.c finds it, report_by_write.c writes
 * it, report_by_batches.c puts recordings together that have a value.
 */
#ifndef OJX_REPORT_BY_H
#define OJX_REPORT_BY_H

#include <stdio.h>

#include "base/style.h"
#include "inputs.h"
#include "report.h"
#include "wire/wire_file.h"

enum { BY_VALUES = 16 };

struct by_value {
	char *text;
	double bytes; /* allocated */
	size_t recordings;
};

struct by_found {
	char *key;
	double expected[BY_VALUES]; /* bytes that it avoids; NAN: it is not there */
	double sum;
};

/* Recordings that are reported as one: they have a value, and a processor. */
struct by_batch {
	size_t value;
	char machine[FILE_MACHINE];
	struct inputs in;
};

struct by {
	const struct report_options *options;
	struct by_value value[BY_VALUES];
	size_t n;
	size_t order[BY_VALUES]; /* of the columns */
	struct by_batch *batch;
	size_t nbatches, batches_room;
	struct by_found *found; /* the largest first */
	size_t nfound, room;
};

/*
 * Reads which values the recordings have, and puts those of each together. 0, or -1 after a
 * message.
 */
int by_find_batches(struct by *b);
void by_release_batches(struct by *b);

/* Writes it; `what` is a struct by. Arguments and result are those of output_write's function. */
int by_write(FILE *out, const struct style *style, const void *what);

#endif
