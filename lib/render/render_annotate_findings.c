/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_annotate_findings.c - what else was found at a source line, written below it. Rows that
 * look the same here are added up: they differ only in their other stack or in callers.
 */
#include <string.h>

#include "base/units.h"
#include "render/render_annotate.h"

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

	render_annotate_note(out, r, s);
	fprintf(out, "%s%s%s%s: %s %%, %llu of %llu %s", what ? what : f->kind->title,
		aspect ? ", " : "", aspect ? aspect : "", x->called ? ", in the JDK" : "",
		units_percent(text, share), (unsigned long long)count, (unsigned long long)f->count,
		f->kind->counted);
	if (r->assembly) {
		const char *insn = instruction_of(x, room);
		fprintf(out, "%s  %s%s", style_off(s, INK_DIM), style_on(s, INK_CYAN),
			insn ? insn : "?");
	}
	fprintf(out, "%s\n", style_off(s, r->assembly ? INK_CYAN : INK_DIM));
}

void render_annotate_findings(FILE *out, const struct annotate_report *r, const struct style *s,
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
