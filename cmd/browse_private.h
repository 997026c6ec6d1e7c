/* SPDX-License-Identifier: Apache-2.0 */
/* browse_private.h - shared by browse.c (keys, the loop) and browse_draw.c. */
#ifndef OJX_BROWSE_PRIVATE_H
#define OJX_BROWSE_PRIVATE_H

#include "browse.h"
#include "report/annotate.h"
#include "screen.h"

enum page {
	PAGE_TABLE,
	PAGE_ROW,    /* the block of the row at the cursor */
	PAGE_SOURCE, /* of its line of code */
	PAGE_INFO,   /* the recording, and what else was found */
	PAGE_OUTPUT, /* of the program */
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
	struct view view;
	enum page page, before; /* before: the page that help returns to */
	enum asking asking;
	char old_filter[VIEW_FILTER]; /* before editing */
	bool paused;
	char said[BROWSE_SAID];	   /* shown instead of the hints, until the next key */
	struct lines lines;	   /* of the page, except for the table */
	struct browse_lines known; /* what is known of lines of code */
	bool stale;		   /* `lines` must be made anew */
	size_t top;		   /* index of the first visible line */
	size_t left;		   /* the first visible column of a page that is not wrapped */
	uint64_t next_ms;	   /* time of the next update; 0: none */
	enum browse_end end;
};

struct cell_context browse_cells(const struct browse *b);
/* Number of lines for the page on the screen. */
size_t browse_height(const struct browse *b);
/* Its line of code is known and has a file: the frame; NULL: it has none. */
const struct model_frame *browse_line(const struct browse *b);
/* Writes the source around the line of the row at the cursor. 0, or -1 if out of memory. */
int browse_put_source(FILE *out, struct browse *b);
/* Releases what browse_put_source has gathered. */
void browse_forget_lines(struct browse *b);
/* Passes "Shop.java:12" of the row at the cursor to the clipboard. */
void browse_copy_line(struct browse *b);

/* Draws the page. 0, or -1 if out of memory. */
int browse_draw(struct browse *b);

#endif
