/* SPDX-License-Identifier: Apache-2.0 */
/* top_options.h - what `ojx top` can be told: all that `ojx record` can, and how to show it. */
#ifndef OJX_TOP_OPTIONS_H
#define OJX_TOP_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "record_options.h"
#include "report/columns.h"

struct top_options {
	struct record_options record; /* its command empty: a running recording is watched */
	const char *output;	      /* of the recording; NULL: it is not kept */
	int pid;		      /* of what is watched; 0: not given */
	bool batch;
	uint64_t interval_ns;
	int count; /* tables of a batch; 0: until the recording ends */
	int limit; /* lines of each; 0: all */
	const char *sort;
	const struct column *key;
};

/* Reads the arguments, says what is wrong. Returns the exit status to end with, or -1 to go on. */
int top_options_parse(struct top_options *o, int argc, char **argv);

#endif
