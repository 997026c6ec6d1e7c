/* SPDX-License-Identifier: Apache-2.0 */
/* lifetime_text.h - lifetimes as text, for struct finding_kind and its tables. */
#ifndef OJX_LIFETIME_TEXT_H
#define OJX_LIFETIME_TEXT_H

#include "model/finding.h"

void lifetime_tell(FILE *out, const struct style *s, const struct finding *f);
void lifetime_head(FILE *out, const struct style *s, const struct finding *f,
		   const struct finding_row *row);
void lifetime_put_lines(FILE *out, const struct style *s, const struct finding *f,
			const struct finding_row *row);
void lifetime_of_context(FILE *out, const struct style *s, const struct finding *f,
			 const struct finding_row *row);

#endif
