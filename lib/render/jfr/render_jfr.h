/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_jfr.h - what a report says, as events: rows, findings, the recording as a whole. A part
 * declares the types of its events only if it has some.
 */
#ifndef OJX_RENDER_JFR_H
#define OJX_RENDER_JFR_H

#include "render/jfr/jfr_chunk.h"
#include "render/render.h"

/* The category of all own events, and the prefix of their names. */
#define JFR_OWN "ojx"

/*
 * Adds the rows, and what the objects' allocations are in the JDK's own recordings; the lines of
 * code; those of them with something to save or to fix. 0, or -1 if out of memory.
 */
int jfr_add_rows(struct jfr_chunk *c, const struct report *r);

/* Adds what the other analyses found, by the keys of docs/json.md. */
void jfr_add_findings(struct jfr_chunk *c, const struct report *r);

#endif
