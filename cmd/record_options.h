/* SPDX-License-Identifier: Apache-2.0 */
/* record_options.h - the options of `ojx record`. */
#ifndef OJX_RECORD_OPTIONS_H
#define OJX_RECORD_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "options.h"
#include "record_settings.h"

/* A command with the same options and some of its own, which take precedence. */
struct record_command {
	struct option_command shown; /* its rows are its own options */
	bool may_lack_command;	     /* o->command may be empty */
};

/*
 * Parses the arguments; reports errors. `as` NULL: for `ojx record` itself. Returns -1 to go on, or
 * the exit status.
 */
int record_options_parse(struct record_options *o, const struct record_command *as, int argc,
			 char **argv);

/*
 * The configuration of the agents; `deadly`: wire_config_flags for calls that they must not make.
 */
struct wire_config record_options_config(const struct record_options *o, uint32_t deadly);

#endif
