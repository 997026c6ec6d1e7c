/* SPDX-License-Identifier: Apache-2.0 */
/*
 * top_options.h - the options of `ojx top`: those of `ojx record`, and how to show the recording.
 */
#ifndef OJX_TOP_OPTIONS_H
#define OJX_TOP_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "record_options.h"
#include "report/columns.h"

struct top_options {
	/*
	 * Without a command a running recording is watched: that of record.pids, if it is given and
	 * has one; otherwise ojx attaches to these.
	 */
	struct record_options record;
	const char *output; /* the recording's file; NULL: it is not kept */
	bool batch;
	uint64_t interval_ns;
	bool eager; /* it is the default: the first updates come earlier */
	int count;  /* number of tables of a batch; 0: until the recording ends */
	int limit;  /* lines per table; 0: all */
	const char *sort;
	const struct column *key;
};

/* Parses the arguments; reports errors. Returns -1 to go on, or the exit status. */
int top_options_parse(struct top_options *o, int argc, char **argv);

#endif
