/* SPDX-License-Identifier: Apache-2.0 */
/* record_sum.c - see record_sum.h. Sums of the model's own counts: no stack is resolved, no report
 * is made. */
#include "record_sum.h"

#include <inttypes.h>
#include <stdio.h>

void record_sum(char text[RECORD_SUM_TEXT], const struct model *m,
		const struct analysis_needs *needs)
{
	struct file_status all = { .sampled = 0 };
	FILE *out = fmemopen(text, RECORD_SUM_TEXT, "w"); /* what does not fit is left out */

	text[0] = '\0';
	for (uint32_t i = 1; i <= model_njvms(m); i++) {
		const struct model_jvm *jvm = model_jvm(m, i);
		if (!jvm->has_status)
			continue;
		all.sampled += jvm->status.sampled;
		all.scanned += jvm->status.scanned;
		all.used += jvm->status.used;
		all.trapped += jvm->status.trapped;
		all.lost += jvm->status.lost;
	}
	if (!out)
		return;
	model_sum_up(out, m, needs, &all);
	fprintf(out, "%" PRIu64 " events lost", all.lost);
	fclose(out);
	text[RECORD_SUM_TEXT - 1] = '\0';
}
