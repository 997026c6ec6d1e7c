/* SPDX-License-Identifier: Apache-2.0 */
/*
 * room.h - whether the agent fits into what limits of the process leave of its memory. The JVM asks
 * for memory as it runs, and ends if it gets none; so the agent leaves enough for it, or stays out.
 */
#ifndef OJX_ROOM_H
#define OJX_ROOM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

enum room_kind { ROOM_ADDRESSES, ROOM_DATA, ROOM_KINDS };

struct room {
	int limit;	     /* RLIMIT_AS or RLIMIT_DATA */
	uint64_t left, need; /* bytes */
};

/* Whether there is a limit at all: then the room is known once the JVM has reserved its own. */
bool room_is_limited(void);

/* False if the agent does not fit; *r then says what is short. */
bool room_fits(struct room *r);

/*
 * The same for a process whose /proc/PID/status is `status`. `limits`: by enum room_kind, bytes;
 * RLIM_INFINITY: none.
 */
bool room_fits_in(const char *status, const rlim_t limits[ROOM_KINDS], struct room *r);

#endif
