/* SPDX-License-Identifier: Apache-2.0 */
/* record_launch.h - how `ojx record` starts its command: with the agent, or without it where that
 * is better. */
#ifndef OJX_RECORD_LAUNCH_H
#define OJX_RECORD_LAUNCH_H

#include "record/agentfile.h"
#include "record/launch.h"
#include "record_options.h"

struct record_launch {
	char *program; /* the command's file */
	char *agent;   /* libojx-agent.so, where it is installed */
	struct agentfile settled;
	struct launch plan;
};

/* Finds the command and the agent, and says what is wrong. -1 to go on, or the exit status to end
 * with. */
int record_launch_find(struct record_launch *r, const struct record_options *o);

/* Fills in `plan`. The same results. */
int record_launch_plan(struct record_launch *r, const struct record_options *o,
		       const char *socket_path);

void record_launch_release(struct record_launch *r);

#endif
