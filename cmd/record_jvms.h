/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record_jvms.h - the JVMs of a recorded command as processes: those that cannot be recorded
 * because they belong to another user, and those that still run when the recording ends.
 */
#ifndef OJX_RECORD_JVMS_H
#define OJX_RECORD_JVMS_H

#include <stdbool.h>
#include <stdint.h>

#include "record/jvmproc.h"
#include "record/session.h"

enum { RECORD_JVMS = 64, RECORD_FOREIGN = 8 };

/* Zero-initialised. */
struct record_jvms {
	struct jvmproc joined[RECORD_JVMS]; /* JVMs that are being recorded */
	unsigned njoined;
	bool any;		       /* at least one has joined */
	bool ended;		       /* the recording has ended */
	uid_t foreign[RECORD_FOREIGN]; /* users whose JVMs were reported */
	unsigned nforeign;
	uint64_t next_ns; /* time of the next search */
};

/* Call it with all news of the session. */
void record_jvms_news(struct record_jvms *r, const struct session_news *news);

/*
 * Searches for JVMs of other users below the process, if it is time, and reports once for each user
 * that they are not recorded. `ns` is the time since the start. Returns the milliseconds until the
 * next search.
 */
int record_jvms_look(struct record_jvms *r, pid_t below, uint64_t ns);

/* The recording ends: JVMs that leave it from now on still run. */
void record_jvms_end(struct record_jvms *r);

/* Names the JVMs that still run, in one line. */
void record_jvms_say_left(const struct record_jvms *r);

#endif
