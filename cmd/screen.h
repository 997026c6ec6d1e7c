/* SPDX-License-Identifier: Apache-2.0 */
/*
 * screen.h - the terminal as a whole screen: drawing, colours, keys; the one place that knows
 * ncurses.
 *
 * Whatever ends the program, the terminal is as it was afterwards: screen_close, a stop by Ctrl-Z
 * and signals by which the program crashes all restore it.
 */
#ifndef OJX_SCREEN_H
#define OJX_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/lines.h"
#include "base/style.h"

struct screen {
	struct style style; /* for what is drawn: utf8, color always (see lines.h), width */
	unsigned height;
	bool utf8, colors;
	int key_fd; /* the terminal, to be waited for */
	void *terminal, *in;
};

/* What screen_key returns besides characters. */
enum screen_keys {
	SCREEN_NONE = -1,
	SCREEN_UP = 0x200000,
	SCREEN_DOWN,
	SCREEN_LEFT,
	SCREEN_RIGHT,
	SCREEN_PAGE_UP,
	SCREEN_PAGE_DOWN,
	SCREEN_HOME,
	SCREEN_END,
	SCREEN_ENTER,
	SCREEN_ESCAPE,
	SCREEN_BACKSPACE,
	SCREEN_RESIZED,
	SCREEN_LOST, /* the terminal is gone */
};

/* Whether there is a terminal that a screen can be made of, for output and keys. */
bool screen_possible(void);

/* Takes the terminal over. 0, or -1 where that cannot be done. */
int screen_open(struct screen *s);
void screen_close(struct screen *s);

/* A drawing begins with an empty screen and is shown at its end. */
void screen_begin(struct screen *s);
void screen_end(struct screen *s);

enum screen_snapshot { SNAPSHOT_PLAIN, SNAPSHOT_CURSOR, SNAPSHOT_BAR };

/* A line of lines.h. What does not fit is cut. A bar and a cursor are as wide as the screen. */
void screen_line(struct screen *s, unsigned y, const struct line *line,
		 enum screen_snapshot snapshot);
/* Plain clean text in one ink; what does not fit is cut. */
void screen_text(struct screen *s, unsigned y, const char *text, enum ink ink,
		 enum screen_snapshot snapshot);
/* Shows the terminal's own cursor there, or with y < 0 nowhere. */
void screen_caret(struct screen *s, int y, unsigned x);

/* The next key, a character (as in Unicode) or one of screen_keys; SCREEN_NONE where there is none
 * yet. Never waits. */
int screen_key(struct screen *s);

/* Draws everything anew, as after a program that wrote across it. */
void screen_redraw(struct screen *s);

#endif
