/* SPDX-License-Identifier: Apache-2.0 */
/* inked.c - see inked.h. */
#include "base/inked.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/memtext.h"
#include "base/utf8.h"

/*
 * Length of the escape sequence of style_on or style_off that begins here, and *ink, the ink it
 * begins; 0 if there is none.
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

/* Moves the cursor behind the inks and links that begin or end here. */
static void skip_sequences(struct inked_cursor *c)
{
	static const char end_of_link[] = UTF8_LINK UTF8_LINK_END;
	size_t len;

	while (c->next < c->end) {
		if ((len = utf8_link(c->next, c->end)) > 0) {
			c->link = len == strlen(end_of_link) ? NULL : c->next;
			c->link_len = len;
		} else if ((len = sequence(c->next, c->end, &c->ink)) == 0) {
			return;
		}
		c->next += len;
	}
}

bool inked_next(struct inked_cursor *c, struct inked_piece *piece)
{
	skip_sequences(c);
	if (c->next == c->end)
		return false;
	const char *from = c->next;
	enum ink ink = c->ink, other;
	while (c->next < c->end && !sequence(c->next, c->end, &other) &&
	       !utf8_link(c->next, c->end))
		c->next++;
	*piece = (struct inked_piece){
		from, (size_t)(c->next - from), 0, ink, c->link, c->link_len
	};
	piece->width = utf8_columns(from, piece->len);
	return true;
}

static size_t line_width(const struct inked_line *line)
{
	struct inked_cursor c = INKED_CURSOR(line);
	struct inked_piece piece;
	size_t width = 0;

	while (inked_next(&c, &piece))
		width += piece.width;
	return width;
}

void inked_take(struct inked_lines *l, char *text)
{
	size_t n = 0, room = 0;

	*l = (struct inked_lines){ .text = text };
	for (char *p = text, *next; *p; p = next) {
		char *end = strchr(p, '\n');
		size_t len = end ? (size_t)(end - p) : strlen(p);
		next = end ? end + 1 : p + len;
		XGROW(l->line, n, room, 64);
		l->line[n] = (struct inked_line){ p, len, 0 };
		l->line[n].width = line_width(&l->line[n]);
		l->n = ++n;
	}
}

void inked_release(struct inked_lines *l)
{
	free(l->line);
	free(l->text);
	*l = (struct inked_lines){ .text = NULL };
}

void inked_skip(struct inked_cursor *c, size_t columns)
{
	struct inked_piece piece;

	while (columns > 0 && inked_next(c, &piece)) {
		const char *p = piece.text, *end = piece.text + piece.len;
		while (columns > 0 && p < end) {
			const char *start = p;
			utf8_next(&p, end);
			size_t width = utf8_columns(start, (size_t)(p - start));
			columns -= width < columns ? width : columns;
		}
		c->next = p; /* the rest of the piece has its ink */
	}
}

struct inked_piece inked_cut(struct inked_piece piece, size_t width)
{
	const char *p = piece.text, *end = piece.text + piece.len;
	size_t taken = 0;

	while (p < end) {
		const char *start = p;
		utf8_next(&p, end);
		size_t columns = utf8_columns(start, (size_t)(p - start));
		if (taken + columns > width) {
			p = start;
			break;
		}
		taken += columns;
	}
	piece.len = (size_t)(p - piece.text);
	piece.width = taken;
	return piece;
}

size_t inked_scroll(size_t top, long lines, size_t n, size_t height)
{
	size_t most = n > height ? n - height : 0;

	if (lines < 0)
		top = (size_t)-lines > top ? 0 : top - (size_t)-lines;
	else
		top += (size_t)lines;
	return top > most ? most : top;
}

/* ---- wrapping ------------------------------------------------------------------------------ */

/* One character of a line that is being wrapped. */
struct character {
	const char *text, *link; /* link: as in struct inked_piece */
	size_t link_len;
	unsigned char len, width, ink;
	bool blank;
};

/* Splits a line into characters; allocated. */
static struct character *glyphs_of(const struct inked_line *line, size_t *n)
{
	struct character *glyph = xcalloc(line->len + 1, sizeof *glyph);
	struct inked_cursor c = INKED_CURSOR(line);
	struct inked_piece piece;

	*n = 0;
	while (inked_next(&c, &piece))
		for (const char *p = piece.text, *end = p + piece.len; p < end;) {
			struct character *g = &glyph[(*n)++];
			g->text = p;
			utf8_next(&p, end);
			g->len = (unsigned char)(p - g->text);
			g->width = (unsigned char)utf8_columns(g->text, g->len);
			g->ink = (unsigned char)piece.ink;
			g->link = piece.link;
			g->link_len = piece.link_len;
			g->blank = *g->text == ' ';
		}
	return glyph;
}

/* Columns by which continuation lines are indented. */
static size_t hanging(const struct character *g, size_t n, size_t width)
{
	size_t i = 0, blanks = 0;

	while (i < n && g[i].blank)
		i++;
	size_t indent = i + 4;
	while (i < n && !g[i].blank)
		i++;
	while (i < n && g[i].blank) {
		i++;
		blanks++;
	}
	if (blanks >= 2)
		indent = i;
	return indent > width / 2 ? 0 : indent;
}

static bool is_in(const struct character *g, const char *characters)
{
	return g->len == 1 && strchr(characters, *g->text);
}

/* Whether the word that begins at glyph i is a unit: "MB", "k", "min", and perhaps a stop. */
static bool is_unit(const struct character *g, size_t i, size_t n)
{
	static const char *const units[] = { "B", "kB", "MB", "GB",  "TB", "k", "M",
					     "G", "ms", "s",  "min", "h",  NULL };

	for (const char *const *unit = units; *unit; unit++) {
		size_t k = 0;
		while ((*unit)[k] && i + k < n && *g[i + k].text == (*unit)[k])
			k++;
		if (!(*unit)[k] && (i + k == n || is_in(&g[i + k], " .,;:)/")))
			return true;
	}
	return false;
}

/*
 * Whether a line may end before glyph i: at a blank, but not between a share and its interval,
 * "63.2 % [50-75]", nor between a number and its unit.
 */
static bool may_break(const struct character *g, size_t i, size_t n)
{
	if (!g[i].blank)
		return false;
	if (i + 1 < n && is_in(&g[i + 1], "%["))
		return false;
	return !(i > 0 && is_in(&g[i - 1], "0123456789") && is_unit(g, i + 1, n));
}

/* Returns where the line that begins with glyph `from` ends if it has `room` columns. */
static size_t line_end(const struct character *g, size_t from, size_t n, size_t room)
{
	size_t used = 0, end = from, word = from;

	for (; end < n && used + g[end].width <= room; end++) {
		used += g[end].width;
		if (may_break(g, end, n))
			word = end;
	}
	if (end == n || may_break(g, end, n))
		return end;
	if (word > from)
		return word;
	return end > from ? end : from + 1;
}

static void put_glyphs(FILE *out, const struct character *g, size_t from, size_t to)
{
	static const struct style color = { .color = true };
	enum ink ink = INK_PLAIN;
	const char *link = NULL;

	for (size_t i = from; i < to; i++) {
		if (g[i].link != link) {
			style_link_off(out, link != NULL);
			fwrite(g[i].link, 1, g[i].link ? g[i].link_len : 0, out);
			link = g[i].link;
		}
		if (g[i].ink != ink) {
			fputs(style_off(&color, ink), out);
			ink = (enum ink)g[i].ink;
			fputs(style_on(&color, ink), out);
		}
		fwrite(g[i].text, 1, g[i].len, out);
	}
	style_link_off(out, link != NULL);
	fprintf(out, "%s\n", style_off(&color, ink));
}

static void put_wrapped(FILE *out, const struct inked_line *line, size_t width)
{
	size_t n, from = 0, end;
	struct character *g = glyphs_of(line, &n);
	size_t indent = hanging(g, n, width);

	for (bool first = true; from < n; first = false) {
		end = line_end(g, from, n, first ? width : width - indent);
		if (!first)
			fprintf(out, "%*s", (int)indent, "");
		put_glyphs(out, g, from, end);
		for (from = end; from < n && g[from].blank;)
			from++;
	}
	free(g);
}

void inked_wrap(struct inked_lines *l, size_t width)
{
	struct memtext gathered;
	struct inked_lines wrapped;
	FILE *out = memtext_begin(&gathered);

	for (size_t i = 0; i < l->n; i++) {
		if (l->line[i].width > width)
			put_wrapped(out, &l->line[i], width);
		else
			fprintf(out, "%.*s\n", (int)l->line[i].len, l->line[i].text);
	}
	inked_take(&wrapped, memtext_end(&gathered));
	inked_release(l);
	*l = wrapped;
}
