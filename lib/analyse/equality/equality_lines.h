/* SPDX-License-Identifier: Apache-2.0 */
/* equality_lines.h - the lines that make the objects of classes, and whose contents are known from
 * sampled objects. */
#ifndef OJX_EQUALITY_LINES_H
#define OJX_EQUALITY_LINES_H

#include "analyse/equality/equality.h"
#include "analyse/equality/equality_classes.h"

/* Fills e->lines, after e->rows. 0, or -1 if out of memory. */
int equality_lines_make(struct equality *e, const struct model *m,
			const struct equality_store *store, const struct equality_classes *c,
			const struct findings_options *options);

#endif
