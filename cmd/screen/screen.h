/* SPDX-License-Identifier: Apache-2.0 */
/*
 * screen.h - uses the whole terminal as a screen: drawing, colours, keys. It is the only file that
 * uses ncurses.
 *
 * The terminal is always restored: by screen_close, when Ctrl-Z stops the program, and when a
 * signal makes it crash.
 */
#ifndef OJX_SCREEN_H
#define OJX_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/inked.h"
#include "base/style.h"

struct screen {
	struct style style; /* for what is drawn: utf8, width; color is always true (see inked.h) */
	unsigned height;
	bool utf8, colors;
	int key_fd; /* poll it for keys */
	void *terminal, *in;
};

/* Results of screen_key other than characters. */
enum screen_keys {
	SCREEN_NONE = -1,
	SCREEN_TAB = '\t',
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

/* Whether there is a terminal for output and keys that supports a screen. */
bool screen_possible(void);

/* Takes over the terminal. 0, or -1 if that is impossible. */
int screen_open(struct screen *s);
void screen_close(struct screen *s);

/* A drawing begins with an empty screen and appears at its end. */
void screen_begin(struct screen *s);
void screen_end(struct screen *s);

enum screen_emphasis { EMPHASIS_NONE, EMPHASIS_CURSOR, EMPHASIS_BAR };

/*
 * Draws a line of inked.h from column `from` on; cuts what does not fit, with a mark. A bar and the
 * cursor's line fill the width of the screen.
 */
void screen_line(struct screen *s, unsigned y, const struct inked_line *line, size_t from,
		 enum screen_emphasis emphasis);
/* Draws plain clean text in one ink; cuts what does not fit. */
void screen_text(struct screen *s, unsigned y, const char *text, enum ink ink,
		 enum screen_emphasis emphasis);
/* Shows the terminal's cursor there; y < 0: hides it. */
void screen_caret(struct screen *s, int y, unsigned x);

/*
 * Returns the next key: a Unicode character or one of screen_keys; SCREEN_NONE if there is none.
 * Never waits.
 */
int screen_key(struct screen *s);

/*
 * Passes a text to the clipboard (OSC 52); of a terminal that does not know this, to nowhere. 0, or
 * -1 if it cannot be written.
 */
int screen_copy(struct screen *s, const char *text);

/* Draws everything again, for example after a program wrote across it. */
void screen_redraw(struct screen *s);

#endif
