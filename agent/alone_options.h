/* SPDX-License-Identifier: Apache-2.0 */
/* alone_options.h - the options of a recording that the agent makes alone. */
#ifndef OJX_ALONE_OPTIONS_H
#define OJX_ALONE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

enum { ALONE_PATH = 1024, ALONE_WHY = 256 };

/* What the agent records without a tool, which would choose the events of the others. */
enum alone_analysis { ALONE_REPLICA = 1 << 0, ALONE_LIFETIME = 1 << 1 };

struct alone_options {
	char file[ALONE_PATH];	      /* %p is the process id */
	char secret_file[ALONE_PATH]; /* empty: a new secret */
	uint64_t duration_ns;	      /* 0: until the JVM ends */
	uint64_t delay_ns;
	uint64_t size;	   /* most bytes of the file */
	uint64_t interval; /* bytes between allocation samples; 0: as the budget permits */
	double budget;	   /* percent */
	uint64_t analyses; /* bits of enum alone_analysis */
};

/*
 * Reads "file=PATH,duration=60s,...". False with the reason in `why`. The names of the options end
 * with '=', so that a path without them is none.
 */
bool alone_options_read(struct alone_options *o, const char *text, char why[ALONE_WHY]);

#endif
