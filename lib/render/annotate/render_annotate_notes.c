/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_annotate_notes.c - what stands below a line of source for a terminal: the classes that it
 * makes, who calls it, and what other analyses found there.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memtext.h"
#include "base/units.h"
#include "fix/callers.h"
#include "render/annotate/render_annotate.h"
#include "render/render.h"

#define CALLED 0.005 /* share of the recording's bytes from which on a line's callers are told */

enum {
	BRIEF_BELOW = 100,  /* columns of a terminal */
	MAX_CLASSES = 8,    /* of one line */
	CALLERS_FRAMES = 8, /* of a branch of the tree of callers */
};

/* On a narrow terminal the code needs the room: the figures of objects are bytes alone. */
bool render_annotate_is_brief(const struct annotate *a, const struct style *s)
{
	return s->width > 0 && s->width < BRIEF_BELOW && a->objects > 0;
}

size_t render_annotate_gutter(const struct annotate *a, const struct style *s)
{
	bool brief = render_annotate_is_brief(a, s);

	return (a->objects > 0 ? 2 * ANNOTATE_AMOUNT : 0) +
	       (a->objects > 0 && !brief ? ANNOTATE_COUNT + ANNOTATE_SHARE : 0) +
	       (a->uses > 0 && !brief ? ANNOTATE_COUNT : 0) +
	       (a->accesses > 0 ? ANNOTATE_COUNT + 2 : 0);
}

/* Writes what stands to the left of a line below a source line. */
static void put_bar(FILE *out, const struct annotate_report *r, const struct style *s)
{
	fprintf(out, "%*s %s ", (int)render_annotate_gutter(r->annotate, s) + 8, "",
		style_glyph(s, GLYPH_BAR));
}

/* Writes the beginning of such a line. */
static void put_note(FILE *out, const struct annotate_report *r, const struct style *s)
{
	put_bar(out, r, s);
	fprintf(out, "%s    %s ", style_on(s, INK_DIM), style_glyph(s, GLYPH_DOT));
}

/*
 * ---- what else was found at a source line, written below it. Rows that look the same here
 * are added up: they differ only in their other stack or in callers.
 */

static const struct finding_table_kind *kind_of(const struct annotate_found *x)
{
	return x->finding->kind->tables[0];
}

/* Two NULLs are equal. */
static bool same_text(const char *x, const char *y)
{
	return x == y || (x && y && strcmp(x, y) == 0);
}

static const char *aspect_of(const struct annotate_found *x)
{
	return kind_of(x)->aspect ? kind_of(x)->aspect(x->row) : NULL;
}

static const char *instruction_of(const struct annotate_found *x, char room[FIGURE_TEXT_MAX])
{
	return kind_of(x)->at_line_text ? kind_of(x)->at_line_text(x->row, x->access, room) : NULL;
}

static bool is_same(const struct annotate_report *r, const struct annotate_found *x,
		    const struct annotate_found *y)
{
	char room[2][FIGURE_TEXT_MAX];

	if (x->finding != y->finding || x->access != y->access || x->called != y->called ||
	    !same_text(aspect_of(x), aspect_of(y)))
		return false;
	return !r->assembly || same_text(instruction_of(x, room[0]), instruction_of(y, room[1]));
}

static void put_found(FILE *out, const struct annotate_report *r, const struct style *s,
		      const struct annotate_found *x, double share, uint64_t count)
{
	const struct finding *f = x->finding;
	const char *what = kind_of(x)->at_line[x->access], *aspect = aspect_of(x);
	char room[FIGURE_TEXT_MAX], text[UNITS_TEXT];

	put_note(out, r, s);
	fprintf(out, "%s%s%s%s: %s %%, %llu of %llu %s", what ? what : f->kind->title,
		aspect ? ", " : "", aspect ? aspect : "", x->called ? ", in a call" : "",
		units_percent(text, share), (unsigned long long)count, (unsigned long long)f->count,
		f->kind->counted);
	if (r->assembly) {
		const char *insn = instruction_of(x, room);
		fprintf(out, "%s  %s%s", style_off(s, INK_DIM), style_on(s, INK_CYAN),
			insn ? insn : "?");
	}
	fprintf(out, "%s\n", style_off(s, r->assembly ? INK_CYAN : INK_DIM));
}

static void put_findings(FILE *out, const struct annotate_report *r, const struct style *s,
			 const struct annotate_line *line)
{
	for (size_t i = 0; i < line->nfound; i++) {
		const struct annotate_found *x = &line->found[i];
		double share = 0;
		uint64_t count = 0;
		size_t before = 0;
		while (before < i && !is_same(r, &line->found[before], x))
			before++;
		if (before < i)
			continue;
		for (size_t k = i; k < line->nfound; k++)
			if (is_same(r, &line->found[k], x)) {
				share += line->found[k].row->share;
				count += line->found[k].row->count;
			}
		put_found(out, r, s, x, share, count);
	}
}

/* ---- below a line ------------------------------------------------------------------------ */

static void put_class(FILE *out, const struct annotate_report *r, const struct style *s,
		      const struct annotate_class *c)
{
	char text[UNITS_TEXT];

	put_note(out, r, s);
	style_put(out, s, c->name);
	if (c->called)
		fputs(", in a call", out);
	if (model_njvms(r->recording->model) > 1)
		fprintf(out, ", JVM %d", c->pid);
	fprintf(out, ": %s in ", units_bytes(text, c->bytes));
	fprintf(out, "%s objects", units_count(text, c->objects));
	if (c->saved > 0)
		fprintf(out, ", at least %s to save", units_bytes(text, c->saved));
	if (!isnan(c->theta) && c->pairs >= r->min_pairs)
		fprintf(out, ", %s %s %%", style_glyph(s, GLYPH_THETA),
			units_percent(text, c->theta));
	if (c->verdict != VERDICT_UNKNOWN)
		fprintf(out, ", %s%s", replica_verdict_name(c->verdict), c->deep ? " (deep)" : "");
	fprintf(out, "%s\n", style_off(s, INK_DIM));
}

/* "called by Main.run:5 (92 %) and 3 others"; of a line that is shown alone, as a tree. */
static void put_callers(FILE *out, const struct annotate_report *r, const struct style *s,
			const struct annotate_line *line, bool alone)
{
	struct callers callers;
	struct memtext bar;

	if (line->ncontexts == 0 || !(alone || line->bytes >= CALLED * r->annotate->bytes))
		return;
	callers_estimate(&callers, r->recording->model, line->contexts, line->ncontexts, SIZE_MAX,
			 bounds_z(r->confidence));
	if (callers.caller[0].n > 0) {
		put_note(out, r, s);
		fputs("called by ", out);
		if (!alone)
			callers_put(out, s, &callers);
		fprintf(out, "%s\n", style_off(s, INK_DIM));
	}
	if (callers.caller[0].n > 0 && alone) {
		put_bar(memtext_begin(&bar), r, s);
		memtext_end(&bar);
		callers_put_tree(out, s, &callers, CALLERS_FRAMES, bar.text);
		free(bar.text);
	}
	callers_release(&callers);
}

void render_annotate_notes(FILE *out, const struct annotate_report *r, const struct style *s,
			   const struct annotate_line *line, bool alone)
{
	/* a single class that the line itself makes is not named: the source shows it */
	bool told = line->nclasses == 1 && !line->classes[0].called;

	for (size_t i = 0; !told && i < line->nclasses && i < MAX_CLASSES; i++)
		put_class(out, r, s, &line->classes[i]);
	if (line->nclasses > MAX_CLASSES) {
		put_note(out, r, s);
		fprintf(out, "%zu more classes%s\n", line->nclasses - MAX_CLASSES,
			style_off(s, INK_DIM));
	}
	put_callers(out, r, s, line, alone);
	put_findings(out, r, s, line);
}
