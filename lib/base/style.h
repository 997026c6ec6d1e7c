/* SPDX-License-Identifier: Apache-2.0 */
/*
 * style.h - what text output may use: colours, characters beyond ASCII, and how many columns.
 *
 * The command decides once, from terminal, locale and options. Renderers ask here and never read
 * the environment, so that a test can use any style.
 */
#ifndef OJX_STYLE_H
#define OJX_STYLE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/utf8.h"

struct style {
	bool utf8;	/* the reader's locale shows UTF-8 */
	bool color;	/* the terminal understands escape sequences */
	bool markdown;	/* tables are Markdown's; other text is escaped by who writes it */
	unsigned width; /* columns; 0: no limit, nothing is cut */
};

enum ink { INK_PLAIN, INK_BOLD, INK_DIM, INK_RED, INK_YELLOW, INK_GREEN, INK_CYAN };

/* The escape sequences that begin this ink and that end any ink; "" without colour. */
const char *style_on(const struct style *s, enum ink ink);
const char *style_off(const struct style *s, enum ink ink);

enum glyph {
	GLYPH_DASH,	/* "not measured"; also joins the ends of a range */
	GLYPH_ELLIPSIS, /* something was left out */
	GLYPH_ARROW,	/* points at the frame in the reader's code */
	GLYPH_RULE,	/* a piece of a horizontal line */
	GLYPH_BAR,	/* a piece of a vertical line */
	GLYPH_DOT,	/* separates things of equal rank */
	GLYPH_LE,
	GLYPH_THETA,
	GLYPH_ALPHA,
	GLYPH_OMEGA,
	GLYPH_GAMMA,
};

/* The glyph in UTF-8 if the style allows it, else an ASCII substitute; "theta" for the letter. */
const char *style_glyph(const struct style *s, enum glyph g);

/* Writes text from outside, made safe for a terminal. NULL gives "?". */
void style_put(FILE *out, const struct style *s, const char *text);

#endif
