/* SPDX-License-Identifier: Apache-2.0 */
/* browse_private.h - what browse.c (keys, the loop) and browse_draw.c share. */
#ifndef OJX_BROWSE_PRIVATE_H
#define OJX_BROWSE_PRIVATE_H

#include "browse.h"
#include "screen.h"

enum page {
	PAGE_TABLE,
	PAGE_ROW,    /* the block of the row at the cursor */
	PAGE_INFO,   /* the recording, and what else was found */
	PAGE_OUTPUT, /* of the program */
	PAGE_HELP,
};

enum asking {
	ASK_NOTHING,
	ASK_FILTER, /* a text is being typed */
	ASK_QUIT,   /* leave it running, or stop it? */
};

enum { BROWSE_SAID = 160 };

struct browse {
	struct browse_source *source;
	struct screen screen;
	struct view view;
	enum page page, before; /* before: where help leads back to */
	enum asking asking;
	char old_filter[VIEW_FILTER]; /* before it was edited */
	bool paused;
	char said[BROWSE_SAID]; /* in place of the hints, until the next key */
	struct lines lines;	/* of the page, but for the table */
	bool stale;		/* `lines` have to be made anew */
	size_t top;		/* line of them that is the first seen */
	uint64_t next_ms;	/* the next update; 0: none */
	enum browse_end end;
};

struct cell_context browse_cells(const struct browse *b);
/* Lines that the page has on the screen. */
size_t browse_height(const struct browse *b);
/* Draws the page. 0, or -1 where memory lacks. */
int browse_draw(struct browse *b);

#endif
