/* SPDX-License-Identifier: Apache-2.0 */
/* annotate_spots.c - the hottest lines of an annotation, and the files that a user names; see
 * annotate.h. */
#define _GNU_SOURCE 1 /* qsort_r */
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "report/annotate.h"

const struct annotate_class *annotate_theta(const struct annotate_line *line, uint64_t min_pairs)
{
	const struct annotate_class *largest = NULL;

	for (size_t i = 0; i < line->nclasses; i++)
		if (!largest || line->classes[i].bytes > largest->bytes)
			largest = &line->classes[i];
	if (!largest || isnan(largest->theta) || largest->pairs < min_pairs)
		return NULL;
	return largest;
}

/* ---- the hottest ------------------------------------------------------------------------- */

static double value_of(const struct annotate *a, const struct annotate_line *line,
		       enum annotate_key key)
{
	const struct annotate_class *c;

	switch (key) {
	case ANNOTATE_SAVED:
		return isnan(line->saved) ? -1 : line->saved;
	case ANNOTATE_BYTES:
		return line->bytes;
	case ANNOTATE_OBJECTS:
		return line->objects;
	case ANNOTATE_USES:
		return (double)line->uses;
	case ANNOTATE_ACCESSES:
		return (double)line->accesses;
	case ANNOTATE_THETA:
		/* the lower end: one lucky pair must not lead */
		c = annotate_theta(line, REPLICA_MIN_PAIRS);
		return c ? c->theta_ci.low : -1;
	default:
		return annotate_share(line, a->analysis[key - ANNOTATE_FOUND]);
	}
}

static int down(double a, double b)
{
	return a > b ? -1 : a < b;
}

struct sorting {
	const struct annotate *of;
	enum annotate_key key;
};

static int compare_spots(const void *a, const void *b, void *arg)
{
	const struct annotate_spot *x = a, *y = b;
	const struct sorting *s = arg;
	int order = down(value_of(s->of, x->line, s->key), value_of(s->of, y->line, s->key));

	if (!order)
		order = down(x->line->bytes, y->line->bytes);
	if (!order)
		order = down((double)x->line->uses, (double)y->line->uses);
	if (!order)
		order = down((double)x->line->accesses, (double)y->line->accesses);
	if (!order)
		order = down(annotate_share(x->line, NULL), annotate_share(y->line, NULL));
	if (!order)
		order = strcmp(x->file->name, y->file->name);
	return order ? order : x->line->number - y->line->number;
}

struct annotate_spot *annotate_spots(const struct annotate *a, enum annotate_key key, bool jdk,
				     size_t *n)
{
	size_t room = 1;

	*n = 0;
	for (size_t f = 0; f < a->nfiles; f++)
		room += a->files[f].nlines;
	struct annotate_spot *spots = calloc(room, sizeof *spots);
	if (!spots)
		return NULL;
	for (size_t f = 0; f < a->nfiles; f++)
		for (size_t l = 0; l < a->files[f].nlines && (jdk || !a->files[f].in_jdk); l++)
			spots[(*n)++] =
				(struct annotate_spot){ &a->files[f], &a->files[f].lines[l] };
	struct sorting sorting = { a, key };
	qsort_r(spots, *n, sizeof *spots, compare_spots, &sorting);
	return spots;
}

/* ---- names ------------------------------------------------------------------------------- */

static bool is(const char *word, const char *name)
{
	return strcmp(word, name) == 0 || fnmatch(word, name, 0) == 0;
}

/* "com.acme.Shop$Item" is in the file of "com.acme.Shop". */
static bool is_class(const char *word, const char *class_name)
{
	char outer[512];
	size_t len = strcspn(class_name, "$");

	if (is(word, class_name) || is(word, names_simple(class_name)))
		return true;
	if (!class_name[len] || len >= sizeof outer)
		return false;
	memcpy(outer, class_name, len);
	outer[len] = '\0';
	return is(word, outer) || is(word, names_simple(outer));
}

static bool is_file(const char *word, const struct annotate_file *f)
{
	char path[1024];
	size_t package = (size_t)(names_simple(f->class_name) - f->class_name);
	size_t len = strlen(f->name);

	if (is(word, f->name))
		return true;
	if (package + len >= sizeof path)
		return false;
	for (size_t i = 0; i < package; i++)
		path[i] = f->class_name[i] == '.' ? '/' : f->class_name[i];
	memcpy(path + package, f->name, len + 1);
	return is(word, path);
}

static bool names(const struct annotate_file *f, const char *word)
{
	if (is_file(word, f) || is_class(word, f->class_name))
		return true;
	for (size_t i = 0; i < f->nlines; i++)
		if (is_class(word, f->lines[i].class_name))
			return true;
	return false;
}

bool annotate_names(const struct annotate_file *f, const char *word, int *line)
{
	const char *colon = strrchr(word, ':');
	char *end;

	*line = 0;
	if (!colon)
		return names(f, word);
	long number = strtol(colon + 1, &end, 10);
	if (end == colon + 1 || *end || number < 1 || number > UINT16_MAX)
		return names(f, word);
	char *name = strndup(word, (size_t)(colon - word));
	bool named = name && names(f, name);
	free(name);
	if (named)
		*line = (int)number;
	return named;
}
