/* SPDX-License-Identifier: Apache-2.0 */
/*
 * renderers.h - the formats of `ojx report`.
 *
 * One row of the table in renderers.c is the whole of a format: its word for --format, the name of
 * its files, its help, its renderer. To add one, write lib/render/render_NAME.c and a row there.
 */
#ifndef OJX_RENDERERS_H
#define OJX_RENDERERS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/style.h"
#include "render/render.h"

enum renderer_flags {
	RENDERER_BINARY = 1 << 0, /* would garble a terminal */
	RENDERER_METRIC = 1 << 1, /* counts the report's metric, or shows it first */
	RENDERER_LABELS =
		1 << 2, /* says which pairs are of headers: whoever reads it can leave them out */
};

struct renderer {
	const char *name;
	const char *suffix; /* of file names, by which -o knows the format; NULL: none */
	const char *help;
	unsigned flags;
	/* One of the two. For people: paged and coloured on a terminal, the first rows only. */
	int (*text)(FILE *out, const struct report *r, const struct style *s);
	/* For programs: the same wherever it goes, all rows. */
	int (*data)(FILE *out, const struct report *r);
};

/* The table, in the order of the help; the first is the default; ends with name NULL. */
extern const struct renderer renderers[];

/* The format of that name, or NULL. */
const struct renderer *renderer_find(const char *name);

/*
 * The format that `path` names by its end: that whose suffix it is, the longest of several, or what
 * other programs call such files (.htm, .folded, .pprof); text for .txt and the like, and for names
 * without an end or with a number as in "report.1". NULL: an end that no format has.
 */
const struct renderer *renderer_of_file(const char *path);

/* Writes "text, json, ..."; with help a line for each: "\n- json: for programs...". */
void renderers_put(FILE *out, bool with_help);

#endif
