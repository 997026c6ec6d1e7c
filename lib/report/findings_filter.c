/* SPDX-License-Identifier: Apache-2.0 */
/* findings_filter.c - see findings_filter.h. */
#include "report/findings_filter.h"

#include <stdlib.h>
#include <string.h>

/* ---- whether a row is selected ----------------------------------------------------------- */

static bool selects_accesses(const struct finding_row *row, const struct filter *f)
{
	if (f->method_glob && !filter_in_method(f->method_glob, &row->stack[0]) &&
	    !filter_in_method(f->method_glob, &row->stack[1]))
		return false;
	return !f->access_glob || filter_in_place(f->access_glob, &row->stack[0]) ||
	       filter_in_place(f->access_glob, &row->stack[1]);
}

static bool accessed_at(const struct finding_row *row, const char *glob)
{
	for (size_t i = 0; i < row->npaths; i++)
		if (filter_in_place(glob, &row->paths[i].stack))
			return true;
	return false;
}

static bool selects_objects(const struct finding_row *row, const struct filter *f)
{
	if (f->class_glob && !(row->class_name && filter_matches(f->class_glob, row->class_name)))
		return false;
	if (f->method_glob && !filter_in_method(f->method_glob, &row->stack[0]))
		return false;
	if (f->site_glob && !filter_at_site(f->site_glob, &row->stack[0]))
		return false;
	return !f->access_glob || accessed_at(row, f->access_glob);
}

/* ---- tables ------------------------------------------------------------------------------ */

enum fate { SHOWN, CHOSEN, LEFT_OUT, FATES };

static enum fate fate_of(struct finding_table *t, const struct finding_row *row,
			 const struct findings_filter *how, size_t shown)
{
	bool selected = t->kind->of_objects ? selects_objects(row, how->filter)
					    : selects_accesses(row, how->filter);

	if (!selected || (row->minor && !how->minor)) {
		(*(selected ? &t->left.minor : &t->left.unselected))++;
		return LEFT_OUT;
	}
	if (row->share < how->least || shown >= how->limit) {
		(*(row->share < how->least ? &t->left.below : &t->left.beyond))++;
		return CHOSEN;
	}
	return SHOWN;
}

static int narrow(struct finding_table *t, const struct findings_filter *how)
{
	size_t at[FATES] = { 0 }, n[FATES] = { 0 };
	char *sorted = malloc(t->all * t->size + 1);
	unsigned char *fate = malloc(t->all + 1);

	for (size_t i = 0; sorted && fate && i < t->all; i++) {
		fate[i] = (unsigned char)fate_of(t, finding_row(t, i), how, n[SHOWN]);
		n[fate[i]]++;
	}
	at[CHOSEN] = n[SHOWN];
	at[LEFT_OUT] = n[SHOWN] + n[CHOSEN];
	for (size_t i = 0; sorted && fate && i < t->all; i++)
		memcpy(sorted + at[fate[i]]++ * t->size, finding_row(t, i), t->size);
	bool failed = !sorted || !fate;
	free(fate);
	if (failed) {
		free(sorted);
		return -1;
	}
	free(t->rows);
	t->rows = sorted;
	t->n = n[SHOWN];
	t->chosen = n[SHOWN] + n[CHOSEN];
	return 0;
}

int findings_narrow(struct findings *f, const struct findings_filter *how)
{
	for (size_t i = 0; i < f->n; i++)
		for (size_t k = 0; k < f->item[i].ntables; k++)
			if (narrow(&f->item[i].table[k], how) < 0)
				return -1;
	return 0;
}

const char *findings_filter_ignores(const struct filter *filter, const struct findings *f)
{
	for (size_t i = 0; (filter->class_glob || filter->site_glob) && i < f->n; i++)
		if (f->item[i].count && !f->item[i].kind->tables[0]->of_objects)
			return f->item[i].analysis->about;
	return NULL;
}
