/* SPDX-License-Identifier: Apache-2.0 */
/*
 * browse.h - rows on a screen: the table, a row's block, the pages around them, and the keys that
 * lead from one to another. `ojx top` and the browser of `ojx report` use this with different
 * sources of rows.
 */
#ifndef OJX_BROWSE_H
#define OJX_BROWSE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "live/rates.h"
#include "live/screen_fixes.h"
#include "live/screen_table.h"
#include "render/render.h"
#include "screen/screen.h"
#include "source/annotate.h"

/* How the browsing ended. */
enum browse_end {
	BROWSE_GOES_ON, /* not yet */
	BROWSE_QUIT,	/* the user has left; the program goes on */
	BROWSE_STOP,	/* the same, but the program must be stopped */
	BROWSE_OVER,	/* the source says that there is nothing more */
	BROWSE_FAILED,	/* see errno */
	BROWSE_NEWS,	/* only from a source's step: update it at once */
};

/*
 * Where the rows come from. All but the first part is for sources that change; other sources leave
 * it 0 or NULL.
 */
struct browse_source {
	const char *name; /* "ojx top" */
	bool headline;	  /* behind the name: what the report comes to; else the command */
	struct report
		report; /* its rows are those below; its fixes are read before these are sorted */
	struct rows *rows; /* may be summaries */
	const struct model *model;
	const struct rows_options *how; /* how the rows were made */
	enum column_table table;
	/*
	 * Makes the rows anew, grouped in another way; `rows`, `report` and `how` tell. 0, or -1
	 * with errno.
	 */
	int (*group)(struct browse_source *source, enum rows_grouping grouping);
	/* Writes the page of the report, for a browser; `said` receives where to, or why not. */
	void (*page)(struct browse_source *source, char *said, size_t room);
	/* Writes a line about the source as a whole. */
	void (*put_status)(FILE *out, const struct browse_source *source, const struct style *s);
	void *arg;

	const struct rates *rates;
	uint64_t interval_ms; /* between updates */
	int fd;		      /* if it is readable, step is called; -1: none */
	bool can_stop;	      /* BROWSE_STOP can stop the program: q asks */
	bool detaches;	      /* q ends the recording of a program that goes on */
	/* Handles what arrived at `fd`. */
	enum browse_end (*step)(struct browse_source *source);
	/*
	 * Makes report, rows and model anew. 0, or -1 with errno. Prints nothing while there is a
	 * screen.
	 */
	int (*update)(struct browse_source *source);
	/* Starts over: forgets all evidence so far. 0, or -1 with errno. */
	int (*reset)(struct browse_source *source);
	/* Writes a recording; `said` receives where to, or why not. */
	void (*write)(struct browse_source *source, char *said, size_t room);
	/* The end of the program's output, clean, allocated; NULL: none is kept. */
	char *(*output)(struct browse_source *source, const struct style *s);
};

/*
 * Lets `page` write a page to a file that did not exist, for `arg`: 0, or -1 after an error. `said`
 * receives the file's name, or that it cannot be written.
 */
void browse_write_page(char *said, size_t room, int (*page)(void *arg, const char *path),
		       void *arg);

/* Browses until the user leaves. BROWSE_FAILED with errno 0 if the terminal cannot be used. */
enum browse_end browse(struct browse_source *source);

/* ---- shared by browse.c (keys, the loop), browse_draw.c and browse_pages.c. */

enum page {
	PAGE_TABLE,
	PAGE_ROW,    /* the block of the row at the cursor */
	PAGE_SOURCE, /* of its line of code */
	PAGE_INFO,   /* the recording, and what else was found */
	PAGE_OUTPUT, /* of the program */
	PAGE_FIX,    /* the finding at the cursor */
	PAGE_HELP,
};

enum asking {
	ASK_NOTHING,
	ASK_FILTER, /* a filter is being typed */
	ASK_QUIT,   /* whether to leave the program running or to stop it */
};

enum { BROWSE_SAID = 160 };

/* What the recording knows of lines, as `ojx annotate` shows it; made when it is first needed. */
struct browse_lines {
	bool made;
	struct annotate annotate;
	struct findings findings;
};

struct browse {
	struct browse_source *source;
	struct screen screen;
	struct screen_table table;
	struct screen_fixes fixes; /* above the table */
	bool on_fixes;		   /* the cursor is on one of them, not in the table */
	size_t narrowed;	   /* the table has only the rows of this finding, from 1; 0: all */
	enum page page, before;	   /* before: the page that help returns to */
	enum asking asking;
	char old_filter[SCREEN_TABLE_FILTER]; /* before editing */
	bool paused;
	char said[BROWSE_SAID];	   /* shown instead of the hints, until the next key */
	struct inked_lines lines;  /* of the page, except for the table */
	struct browse_lines known; /* what is known of lines of code */
	bool stale;		   /* `lines` must be made anew */
	size_t top;		   /* index of the first visible line */
	size_t left;		   /* the first visible column of a page that is not wrapped */
	uint64_t next_ms;	   /* time of the next update; 0: none */
	enum browse_end end;
};

struct cell_context browse_cells(const struct browse *b);

/* Takes the findings of the source, whose rows have not been sorted since they were found. */
void browse_take_fixes(struct browse *b);

/* How many findings there is room for above the table. */
size_t browse_fixes_seen(const struct browse *b);

/* Number of lines for the page on the screen. */
size_t browse_height(const struct browse *b);

/* Of what the cursor is on, the line of code, if it is known and has a file; else NULL. */
const struct model_frame *browse_line(const struct browse *b);

/* Writes the page on the screen, other than the table. 0, or -1 if out of memory. */
int browse_put_page(FILE *out, struct browse *b);

/* Releases what the page of a line's source has gathered. */
void browse_forget_lines(struct browse *b);

/* Passes that line, "Shop.java:12", to the clipboard. */
void browse_copy_line(struct browse *b);

/* Draws the page. 0, or -1 if out of memory. */
int browse_draw(struct browse *b);

#endif
