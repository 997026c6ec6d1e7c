/* SPDX-License-Identifier: Apache-2.0 */
/* equality_words.h - what equality_compute found, in words. */
#ifndef OJX_EQUALITY_WORDS_H
#define OJX_EQUALITY_WORDS_H

#include "model/finding.h"

/* As in struct finding_kind and struct finding_table_kind. */
void equality_tell(FILE *out, const struct style *s, const struct finding *f);
void equality_head(FILE *out, const struct style *s, const struct finding *f,
		   const struct finding_row *row);
void equality_put_lines(FILE *out, const struct style *s, const struct finding *f,
			const struct finding_row *row);
void equality_line_head(FILE *out, const struct style *s, const struct finding *f,
			const struct finding_row *row);
void equality_of_context(FILE *out, const struct style *s, const struct finding *f,
			 const struct finding_row *row);

#endif
