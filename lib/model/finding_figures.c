/* SPDX-License-Identifier: Apache-2.0 */
/* finding_figures.c - see finding.h: figures of findings by name, and those that all rows have. */
#include <string.h>

#include "model/finding.h"

/* ---- names ------------------------------------------------------------------------------- */

static const struct figure *figures_of(const struct analysis *a)
{
	return a->kinds[0] ? a->kinds[0]->tables[0]->figures : NULL;
}

static bool is_key(const struct figure *f)
{
	return f->kind == FIGURE_NUMBER && (f->flags & FIGURE_KEY);
}

const struct figure *figure_find_key(const struct analysis *const *analyses, const char *name,
				     const struct analysis **analysis)
{
	for (int i = 0; analyses[i]; i++) {
		size_t len = strlen(analyses[i]->key);
		if (strncmp(name, analyses[i]->key, len) != 0 || name[len] != '.')
			continue;
		for (const struct figure *f = figures_of(analyses[i]); f && f->name; f++)
			if (is_key(f) && strcmp(figure_key(f), name + len + 1) == 0) {
				*analysis = analyses[i];
				return f;
			}
	}
	return NULL;
}

const struct figure *finding_headline(const struct finding_kind *kind)
{
	for (const struct figure *f = kind->figures; f && f->name; f++)
		if (f->flags & FIGURE_HEADLINE)
			return f;
	return NULL;
}

const struct finding_kind *finding_kind_find(const struct analysis *const *analyses,
					     const char *name)
{
	for (int i = 0; analyses[i]; i++)
		for (int k = 0; analyses[i]->kinds[k]; k++) {
			const struct finding_kind *kind = analyses[i]->kinds[k];
			if (finding_headline(kind) && strcmp(kind->name, name) == 0)
				return kind;
		}
	return NULL;
}

void figures_put_keys(FILE *out, const struct analysis *const *analyses, bool with_help)
{
	for (int i = 0; analyses[i]; i++)
		for (const struct figure *f = figures_of(analyses[i]); f && f->name; f++) {
			if (!is_key(f))
				continue;
			fprintf(out, with_help ? "\n- %s.%s: " : ", %s.%s", analyses[i]->key,
				figure_key(f));
			if (with_help)
				fputs(f->help, out);
		}
}

/* ---- of all ------------------------------------------------------------------------------ */

double finding_pid(const void *row)
{
	return ((const struct finding_row *)row)->pid;
}

double finding_share(const void *row)
{
	return ((const struct finding_row *)row)->share;
}

double finding_count(const void *row)
{
	return (double)((const struct finding_row *)row)->count;
}

struct bounds_range finding_share_range(const void *row, double z)
{
	(void)z;
	return ((const struct finding_row *)row)->range;
}

const char *finding_class(const void *row, char room[FIGURE_TEXT_MAX])
{
	(void)room;
	return ((const struct finding_row *)row)->class_name;
}

const char *finding_row_kind(const void *row, char room[FIGURE_TEXT_MAX])
{
	(void)room;
	return ((const struct finding_row *)row)->kind->name;
}

const char *finding_name(const void *finding, char room[FIGURE_TEXT_MAX])
{
	(void)room;
	return ((const struct finding *)finding)->kind->name;
}
