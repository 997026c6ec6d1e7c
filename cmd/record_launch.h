/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record_launch.h - how `ojx record` starts its command: with the agent, or without it if it would
 * do harm.
 */
#ifndef OJX_RECORD_LAUNCH_H
#define OJX_RECORD_LAUNCH_H

#include "record/agentfile.h"
#include "record/launch.h"
#include "record_options.h"

struct record_launch {
	char *program; /* the command's executable */
	char *agent;   /* the installed libojx-agent.so */
	struct agentfile settled;
	struct launch plan;
};

/* Finds the command and the agent; reports errors. Returns -1 to go on, or the exit status. */
int record_launch_find(struct record_launch *r, const struct record_options *o);

/* The agent alone. Same results. */
int record_launch_find_agent(struct record_launch *r);

/* Finds or makes the copy of the agent that JVMs get, `settled`. Same results. */
int record_launch_settle(struct record_launch *r, bool verbose);

/* Fills in `plan`, and `settled`. Same results. */
int record_launch_plan(struct record_launch *r, const struct record_options *o,
		       const char *socket_path);

void record_launch_release(struct record_launch *r);

#endif
