/* SPDX-License-Identifier: Apache-2.0 */
/* render_callers.c - the callers of a row's line, as text. */
#include "base/units.h"
#include "fix/callers.h"
#include "render/render.h"

enum {
	SHOWN = 3, /* callers that are named, the others are counted */
	FEW = 5,   /* with fewer samples, "2 of 3" of them is written, not a percentage */
};

static void put_caller(FILE *out, const struct style *s, const struct callers *all,
		       const struct caller *c)
{
	char text[UNITS_TEXT];

	if (c->frame.method)
		frame_put_site(out, s, &c->frame);
	else
		fputs("the start of a thread", out);
	if (all->samples < FEW)
		fprintf(out, " (%llu of %llu)", (unsigned long long)c->samples,
			(unsigned long long)all->samples);
	else
		fprintf(out, " (%s %%)", units_percent(text, c->share));
}

bool callers_put(FILE *out, const struct style *s, const struct callers *callers)
{
	size_t shown = callers->n < SHOWN ? callers->n : SHOWN;
	size_t others = callers->n - shown + callers->others;
	char text[UNITS_TEXT];

	for (size_t i = 0; i < shown; i++) {
		if (i > 0)
			fputs(i + 1 < shown || others ? ", " : " and ", out);
		put_caller(out, s, callers, &callers->caller[i]);
	}
	if (shown > 0 && others > 0)
		fprintf(out, " and %zu other%s", others, others == 1 ? "" : "s");
	if (shown > 0 && callers->counted >= 0.01)
		fprintf(out, "; of %s %% of the bytes, as estimated",
			units_percent(text, callers->counted));
	return shown > 0;
}

void render_callers(FILE *out, const struct report *r, const struct style *s, const struct row *row)
{
	struct callers callers;

	if (r->grouping != ROWS_BY_LINE || row_is_other(row))
		return;
	callers_estimate(&callers, r->recording->model, row->contexts, row->ncontexts,
			 bounds_z(r->confidence));
	if (callers.n == 0)
		return;
	fputs("\n    called by ", out);
	callers_put(out, s, &callers);
	putc('\n', out);
}
