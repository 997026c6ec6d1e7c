/* SPDX-License-Identifier: Apache-2.0 */
/* findings_filter.c - see findings_filter.h. */
#include "report/findings_filter.h"

#include <string.h>

typedef bool selects_fn(const void *line, const struct filter *f);

/* Lines of one type, in an array. */
struct lines {
	void *base;
	size_t n, size;
	selects_fn *selects;
	double (*share)(const void *line);
	void (*release)(void *line);
	bool (*header)(const void *line); /* NULL: none is of a header */
};

/* The count of what a line is left out for; NULL: it stays, if it is not beyond the limit. */
static size_t *why_not(const struct lines *l, const void *line, const struct findings_filter *how,
		       struct filter_left *left)
{
	if (!l->selects(line, how->filter))
		return &left->unselected;
	if (l->header && !how->headers && l->header(line))
		return &left->headers;
	return l->share(line) < how->least ? &left->below : NULL;
}

/* Returns how many remain. */
static size_t narrow(const struct lines *l, const struct findings_filter *how,
		     struct filter_left *left)
{
	size_t kept = 0;

	for (size_t i = 0; i < l->n; i++) {
		char *line = (char *)l->base + i * l->size;
		size_t *why = why_not(l, line, how, left);
		if (!why && kept >= how->limit)
			why = &left->beyond;
		if (!why) {
			memmove((char *)l->base + kept++ * l->size, line, l->size);
			continue;
		}
		(*why)++;
		l->release(line);
	}
	return kept;
}

/* ---- pairs ------------------------------------------------------------------------------- */

static bool selects_pair(const void *line, const struct filter *f)
{
	const struct waste_pair *p = line;

	if (f->method_glob && !filter_in_method(f->method_glob, &p->stack[0]) &&
	    !filter_in_method(f->method_glob, &p->stack[1]))
		return false;
	return !f->access_glob || filter_in_place(f->access_glob, &p->stack[0]) ||
	       filter_in_place(f->access_glob, &p->stack[1]);
}

static double share_of_pair(const void *line)
{
	return ((const struct waste_pair *)line)->share;
}

static void release_pair(void *line)
{
	waste_release_pair(line);
}

static bool is_header(const void *line)
{
	return ((const struct waste_pair *)line)->part != WIRE_PART_CONTENT;
}

void findings_filter_waste(struct waste_sum waste[WASTE_KINDS], const struct findings_filter *how)
{
	for (int k = 0; k < WASTE_KINDS; k++) {
		const struct lines lines = { .base = waste[k].pairs,
					     .n = waste[k].npairs,
					     .size = sizeof *waste[k].pairs,
					     .selects = selects_pair,
					     .share = share_of_pair,
					     .release = release_pair,
					     .header = is_header };
		waste[k].npairs = narrow(&lines, how, &waste[k].left);
	}
}

bool findings_filter_ignores(const struct filter *filter)
{
	return filter->class_glob || filter->site_glob;
}

/* ---- objects ----------------------------------------------------------------------------- */

static bool accessed_at(const struct locality_object *o, const char *glob)
{
	for (size_t i = 0; i < o->naccesses; i++)
		if (filter_in_place(glob, &o->accesses[i].stack))
			return true;
	return false;
}

static bool selects_object(const void *line, const struct filter *f)
{
	const struct locality_object *o = line;

	if (f->class_glob &&
	    !(o->class && o->class->name && filter_matches(f->class_glob, o->class->name)))
		return false;
	if (f->method_glob && !filter_in_method(f->method_glob, &o->stack))
		return false;
	if (f->site_glob && !filter_at_site(f->site_glob, &o->stack))
		return false;
	return !f->access_glob || accessed_at(o, f->access_glob);
}

static double share_of_object(const void *line)
{
	return ((const struct locality_object *)line)->share;
}

static void release_object(void *line)
{
	locality_release_object(line);
}

static size_t findings_filter_objects(struct locality_object *objects, size_t n,
				      const struct findings_filter *how, struct filter_left *left)
{
	const struct lines lines = { .base = objects,
				     .n = n,
				     .size = sizeof *objects,
				     .selects = selects_object,
				     .share = share_of_object,
				     .release = release_object };

	return narrow(&lines, how, left);
}

void findings_filter_locality(struct locality l[LOCALITY_METRICS],
			      const struct findings_filter *how)
{
	for (int k = 0; k < LOCALITY_METRICS; k++) {
		l[k].nobjects = findings_filter_objects(l[k].objects, l[k].nobjects, how,
							&l[k].objects_left);
		l[k].nothers =
			findings_filter_objects(l[k].others, l[k].nothers, how, &l[k].others_left);
	}
}
