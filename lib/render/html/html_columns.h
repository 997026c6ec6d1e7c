/* SPDX-License-Identifier: Apache-2.0 */
/*
 * html_columns.h - the figures of a report's rows, a column of numbers each, for the HTML page.
 */
#ifndef OJX_HTML_COLUMNS_H
#define OJX_HTML_COLUMNS_H

#include <stdio.h>

#include "render/render.h"

/* Writes `,"objects":[1,2.5,null], ...`, an element for each row that is shown. */
void html_put_columns(FILE *out, const struct report *r);

#endif
