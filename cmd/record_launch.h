/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record_launch.h - how `ojx record` starts its command: with the agent, or without it if it would
 * do harm.
 */
#ifndef OJX_RECORD_LAUNCH_H
#define OJX_RECORD_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include "record/agentfile.h"
#include "record/jvmproc.h"
#include "record/launch.h"
#include "record/session.h"
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

/*
 * ---- the JVMs of a recorded command as processes: those that are not recorded because they
 * belong to another user or did not get the agent, and those that still run when the recording
 * ends.
 */

enum { RECORD_JVMS = 64, RECORD_FOREIGN = 8 };

/* Zero-initialised. */
struct record_jvms {
	struct jvmproc joined[RECORD_JVMS]; /* JVMs that are being recorded */
	unsigned njoined;
	bool any;		       /* at least one has joined */
	bool ended;		       /* the recording has ended */
	uid_t foreign[RECORD_FOREIGN]; /* users whose JVMs were reported */
	unsigned nforeign;
	/* path of the control socket, if JVMs get it by JAVA_TOOL_OPTIONS; NULL: they do not */
	const char *socket;
	struct jvmproc bare[RECORD_FOREIGN]; /* JVMs that were reported not to have it */
	unsigned nbare;
	/* one that was asked for its version, and announced the variable into a pipe; 0: none */
	pid_t piped;
	uint64_t next_ns; /* time of the next search */
};

/* Call it with all news of the session. */
void record_jvms_news(struct record_jvms *r, const struct session_news *news);

/*
 * Searches for JVMs below the process, if it is time. Reports that those of other users are not
 * recorded, once for each user, and each that JAVA_TOOL_OPTIONS did not reach. `ns` is the time
 * since the start. Returns the milliseconds until the next search.
 */
int record_jvms_look(struct record_jvms *r, pid_t below, uint64_t ns);

/* The recording ends: JVMs that leave it from now on still run. */
void record_jvms_end(struct record_jvms *r);

/* Says that a script may have taken the announcement of JAVA_TOOL_OPTIONS for something else. */
void record_jvms_say_piped(const struct record_jvms *r);

/* Names the JVMs that still run, in one line. */
void record_jvms_say_left(const struct record_jvms *r);

#endif
