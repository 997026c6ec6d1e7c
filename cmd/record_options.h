/* SPDX-License-Identifier: Apache-2.0 */
/* record_options.h - what `ojx record` can be told. */
#ifndef OJX_RECORD_OPTIONS_H
#define OJX_RECORD_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/analysis.h"
#include "../lib/wire.h"
#include "options.h"

struct record_options {
	const char *output, *class_glob, *log_file, *events, *sampler;
	bool verbose, quiet, children, exact, values, no_watch, no_scan;
	double budget, frequency, tolerance;
	struct analysis_needs needs; /* of the events */
	uint64_t interval, min_size, max_size, delay_ns, duration_ns;
	int max_stack, seed, count;
	struct wire_event event[WIRE_EVENTS]; /* that sample accesses */
	uint32_t nevents;
	bool governed; /* nobody said how often they are to come */
	char **command;
};

/* The defaults. */
#define RECORD_OPTIONS_INIT                                                                     \
	{                                                                                       \
		.output = OJX_DATA, .events = analyses[0].name, .budget = 2, .sampler = "auto", \
		.tolerance = 1, .max_stack = 128, .min_size = 1024, .max_size = 64 << 20        \
	}

/* A command that takes the same options, and some of its own, which come first and win. */
struct record_command {
	struct option_command shown; /* its rows: its own */
	bool may_lack_command;	     /* o->command may be empty */
};

/*
 * Reads the arguments, says what is wrong. `as` NULL: of `ojx record` itself. Returns the exit status to end
 * with, or -1 to go on.
 */
int record_options_parse(struct record_options *o, const struct record_command *as, int argc,
			 char **argv);

/* What the agents are told; `deadly`: wire_config_flags for what they must not try. */
struct wire_config record_options_config(const struct record_options *o, uint32_t deadly);

#endif
