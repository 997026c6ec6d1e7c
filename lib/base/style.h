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

/* Finds what a link to a source line leads to. */
struct style_links {
	/*
	 * The address of a line of the file of that class; NULL: it is not known. The links own it
	 * until the next call.
	 */
	const char *(*address)(struct style_links *links, const char *class_name, const char *file,
			       int line);
};

struct style {
	bool utf8;	/* the reader's locale shows UTF-8 */
	bool color;	/* the terminal understands escape sequences */
	bool drawn;	/* curves are drawn beside the text, which has no sparklines then */
	bool markdown;	/* tables are Markdown's; other text is escaped by who writes it */
	unsigned width; /* columns; 0: no limit, nothing is cut */
	struct style_links *links; /* source lines are linked; NULL: nothing is */
};

enum ink { INK_PLAIN, INK_BOLD, INK_DIM, INK_RED, INK_YELLOW, INK_GREEN, INK_CYAN };

/* The escape sequences that begin this ink and that end any ink; "" without colour. */
const char *style_on(const struct style *s, enum ink ink);
const char *style_off(const struct style *s, enum ink ink);

/*
 * Begin a link (OSC 8) to a line of the file of that class, if its address is known, and end it;
 * what is between is its text. Names may be NULL. True if there is a link to end.
 */
bool style_link_on(FILE *out, const struct style *s, const char *class_name, const char *file,
		   int line);
void style_link_off(FILE *out, bool on);
/* The same for an address, which may be NULL. */
bool style_link_to(FILE *out, const char *address);

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

/* A column of a sparkline: how high it is, of STYLE_LEVELS; 0: a blank. */
enum { STYLE_LEVELS = 8 };
const char *style_level(bool utf8, int level);

/* Writes text from outside, made safe for a terminal. NULL gives "?". */
void style_put(FILE *out, const struct style *s, const char *text);
/* How text from outside is cleaned for it. */
enum utf8_mode style_mode(const struct style *s);

#endif
