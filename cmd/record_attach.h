/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record_attach.h - the JVMs that `ojx record -p` attaches to: finds them, has them load the agent,
 * and says at the end how it has left them.
 */
#ifndef OJX_RECORD_ATTACH_H
#define OJX_RECORD_ATTACH_H

#include "attach/hotspot.h"
#include "attach/place.h"
#include "record/session.h"
#include "record_options.h"

enum { RECORD_TARGETS = SESSION_LISTENERS };

struct record_target {
	struct target target;
	struct place place;
	struct hotspot_request request; /* to load the agent */
	struct hotspot hotspot;
	uint64_t begun_ns;  /* when the JVM was first asked */
	uint64_t again_ns;  /* when it is asked again; 0: it has been asked */
	uint64_t loaded_ns; /* when the JVM had loaded the agent; 0: not yet */
	bool failed, joined, left;
	bool detached; /* the agent has confirmed the end */
	bool ends;     /* it has left without being asked: the JVM ends, or has ended */
};

struct record_attach {
	struct record_target list[RECORD_TARGETS];
	unsigned n;
	bool stopping;	/* they are asked to leave from now on */
	char **command; /* the command line of the first; owned */
};

/*
 * Finds the JVMs that o->pids names, and checks that nothing prevents attaching to any of them;
 * reports errors. Returns -1 to go on, or the exit status.
 */
int record_attach_find(struct record_attach *a, const struct record_options *o);

/* Makes what the JVMs need in their file systems. Same results. */
int record_attach_prepare(struct record_attach *a, const char *agent);

/* Has the session listen to them. `config` is what they have in common. 0, or -1. */
int record_attach_listen(const struct record_attach *a, struct session *s,
			 const struct wire_config *config);

/* Begins. */
void record_attach_begin(struct record_attach *a, uint64_t now_ns);

/* Goes on; reports failures. Returns whether some JVM is still to join. */
bool record_attach_step(struct record_attach *a, uint64_t now_ns);

/* Call it with all news of the session. */
void record_attach_news(struct record_attach *a, const struct session_news *news);

/* Says how the JVMs were left. */
void record_attach_say_left(const struct record_attach *a);

/* Removes what was made. */
void record_attach_release(struct record_attach *a);

#endif
