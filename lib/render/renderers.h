/* SPDX-License-Identifier: Apache-2.0 */
/*
 * renderers.h - the formats of `ojx report`.
 *
 * One row of the table in renderers.c describes a format completely: its word for --format, the
 * suffix of its files, its help, its renderer. To add one, write lib/render/render_NAME.c and a row
 * there.
 */
#ifndef OJX_RENDERERS_H
#define OJX_RENDERERS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/style.h"
#include "render/render.h"

enum renderer_flags {
	RENDERER_BINARY = 1 << 0, /* not suitable for a terminal */
	RENDERER_METRIC = 1 << 1, /* counts the report's metric, or shows it first */
	RENDERER_LABELS = 1 << 2, /* marks pairs of headers, so that a reader can leave them out */
	RENDERER_PEOPLE = 1 << 3, /* people read it: by line, those with a gain first */
	RENDERER_GAIN = 1 << 4,	  /* and it leaves out the others */
};

struct renderer {
	const char *name;
	const char *suffix; /* suffix of file names, by which -o selects the format; NULL: none */
	const char *help;
	unsigned flags;
	size_t rows; /* how many rows it has by default; 0: all */
	/*
	 * One of the two is set. `text` is for people: on a terminal it is paged, coloured, and has
	 * only the first rows.
	 */
	int (*text)(FILE *out, const struct report *r, const struct style *s);
	/* `data` is for programs: the same output on any stream. */
	int (*data)(FILE *out, const struct report *r);
};

/* The table, in the order of --help; the first is the default; ends with name NULL. */
extern const struct renderer renderers[];

/* The format of that name, or NULL. */
const struct renderer *renderer_find(const char *name);

/*
 * The format for `path` by its suffix: the longest suffix in the table that matches, or one that
 * other programs use (.htm, .folded, .pprof). Text for .txt and the like, for names without a
 * suffix, and for a number as in "report.1". NULL: no format has this suffix.
 */
const struct renderer *renderer_of_file(const char *path);

/* Writes "text, json, ..."; with help one line each: "\n- json: for programs...". */
void renderers_put(FILE *out, bool with_help);

#endif
