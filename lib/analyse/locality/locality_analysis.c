/* SPDX-License-Identifier: Apache-2.0 */
/* locality_analysis.c - see locality_analysis.h. */
#include "analyse/locality/locality_analysis.h"

#include <inttypes.h>

#include "analyse/locality/locality.h"

static const struct analysis_event events[] = {
	{ "locality",
	  "objects whose accesses take the time, by where they were allocated",
	  { .allocations = true, .latency = true, .flags = WIRE_LOCALITY } },
	{ "numa",
	  "the same, and objects in another node's memory than those who access them",
	  { .allocations = true,
	    .latency = true,
	    .nodes = true,
	    .flags = WIRE_LOCALITY | WIRE_NUMA } },
	{ .name = NULL },
};

/* ---- what was recorded ----------------------------------------------------------------------- */

static void sum_up(FILE *out, const struct model *m, const struct analysis_needs *needs,
		   const struct file_status *all)
{
	uint64_t samples = 0, followed = 0;
	size_t met = 0;

	for (size_t i = 0; i < model_naccesses(m); i++) {
		const struct model_access *a = model_access(m, i);
		samples += a->sums.count;
		followed += a->context ? a->sums.count : 0;
	}
	for (size_t i = 0; i < model_ncontexts(m); i++)
		met += model_context(m, i)->access_samples > 0;
	if (!needs->objects)
		fprintf(out, "%" PRIu64 " objects and ", all->sampled);
	fprintf(out,
		"%" PRIu64 " accesses sampled, %" PRIu64 " of them to followed objects of %zu "
		"contexts, ",
		samples, followed, met);
}

static bool seen(const struct model *m)
{
	return model_naccesses(m) > 0;
}

static int accesses(const struct model *m, analysis_access_fn *fn, void *arg)
{
	int result = 0;

	for (size_t i = 0; i < model_naccesses(m) && result == 0; i++) {
		const struct model_access *a = model_access(m, i);
		const struct analysis_access one = { a->jvm, a->stack, a->context, a->sums.count };
		result = fn(&one, arg);
	}
	return result;
}

const struct analysis locality_analysis = {
	.key = "locality",
	.title = "Locality",
	.about = "sampled accesses",
	.events = events,
	.store_size = sizeof(struct access_store),
	.records = access_records,
	.flush = access_flush,
	.release = access_store_release,
	.seen = seen,
	.accesses = accesses,
	.sum_up = sum_up,
};
