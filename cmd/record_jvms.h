/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record_jvms.h - the JVMs of a recorded command as processes: those that cannot be recorded since
 * they are another user's, and those that go on when the recording ends.
 */
#ifndef OJX_RECORD_JVMS_H
#define OJX_RECORD_JVMS_H

#include <stdbool.h>
#include <stdint.h>

#include "record/jvmproc.h"
#include "record/session.h"

enum { RECORD_JVMS = 64, RECORD_FOREIGN = 8 };

/* Zeros at first. */
struct record_jvms {
	struct jvmproc joined[RECORD_JVMS]; /* that are being recorded */
	unsigned njoined;
	bool any;		       /* one has joined, or more */
	bool ended;		       /* the recording */
	uid_t foreign[RECORD_FOREIGN]; /* users whose JVMs were told of */
	unsigned nforeign;
	uint64_t next_ns; /* when it is time to look again */
};

/* To be told all news of the session. */
void record_jvms_news(struct record_jvms *r, const struct session_news *news);

/*
 * Looks for JVMs of other users below the process, if it is time to, and says that they are not
 * recorded, once for each user. `ns` is the time since the start. Returns the milliseconds until
 * the next look.
 */
int record_jvms_look(struct record_jvms *r, pid_t below, uint64_t ns);

/* The recording ends: who leaves it now goes on. */
void record_jvms_end(struct record_jvms *r);

/* Names those that go on, in one line. */
void record_jvms_say_left(const struct record_jvms *r);

#endif
