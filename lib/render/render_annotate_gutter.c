/* SPDX-License-Identifier: Apache-2.0 */
/* render_annotate_gutter.c - the figures to the left of a source line. */
#include <math.h>

#include "base/units.h"
#include "render/render_annotate.h"

#define HOT  0.05  /* share of the recording's bytes from which on a line is red, as in perf */
#define WARM 0.005 /* the same for green */

enum {
	AMOUNT = 9,	   /* columns of a size, with the gap before it */
	COUNT = 8,	   /* of a count */
	SHARE = 7,	   /* of theta */
	BRIEF_BELOW = 100, /* columns of a terminal */
};

/* On a narrow terminal the code needs the room: the figures of objects are bytes alone. */
static bool is_brief(const struct annotate *a, const struct style *s)
{
	return s->width > 0 && s->width < BRIEF_BELOW && a->objects > 0;
}

size_t render_annotate_gutter(const struct annotate *a, const struct style *s)
{
	bool brief = is_brief(a, s);

	return (a->objects > 0 ? 2 * AMOUNT : 0) + (a->objects > 0 && !brief ? COUNT + SHARE : 0) +
	       (a->uses > 0 && !brief ? COUNT : 0) + (a->accesses > 0 ? COUNT + 2 : 0);
}

static void put_cell(FILE *out, const char *text, size_t width)
{
	size_t used = utf8_width(text);

	fprintf(out, "%*s%s", (int)(used < width ? width - used : 1), "", text);
}

static void put_bytes(FILE *out, const struct style *s, double bytes)
{
	char text[UNITS_TEXT];

	put_cell(out, isnan(bytes) ? style_glyph(s, GLYPH_DASH) : units_bytes(text, bytes), AMOUNT);
}

static void put_theta(FILE *out, const struct style *s, const struct annotate_class *c)
{
	char text[UNITS_TEXT];

	put_cell(out, c ? units_percent(text, c->theta) : style_glyph(s, GLYPH_DASH), SHARE);
}

static enum ink heat(const struct annotate *a, const struct annotate_line *line)
{
	double share = a->bytes > 0 ? line->bytes / a->bytes : 0;

	return share >= HOT ? INK_RED : share >= WARM ? INK_GREEN : INK_PLAIN;
}

/* Writes the figures of a line; NULL: blanks. */
void render_annotate_figures(FILE *out, const struct annotate_report *r, const struct style *s,
			     const struct annotate_line *line)
{
	const struct annotate *a = r->annotate;
	bool brief = is_brief(a, s);
	char text[UNITS_TEXT];

	if (!line) {
		fprintf(out, "%*s", (int)render_annotate_gutter(a, s), "");
		return;
	}
	fputs(style_on(s, heat(a, line)), out);
	if (a->objects > 0 && line->nclasses > 0) {
		put_bytes(out, s, line->saved);
		put_bytes(out, s, line->bytes);
		if (!brief) {
			put_cell(out, units_count(text, line->objects), COUNT);
			put_theta(out, s, annotate_theta(line, r->min_pairs));
		}
	} else if (a->objects > 0) {
		fprintf(out, "%*s", 2 * AMOUNT + (brief ? 0 : COUNT + SHARE), "");
	}
	if (a->uses > 0 && !brief)
		put_cell(out, line->uses ? units_count(text, (double)line->uses) : "", COUNT);
	if (a->accesses > 0)
		put_cell(out, line->accesses ? units_count(text, (double)line->accesses) : "",
			 COUNT + 2);
	fputs(style_off(s, heat(a, line)), out);
}

void render_annotate_note(FILE *out, const struct annotate_report *r, const struct style *s)
{
	fprintf(out, "%*s %s ", (int)render_annotate_gutter(r->annotate, s) + 8, "",
		style_glyph(s, GLYPH_BAR));
	fprintf(out, "%s    %s ", style_on(s, INK_DIM), style_glyph(s, GLYPH_DOT));
}

void render_annotate_headings(FILE *out, const struct annotate_report *r, const struct style *s)
{
	bool brief = is_brief(r->annotate, s);
	char theta[32];

	fprintf(out, "\n%s", style_on(s, INK_BOLD));
	if (r->annotate->objects > 0) {
		put_cell(out, "saved", AMOUNT);
		put_cell(out, "bytes", AMOUNT);
	}
	if (r->annotate->objects > 0 && !brief) {
		put_cell(out, "objects", COUNT);
		snprintf(theta, sizeof theta, "%s %%", style_glyph(s, GLYPH_THETA));
		put_cell(out, theta, SHARE);
	}
	if (r->annotate->uses > 0 && !brief)
		put_cell(out, "uses", COUNT);
	if (r->annotate->accesses > 0)
		put_cell(out, "accesses", COUNT + 2);
	fprintf(out, "    line%s\n", style_off(s, INK_BOLD));
}
