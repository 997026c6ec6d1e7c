/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_csv_findings.c - what is found beside contexts of replicas, as tables for spreadsheets:
 * pairs of accesses of which one is wasted, and the objects that accesses go to. A file has one
 * table, as its readers want; --metric says which.
 */
#include <inttypes.h>

#include "render/csv_put.h"
#include "render/metrics.h"

enum { INSN_MAX = 96 };

static void put_pair(FILE *out, const struct waste_sum *w, const struct waste_pair *p)
{
	char insn[2][INSN_MAX];

	for (int i = 0; i < 2; i++)
		waste_instruction(insn[i], INSN_MAX, p->insn[i], p->insn_len[i]);
	fprintf(out, "%s,%d,%" PRIu64 ",%" PRIu64 ",", waste_name(w->kind), p->pid, p->wasted_count,
		p->wasted_bytes);
	csv_put_real(out, p->share);
	putc(',', out);
	csv_put_text(out, waste_part_name(p->part));
	putc(',', out);
	csv_put_text(out, insn[1]);
	putc(',', out);
	csv_put_text(out, insn[0]);
	putc(',', out);
	csv_put_stack(out, &p->stack[0], p->stack[0].n);
	putc(',', out);
	csv_put_stack(out, &p->stack[1], p->stack[1].n);
	fputs("\r\n", out);
}

void csv_put_waste(FILE *out, const struct report *r)
{
	fputs("kind,pid,count,wasted_bytes,share,header,instruction,watched_instruction,watched,"
	      "trapped\r\n",
	      out);
	for (int k = 0; r->waste && k < WASTE_KINDS; k++) {
		const struct waste_sum *w = &r->waste[k];
		for (size_t i = 0; i < w->npairs; i++) {
			struct export_sample s = { .source = EXPORT_WASTE,
						   .waste = w,
						   .pair = &w->pairs[i] };
			if (metric_value(r->metric, &s))
				put_pair(out, w, &w->pairs[i]);
		}
	}
}

static void put_object(FILE *out, const struct locality *l, const struct locality_object *o)
{
	fprintf(out, "%s,", locality_metric_name(l->metric));
	csv_put_text(out, o->class ? o->class->name : NULL);
	fprintf(out, ",%d,", o->pid);
	const double reals[] = { o->objects, o->bytes, o->sums.weight, (double)o->sums.objects,
				 o->share };
	for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++) {
		csv_put_real(out, reals[i]);
		putc(',', out);
	}
	csv_put_interval(out, o->range.low, o->range.high);
	fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", o->sums.count, o->loads, o->stores);
	csv_put_stack(out, &o->stack, o->stack.n);
	fputs("\r\n", out);
}

void csv_put_locality(FILE *out, const struct report *r)
{
	fputs("metric,class,pid,objects,bytes,value,sampled_objects,share,share_ci_low,share_ci_"
	      "high,"
	      "samples,loads,stores,alloc_stack\r\n",
	      out);
	for (int k = 0; r->locality && k < LOCALITY_METRICS; k++)
		for (size_t i = 0; i < r->locality[k].nobjects; i++)
			put_object(out, &r->locality[k], &r->locality[k].objects[i]);
}
