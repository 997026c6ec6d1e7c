/* SPDX-License-Identifier: Apache-2.0 */
/*
 * html_page.h - HTML pages: the files of lib/render/html/, which are part of the program, and the
 * pieces of which the data of a page are made. A page is a single file that loads nothing else.
 */
#ifndef OJX_HTML_PAGE_H
#define OJX_HTML_PAGE_H

#include <stdio.h>

#include "base/json_text.h"
#include "fix/other_findings.h"
#include "model/intern.h"
#include "render/render.h"
#include "source/source_snippets.h"

/* Texts; lists end with NULL. */
struct html_page {
	const char *html;
	const char *const *styles;
	const char *first; /* the script that runs before anything is drawn */
	const char *const *scripts;
};

extern const struct html_page html_report, html_diff, html_heap;

/* Writes a page; `put_data` writes its data, <script> elements of JSON. 0, or -1 with errno. */
int html_put_page(FILE *out, const struct html_page *p, void (*put_data)(FILE *out, const void *of),
		  const void *of);

/* ---- a page's data, which is in <script> elements of JSON. */

/* Begin and end an element with this attribute. The end releases the text, but keeps its stream. */
void html_begin_data(struct json_text *t, const char *attribute);
void html_end_data(struct json_text *t);

/*
 * Adds "strings", "frames", "nodes" and "units": what numbers in the data stand for. Requests the
 * line of each frame from `excerpts`, and writes the numbers of the files; NULL: the page has no
 * sources.
 */
void html_put_tables(struct json_text *t, const struct intern *in,
		     struct source_snippets *excerpts);

/* Adds a number; -1: it is not known. */
void html_put_id(struct json_text *t, bool known, uint64_t id);

/* The places of a page's rows: numbers of their stacks, and of the texts of their sites and lines.
 */
struct html_places {
	uint32_t *node, *site, *line;
	char **text; /* two of each row */
	size_t n;
};

/* Makes room for n rows; then each is added, with the number of its stack. */
void html_places_begin(struct html_places *p, size_t n);
void html_places_add(struct html_places *p, size_t i, struct intern *in, const struct row *row,
		     uint32_t node);
/* Adds "site", "line" and "node". */
void html_places_put(struct json_text *t, const struct html_places *p);
/* Releases them; `in` must not be used afterwards. */
void html_places_end(struct html_places *p);

/* ---- parts of the data (docs/html.md describes them) */

/* Adds "objects": [1, 2.5, null] and so on, with an element for each row that is shown. */
void html_put_columns(struct json_text *t, const struct report *r);

/*
 * Adds "columns": [[name, heading, unit, whether there is an interval, evidence, help, whether it
 * is a statistic], ...], the figures that are columns of the page's table. `evidence` names the
 * figure that counts the pairs or objects that a share is from; null: none.
 */
void html_put_column_table(struct json_text *t);

/*
 * Adds what the page begins with, the findings and the sum, as in the text: "headline", "total",
 * "sum", "heap_hint", "fixes_sum", "fixes", "gains" and "others". Without a sum, or where rows are
 * in another order, they are null or empty.
 */
void html_put_start(struct json_text *t, const struct report *r);

/*
 * Adds the member "analyses": of `f`, which may be NULL, what these analyses have
 * found, in their order; the list ends with NULL. `others`: what is to be done about the findings;
 * `m`: for their callers, NULL: there are none; z: quantile of the intervals.
 */
void html_put_findings(struct json_text *t, const struct findings *f, const struct others *others,
		       const struct model *m, double z, const struct analysis *const *analyses,
		       struct intern *in);

#endif
