/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fix_rows.c - see fix_rows.h. Rows can be sorted by what fixes avoid of them. So fixes are found
 * first, and then follow their rows: sorting moves a row, but not the contexts that it points at.
 */
#include "fix/fix_rows.h"

#include <stdlib.h>

#include "base/xmalloc.h"

double *fixes_avoided(const struct fixes *fixes, const struct model *m)
{
	double *avoided = xcalloc(model_ncontexts(m) + 1, sizeof *avoided);

	for (size_t i = 0; i < fixes->n; i++) {
		const struct fix *f = &fixes->fix[i];
		for (size_t k = 0; k < f->nparts; k++)
			for (size_t c = 0; c < f->part[k].ncontexts; c++) {
				const struct model_context *of = f->part[k].contexts[c];
				avoided[of->number] += fix_avoids_of(f, &f->part[k], of);
			}
	}
	return avoided;
}

/* The contexts of which something is possible, by their number. */
static bool *possible_contexts(const struct fixes *fixes, const struct model *m)
{
	bool *possible = xcalloc(model_ncontexts(m) + 1, sizeof *possible);

	for (size_t i = 0; i < fixes->n; i++) {
		const struct fix *f = &fixes->fix[i];
		for (size_t k = 0; k < f->nparts && !fix_is_refuted(f); k++) {
			bool some = f->part[k].possible > 0 || (f->few && f->possible > 0);
			for (size_t c = 0; some && c < f->part[k].ncontexts; c++)
				possible[f->part[k].contexts[c]->number] = true;
		}
	}
	return possible;
}

void fixes_tell_rows(const struct fixes *fixes, const struct model *m, struct rows *rows)
{
	double *avoided = fixes_avoided(fixes, m);
	bool *possible = possible_contexts(fixes, m);

	for (size_t i = 0; i < rows->table.n; i++) {
		struct row *row = rows_at(rows, i);
		row->avoidable = 0;
		row->possible = false;
		for (size_t k = 0; k < row->ncontexts; k++) {
			row->avoidable += avoided[row->contexts[k]->number];
			row->possible |= possible[row->contexts[k]->number];
		}
	}
	free(avoided);
	free(possible);
}

void fixes_follow_rows(struct fixes *fixes, const struct rows *lines, const struct model *m)
{
	const struct row **moved = rows_by_context(lines, m);

	for (size_t i = 0; i < fixes->nparts; i++) {
		struct fix_part *part = &fixes->part[i];
		if (!part->own)
			part->row = moved[part->contexts[0]->number];
	}
	free(moved);
}
