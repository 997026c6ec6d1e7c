/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inked.h - rendered text as lines of inked pieces, for a screen that shows a part of them.
 *
 * The screen uses the same renderers as printed output, with colours on. This module turns their
 * escape sequences back into inks, so that the screen can use what its terminal supports. Links
 * stay where lines are wrapped; a screen has none.
 */
#ifndef OJX_INKED_H
#define OJX_INKED_H

#include <stddef.h>

#include "base/style.h"

struct inked_line {
	const char *text; /* into `text` of struct inked_lines */
	size_t len;	  /* bytes */
	size_t width;	  /* columns */
};

struct inked_lines {
	char *text;
	struct inked_line *line;
	size_t n;
};

/* Takes ownership of an allocated text and splits it into lines. It ends as xmalloc.h says. */
void inked_take(struct inked_lines *l, char *text);
void inked_release(struct inked_lines *l);

/*
 * Wraps lines that are wider than `width` between words; breaks a word only if it alone is wider.
 * Continuation lines are indented like the text behind the line's label: " label text". It ends as
 * xmalloc.h says.
 */
void inked_wrap(struct inked_lines *l, size_t width);

/* A piece of a line, all in one ink. */
struct inked_piece {
	const char *text;
	size_t len, width; /* bytes, columns */
	enum ink ink;
	const char *link; /* what begins the link that it is in, of `link_len` bytes; NULL: none */
	size_t link_len;
};

/* A position in a line. Start with INKED_CURSOR(line). */
struct inked_cursor {
	const char *next, *end;
	enum ink ink;
	const char *link; /* see struct inked_piece */
	size_t link_len;
};
#define INKED_CURSOR(l)                                                          \
	(struct inked_cursor)                                                    \
	{                                                                        \
		.next = (l)->text, .end = (l)->text + (l)->len, .ink = INK_PLAIN \
	}

/* Returns the next piece; false at the end of the line. */
bool inked_next(struct inked_cursor *c, struct inked_piece *piece);

/* Moves the cursor behind the first `columns`; a wide character that would be split is skipped. */
void inked_skip(struct inked_cursor *c, size_t columns);

/* Cuts the piece at `width` columns; a wide character that would be split is left out. */
struct inked_piece inked_cut(struct inked_piece piece, size_t width);

/*
 * Scrolls by `lines`: returns the new top line. `top` is the first visible line of `n`, `height`
 * the number of visible ones. The last line never rises above the bottom.
 */
size_t inked_scroll(size_t top, long lines, size_t n, size_t height);

#endif
