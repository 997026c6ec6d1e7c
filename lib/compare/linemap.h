/* SPDX-License-Identifier: Apache-2.0 */
/*
 * linemap.h - finds a line of one recording in another, made after the source was edited.
 *
 * Recordings contain the line tables of methods on their stacks. A method whose table only differs
 * by a constant was moved as a whole: something was inserted above it. A method with a different
 * table was edited. The entries of both tables are aligned by the bytes of bytecode that each has,
 * which is all that is known of a line without its text.
 */
#ifndef OJX_LINEMAP_H
#define OJX_LINEMAP_H

#include "model/model.h"
#include "report/rows.h"

struct linemap;

/* Maps the methods on the rows' stacks. The rows must outlive it. */
struct linemap *linemap_new(const struct rows *from, const struct rows *to);
void linemap_free(struct linemap *map);

/*
 * The line in the second recording for a frame of the first. 0: unknown, since the line was edited,
 * or the method is on no stack of the second, or it has no lines.
 */
int linemap_line(const struct linemap *map, const struct model_frame *frame);

/*
 * Aligns two line tables: at[i] receives the index in `to` of entry i of `from`, or -1. Entries
 * keep their order.
 */
void linemap_align(const struct wire_line *from, uint32_t nfrom, const struct wire_line *to,
		   uint32_t nto, int32_t *at);

/* The first line of a frame's method; 0 if it has none. */
int linemap_first_line(const struct model_frame *frame);

#endif
