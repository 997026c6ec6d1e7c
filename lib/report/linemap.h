/* SPDX-License-Identifier: Apache-2.0 */
/*
 * linemap.h - where a line of one recording is in another, made after somebody has edited the
 * source.
 *
 * Recordings hold the line tables of the methods on their stacks. A method whose table is the same
 * but for a constant was moved as a whole: something was inserted above it. A method with another
 * table was edited itself; the entries of both tables are aligned by how many bytes of bytecode
 * each stands for, which is as much as can be known of a line without its text.
 */
#ifndef OJX_LINEMAP_H
#define OJX_LINEMAP_H

#include "model/model.h"
#include "report/rows.h"

struct linemap;

/* Maps the methods on the rows' stacks. NULL where memory lacks. The rows must outlive it. */
struct linemap *linemap_new(const struct rows *from, const struct rows *to);
void linemap_free(struct linemap *map);

/*
 * The line of the second recording where a frame of the first one is. 0: it cannot be told, since
 * the line was edited, or the method is not on any stack of the second, or has no lines.
 */
int linemap_line(const struct linemap *map, const struct model_frame *frame);

/*
 * Aligns two line tables: at[i] receives the index in `to` of entry i of `from`, or -1. Entries
 * keep their order. 0, or -1 where memory lacks.
 */
int linemap_align(const struct wire_line *from, uint32_t nfrom, const struct wire_line *to,
		  uint32_t nto, int32_t *at);

/* The first line of a frame's method; 0 where it has none. */
int linemap_first_line(const struct model_frame *frame);

#endif
