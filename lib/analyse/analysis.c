/* SPDX-License-Identifier: Apache-2.0 */
/* analysis.c - see analysis.h. */
#include "analyse/analysis.h"

#include <string.h>

#include "wire/wire.h"

const struct analysis analyses[] = {
	{ "replica", "objects of one content, made again and again (the default)", true, 0, 0 },
	{ "dead-store", "stores that are overwritten before anybody reads them", false,
	  1u << WIRE_DEAD_STORE, 0 },
	{ "silent-store", "stores of the value that is there already", false,
	  1u << WIRE_SILENT_STORE, 0 },
	{ "silent-load", "loads of a value that was loaded before and has not changed", false,
	  1u << WIRE_SILENT_LOAD, 0 },
	{ "locality", "objects whose accesses take the time, by where they were allocated", false,
	  0, WIRE_LOCALITY },
	{ "numa", "the same, and objects in another node's memory than those who access them",
	  false, 0, WIRE_LOCALITY | WIRE_NUMA },
	{ NULL, NULL, false, 0, 0 },
};

const char *analysis_parse(const char *list, struct analysis_needs *needs, size_t *len)
{
	*needs = (struct analysis_needs){ .objects = false };
	for (const char *at = list;; at += *len + 1) {
		const struct analysis *a = analyses;
		*len = strcspn(at, ",");
		while (a->name && (strlen(a->name) != *len || strncmp(a->name, at, *len) != 0))
			a++;
		if (!a->name)
			return at;
		needs->objects |= a->objects;
		needs->waste |= a->waste;
		needs->flags |= a->flags;
		if (at[*len] == '\0')
			return NULL;
	}
}
