/* SPDX-License-Identifier: Apache-2.0 */
/* html_data.h - writes a report's figures for the HTML page; docs/html.md describes their form. */
#ifndef OJX_HTML_DATA_H
#define OJX_HTML_DATA_H

#include <stdio.h>

#include "render/render.h"

/*
 * Writes <script> elements of JSON: the details of the rows, HTML_CHUNK rows in each, then
 * everything else with the id "data". The page reads a chunk when it shows one of its rows. 0, or
 * -1 if out of memory; check ferror(out) for errors of the stream.
 */
enum { HTML_CHUNK = 256 };
int html_put_data(FILE *out, const struct report *r);

#endif
