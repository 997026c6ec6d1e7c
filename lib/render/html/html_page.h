/* SPDX-License-Identifier: Apache-2.0 */
/*
 * html_page.h - the HTML page of a report without its data: the files of lib/render/html/, which
 * are part of the program.
 */
#ifndef OJX_HTML_PAGE_H
#define OJX_HTML_PAGE_H

/* NUL-terminated. In the page, each of these marks stands for another part. */
extern const char html_page[];
#define HTML_PAGE_HEAD	 "<!--HEAD-->"
#define HTML_PAGE_DATA	 "<!--DATA-->"
#define HTML_PAGE_SCRIPT "<!--SCRIPT-->"

/* The script that runs before anything is drawn. */
extern const char html_theme[];

/* The style sheets in their order; ends with NULL. */
extern const char *const html_styles[];

/* The scripts in the order in which they must run; ends with NULL. */
extern const char *const html_scripts[];

#endif
