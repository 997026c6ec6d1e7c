/* SPDX-License-Identifier: Apache-2.0 */
/*
 * obstacles.h - what can prevent attaching to a process: one row of the table in obstacles.c for
 * each, checked before anything is done to the process.
 */
#ifndef OJX_OBSTACLES_H
#define OJX_OBSTACLES_H

#include "attach/target.h"
#include "host/checks.h"

struct obstacle {
	const char *name;
	bool agent; /* only an agent is prevented: the JVM can be asked for other things */
	/*
	 * The result is CHECK_OK if this does not prevent attaching. Rows above have been checked
	 * before.
	 */
	void (*check)(const struct target *t, struct check_result *r);
};

/* The table, in order; ends with name NULL. */
extern const struct obstacle obstacles[];

/*
 * Finds the first obstacle to attaching, and, with `agent`, to loading ojx's agent: `r` says what
 * it is ("is stopped") and what to do about it. False if there is none.
 */
bool obstacles_find(const struct target *t, bool agent, struct check_result *r);

/*
 * ---- agents of others in a JVM that runs. One agent only can have the allocation sampler;
 * whether one has it cannot be seen from outside.
 */

/*
 * The path of a library that the JVM has loaded and that is an agent, neither of the JDK nor ojx's.
 * malloc'ed; NULL if none is seen.
 */
char *other_agents_find(const struct target *t);

#endif
