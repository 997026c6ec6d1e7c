/* SPDX-License-Identifier: Apache-2.0 */
/*
 * browse.h - rows on a screen: the table, a row's block, the pages around them, and the keys that
 * lead from one to the other. `ojx top` and the browser of `ojx report` are this, with different
 * sources of rows.
 */
#ifndef OJX_BROWSE_H
#define OJX_BROWSE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "live/rates.h"
#include "live/view.h"
#include "render/render.h"

/* How the browsing ended. */
enum browse_end {
	BROWSE_GOES_ON, /* not yet */
	BROWSE_QUIT,	/* the user has left; what runs goes on */
	BROWSE_STOP,	/* the same, and the program is to be stopped */
	BROWSE_OVER,	/* the source says that it is over */
	BROWSE_FAILED,	/* errno tells */
	BROWSE_NEWS,	/* of a source's step alone: it is to be updated at once */
};

/* Where the rows come from. All but the first part is for sources that change: 0 or NULL where they
 * do not. */
struct browse_source {
	const char *name;     /* "ojx top" */
	struct report report; /* `rows` are those below */
	struct rows *rows;    /* in brief or not */
	const struct model *model;
	const struct rows_options *how; /* the rows were made */
	const struct view_column *columns;
	/* Writes a line on the source as a whole. */
	void (*put_status)(FILE *out, const struct browse_source *source, const struct style *s);
	void *arg;

	const struct rates *rates;
	uint64_t interval_ms; /* between updates */
	int fd;		      /* readable: step is called; -1: none */
	bool can_stop;	      /* there is a program that BROWSE_STOP would stop: q asks */
	/* Sees what `fd` tells. */
	enum browse_end (*step)(struct browse_source *source);
	/*
	 * Makes report, rows and model anew. 0, or -1 with errno; nothing is said while there is a
	 * screen.
	 */
	int (*update)(struct browse_source *source);
	/* Forgets what came so far. 0, or -1 with errno. */
	int (*reset)(struct browse_source *source);
	/* Writes a recording; `said`: where to, or why not. */
	void (*write)(struct browse_source *source, char *said, size_t room);
	/* The end of what the program wrote, clean, allocated; NULL: none is kept. */
	char *(*output)(struct browse_source *source, const struct style *s);
};

/* Browses until the user leaves. BROWSE_FAILED with errno 0 where the terminal cannot be used. */
enum browse_end browse(struct browse_source *source);

#endif
