/* SPDX-License-Identifier: Apache-2.0 */
/* jfr_rows.h - findings and rows as events. A type is declared only if it has some. */
#ifndef OJX_JFR_ROWS_H
#define OJX_JFR_ROWS_H

#include "render/jfr/jfr_chunk.h"
#include "render/render.h"

/*
 * Adds the rows, and what the objects' allocations are in the JDK's own recordings; the lines of
 * code.
 */
void jfr_add_rows(struct jfr_chunk *c, const struct report *r);

/* Adds the findings that the report ranks, in that order. */
void jfr_add_fixes(struct jfr_chunk *c, const struct report *r);

#endif
