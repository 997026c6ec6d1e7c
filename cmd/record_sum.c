/* SPDX-License-Identifier: Apache-2.0 */
/* record_sum.c - see record_sum.h. Sums of the model's own counts: no stack is resolved, no report
 * is made. */
#include "record_sum.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "analyse/replica/replica.h"
#include "analyse/waste/waste.h"
#include "base/units.h"

/* A line that grows; what does not fit is left out. */
struct line {
	char *text;
	size_t len;
};

static void put(struct line *l, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct line *l, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): clang-tidy 14, as in say.c */
	int n = vsnprintf(l->text + l->len, RECORD_SUM_TEXT - l->len, format, args);
	va_end(args);
	if (n > 0)
		l->len += (size_t)n;
	if (l->len >= RECORD_SUM_TEXT)
		l->len = RECORD_SUM_TEXT - 1;
}

/* ---- objects ----------------------------------------------------------------------------- */

static void put_objects(struct line *l, const struct model *m, const struct file_status *all)
{
	put(l, "%" PRIu64 " objects sampled, %" PRIu64 " scanned, %" PRIu64 " uses watched, ",
	    all->sampled, all->scanned, all->used);
	put(l, "%zu contexts, ", model_ncontexts(m));
}

static void put_accesses(struct line *l, const struct model *m)
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
	put(l, "%" PRIu64 " accesses sampled, ", samples);
	put(l, "%" PRIu64 " of them to followed objects of %zu contexts, ", followed, met);
}

/* ---- pairs of accesses ------------------------------------------------------------------- */

static void put_kind(struct line *l, const struct model *m, enum wire_waste_kind kind)
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
	put(l, "%s ", waste_name(kind));
	if (count >= REPLICA_MIN_PAIRS && bytes)
		put(l, "%s %% of ", units_percent(share, (double)wasted / (double)bytes));
	put(l, "%" PRIu64 " pairs, ", count);
}

static void put_waste(struct line *l, const struct model *m, uint32_t kinds,
		      const struct file_status *all)
{
	put(l, "%" PRIu64 " accesses watched, ", all->trapped);
	for (enum wire_waste_kind k = WIRE_DEAD_STORE; k <= WIRE_SILENT_LOAD; k++)
		if (kinds & 1u << k)
			put_kind(l, m, k);
}

void record_sum(char text[RECORD_SUM_TEXT], const struct model *m,
		const struct analysis_needs *needs)
{
	struct line l = { text, 0 };
	struct file_status all = { .sampled = 0 };

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
	if (needs->objects)
		put_objects(&l, m, &all);
	else if (needs->flags & WIRE_LOCALITY)
		put(&l, "%" PRIu64 " objects and ", all.sampled);
	if (needs->flags & WIRE_LOCALITY)
		put_accesses(&l, m);
	if (needs->waste)
		put_waste(&l, m, needs->waste, &all);
	put(&l, "%" PRIu64 " events lost", all.lost);
}
