/* SPDX-License-Identifier: Apache-2.0 */
/*
 * html_page.h - HTML pages without their data: the files of lib/render/html/, which are part of the
 * program. A page is a single file that loads nothing else.
 */
#ifndef OJX_HTML_PAGE_H
#define OJX_HTML_PAGE_H

#include <stdio.h>

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

#endif
