/* SPDX-License-Identifier: Apache-2.0 */
/* analysis.c - see analysis.h. */
#include "model/analysis.h"

#include <string.h>

static void add_needs(struct analysis_needs *to, const struct analysis_needs *more, int place)
{
	to->objects |= more->objects;
	to->allocations |= more->allocations;
	to->watches |= more->watches;
	to->loads |= more->loads;
	to->stores |= more->stores;
	to->latency |= more->latency;
	to->nodes |= more->nodes;
	to->pairs |= more->pairs;
	to->flags |= more->flags;
	to->analyses |= 1u << place;
}

/* Adds the needs of an event; false if there is none of that name. */
static bool add_event(const struct analysis *const *analyses, const char *name, size_t len,
		      struct analysis_needs *needs)
{
	for (int i = 0; analyses[i]; i++)
		for (const struct analysis_event *e = analyses[i]->events; e->name; e++)
			if (strlen(e->name) == len && strncmp(e->name, name, len) == 0) {
				add_needs(needs, &e->needs, i);
				return true;
			}
	return false;
}

const char *analyses_parse(const struct analysis *const *analyses, const char *list,
			   struct analysis_needs *needs, size_t *len)
{
	*needs = (struct analysis_needs){ .objects = false };
	for (const char *at = list;; at += *len + 1) {
		*len = strcspn(at, ",");
		if (!add_event(analyses, at, *len, needs))
			return at;
		if (at[*len] == '\0')
			return NULL;
	}
}
