/* SPDX-License-Identifier: Apache-2.0 */
/* lines.c - see lines.h. */
#include "lines.h"

#include <stdlib.h>
#include <string.h>

#include "utf8.h"

/*
 * If an escape sequence of style_on or style_off begins here, its length, and *ink is what it
 * begins; else 0.
 */
static size_t sequence(const char *text, const char *end, enum ink *ink)
{
	static const struct style color = { .color = true };

	if (text == end || *text != '\x1b')
		return 0;
	for (int i = INK_CYAN; i >= INK_PLAIN; i--) {
		const char *on = i == INK_PLAIN ? style_off(&color, INK_BOLD)
						: style_on(&color, (enum ink)i);
		size_t len = strlen(on);
		if ((size_t)(end - text) >= len && memcmp(text, on, len) == 0) {
			*ink = (enum ink)i;
			return len;
		}
	}
	return 0;
}

bool line_next(struct line_cursor *c, struct line_piece *piece)
{
	size_t len;

	while ((len = sequence(c->next, c->end, &c->ink)) > 0)
		c->next += len;
	if (c->next == c->end)
		return false;
	const char *from = c->next;
	enum ink ink = c->ink, other;
	while (c->next < c->end && !sequence(c->next, c->end, &other))
		c->next++;
	*piece = (struct line_piece){ from, (size_t)(c->next - from), 0, ink };
	piece->width = utf8_columns(from, piece->len);
	return true;
}

static size_t line_width(const struct line *line)
{
	struct line_cursor c = LINE_CURSOR(line);
	struct line_piece piece;
	size_t width = 0;

	while (line_next(&c, &piece))
		width += piece.width;
	return width;
}

int lines_take(struct lines *l, char *text)
{
	size_t n = 0, room = 0;

	*l = (struct lines){ .text = text };
	for (char *p = text, *next; p && *p; p = next) {
		char *end = strchr(p, '\n');
		size_t len = end ? (size_t)(end - p) : strlen(p);
		next = end ? end + 1 : p + len;
		if (n == room) {
			room = room ? 2 * room : 64;
			struct line *more = realloc(l->line, room * sizeof *more);
			if (!more) {
				lines_release(l);
				return -1;
			}
			l->line = more;
		}
		l->line[n] = (struct line){ p, len, 0 };
		l->line[n].width = line_width(&l->line[n]);
		if (l->line[n].width > l->width)
			l->width = l->line[n].width;
		l->n = ++n;
	}
	return text ? 0 : -1;
}

void lines_release(struct lines *l)
{
	free(l->line);
	free(l->text);
	*l = (struct lines){ .text = NULL };
}

struct line_piece line_cut(struct line_piece piece, size_t *at, size_t from, size_t width)
{
	size_t begin = *at, end = begin + piece.width;

	*at = end;
	if (end <= from || begin >= from + width) {
		piece.len = piece.width = 0;
		return piece;
	}
	if (begin < from) {
		const char *p = piece.text, *stop = piece.text + piece.len;
		while (p < stop && begin < from) {
			const char *start = p;
			utf8_next(&p, stop);
			begin += utf8_columns(start, (size_t)(p - start));
		}
		piece.len -= (size_t)(p - piece.text);
		piece.text = p;
		piece.width = end - begin;
	}
	if (end > from + width) {
		const char *p = piece.text, *stop = piece.text + piece.len;
		size_t taken = 0, room = from + width - begin;
		while (p < stop) {
			const char *start = p;
			utf8_next(&p, stop);
			size_t columns = utf8_columns(start, (size_t)(p - start));
			if (taken + columns > room) {
				p = start;
				break;
			}
			taken += columns;
		}
		piece.len = (size_t)(p - piece.text);
		piece.width = taken;
	}
	return piece;
}

void scroll_by(struct scroll *s, long lines, size_t n, size_t height)
{
	size_t most = n > height ? n - height : 0;

	if (lines < 0)
		s->top = (size_t)-lines > s->top ? 0 : s->top - (size_t)-lines;
	else
		s->top += (size_t)lines;
	if (s->top > most)
		s->top = most;
}
