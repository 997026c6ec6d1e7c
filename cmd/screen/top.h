/* SPDX-License-Identifier: Apache-2.0 */
/*
 * top.h - shared by the parts of `ojx top`: top.c (the command; it finds or starts a
 * recording) and top_screen.c (reads it and shows it).
 */
#ifndef OJX_TOP_H
#define OJX_TOP_H

#include <stdbool.h>
#include <stdint.h>

#include "child.h"
#include "live/live.h"
#include "record.h"
#include "render/render.h"
#include "report/columns.h"

/* ---- the options of `ojx top`: those of `ojx record`, and how to show the recording. */

struct top_options {
	/*
	 * Without a command a running recording is watched: that of record.pids, if it is given and
	 * has one; otherwise ojx attaches to these.
	 */
	struct record_options record;
	const char *output; /* the recording's file; NULL: it is not kept */
	bool batch;
	uint64_t interval_ns;
	bool eager; /* it is the default: the first updates come earlier */
	int count;  /* number of tables of a batch; 0: until the recording ends */
	int limit;  /* lines per table; 0: all */
	const char *sort;
	const struct column *key;
};

enum { TOP_PATH = 4096 };

struct top {
	struct top_options options;
	struct live live;
	struct child child;    /* the recorder; pid 0: somebody else's recorder is watched */
	pid_t watched;	       /* its pid in that case */
	struct spool out, err; /* the program's output */
	char dir[TOP_PATH];    /* directory of a temporary recording; empty: none */
	int lock;	       /* of that directory, see tempdir.h */
	char path[TOP_PATH];   /* path of the recording, if we started it */
	bool open;	       /* `live` is open */
	bool ended;	       /* the recording has ended */
};

/* Shows the recording until it ends or the user leaves. */
void top_screen(struct top *t);
void top_batch(struct top *t);

/* Updates `live`. 0, or -1 with errno. */
int top_update(struct top *t);

/* Reports an error of top_update; not while there is a screen. */
void top_say_failed(void);

/* Detects the end of the recording. */
void top_notice_end(struct top *t);

/* The time between two updates. At first it is short, unless it was given. */
uint64_t top_interval_ns(const struct top *t);

/* Writes a line about the recording as a whole. */
void top_put_status(FILE *out, const struct top *t, const struct style *s);

/* The report of the current state. */
struct report top_report(const struct top *t);

#endif
