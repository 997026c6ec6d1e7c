/* SPDX-License-Identifier: Apache-2.0 */
/*
 * checks.h - what `ojx doctor` looks at: one row of the table in checks.c for each thing that ojx
 * needs of a machine, and what to do where it is missing.
 */
#ifndef OJX_CHECKS_H
#define OJX_CHECKS_H

enum check_state {
	CHECK_OK,
	CHECK_LACKING, /* ojx records, but less, or worse */
	CHECK_FAILED,  /* ojx cannot record */
};

struct check_result {
	enum check_state state;
	char found[512];  /* what there is, in a few words */
	char advice[512]; /* what to do; empty where nothing need be done */
};

struct check {
	const char *name;
	void (*run)(struct check_result *r);
};

/* The table, in the order of display; ends with name NULL. */
extern const struct check checks[];

/* "ok", "lacking", "failed". */
const char *check_state_name(enum check_state s);

/* Why perf_event_open gave `error` (an errno, MACHINE_KILLS or MACHINE_OLD_KERNEL), and what to do
 * about it. */
void check_perf_error(struct check_result *r, int error);

#endif
