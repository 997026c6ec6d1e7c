/* SPDX-License-Identifier: Apache-2.0 */
/* html_tables.h - the strings, frames and stacks of a page's data. */
#ifndef OJX_HTML_TABLES_H
#define OJX_HTML_TABLES_H

#include <stdio.h>

#include "model/intern.h"
#include "report/rows.h"
#include "report/source_snippets.h"

/*
 * Writes `,"strings":[...],"frames":{...},"nodes":{...}`. Requests the line of each frame from
 * `excerpts`, and writes the numbers of the files; NULL: the page has no sources. 0, or -1 if out
 * of memory.
 */
int html_put_tables(FILE *out, const struct intern *in, struct source_snippets *excerpts);

/*
 * Numbers the place of a row, as `put` writes it, as a text of the page. `owned` receives the text,
 * which must live as long as `in`; the caller frees it. 0, or -1 if out of memory.
 */
int html_number_place(struct intern *in, const struct row *row, row_put_fn *put, char **owned,
		      uint32_t *id);

#endif
