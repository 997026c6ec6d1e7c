/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_html.c - the report as a page for a browser: a single file that loads nothing else. The
 * page is written by hand, in lib/render/html; this file combines its parts and the figures.
 * docs/html.md explains it.
 */
#include <errno.h>
#include <string.h>

#include "render/html/html_data.h"
#include "render/html/html_page.h"
#include "render/render.h"

/* Writes the page up to a mark; returns the rest behind the mark. */
static const char *put_until(FILE *out, const char *page, const char *mark)
{
	const char *at = strstr(page, mark);

	if (!at)
		return page;
	fwrite(page, 1, (size_t)(at - page), out);
	return at + strlen(mark);
}

int render_html(FILE *out, const struct report *r)
{
	const char *page = html_page;

	page = put_until(out, page, HTML_PAGE_HEAD);
	fputs("<style>\n", out);
	for (size_t i = 0; html_styles[i]; i++)
		fputs(html_styles[i], out);
	fprintf(out, "</style>\n<script>\n'use strict';\n%s</script>", html_theme);
	page = put_until(out, page, HTML_PAGE_DATA);
	if (html_put_data(out, r) < 0) {
		errno = ENOMEM;
		return -1;
	}
	page = put_until(out, page, HTML_PAGE_SCRIPT);
	fputs("<script>\n'use strict';\n", out);
	for (size_t i = 0; html_scripts[i]; i++)
		fputs(html_scripts[i], out);
	fputs("</script>", out);
	fputs(page, out);
	return ferror(out) ? -1 : 0;
}
