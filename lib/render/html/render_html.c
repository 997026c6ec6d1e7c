/* SPDX-License-Identifier: Apache-2.0 */
/* render_html.c - the report as a page for a browser; docs/html.md explains it. */
#include "render/html/html_data.h"
#include "render/html/html_page.h"
#include "render/render.h"

static int put_data(FILE *out, const void *of)
{
	return html_put_data(out, of);
}

int render_html(FILE *out, const struct report *r)
{
	return html_put_page(out, &html_report, put_data, r);
}
