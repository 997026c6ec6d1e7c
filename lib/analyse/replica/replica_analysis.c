/* SPDX-License-Identifier: Apache-2.0 */
/* replica_analysis.c - see replica_analysis.h. */
#include "analyse/replica/replica_analysis.h"

#include <inttypes.h>

static void sum_up(FILE *out, const struct model *m, const struct analysis_needs *needs,
		   const struct file_status *all)
{
	(void)needs;
	fprintf(out,
		"%" PRIu64 " objects sampled, %" PRIu64 " scanned, %" PRIu64 " uses watched, "
		"%zu contexts, ",
		all->sampled, all->scanned, all->used, model_ncontexts(m));
}

const struct analysis replica_analysis = {
	.key = "replica",
	.title = "Contexts",
	.about = "replicas",
	.events = { { "replica",
		      "objects of one content, made again and again (the default)",
		      { .objects = true, .allocations = true } } },
	.sum_up = sum_up,
};
