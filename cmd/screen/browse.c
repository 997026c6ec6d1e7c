/* SPDX-License-Identifier: Apache-2.0 */
/* browse.c - see browse.h. The loop and the keys; browse_draw.c draws. */
#include "screen/browse.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CONTROL_L = 12, CONTROL_U = 21 };
enum { SIDEWAYS = 16 /* columns by which an arrow scrolls */ };

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* ---- what keys do --------------------------------------------------------------------------- */

static void fail(struct browse *b, int result)
{
	if (result < 0)
		b->end = BROWSE_FAILED;
}

static void turn_to(struct browse *b, enum page page)
{
	if (page == PAGE_HELP && b->page != PAGE_HELP)
		b->before = b->page;
	b->page = page;
	b->stale = true;
	b->top = page == PAGE_OUTPUT ? SIZE_MAX / 2 : 0; /* the end */
	b->left = 0;
}

/* The cursor leaves the findings. */
static void go_to_table(struct browse *b)
{
	b->on_fixes = false;
}

static void take_rows(struct browse *b)
{
	struct cell_context ctx = browse_cells(b);

	b->table.grouping = b->source->report.grouping;
	fail(b, screen_table_set_rows(&b->table, b->source->rows, &ctx));
	b->source->report.key = b->table.key;
	b->stale = true;
}

static void sort_by(struct browse *b, const struct column *key)
{
	struct cell_context ctx = browse_cells(b);

	if (!key)
		return;
	go_to_table(b);
	fail(b, screen_table_sort(&b->table, key, &ctx));
	b->source->report.key = key;
}

static void update(struct browse *b)
{
	fail(b, b->source->update(b->source));
	if (b->end != BROWSE_GOES_ON)
		return;
	browse_take_fixes(b);
	take_rows(b);
}

static void pause_or_go_on(struct browse *b)
{
	b->paused = !b->paused;
	if (!b->paused)
		update(b);
}

static void reset(struct browse *b)
{
	/* the table must not use rows that are gone */
	screen_table_set_rows(&b->table, NULL, NULL);
	fail(b, b->source->reset(b->source));
	if (b->end != BROWSE_GOES_ON)
		return;
	browse_take_fixes(b);
	take_rows(b);
	strcpy(b->said, "counting from now on");
}

/* Line, class, stack, and again. */
static void group(struct browse *b)
{
	static const enum rows_grouping next[ROWS_GROUPINGS] = {
		[ROWS_BY_LINE] = ROWS_BY_CLASS,
		[ROWS_BY_CLASS] = ROWS_BY_CONTEXT,
		[ROWS_BY_CONTEXT] = ROWS_BY_LINE,
		[ROWS_BY_SITE] = ROWS_BY_LINE,
	};

	/* the table must not use rows that are gone */
	screen_table_set_rows(&b->table, NULL, NULL);
	fail(b, b->source->group(b->source, next[b->source->report.grouping]));
	if (b->end != BROWSE_GOES_ON)
		return;
	if (b->source->update) /* otherwise the findings stay, and their rows are sorted */
		browse_take_fixes(b);
	go_to_table(b);
	take_rows(b);
	screen_table_move(&b->table, -(long)b->table.n);
}

static void quit(struct browse *b)
{
	if (b->source->can_stop)
		b->asking = ASK_QUIT;
	else
		b->end = BROWSE_QUIT;
}

/* ---- keys ---------------------------------------------------------------------------------- */

static void answer_quit(struct browse *b, int key)
{
	b->asking = ASK_NOTHING;
	if (key == 'q' || key == 'd')
		b->end = BROWSE_QUIT;
	else if (key == 's')
		b->end = BROWSE_STOP;
}

static void take_back(char *text)
{
	size_t len = strlen(text);

	/* deletes a whole character, which may have several bytes */
	while (len > 0 && ((unsigned char)text[len - 1] & 0xc0) == 0x80)
		len--;
	text[len ? len - 1 : 0] = '\0';
}

static void append(char text[SCREEN_TABLE_FILTER], int c)
{
	size_t len = strlen(text);

	if (c < 0x80) {
		if (len + 1 < SCREEN_TABLE_FILTER)
			text[len++] = (char)c;
	} else if (c < 0x800) {
		if (len + 2 < SCREEN_TABLE_FILTER) {
			text[len++] = (char)(0xc0 | c >> 6);
			text[len++] = (char)(0x80 | (c & 0x3f));
		}
	} else if (c < 0x10000 && len + 3 < SCREEN_TABLE_FILTER) {
		text[len++] = (char)(0xe0 | c >> 12);
		text[len++] = (char)(0x80 | (c >> 6 & 0x3f));
		text[len++] = (char)(0x80 | (c & 0x3f));
	}
	text[len] = '\0';
}

static void edit_filter(struct browse *b, int key)
{
	char text[SCREEN_TABLE_FILTER];

	memcpy(text, b->table.filter, sizeof text);
	switch (key) {
	case SCREEN_ENTER:
		b->asking = ASK_NOTHING;
		return;
	case SCREEN_ESCAPE:
		b->asking = ASK_NOTHING;
		memcpy(text, b->old_filter, sizeof text);
		break;
	case SCREEN_BACKSPACE:
		take_back(text);
		break;
	case CONTROL_U:
		text[0] = '\0';
		break;
	default:
		if (key >= ' ' && key < SCREEN_UP)
			append(text, key);
	}
	fail(b, screen_table_set_filter(&b->table, text));
}

/* Keys that move: by how many lines; 0: it is another key. */
static long movement(const struct browse *b, int key)
{
	long page = (long)browse_height(b) - 1;

	switch (key) {
	case SCREEN_UP:
	case 'k':
		return -1;
	case SCREEN_DOWN:
	case 'j':
		return 1;
	case SCREEN_PAGE_UP:
		return page > 1 ? -page : -1;
	case SCREEN_PAGE_DOWN:
		return page > 1 ? page : 1;
	case SCREEN_HOME:
		return -1000000000;
	case SCREEN_END:
		return 1000000000;
	default:
		return 0;
	}
}

static void show_rows_of(struct browse *b, const struct screen_fix *fix)
{
	b->narrowed = fix ? b->fixes.cursor + 1 : 0;
	fail(b, screen_table_set_contexts(&b->table, fix ? fix->contexts : NULL,
					  fix ? fix->ncontexts : 0));
	if (fix)
		go_to_table(b);
}

/* Up and down, through the findings and the table below them. */
static void move(struct browse *b, long by)
{
	const size_t seen = browse_fixes_seen(b), last = b->fixes.top + seen;

	if (!b->on_fixes) {
		b->on_fixes = by < 0 && seen > 0 && b->table.cursor == 0;
		screen_table_move(&b->table, by);
		if (b->on_fixes)
			screen_fixes_move(&b->fixes, (long)last - 1 - (long)b->fixes.cursor);
	} else if (by < 0) {
		if (!screen_fixes_move(&b->fixes, by))
			screen_fixes_move(&b->fixes, -(long)b->fixes.cursor);
	} else if (by == 1 && b->fixes.cursor + 1 < last) {
		screen_fixes_move(&b->fixes, 1);
	} else if (b->table.n > 0) {
		go_to_table(b);
		screen_table_move(&b->table, -(long)b->table.cursor);
		screen_table_move(&b->table, by - 1);
	}
}

/* In an opened finding or line: to the one beside it. */
static void move_opened(struct browse *b, long by)
{
	if (b->on_fixes)
		screen_fixes_move(&b->fixes, by);
	else
		screen_table_move(&b->table, by);
	turn_to(b, b->page);
}

static void to_first_fix(struct browse *b)
{
	b->on_fixes = browse_fixes_seen(b) > 0;
	screen_fixes_move(&b->fixes, -(long)b->fixes.cursor);
}

static void open_selected(struct browse *b)
{
	if (b->on_fixes)
		turn_to(b, PAGE_FIX);
	else if (screen_table_row(&b->table))
		turn_to(b, PAGE_ROW);
}

/* Keys with the same meaning on all pages; false: it is another key. */
static bool common_key(struct browse *b, int key)
{
	struct browse_source *source = b->source;

	if (key == 'h' || key == '?') {
		turn_to(b, PAGE_HELP);
	} else if (key == 'i') {
		turn_to(b, PAGE_INFO);
	} else if (key == 'u' && source->output) {
		turn_to(b, PAGE_OUTPUT);
	} else if (key == CONTROL_L) {
		screen_redraw(&b->screen);
	} else if ((key == 'p' || key == ' ') && source->interval_ms) {
		pause_or_go_on(b);
	} else if (key == 'r' && source->reset) {
		reset(b);
	} else if (key == 'w' && source->write) {
		source->write(source, b->said, sizeof b->said);
	} else if (key == 'e' && source->page) {
		source->page(source, b->said, sizeof b->said);
		/* whatever went wrong may have been said on standard error */
		screen_redraw(&b->screen);
	} else if (key == 'y' && (b->page <= PAGE_SOURCE || b->page == PAGE_FIX)) {
		browse_copy_line(b);
	} else if (key == 's' && source->report.sources &&
		   (b->page <= PAGE_ROW || b->page == PAGE_FIX)) {
		if (b->on_fixes || screen_table_row(&b->table))
			turn_to(b, PAGE_SOURCE);
	} else {
		return false;
	}
	return true;
}

static void table_key(struct browse *b, int key)
{
	if (key == 'q') {
		quit(b);
	} else if (key == SCREEN_TAB) {
		group(b);
	} else if (key == SCREEN_ENTER || key == SCREEN_RIGHT) {
		open_selected(b);
	} else if (key == 'f') {
		to_first_fix(b);
	} else if (key == '/') {
		go_to_table(b);
		b->asking = ASK_FILTER;
		memcpy(b->old_filter, b->table.filter, sizeof b->old_filter);
	} else if (key == SCREEN_ESCAPE) {
		fail(b, screen_table_set_filter(&b->table, ""));
		show_rows_of(b, NULL);
	} else if (key == '<' || key == '>') {
		sort_by(b, screen_table_key_beside(&b->table, key == '<' ? -1 : 1));
	} else if (movement(b, key)) {
		move(b, movement(b, key));
	} else if (!common_key(b, key) && key > ' ' && key < 0x7f) {
		sort_by(b, screen_table_key_of(&b->table, (char)key));
	}
}

/* Scrolls the page that is not wrapped; false: there is no more of it on that side. */
static bool scroll_sideways(struct browse *b, int key)
{
	size_t widest = 0, width = b->screen.style.width;

	if (b->page != PAGE_SOURCE || (key != SCREEN_LEFT && key != SCREEN_RIGHT))
		return false;
	for (size_t i = 0; i < b->lines.n; i++)
		if (b->lines.line[i].width > widest)
			widest = b->lines.line[i].width;
	size_t most = widest > width ? widest - width : 0, old = b->left;
	if (key == SCREEN_LEFT)
		b->left -= old < SIDEWAYS ? old : SIDEWAYS;
	else
		b->left = old + SIDEWAYS < most ? old + SIDEWAYS : most;
	return b->left != old;
}

static void page_key(struct browse *b, int key)
{
	if (scroll_sideways(b, key))
		return;
	if (key == 'q' || key == SCREEN_ESCAPE || key == SCREEN_BACKSPACE || key == SCREEN_LEFT) {
		turn_to(b, b->page == PAGE_HELP ? b->before : PAGE_TABLE);
	} else if ((b->page <= PAGE_SOURCE || b->page == PAGE_FIX) && (key == 'n' || key == 'N')) {
		move_opened(b, key == 'n' ? 1 : -1);
	} else if (b->page == PAGE_FIX && (key == SCREEN_ENTER || key == SCREEN_RIGHT)) {
		show_rows_of(b, screen_fixes_at(&b->fixes));
		turn_to(b, PAGE_TABLE);
	} else if (movement(b, key)) {
		b->top = inked_scroll(b->top, movement(b, key), b->lines.n, browse_height(b));
	} else {
		common_key(b, key);
	}
}

static void resized(struct browse *b)
{
	b->stale = true;
	b->left = 0; /* the lines may fit now */
	b->on_fixes = b->on_fixes && (b->page != PAGE_TABLE || browse_fixes_seen(b) > 0);
}

static void take_key(struct browse *b, int key)
{
	b->said[0] = '\0';
	if (key == SCREEN_LOST)
		b->end = BROWSE_QUIT;
	else if (key == SCREEN_RESIZED)
		resized(b);
	else if (b->asking == ASK_QUIT)
		answer_quit(b, key);
	else if (b->asking == ASK_FILTER)
		edit_filter(b, key);
	else if (b->page == PAGE_TABLE)
		table_key(b, key);
	else
		page_key(b, key);
}

/* ---- the loop ------------------------------------------------------------------------------- */

/* Waits for a key, the source, or the next update. */
static void wait_for_something(struct browse *b)
{
	struct browse_source *source = b->source;
	struct pollfd fds[2] = { { .fd = b->screen.key_fd, .events = POLLIN },
				 { .fd = source->fd, .events = POLLIN } };
	int timeout = -1;

	if (source->interval_ms && !b->paused) {
		uint64_t now = now_ms();
		timeout = now < b->next_ms ? (int)(b->next_ms - now) : 0;
	}
	if (poll(fds, 2, timeout) < 0 && errno != EINTR)
		b->end = BROWSE_FAILED;
	if (!fds[1].revents || b->end != BROWSE_GOES_ON)
		return;
	enum browse_end end = source->step(source);
	if (end == BROWSE_NEWS)
		b->next_ms = 0;
	else
		b->end = end;
}

static void loop(struct browse *b)
{
	struct browse_source *source = b->source;
	int key;

	while (b->end == BROWSE_GOES_ON) {
		if (browse_draw(b) < 0) {
			b->end = BROWSE_FAILED;
			return;
		}
		wait_for_something(b);
		while (b->end == BROWSE_GOES_ON && (key = screen_key(&b->screen)) != SCREEN_NONE)
			take_key(b, key);
		if (b->end != BROWSE_GOES_ON || !source->interval_ms || b->paused ||
		    now_ms() < b->next_ms)
			continue;
		update(b);
		b->next_ms = now_ms() + source->interval_ms;
	}
}

enum browse_end browse(struct browse_source *source)
{
	struct browse b = { .source = source, .stale = true };

	errno = 0;
	if (screen_open(&b.screen) < 0)
		return BROWSE_FAILED;
	screen_table_begin(&b.table, source->table, source->report.key);
	b.next_ms = now_ms() + source->interval_ms;
	browse_take_fixes(&b);
	b.on_fixes = browse_fixes_seen(&b) > 0;
	take_rows(&b);
	loop(&b);
	int saved = errno;
	screen_table_release(&b.table);
	screen_fixes_release(&b.fixes);
	browse_forget_lines(&b);
	inked_release(&b.lines);
	screen_close(&b.screen);
	errno = saved;
	return b.end;
}

/* ---- the file of a page that somebody who browses asks for: never one that exists. */

enum { MOST = 1000 /* pages in one folder */ };

/* Makes a new file ojx.html, ojx-2.html, ...; 0, or -1 with errno. */
static int make_file(char path[32])
{
	for (unsigned n = 1; n <= MOST; n++) {
		if (n == 1)
			memcpy(path, "ojx.html", sizeof "ojx.html");
		else
			snprintf(path, 32, "ojx-%u.html", n);
		int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd >= 0)
			return close(fd);
		if (errno != EEXIST)
			return -1;
	}
	return -1;
}

void browse_write_page(char *said, size_t room, int (*page)(void *arg, const char *path), void *arg)
{
	char path[32];

	if (make_file(path) < 0) {
		snprintf(said, room, "cannot create '%s': %s", path, strerror(errno));
	} else if (page(arg, path) < 0) {
		unlink(path);
		snprintf(said, room, "cannot write '%s'", path);
	} else {
		snprintf(said, room, "written to '%s': open it with a browser", path);
	}
}
