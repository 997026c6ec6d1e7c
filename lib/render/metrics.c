/* SPDX-License-Identifier: Apache-2.0 */
/* metrics.c - see metrics.h. */
#include "render/metrics.h"

#include <math.h>
#include <string.h>

#define OF(name, expression)                                   \
	static double name##_of(const struct export_sample *s) \
	{                                                      \
		return expression;                             \
	}

OF(objects, s->row->replica.objects)
OF(bytes, s->row->replica.bytes)
OF(saved, replica_saved(&s->row->replica))
OF(samples, (double)s->row->replica.sampled)
OF(accesses, (double)s->access->uses)
OF(locality, s->at->sums.weight)

static double wasted(const struct export_sample *s, enum wire_waste_kind kind)
{
	return s->waste->kind == kind ? (double)s->pair->wasted_bytes : 0;
}

OF(dead_store, wasted(s, WIRE_DEAD_STORE))
OF(silent_store, wasted(s, WIRE_SILENT_STORE))
OF(silent_load, wasted(s, WIRE_SILENT_LOAD))

const struct metric metrics[] = {
	{ "objects", "count", EXPORT_ALLOCATIONS, objects_of, "objects allocated" },
	{ "bytes", "bytes", EXPORT_ALLOCATIONS, bytes_of, "bytes allocated, the default" },
	{ "saved", "bytes", EXPORT_ALLOCATIONS, saved_of,
	  "bytes that merging equal objects would at least save" },
	{ "samples", "count", EXPORT_ALLOCATIONS, samples_of, "allocation samples" },
	{ "accesses", "count", EXPORT_ACCESSES, accesses_of,
	  "uses seen, on the stacks of the uses" },
	{ "locality", "count", EXPORT_LOCALITY, locality_of,
	  "samples of accesses to objects, on the stacks of the allocations" },
	{ "dead-store", "bytes", EXPORT_WASTE, dead_store_of,
	  "bytes stored and not loaded, by the two stores" },
	{ "silent-store", "bytes", EXPORT_WASTE, silent_store_of,
	  "bytes stored as they were, by the two stores" },
	{ "silent-load", "bytes", EXPORT_WASTE, silent_load_of,
	  "bytes loaded as they were, by the two loads" },
	{ NULL, NULL, 0, NULL, NULL },
};
_Static_assert(sizeof metrics / sizeof metrics[0] == METRICS + 1, "METRICS counts them");

const struct metric *metric_find(const char *name)
{
	for (const struct metric *m = metrics; m->name; m++)
		if (strcmp(m->name, name) == 0)
			return m;
	return NULL;
}

void metrics_put(FILE *out, bool with_help)
{
	for (const struct metric *m = metrics; m->name; m++) {
		if (with_help)
			fprintf(out, "\n- %s: %s", m->name, m->help);
		else
			fprintf(out, "%s%s", m == metrics ? "" : ", ", m->name);
	}
}

int64_t metric_value(const struct metric *m, const struct export_sample *s)
{
	double value = m->source == s->source ? m->of(s) : NAN;

	/* the largest number that both formats and their readers, JavaScript among them, can hold
	 */
	return value > 0 ? llround(fmin(value, 0x1p53)) : 0;
}

/* ---- totals, for which no stack is needed ------------------------------------------------ */

static int64_t total_of_rows(const struct metric *m, const struct report *r)
{
	int64_t sum = 0;

	for (size_t i = 0; i < r->shown; i++) {
		const struct row *row = &r->rows->row[i];
		struct export_sample s = { .source = m->source, .row = row };
		if (m->source == EXPORT_ALLOCATIONS)
			sum += metric_value(m, &s);
		for (size_t k = 0; m->source == EXPORT_ACCESSES && k < row->replica.naccesses;
		     k++) {
			s.access = &row->replica.accesses[k];
			sum += metric_value(m, &s);
		}
	}
	return sum;
}

static int64_t total_of_waste(const struct metric *m, const struct waste_sum *w)
{
	int64_t sum = 0;

	for (size_t i = 0; i < w->npairs; i++) {
		struct export_sample s = { .source = EXPORT_WASTE,
					   .waste = w,
					   .pair = &w->pairs[i] };
		sum += metric_value(m, &s);
	}
	return sum;
}

static int64_t total_of_object(const struct metric *m, const struct locality_object *o)
{
	int64_t sum = 0;

	for (size_t i = 0; i < o->naccesses; i++) {
		struct export_sample s = { .source = EXPORT_LOCALITY,
					   .object = o,
					   .at = &o->accesses[i] };
		sum += metric_value(m, &s);
	}
	return sum;
}

int64_t metric_total(const struct metric *m, const struct report *r)
{
	int64_t sum = total_of_rows(m, r);

	for (int k = 0; m->source == EXPORT_WASTE && r->waste && k < WASTE_KINDS; k++)
		sum += total_of_waste(m, &r->waste[k]);
	for (int k = 0; m->source == EXPORT_LOCALITY && r->locality && k < LOCALITY_METRICS; k++)
		for (size_t i = 0; i < r->locality[k].nobjects; i++)
			sum += total_of_object(m, &r->locality[k].objects[i]);
	return sum;
}
