/* SPDX-License-Identifier: Apache-2.0 */
/* record_settings.h - the settings of `ojx record`. */
#ifndef OJX_RECORD_SETTINGS_H
#define OJX_RECORD_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "analyse/analyses.h"
#include "options.h"
#include "wire/wire.h"

struct record_options {
	const char *output, *class_glob, *log_file, *events, *sampler;
	const char *secret_file; /* of the secret that recordings share; NULL: a new one */
	const char *pids; /* JVMs to attach to, see select_jvms.h; NULL: the command is recorded */
	bool verbose, quiet, children, exact, values, no_watch, no_scan;
	double budget, frequency, tolerance;
	struct analysis_needs needs; /* of the analyses of -e */
	uint64_t interval, min_size, max_size, delay_ns, duration_ns;
	int max_stack, seed, count;
	struct wire_event event[WIRE_EVENTS]; /* events that sample accesses */
	uint32_t nevents;
	bool governed; /* no rate was requested */
	char **command;
};

/* The defaults. */
#define RECORD_OPTIONS_INIT                                                             \
	{                                                                               \
		.output = OJX_DATA, .events = analyses[0]->events[0].name, .budget = 2, \
		.sampler = "auto", .tolerance = 1, .max_stack = 128, .min_size = 1024,  \
		.max_size = 64 << 20                                                    \
	}

#endif
