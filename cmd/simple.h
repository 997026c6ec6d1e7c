/* SPDX-License-Identifier: Apache-2.0 */
/* simple.h - commands with few options besides the output format and colour: list, doctor. */
#ifndef OJX_SIMPLE_H
#define OJX_SIMPLE_H

#include <stdbool.h>

#include "base/style.h"
#include "options.h"

struct simple_command {
	const char *name, *synopsis, *about, *notes;
	struct option_row own; /* an option of its own; long_name NULL: none */
	const char *operand;   /* the only operand that it takes; NULL: none */
};

struct simple_output {
	bool json; /* else text */
	struct style style;
	bool operand; /* it was given */
};

/* Parses the options and the operand. Returns -1 to go on, or the exit status. */
int simple_parse(const struct simple_command *as, int argc, char **argv, struct simple_output *to);

#endif
