/* SPDX-License-Identifier: Apache-2.0 */
/*
 * html_page.h - HTML pages without their data: the files of lib/render/html/, which are part of the
 * program. A page is a single file that loads nothing else.
 */
#ifndef OJX_HTML_PAGE_H
#define OJX_HTML_PAGE_H

#include <stdio.h>

#include "base/json_text.h"
#include "model/intern.h"
#include "report/rows.h"
#include "source/source_snippets.h"

/* Texts; lists end with NULL. */
struct html_page {
	const char *html;
	const char *const *styles;
	const char *first; /* the script that runs before anything is drawn */
	const char *const *scripts;
};

extern const struct html_page html_report, html_diff, html_heap;

/*
 * Writes a page; `put_data` writes its data, <script> elements of JSON, and returns -1 if out of
 * memory. 0, or -1 with errno.
 */
int html_put_page(FILE *out, const struct html_page *p, int (*put_data)(FILE *out, const void *of),
		  const void *of);

/* ---- a page's data, which is in <script> elements of JSON. */

/*
 * Begin and end an element with this attribute. html_end_data releases the text, but keeps its
 * stream; it returns 0, or -1 if anything failed.
 */
void html_begin_data(struct json_text *t, const char *attribute);
int html_end_data(struct json_text *t);

/*
 * Adds "strings", "frames", "nodes" and "units": what numbers in the data stand for. Requests the
 * line of each frame from `excerpts`, and writes the numbers of the files; NULL: the page has no
 * sources. 0, or -1 if out of memory.
 */
int html_put_tables(struct json_text *t, const struct intern *in, struct source_snippets *excerpts);

/*
 * Numbers the place of a row, as `put` writes it, as a text of the page. `owned` receives the text,
 * which must live as long as `in`; the caller frees it. 0, or -1 if out of memory.
 */
int html_number_place(struct intern *in, const struct row *row, row_put_fn *put, char **owned,
		      uint32_t *id);

#endif
