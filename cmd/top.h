/* SPDX-License-Identifier: Apache-2.0 */
/*
 * top.h - what the parts of `ojx top` share: top.c (the command), top_start.c (a recording to look
 * at), top_state.c (what is known of it), top_screen.c and top_batch.c (looking).
 */
#ifndef OJX_TOP_H
#define OJX_TOP_H

#include "child.h"
#include "live/live.h"
#include "render/render.h"
#include "spool.h"
#include "top_options.h"

enum { TOP_PATH = 4096 };

struct top {
	struct top_options options;
	struct live live;
	struct child child;    /* the recorder; pid 0: somebody else's is watched */
	pid_t watched;	       /* that one */
	struct spool out, err; /* what the program writes */
	char dir[TOP_PATH];    /* empty, or that of a recording that is not kept */
	char path[TOP_PATH];   /* of the recording, where we have started it */
	bool open;	       /* `live` is */
	bool ended;	       /* the recording is */
};

/*
 * The following return -1 to go on, or the exit status to end with, after saying why. After
 * top_start the recorder runs; `live` is open unless it has ended already and left nothing.
 */
int top_start(struct top *t, bool screen);
int top_find(struct top *t);

/* Looks, until there is nothing more to see or the user has seen enough. */
void top_screen(struct top *t);
void top_batch(struct top *t);

/* Brings `live` up to date. 0, or -1 with errno, ... */
int top_update(struct top *t);
/* ...of which this speaks; not while there is a screen. */
void top_say_failed(void);
/* Notices the end of the recording. */
void top_notice_end(struct top *t);
/* Writes a line on the whole of it. */
void top_put_status(FILE *out, const struct top *t, const struct style *s);
/* The report of what there is now. */
struct report top_report(const struct top *t);

#endif
