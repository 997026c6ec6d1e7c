/* SPDX-License-Identifier: Apache-2.0 */
/*
 * style.h - how text output may look: colours, characters beyond ASCII, the width there is.
 *
 * The command decides once (terminal, locale, options); the renderers ask here and never look at
 * the environment, so that a test can have any style.
 */
#ifndef OJX_STYLE_H
#define OJX_STYLE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/utf8.h"

struct style {
	bool utf8;	/* the reader's locale shows UTF-8 */
	bool color;	/* escape sequences are understood */
	unsigned width; /* columns; 0: no limit, nothing is cut */
};

enum ink { INK_PLAIN, INK_BOLD, INK_DIM, INK_RED, INK_YELLOW, INK_GREEN, INK_CYAN };

/* The escape sequences that begin an ink and end every ink; "" without colour. */
const char *style_on(const struct style *s, enum ink ink);
const char *style_off(const struct style *s, enum ink ink);

enum glyph {
	GLYPH_DASH,	/* stands for "not measured", and joins the ends of a range */
	GLYPH_ELLIPSIS, /* something was left out */
	GLYPH_ARROW,	/* points at the frame the reader owns */
	GLYPH_RULE,	/* a piece of a horizontal line */
	GLYPH_BAR,	/* a piece of a vertical line */
	GLYPH_DOT,	/* between things of equal rank */
	GLYPH_LE,
	GLYPH_THETA,
	GLYPH_ALPHA,
	GLYPH_OMEGA,
	GLYPH_GAMMA,
};

/* In UTF-8 where the style has it, else something like it in ASCII; "theta" for the letter. */
const char *style_glyph(const struct style *s, enum glyph g);

/* Writes foreign text, cleaned for a terminal. NULL is "?". */
void style_put(FILE *out, const struct style *s, const char *text);

#endif
