/* SPDX-License-Identifier: Apache-2.0 */
/* waste_words.h - wasteful memory operations in words, for struct finding_kind and its tables. */
#ifndef OJX_WASTE_WORDS_H
#define OJX_WASTE_WORDS_H

#include "model/finding.h"

void waste_tell(FILE *out, const struct style *s, const struct finding *f);
void waste_head(FILE *out, const struct style *s, const struct finding *f,
		const struct finding_row *row);
void waste_lines(FILE *out, const struct style *s, const struct finding *f,
		 const struct finding_row *row);

#endif
