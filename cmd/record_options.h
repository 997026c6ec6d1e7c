/* SPDX-License-Identifier: Apache-2.0 */
/* record_options.h - the options of `ojx record`. */
#ifndef OJX_RECORD_OPTIONS_H
#define OJX_RECORD_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "options.h"
#include "record_settings.h"

/* A command that takes the same options, and some of its own, which come first and win. */
struct record_command {
	struct option_command shown; /* its rows: its own */
	bool may_lack_command;	     /* o->command may be empty */
};

/*
 * Reads the arguments, says what is wrong. `as` NULL: of `ojx record` itself. Returns the exit
 * status to end with, or -1 to go on.
 */
int record_options_parse(struct record_options *o, const struct record_command *as, int argc,
			 char **argv);

/* What the agents are told; `deadly`: wire_config_flags for what they must not try. */
struct wire_config record_options_config(const struct record_options *o, uint32_t deadly);

#endif
