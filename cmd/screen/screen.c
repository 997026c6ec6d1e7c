/* SPDX-License-Identifier: Apache-2.0 */
/*
 * screen.c - see screen.h. It uses newterm(), since initscr() would end the program on an unknown
 * terminal. Keys come from /dev/tty, so that standard input is not consumed.
 */
#define _GNU_SOURCE	 1
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include "screen/screen.h"

#include <fcntl.h>
#include <ncurses.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>

#include "base/memtext.h"
#include "base/outfile.h"
#include "out_of_memory.h"
#include "output.h"

enum { ESCAPE = 27, DELETE = 127, ESCAPE_DELAY_MS = 50 };

static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
enum { NCRASHES = sizeof crashes / sizeof crashes[0] };
static struct sigaction before[NCRASHES];

/* Signals that ncurses handles. */
static const int taken[] = { SIGINT, SIGTERM, SIGTSTP, SIGWINCH };
enum { NTAKEN = sizeof taken / sizeof taken[0] };
static struct sigaction owned[NTAKEN];

/* ---- the terminal --------------------------------------------------------------------------- */

static FILE *open_keys(void)
{
	int fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	FILE *in = fd < 0 ? NULL : fdopen(fd, "r+");

	if (fd >= 0 && !in)
		close(fd);
	return in;
}

bool screen_possible(void)
{
	const char *term = getenv("TERM");
	int error;

	if (!isatty(STDOUT_FILENO) || !term || !*term || strcmp(term, "dumb") == 0)
		return false;
	FILE *in = open_keys();
	if (!in)
		return false;
	fclose(in);
	/* the cursor must be movable */
	if (setupterm(term, STDOUT_FILENO, &error) != OK)
		return false;
	bool able = cursor_address != NULL && clear_screen != NULL;
	del_curterm(cur_term);
	return able;
}

/* Not async-signal-safe, but the process ends in any case: the default action follows. */
static void on_crash(int signal)
{
	endwin();
	raise(signal);
}

static void leave(void *arg)
{
	(void)arg;
	endwin();
}

static void guard(void)
{
	struct sigaction action = { .sa_handler = on_crash, .sa_flags = (int)SA_RESETHAND };

	for (size_t i = 0; i < NCRASHES; i++)
		sigaction(crashes[i], &action, &before[i]);
	out_of_memory_before(leave, NULL);
}

/* Takes the size from the terminal, whatever LINES and COLUMNS say, and when it changes. */
static void measure(struct screen *s)
{
	struct winsize size;

	if (ioctl(s->key_fd, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0 &&
	    (size.ws_row != getmaxy(stdscr) || size.ws_col != getmaxx(stdscr)))
		resizeterm(size.ws_row, size.ws_col);
	s->style.width = (unsigned)getmaxx(stdscr);
	s->height = (unsigned)getmaxy(stdscr);
}

int screen_open(struct screen *s)
{
	struct style style = terminal_style(stdout, COLOR_AUTO);

	*s = (struct screen){ .in = open_keys(), .utf8 = style.utf8 };
	if (!s->in)
		return -1;
	for (size_t i = 0; i < NTAKEN; i++)
		sigaction(taken[i], NULL, &owned[i]);
	s->terminal = newterm(NULL, stdout, s->in);
	if (!s->terminal) {
		fclose(s->in);
		return -1;
	}
	guard();
	set_escdelay(ESCAPE_DELAY_MS);
	cbreak();
	noecho();
	nonl();
	nodelay(stdscr, TRUE);
	keypad(stdscr, TRUE);
	curs_set(0);
	s->colors = style.color && start_color() == OK && has_colors();
	if (s->colors) {
		use_default_colors();
		init_pair(INK_RED, COLOR_RED, -1);
		init_pair(INK_YELLOW, COLOR_YELLOW, -1);
		init_pair(INK_GREEN, COLOR_GREEN, -1);
		init_pair(INK_CYAN, COLOR_CYAN, -1);
	}
	s->style = (struct style){ .utf8 = style.utf8, .color = true };
	s->key_fd = fileno((FILE *)s->in);
	measure(s);
	return 0;
}

void screen_close(struct screen *s)
{
	if (!s->terminal)
		return;
	/* a terminal without a second screen keeps our lines above the prompt; remove the hints */
	wmove(stdscr, getmaxy(stdscr) - 1, 0);
	wclrtoeol(stdscr);
	wrefresh(stdscr);
	endwin();
	out_of_memory_forget();
	delscreen(s->terminal);
	fclose(s->in);
	for (size_t i = 0; i < NCRASHES; i++)
		sigaction(crashes[i], &before[i], NULL);
	for (size_t i = 0; i < NTAKEN; i++)
		sigaction(taken[i], &owned[i], NULL);
	s->terminal = s->in = NULL;
}

/* ---- drawing ------------------------------------------------------------------------------- */

void screen_begin(struct screen *s)
{
	measure(s);
	werase(stdscr);
	curs_set(0);
}

void screen_end(struct screen *s)
{
	(void)s;
	wnoutrefresh(stdscr);
	doupdate();
}

void screen_redraw(struct screen *s)
{
	(void)s;
	clearok(curscr, TRUE);
}

int screen_copy(struct screen *s, const char *text)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	struct memtext gathered;
	size_t len = strlen(text);
	FILE *out = memtext_begin(&gathered);

	(void)s;
	if (!out)
		return -1;
	fputs("\x1b]52;c;", out);
	for (size_t i = 0; i < len; i += 3) {
		uint32_t three = 0;
		for (size_t k = 0; k < 3; k++)
			three = three << 8 | (i + k < len ? (unsigned char)text[i + k] : 0);
		for (size_t k = 0; k < 4; k++)
			putc(i + k > len ? '=' : digits[three >> (18 - 6 * k) & 63], out);
	}
	putc('\a', out);
	char *sequence = memtext_end(&gathered);
	int result = sequence ? outfile_write(STDOUT_FILENO, sequence, gathered.len) : -1;
	free(sequence);
	return result;
}

static attr_t attributes(const struct screen *s, enum ink ink, short *pair)
{
	*pair = 0;
	if (s->colors && ink >= INK_RED)
		*pair = (short)ink;
	switch (ink) {
	case INK_BOLD:
	case INK_RED:
		return A_BOLD;
	case INK_YELLOW:
		return s->colors ? A_NORMAL : A_UNDERLINE;
	case INK_DIM:
		return A_DIM;
	default:
		return A_NORMAL;
	}
}

static void put(const struct screen *s, const char *text, size_t len, enum ink ink,
		enum screen_emphasis emphasis)
{
	short pair;
	attr_t attr = attributes(s, ink, &pair);

	if (emphasis != EMPHASIS_NONE) {
		/* one colour for the whole line: others are hard to read in reverse */
		attr = A_REVERSE | (emphasis == EMPHASIS_BAR ? A_BOLD : 0);
		pair = 0;
	}
	wattr_set(stdscr, attr, pair, NULL);
	waddnstr(stdscr, text, (int)len);
	wattr_set(stdscr, A_NORMAL, 0, NULL);
}

static void fill(const struct screen *s, unsigned y, enum screen_emphasis emphasis)
{
	if (emphasis == EMPHASIS_NONE)
		return;
	wmove(stdscr, (int)y, 0);
	wattr_set(stdscr, A_REVERSE, 0, NULL);
	whline(stdscr, ' ' | A_REVERSE, (int)s->style.width);
	wattr_set(stdscr, A_NORMAL, 0, NULL);
}

void screen_line(struct screen *s, unsigned y, const struct inked_line *line, size_t from,
		 enum screen_emphasis emphasis)
{
	const char *mark = style_glyph(&s->style, GLYPH_ELLIPSIS);
	struct inked_cursor c = INKED_CURSOR(line);
	struct inked_piece piece;
	size_t left = s->style.width, lost = utf8_width(mark);
	bool cut = line->width > from + left && left > lost;

	if (y >= s->height)
		return;
	left -= cut ? lost : 0;
	fill(s, y, emphasis);
	wmove(stdscr, (int)y, 0);
	inked_skip(&c, from);
	while (left > 0 && inked_next(&c, &piece)) {
		piece = inked_cut(piece, left);
		put(s, piece.text, piece.len, piece.ink, emphasis);
		left -= piece.width;
	}
	if (cut)
		put(s, mark, strlen(mark), INK_DIM, emphasis);
}

void screen_text(struct screen *s, unsigned y, const char *text, enum ink ink,
		 enum screen_emphasis emphasis)
{
	if (y >= s->height)
		return;
	fill(s, y, emphasis);
	wmove(stdscr, (int)y, 0);
	put(s, text, utf8_head(text, s->style.width), ink, emphasis);
}

void screen_caret(struct screen *s, int y, unsigned x)
{
	(void)s;
	curs_set(y >= 0);
	if (y >= 0)
		wmove(stdscr, y, (int)x);
}

/* ---- keys ---------------------------------------------------------------------------------- */

static int special(int key)
{
	static const struct {
		int curses, ours;
	} keys[] = {
		{ KEY_UP, SCREEN_UP },		{ KEY_DOWN, SCREEN_DOWN },
		{ KEY_LEFT, SCREEN_LEFT },	{ KEY_RIGHT, SCREEN_RIGHT },
		{ KEY_PPAGE, SCREEN_PAGE_UP },	{ KEY_NPAGE, SCREEN_PAGE_DOWN },
		{ KEY_HOME, SCREEN_HOME },	{ KEY_END, SCREEN_END },
		{ KEY_ENTER, SCREEN_ENTER },	{ KEY_BACKSPACE, SCREEN_BACKSPACE },
		{ KEY_RESIZE, SCREEN_RESIZED },
	};

	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
		if (keys[i].curses == key)
			return keys[i].ours;
	return SCREEN_NONE;
}

int screen_key(struct screen *s)
{
	struct pollfd fd = { .fd = s->key_fd, .events = POLLIN };
	wint_t c;
	int n = wget_wch(stdscr, &c);

	if (n == KEY_CODE_YES)
		return special((int)c);
	if (n != OK)
		/* readable without a key: the terminal is gone */
		return poll(&fd, 1, 0) > 0 && (fd.revents & (POLLHUP | POLLERR | POLLNVAL))
			       ? SCREEN_LOST
			       : SCREEN_NONE;
	if (c == '\r' || c == '\n')
		return SCREEN_ENTER;
	if (c == ESCAPE)
		return SCREEN_ESCAPE;
	if (c == '\b' || c == DELETE)
		return SCREEN_BACKSPACE;
	return (int)c;
}
