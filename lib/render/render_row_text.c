/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_row_text.c - parts of the text about rows: lines of the evidence, shares and their
 * intervals, stacks, what rows are called.
 */
#include <math.h>

#include "base/shares.h"
#include "model/callstack.h"
#include "render/render.h"

void evidence_label(struct evidence *e, const char *label)
{
	if (e->n < EVIDENCE_LINES)
		e->line[e->n++] = (struct evidence_line){ label, (size_t)ftell(e->out), 0 };
}

const char *render_rows_noun(const struct report *r, size_t n)
{
	static const char *const nouns[][2] = {
		[ROWS_BY_CONTEXT] = { "context", "contexts" },
		[ROWS_BY_SITE] = { "site", "sites" },
		[ROWS_BY_CLASS] = { "class", "classes" },
		[ROWS_BY_LINE] = { "line", "lines" },
	};

	return nouns[r->grouping][n != 1];
}

void render_share(FILE *out, const struct style *s, const char *name, double share,
		  const struct replica_interval *ci)
{
	static const struct replica_interval none = { NAN, NAN };

	ci = ci ? ci : &none;
	fprintf(out, "%s ", name);
	share_put_estimate(out, s, share, ci->low, ci->high);
}

static void put_frame(FILE *out, const struct style *s, const struct callstack *stack, size_t i,
		      const char *indent)
{
	bool own = i == callstack_line(stack) && !stack->frames[i].platform;
	enum ink ink = own ? INK_BOLD : stack->frames[i].folded > 0 ? INK_DIM : INK_PLAIN;

	fprintf(out, "%s    %s", indent, style_on(s, ink));
	frame_put(out, s, &stack->frames[i]);
	if (own && i > 0)
		fprintf(out, " %s", style_glyph(s, GLYPH_ARROW));
	fprintf(out, "%s\n", style_off(s, ink));
}

static void put_skipped(FILE *out, const struct style *s, const char *indent, size_t n)
{
	if (n > 0)
		fprintf(out, "%s    %s%s %zu more frame%s%s\n", indent, style_on(s, INK_DIM),
			style_glyph(s, GLYPH_ELLIPSIS), n, n == 1 ? "" : "s",
			style_off(s, INK_DIM));
}

/*
 * Writes the innermost frames, then the first frame of the reader's own code if it is further out.
 */
void render_stack(FILE *out, const struct style *s, const struct callstack *stack, size_t max,
		  const char *indent)
{
	size_t own = callstack_line(stack);
	size_t next = 0;

	if (stack->n == 0)
		fprintf(out, "%s    (the stack is not known)\n", indent);
	for (; next < stack->n && next < max; next++)
		put_frame(out, s, stack, next, indent);
	if (own >= next && own < stack->n) {
		put_skipped(out, s, indent, own - next);
		put_frame(out, s, stack, own, indent);
		next = own + 1;
	}
	put_skipped(out, s, indent, stack->n - next);
	const char *missing = callstack_missing(stack->flags);
	if (missing)
		fprintf(out, "%s    %s%s %s%s\n", indent, style_on(s, INK_DIM),
			style_glyph(s, GLYPH_ELLIPSIS), missing, style_off(s, INK_DIM));
}
