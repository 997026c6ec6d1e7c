/* SPDX-License-Identifier: Apache-2.0 */
/* marks_private.h - the texts of a mark (marks_text.c), for marks.c. */
#ifndef OJX_MARKS_PRIVATE_H
#define OJX_MARKS_PRIVATE_H

#include "render/marks.h"

/* Writes the mark in a line, without its end. */
void mark_put_title(FILE *out, const struct mark *m);

/* Writes it in sentences. `table`: of a finding. 0, or -1 if out of memory. */
int mark_put_text(FILE *out, const struct mark *m, const struct report *r,
		  const struct finding_table_kind *table);

#endif
