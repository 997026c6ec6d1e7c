/* SPDX-License-Identifier: Apache-2.0 */
/*
 * analysis.h - the analyses that a recording can be made for, as -e names them.
 *
 * One row of the table in analysis.c for each: adding one touches that table and the analysis's own
 * files.
 */
#ifndef OJX_ANALYSIS_H
#define OJX_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct analysis {
	const char *name;
	const char *help;
	bool objects;	/* it needs the contents of sampled allocations */
	uint32_t waste; /* wire_config.waste bits it needs: sampled accesses and watches */
	uint32_t flags; /* wire_config_flags it needs: with WIRE_LOCALITY, allocations and accesses
			 */
};

/* Ends with name NULL. */
extern const struct analysis analyses[];

/* What the analyses of a list need together. */
struct analysis_needs {
	bool objects;
	uint32_t waste, flags;
};

/*
 * Reads "replica,dead-store". NULL, or the start of the first name in it that is none; *len is then
 * its length.
 */
const char *analysis_parse(const char *list, struct analysis_needs *needs, size_t *len);

#endif
