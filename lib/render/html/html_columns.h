/* SPDX-License-Identifier: Apache-2.0 */
/* html_columns.h - the figures of a report's rows for the page: one column of numbers each. */
#ifndef OJX_HTML_COLUMNS_H
#define OJX_HTML_COLUMNS_H

#include "base/json_text.h"
#include "render/render.h"

/* Adds "objects": [1, 2.5, null] and so on, with an element for each row that is shown. */
void html_put_columns(struct json_text *t, const struct report *r);

/*
 * Adds "columns": [[name, heading, unit, whether there is an interval, evidence, help, whether it
 * is a statistic], ...], the figures that are columns of the page's table. `evidence` names the
 * figure that counts the pairs or objects that a share is from; null: none.
 */
void html_put_column_table(struct json_text *t);

/* ---- what the page begins with: the findings and the sum, as in the text. */

/*
 * Adds "total", "sum", "heap_hint", "best", "worth" and "others"; docs/html.md describes them.
 * Without a sum, or where rows are in another order, they are null. 0, or -1 if out of memory.
 */
int html_put_best(struct json_text *t, const struct report *r);

#endif
