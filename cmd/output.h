/* SPDX-License-Identifier: Apache-2.0 */
/* output.h - where a command shows its result: a file, or standard output and a pager. */
#ifndef OJX_OUTPUT_H
#define OJX_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/style.h"
#include "link_options.h"
#include "report/sources.h"
#include "terminal.h"

struct output {
	const char *path; /* of -o; NULL or "-": standard output */
	bool secret;	  /* only its owner can read the file */
	bool paged;	  /* standard output goes through a pager */
	enum terminal_color ink;
	const struct link_options *links; /* source lines are linked; NULL: nothing is */
	const struct sources *sources;	  /* what links lead to */
};

/* Whether the path of -o names a file. */
bool output_is_file(const char *path);

/* Writes `what` to `out`. 0, or -1 with errno. */
typedef int output_draw(FILE *out, const struct style *style, const void *what);

/* Has `what` drawn to the output. 0, or -1 after an error message. */
int output_write(const struct output *o, output_draw *draw, const void *what);

/*
 * The one of `formats`, which end with NULL, that the name of the file asks for. NULL after an
 * error message if there is none; `command` is the name for it.
 */
const char *output_format(const char *path, const char *const *formats, const char *command);

#endif
