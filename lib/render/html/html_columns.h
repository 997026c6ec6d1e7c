/* SPDX-License-Identifier: Apache-2.0 */
/* html_columns.h - the figures of a report's rows for the HTML page: one column of numbers each. */
#ifndef OJX_HTML_COLUMNS_H
#define OJX_HTML_COLUMNS_H

#include <stdio.h>

#include "render/render.h"

/* Writes `,"objects":[1,2.5,null], ...`, with an element for each row that is shown. */
void html_put_columns(FILE *out, const struct report *r);

#endif
