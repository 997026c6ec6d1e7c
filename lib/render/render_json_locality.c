/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_json_locality.c - object locality for programs; docs/json.md is the contract. It is
 * written to the stream as it goes: nothing is built in memory.
 */
#include "render/render_json_locality.h"

#include <math.h>

#include "analyse/locality/datasrc.h"
#include "base/json_put.h"

static void put_text(FILE *out, const char *name, const char *text)
{
	fprintf(out, "\"%s\":", name);
	json_put_text(out, text);
	putc(',', out);
}

static void put_number(FILE *out, const char *name, double value)
{
	fprintf(out, "\"%s\":", name);
	json_put_number(out, value);
	putc(',', out);
}

static void put_frame(FILE *out, const struct model_frame *f)
{
	if (f->folded > 0) {
		fprintf(out, "{\"folded\":%d}", f->folded);
		return;
	}
	putc('{', out);
	put_text(out, "class", f->class_name);
	put_text(out, "method", f->method);
	put_text(out, "file", f->file);
	fputs("\"line\":", out);
	json_put_number(out, f->line > 0 ? f->line : NAN);
	putc('}', out);
}

static void put_stack(FILE *out, const char *name, const struct callstack *stack)
{
	fprintf(out, "\"%s\":[", name);
	for (size_t i = 0; i < stack->n; i++) {
		if (i > 0)
			putc(',', out);
		put_frame(out, &stack->frames[i]);
	}
	fputs("],", out);
}

/* What the processor told of the accesses, and the nodes; null where it told nothing. */
static void put_sums(FILE *out, const struct file_access_sums *s)
{
	uint64_t levels = 0;

	for (int i = 0; i < FILE_LEVELS; i++)
		levels += s->level[i];
	fputs(levels ? "\"levels\":{" : "\"levels\":null,", out);
	for (int i = 0; i < FILE_LEVELS && levels; i++)
		fprintf(out, "%s\"%s\":%llu", i ? "," : "", datasrc_level_name((enum file_level)i),
			(unsigned long long)s->level[i]);
	fputs(levels ? "}," : "", out);
	put_number(out, "latency", s->latencies ? (double)s->latency / (double)s->latencies : NAN);
	put_number(out, "tlb_walks", s->tlb ? (double)s->walk / (double)s->tlb : NAN);
	if (s->local + s->remote)
		fprintf(out, "\"numa\":{\"local\":%llu,\"remote\":%llu},",
			(unsigned long long)s->local, (unsigned long long)s->remote);
	else
		fputs("\"numa\":null,", out);
}

static void put_accesses(FILE *out, const struct locality_object *o)
{
	fputs("\"accesses\":[", out);
	for (size_t i = 0; i < o->naccesses; i++) {
		const struct locality_access *a = &o->accesses[i];
		fputs(i ? ",{" : "{", out);
		put_stack(out, "stack", &a->stack);
		put_number(out, "share", a->share);
		fprintf(out, "\"samples\":%llu}", (unsigned long long)a->sums.count);
	}
	putc(']', out);
}

static void put_object(FILE *out, const struct locality *l, const struct locality_object *o,
		       bool followed)
{
	putc('{', out);
	put_text(out, "metric", locality_metric_name(l->metric));
	put_text(out, "class", o->class ? o->class->name : NULL);
	if (followed)
		put_stack(out, "alloc_stack", &o->stack);
	put_number(out, "pid", o->pid);
	if (followed) {
		put_number(out, "objects", o->objects);
		put_number(out, "bytes", o->bytes);
		put_number(out, "value", o->sums.weight);
		put_number(out, "sampled_objects", (double)o->sums.objects);
	}
	put_number(out, "share", o->share);
	fputs("\"share_ci\":[", out);
	json_put_number(out, o->range.low);
	putc(',', out);
	json_put_number(out, o->range.high);
	fputs("],", out);
	put_number(out, "samples", (double)o->sums.count);
	put_number(out, "loads", (double)o->loads);
	put_number(out, "stores", (double)o->stores);
	put_sums(out, &o->sums);
	put_accesses(out, o);
	putc('}', out);
}

static void put_total(FILE *out, const struct locality *l)
{
	putc('{', out);
	put_text(out, "metric", locality_metric_name(l->metric));
	put_number(out, "samples", (double)l->samples);
	put_number(out, "unplaced", (double)l->unplaced);
	put_number(out, "followed", l->samples ? l->followed : NAN);
	fputs("\"others\":[", out);
	for (size_t i = 0; i < l->nothers; i++) {
		fputs(i ? ",\n" : "", out);
		put_object(out, l, &l->others[i], false);
	}
	fputs("]}", out);
}

void render_json_locality(FILE *out, const struct report *r)
{
	const char *before = "\n";

	fputs("\"locality\":[", out);
	for (int k = 0; k < LOCALITY_METRICS && r->locality; k++)
		for (size_t i = 0; i < r->locality[k].nobjects; i++) {
			fputs(before, out);
			put_object(out, &r->locality[k], &r->locality[k].objects[i], true);
			before = ",\n";
		}
	fputs("],\n\"locality_totals\":[", out);
	before = "\n";
	for (int k = 0; k < LOCALITY_METRICS && r->locality; k++) {
		if (!r->locality[k].samples && !r->locality[k].unplaced)
			continue;
		fputs(before, out);
		put_total(out, &r->locality[k]);
		before = ",\n";
	}
	fputs("]", out);
}
