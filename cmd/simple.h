/* SPDX-License-Identifier: Apache-2.0 */
/* simple.h - commands whose only options are the output format and colour: list, doctor. */
#ifndef OJX_SIMPLE_H
#define OJX_SIMPLE_H

#include <stdbool.h>

#include "base/style.h"

struct simple_output {
	bool json; /* else text */
	struct style style;
};

/* Parses --format and --color. Returns -1 to go on, or the exit status. */
int simple_parse(const char *name, const char *about, const char *notes, int argc, char **argv,
		 struct simple_output *to);

#endif
