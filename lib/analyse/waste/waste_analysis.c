/* SPDX-License-Identifier: Apache-2.0 */
/* waste_analysis.c - see waste_analysis.h. */
#include "analyse/waste/waste_analysis.h"

#include <inttypes.h>

#include "analyse/waste/waste.h"
#include "base/units.h"

static const struct analysis_event events[] = {
	{ "dead-store",
	  "stores that are overwritten before anybody reads them",
	  { .watches = true, .stores = true, .pairs = 1u << WIRE_DEAD_STORE } },
	{ "silent-store",
	  "stores of the value that is there already",
	  { .watches = true, .stores = true, .pairs = 1u << WIRE_SILENT_STORE } },
	{ "silent-load",
	  "loads of a value that was loaded before and has not changed",
	  { .watches = true, .loads = true, .pairs = 1u << WIRE_SILENT_LOAD } },
	{ .name = NULL },
};

/* ---- what was recorded ----------------------------------------------------------------------- */

static void sum_up_kind(FILE *out, const struct model *m, enum wire_waste_kind kind)
{
	uint64_t count = 0, bytes = 0, wasted = 0;
	char share[UNITS_TEXT];

	for (size_t i = 0; i < model_nwastes(m); i++) {
		const struct model_waste *w = model_waste(m, i);
		if (w->kind != kind)
			continue;
		count += w->count;
		bytes += w->bytes;
		wasted += w->wasted_bytes;
	}
	fprintf(out, "%s ", waste_name(kind));
	if (count >= ANALYSIS_MIN_PAIRS && bytes)
		fprintf(out, "%s %% of ", units_percent(share, (double)wasted / (double)bytes));
	fprintf(out, "%" PRIu64 " pairs, ", count);
}

static void sum_up(FILE *out, const struct model *m, const struct analysis_needs *needs,
		   const struct file_status *all)
{
	fprintf(out, "%" PRIu64 " accesses watched, ", all->trapped);
	for (enum wire_waste_kind k = WIRE_DEAD_STORE; k <= WIRE_SILENT_LOAD; k++)
		if (needs->pairs & 1u << k)
			sum_up_kind(out, m, k);
}

static bool seen(const struct model *m)
{
	return model_nwastes(m) > 0;
}

const struct analysis waste_analysis = {
	.key = "waste",
	.title = "Wasted accesses",
	.about = "wasteful accesses",
	.events = events,
	.store_size = sizeof(struct waste_store),
	.records = waste_records,
	.flush = waste_flush,
	.release = waste_store_release,
	.seen = seen,
	.sum_up = sum_up,
};
