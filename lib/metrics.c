/* SPDX-License-Identifier: Apache-2.0 */
/* metrics.c - see metrics.h. */
#include "metrics.h"

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

const struct metric metrics[] = {
	{ "objects", "count", false, objects_of, "objects allocated" },
	{ "bytes", "bytes", false, bytes_of, "bytes allocated, the default" },
	{ "saved", "bytes", false, saved_of,
	  "bytes that merging equal objects would at least save" },
	{ "samples", "count", false, samples_of, "allocation samples" },
	{ "accesses", "count", true, accesses_of, "uses seen, on the stacks of the uses" },
	{ NULL, NULL, false, NULL, NULL },
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
	double value = m->accesses == (s->access != NULL) ? m->of(s) : NAN;

	/* the largest number that both formats and their readers, JavaScript among them, can hold */
	return value > 0 ? llround(fmin(value, 0x1p53)) : 0;
}

int64_t metric_total(const struct metric *m, const struct report *r)
{
	int64_t sum = 0;

	for (size_t i = 0; i < r->shown; i++) {
		const struct row *row = &r->rows->row[i];
		struct export_sample s = { .row = row };
		if (!m->accesses)
			sum += metric_value(m, &s);
		for (size_t k = 0; m->accesses && k < row->replica.naccesses; k++) {
			s.access = &row->replica.accesses[k];
			sum += metric_value(m, &s);
		}
	}
	return sum;
}
