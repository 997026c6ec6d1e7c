/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_other_findings.h - what text, markdown, page and JSON say of findings of other analyses
 * (fix/other_findings.h), in the form of render_fix.h.
 */
#ifndef OJX_RENDER_OTHER_FINDINGS_H
#define OJX_RENDER_OTHER_FINDINGS_H

#include "base/json_text.h"
#include "base/style.h"
#include "fix/other_findings.h"
#include "model/model.h"

enum { OTHERS_FIRST = 3 /* of a section, these are told in a short text */ };

/* Each writes one sentence, or a part of one, without a line end. */

/* "Shop.load:49": where it is. */
void other_put_where(FILE *out, const struct style *s, const struct other_finding *o);
/* "Shop.load:49 stores 12.3 % of all stored bytes in vain (9 % to 15 %), likely." */
void other_put_amount(FILE *out, const struct style *s, const struct other_finding *o);
/* "byte[] 10 %, char[] 2 %; 77 of 400 samples", or where the other access of a pair is. */
void other_put_made(FILE *out, const struct style *s, const struct other_finding *o);
/* What the findings of the section come to that begins with finding `first`. */
void others_put_sum(FILE *out, const struct others *all, size_t first);

/*
 * Writes the sections of a finding as lines with labels, not wrapped; of each the first `most`
 * findings. `m`: for the callers; NULL: there are none.
 */
void others_put(FILE *out, const struct style *s, const struct others *all, const struct finding *f,
		const struct model *m, double z, size_t most);

/* The member `other_findings` of JSON: a list of sections, with the first `most` findings each. */
void others_json(struct json_text *t, const struct others *all, const struct model *m, double z,
		 size_t most);

#endif
