/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hotspot.h - HotSpot's attach protocol: asks a JVM that runs to do something, such as to load a
 * library.
 *
 * A JVM looks for the file /tmp/.attach_pidN when it gets SIGQUIT, N being its pid in its own
 * namespace. If the file is there, it opens the socket /tmp/.java_pidN, and from then on takes
 * requests there. Both names are fixed: java.io.tmpdir does not matter. (JDK 11 to 25 look for the
 * trigger in the working directory first, and then in /tmp.)
 *
 * Nothing here waits but hotspot_release. The caller has looked for obstacles (obstacles.h).
 */
#ifndef OJX_HOTSPOT_H
#define OJX_HOTSPOT_H

#include "attach/target.h"

#define HOTSPOT_TMP "/tmp"

enum { HOTSPOT_ANSWER = 2048, HOTSPOT_NAME = 32 };

enum hotspot_state {
	HOTSPOT_TRIGGERED, /* SIGQUIT was sent; the socket is not there yet */
	HOTSPOT_ASKED,	   /* the request was sent */
	HOTSPOT_DONE,
	HOTSPOT_FAILED, /* see `answer` */
};

enum { HOTSPOT_ARGUMENTS = 3 };

/* What the JVM is asked for. */
struct hotspot_request {
	const char *name;
	const char *argument[HOTSPOT_ARGUMENTS]; /* each may be NULL: empty */
	const char *success;			 /* in the answer, if it was done */
	const char *late;			 /* what to say if it does not answer in time */
	uint64_t limit_ns;			 /* how long it may take for the answer */
	bool all_lines; /* if it was done, `answer` has all, not the last */
};

/* A request on its way. */
struct hotspot {
	const struct target *target;	       /* the caller's */
	const struct hotspot_request *request; /* likewise */
	enum hotspot_state state;
	int dir;					  /* the target's /tmp */
	char trigger[HOTSPOT_NAME], socket[HOTSPOT_NAME]; /* names there */
	bool has_trigger;				  /* the file is ours to remove */
	int fd;						  /* the connection; -1: none */
	uint64_t deadline_ns;
	size_t got;
	char answer[HOTSPOT_ANSWER]; /* the JVM's text; if it failed, why */
};

/*
 * Whether the JVM has its socket. If not, sets errno: EPERM if another file is there, or another
 * user's.
 */
bool hotspot_listens(const struct target *t);

/*
 * The request to load a library; both paths are as the target sees them. `limit_ns`: how long the
 * JVM may take.
 */
struct hotspot_request hotspot_load(const char *library, const char *options, uint64_t limit_ns);

/*
 * Begins with the request. Removes triggers that other ojx left. `limit_ns`: how long the JVM may
 * take to listen. Sets `state`. Release with hotspot_release, in any state.
 */
void hotspot_ask(struct hotspot *h, const struct target *t, const struct hotspot_request *request,
		 uint64_t now_ns, uint64_t limit_ns);

/* Goes on if it can. Call it some times a second until it is done or has failed. */
enum hotspot_state hotspot_step(struct hotspot *h, uint64_t now_ns);

/*
 * Removes the trigger, unless the JVM does not handle SIGQUIT within two seconds: without the file
 * it would print all its threads later. Returns whether it is removed.
 */
bool hotspot_release(struct hotspot *h);

#endif
