/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_annotate_waste.c - the wasteful operations of a source line, below it. Pairs of places
 * that look alike here, as they differ at their other end or in their callers only, are added up.
 */
#include <string.h>

#include "base/units.h"
#include "render/render_annotate.h"

enum { INSN_MAX = 96 /* bytes of an instruction's text */ };

static bool is_same(const struct annotate_report *r, const struct annotate_waste *x,
		    const struct annotate_waste *y)
{
	uint8_t len = x->pair->insn_len[x->access];

	if (x->sum != y->sum || x->access != y->access || x->called != y->called ||
	    x->pair->part != y->pair->part)
		return false;
	return !r->assembly ||
	       (len == y->pair->insn_len[y->access] &&
		memcmp(x->pair->insn[x->access], y->pair->insn[y->access], len) == 0);
}

static void put_waste(FILE *out, const struct annotate_report *r, const struct style *s,
		      const struct annotate_waste *w, double share, uint64_t count)
{
	static const char *const what[][2] = {
		[WIRE_DEAD_STORE] = { "dead store", "stores again what nobody has read" },
		[WIRE_SILENT_STORE] = { "silent store, of a value that is stored again",
					"silent store, of the value that is there" },
		[WIRE_SILENT_LOAD] = { "silent load, of a value that is loaded again",
				       "silent load, of the value as before" },
	};
	const char *part = waste_part_name(w->pair->part);
	char insn[INSN_MAX], text[UNITS_TEXT];

	render_annotate_note(out, r, s);
	fprintf(out, "%s%s%s%s: %s %%, %llu of %llu pairs", what[w->sum->kind][w->access],
		part ? ", " : "", part ? part : "", w->called ? ", in the JDK" : "",
		units_percent(text, share), (unsigned long long)count,
		(unsigned long long)w->sum->count);
	if (r->assembly) {
		waste_instruction(insn, sizeof insn, w->pair->insn[w->access],
				  w->pair->insn_len[w->access]);
		fprintf(out, "%s  %s%s", style_off(s, INK_DIM), style_on(s, INK_CYAN), insn);
	}
	fprintf(out, "%s\n", style_off(s, r->assembly ? INK_CYAN : INK_DIM));
}

void render_annotate_waste(FILE *out, const struct annotate_report *r, const struct style *s,
			   const struct annotate_line *line)
{
	for (size_t i = 0; i < line->nwastes; i++) {
		const struct annotate_waste *w = &line->wastes[i];
		double share = 0;
		uint64_t count = 0;
		size_t before = 0;
		while (before < i && !is_same(r, &line->wastes[before], w))
			before++;
		if (before < i)
			continue;
		for (size_t k = i; k < line->nwastes; k++)
			if (is_same(r, &line->wastes[k], w)) {
				share += line->wastes[k].pair->share;
				count += line->wastes[k].pair->wasted_count;
			}
		put_waste(out, r, s, w, share, count);
	}
}
