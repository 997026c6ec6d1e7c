/* SPDX-License-Identifier: Apache-2.0 */
/*
 * html_data.h - a report's figures as the HTML page reads them; docs/html.md tells their form.
 */
#ifndef OJX_HTML_DATA_H
#define OJX_HTML_DATA_H

#include <stdio.h>

#include "render/render.h"

/*
 * Writes <script> elements of JSON: the details of the rows, HTML_CHUNK rows an element, then, with
 * the id "data", everything else. The page reads a chunk when it shows a row of it. 0, or -1
 * where memory lacks; errors of the stream show in ferror(out).
 */
enum { HTML_CHUNK = 256 };
int html_put_data(FILE *out, const struct report *r);

#endif
