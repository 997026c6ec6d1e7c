/* SPDX-License-Identifier: Apache-2.0 */
/* html_best.h - what the page begins with: the sum and the best findings, as in the text. */
#ifndef OJX_HTML_BEST_H
#define OJX_HTML_BEST_H

#include <stdio.h>

#include "render/render.h"

/*
 * Writes members `,"total":{...},"sum":[...],"best":[...],"worth":N,"others":"..."`; docs/html.md
 * describes them. Without a sum, or where rows are in another order, they are null. 0, or -1 if out
 * of memory.
 */
int html_put_best(FILE *out, const struct report *r);

#endif
