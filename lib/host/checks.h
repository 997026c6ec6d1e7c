/* SPDX-License-Identifier: Apache-2.0 */
/*
 * checks.h - the checks of `ojx doctor`: one row of the table in checks.c for each thing that ojx
 * needs of a machine, with advice if it is missing.
 */
#ifndef OJX_CHECKS_H
#define OJX_CHECKS_H

enum check_state {
	CHECK_OK,
	CHECK_LACKING, /* ojx records, but less or less well */
	CHECK_FAILED,  /* ojx cannot record */
};

struct check_result {
	enum check_state state;
	char found[512];  /* what was found, in a few words */
	char advice[512]; /* what to do; empty if nothing */
};

struct check {
	const char *name;
	void (*run)(struct check_result *r);
};

/* The table, in display order; ends with name NULL. */
extern const struct check checks[];

/* "ok", "lacking", "failed". */
const char *check_state_name(enum check_state s);

/*
 * Fills in why perf_event_open failed with `error` (an errno, MACHINE_KILLS or MACHINE_OLD_KERNEL),
 * and what to do about it.
 */
void check_perf_error(struct check_result *r, int error);

#endif
