/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lines.h - rendered text as a screen needs it: lines, of which a part is shown, in inks.
 *
 * What a screen shows is made by the same renderers as what is printed, with colours on. Here their escape
 * sequences become inks again, so that the screen can do what its terminal can.
 */
#ifndef OJX_LINES_H
#define OJX_LINES_H

#include <stddef.h>

#include "style.h"

struct line {
	const char *text; /* into `text` of struct lines */
	size_t len;	  /* bytes */
	size_t width;	  /* columns */
};

struct lines {
	char *text;
	struct line *line;
	size_t n, width; /* width: of the widest */
};

/* Takes an allocated text and breaks it into lines. 0, or -1 where memory lacks (the text is freed). */
int lines_take(struct lines *l, char *text);
void lines_release(struct lines *l);

/* A piece of a line in one ink. */
struct line_piece {
	const char *text;
	size_t len, width; /* bytes, columns */
	enum ink ink;
};

/* Where in a line we are. Begin with LINE_CURSOR(line). */
struct line_cursor {
	const char *next, *end;
	enum ink ink;
};
#define LINE_CURSOR(l)                                                           \
	(struct line_cursor)                                                     \
	{                                                                        \
		.next = (l)->text, .end = (l)->text + (l)->len, .ink = INK_PLAIN \
	}

/* The next piece; false at the line's end. */
bool line_next(struct line_cursor *c, struct line_piece *piece);

/*
 * Cuts the piece to what of it lies in `width` columns from column `from` on; *at is the column in which it
 * begins, and moves behind it. What remains may be nothing. A wide character that is cut in
 * half is left out.
 */
struct line_piece line_cut(struct line_piece piece, size_t *at, size_t from, size_t width);

/* What scrolls: `n` lines of which `height` are seen, `top` being the first. */
struct scroll {
	size_t top, left;
};

/* Moves by lines; never further than that the last line is at the bottom. */
void scroll_by(struct scroll *s, long lines, size_t n, size_t height);

#endif
