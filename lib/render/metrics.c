/* SPDX-License-Identifier: Apache-2.0 */
/* metrics.c - see metrics.h. */
#include "render/metrics.h"

#include <math.h>
#include <string.h>

#include "fix/fix.h"

#define OF(name, expression)                                   \
	static double name##_of(const struct export_sample *s) \
	{                                                      \
		return expression;                             \
	}

OF(objects, s->row->replica.objects)
OF(bytes, s->row->replica.bytes)
OF(saved, replica_saved(&s->row->replica))
OF(samples, (double)s->row->replica.sampled)
OF(avoidable, s->avoided)
OF(accesses, (double)s->access->uses)

static const struct metric of_rows[] = {
	{ .name = "objects",
	  .unit = "count",
	  .source = EXPORT_ALLOCATIONS,
	  .of = objects_of,
	  .help = "objects allocated" },
	{ .name = "bytes",
	  .unit = "bytes",
	  .source = EXPORT_ALLOCATIONS,
	  .of = bytes_of,
	  .help = "bytes allocated, the default" },
	{ .name = "saved",
	  .unit = "bytes",
	  .source = EXPORT_ALLOCATIONS,
	  .of = saved_of,
	  .help = "lower bound of the bytes that merging equal objects saves" },
	{ .name = "avoidable",
	  .unit = "bytes",
	  .source = EXPORT_FIXES,
	  .of = avoidable_of,
	  .help = "bytes that fixes avoid, certain and likely ones" },
	{ .name = "samples",
	  .unit = "count",
	  .source = EXPORT_ALLOCATIONS,
	  .of = samples_of,
	  .help = "allocation samples" },
	{ .name = "accesses",
	  .unit = "count",
	  .source = EXPORT_ACCESSES,
	  .of = accesses_of,
	  .help = "uses seen, on the stacks of the uses" },
};
enum { OF_ROWS = sizeof of_rows / sizeof of_rows[0] };

/* NULL: the metric is the weights of paths. */
static const struct figure *figure_of_metric(const struct analysis *a,
					     const struct analysis_metric *m)
{
	const struct figure *f = m->figure ? a->kinds[0]->tables[0]->figures : NULL;

	while (f && strcmp(f->name, m->figure) != 0)
		f++;
	return f;
}

void metrics_list(struct metrics *to, const struct analysis *const *analyses)
{
	to->n = OF_ROWS;
	memcpy(to->item, of_rows, sizeof of_rows);
	for (int i = 0; analyses[i]; i++)
		for (const struct analysis_metric *m = analyses[i]->metrics; m->name; m++)
			if (to->n < METRICS_MAX)
				to->item[to->n++] = (struct metric){
					.name = m->name,
					.unit = m->unit,
					.source = EXPORT_FINDINGS,
					.help = m->help,
					.analysis = analyses[i],
					.kind = m->kind,
					.figure = figure_of_metric(analyses[i], m),
				};
}

const struct metric *metric_find(const struct metrics *metrics, const char *name)
{
	for (size_t i = 0; i < metrics->n; i++)
		if (strcmp(metrics->item[i].name, name) == 0)
			return &metrics->item[i];
	return NULL;
}

void metrics_put(FILE *out, const struct metrics *metrics, bool with_help)
{
	for (size_t i = 0; i < metrics->n; i++) {
		const struct metric *m = &metrics->item[i];
		if (with_help)
			fprintf(out, "\n- %s: %s", m->name, m->help);
		else
			fprintf(out, "%s%s", i ? ", " : "", m->name);
	}
}

static double value_of(const struct metric *m, const struct export_sample *s)
{
	if (m->source != s->source)
		return NAN;
	if (m->source != EXPORT_FINDINGS)
		return m->of(s);
	if (s->finding->analysis != m->analysis || (m->kind && s->finding->kind != m->kind) ||
	    !m->figure != (s->path != NULL))
		return NAN;
	return s->path ? s->path->weight : figure_of(m->figure, s->found);
}

int64_t metric_value(const struct metric *m, const struct export_sample *s)
{
	double value = value_of(m, s);

	/* the largest number that both formats and their readers (such as JavaScript) can hold */
	return value > 0 ? llround(fmin(value, 0x1p53)) : 0;
}

/* ---- totals, for which no stack is needed ------------------------------------------------ */

static int64_t total_of_rows(const struct metric *m, const struct report *r)
{
	int64_t sum = 0;

	for (size_t i = 0; i < r->shown; i++) {
		const struct row *row = rows_at(r->rows, i);
		struct export_sample s = { .source = m->source, .row = row };
		if (m->source == EXPORT_ALLOCATIONS)
			sum += metric_value(m, &s);
		for (size_t k = 0; m->source == EXPORT_ACCESSES && k < row_details(row)->naccesses;
		     k++) {
			s.access = &row_details(row)->accesses[k];
			sum += metric_value(m, &s);
		}
	}
	return sum;
}

static int64_t total_of_fixes(const struct metric *m, const struct report *r)
{
	struct export_sample s = { .source = EXPORT_FIXES };
	int64_t sum = 0;

	for (size_t i = 0; r->fixes && i < r->fixes->n; i++) {
		const struct fix *f = &r->fixes->fix[i];
		for (size_t k = 0; export_has_fix(r, i) && k < f->nparts; k++)
			for (size_t c = 0; c < f->part[k].ncontexts; c++) {
				s.avoided = fix_avoids_of(f, &f->part[k], f->part[k].contexts[c]);
				sum += metric_value(m, &s);
			}
	}
	return sum;
}

int64_t metric_of_row(const struct metric *m, const struct finding *f,
		      const struct finding_row *row)
{
	struct export_sample s = { .source = EXPORT_FINDINGS, .finding = f, .found = row };
	int64_t sum = row->npaths ? 0 : metric_value(m, &s);

	for (size_t i = 0; i < row->npaths; i++) {
		s.path = &row->paths[i];
		sum += metric_value(m, &s);
	}
	return sum;
}

int64_t metric_total(const struct metric *m, const struct report *r)
{
	int64_t sum = total_of_rows(m, r);

	if (m->source == EXPORT_FIXES)
		return total_of_fixes(m, r);

	for (size_t i = 0; m->analysis && r->findings && i < r->findings->n; i++) {
		const struct finding *f = &r->findings->item[i];
		for (size_t k = 0; f->ntables && k < f->table[0].n; k++)
			sum += metric_of_row(m, f, finding_row(&f->table[0], k));
	}
	return sum;
}
