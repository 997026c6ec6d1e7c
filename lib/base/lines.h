/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lines.h - rendered text as a screen needs it: lines, of which a part is shown, in inks.
 *
 * What a screen shows is made by the same renderers as what is printed, with colours on. Here their
 * escape sequences become inks again, so that the screen can do what its terminal can.
 */
#ifndef OJX_LINES_H
#define OJX_LINES_H

#include <stddef.h>

#include "base/style.h"

struct line {
	const char *text; /* into `text` of struct lines */
	size_t len;	  /* bytes */
	size_t width;	  /* columns */
};

struct lines {
	char *text;
	struct line *line;
	size_t n;
};

/* Takes an allocated text and breaks it into lines. 0, or -1 where memory lacks (the text is
 * freed). */
int lines_take(struct lines *l, char *text);
void lines_release(struct lines *l);

/*
 * Breaks what is wider than `width` between words, words only where they are wider themselves. What
 * follows is indented as the text behind a line's label is: "    label      text". 0, or -1 where
 * memory lacks; the lines are as they were then.
 */
int lines_wrap(struct lines *l, size_t width);

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

/* The piece without what lies beyond `width` columns; a wide character that is cut in half is left
 * out. */
struct line_piece line_cut(struct line_piece piece, size_t width);

/*
 * Where to, by `lines`, if `top` is the first of `n` lines that is seen and `height` of them are:
 * never further than that the last line is at the bottom.
 */
size_t lines_scroll(size_t top, long lines, size_t n, size_t height);

#endif
