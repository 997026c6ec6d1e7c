/* SPDX-License-Identifier: Apache-2.0 */
/* locality_words.h - object locality in words, for struct finding_kind and its tables. */
#ifndef OJX_LOCALITY_WORDS_H
#define OJX_LOCALITY_WORDS_H

#include "model/finding.h"

void locality_tell(FILE *out, const struct style *s, const struct finding *f);
void locality_head(FILE *out, const struct style *s, const struct finding *f,
		   const struct finding_row *row);
void locality_lines(FILE *out, const struct style *s, const struct finding *f,
		    const struct finding_row *row);
void locality_of_context(FILE *out, const struct style *s, const struct finding *f,
			 const struct finding_row *row);

#endif
